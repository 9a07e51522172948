/* SPDX-License-Identifier: Apache-2.0 */
#include "err.h"
#include "source_facts_private.h"
#include "str.h"

#include <clang-c/Index.h>

#include <ctype.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Which headers a text includes, and what its places call those that came with it. */

struct inclusions {
	struct source_facts *facts;
	const char *embedded;
	struct err *err;
	int ret;
};

/* The name of a file within the folder, or as it is. */
static const char *source_headers_name(const char *path, const char *embedded)
{
	size_t length = embedded ? strlen(embedded) : 0;

	if (!length || strncmp(path, embedded, length) != 0 || path[length] != '/')
		return path;
	return path + length + 1;
}

static bool is_ours(const char *path, const char *embedded)
{
	return source_headers_name(path, embedded) != path ||
	       strncmp(path, CLANG_HEADERS_DIR, strlen(CLANG_HEADERS_DIR)) == 0;
}

static void note_header(CXFile file, CXSourceLocation *stack, unsigned depth, CXClientData data)
{
	struct inclusions *in = data;
	CXString name = clang_getFileName(file);
	const char *text = clang_getCString(name);
	char *path = NULL;

	(void)stack;
	if (depth && !(text && is_ours(text, in->embedded))) {
		path = text ? realpath(text, NULL) : NULL;
		if (!path || strchr(path, '\n'))
			in->facts->has_headers = false;
		else if (!is_ours(path, in->embedded) && !in->ret)
			in->ret = str_printf(&in->facts->headers, in->err, "%s\n", path);
	}
	free(path);
	clang_disposeString(name);
}

/*
 * Fill f->headers and f->has_headers. `embedded` is the folder of the headers that the application
 * embedded, which are left out as the compiler's own are; NULL: none. Returns 0, ERR_LIMIT or
 * ERR_NOMEM.
 */
static int source_headers_read(struct source_facts *f, CXTranslationUnit unit, const char *embedded,
                               struct err *err)
{
	struct inclusions in = { f, embedded, err, 0 };

	f->has_headers = true;
	clang_getInclusions(unit, note_header, &in);
	return in.ret;
}

/* Walks the syntax tree that libclang makes of the program. */

#define TEXT_LIMIT_BYTES 200                    /* an expression is cut behind */
#define TEXT_BYTES       (TEXT_LIMIT_BYTES + 5) /* a blank may come last, then dots and NUL */

struct walk {
	struct source_facts *facts;
	CXTranslationUnit unit;
	struct fact_function *function; /* being walked */
	const char *embedded;           /* folder of embedded headers, or NULL */
	struct err *err;
	int ret;
};

/* A stretch of a file's text. */
struct stretch {
	const char *text; /* of the whole file */
	size_t from, to;
};

/* The position of a location in its file's text; false when it has none. */
static bool position_of(const struct walk *w, CXSourceLocation at, struct stretch *s, size_t *where)
{
	unsigned offset;
	CXFile file;
	size_t bytes = 0;

	clang_getExpansionLocation(at, &file, NULL, NULL, &offset);
	s->text = file ? clang_getFileContents(w->unit, file, &bytes) : NULL;
	*where = offset;
	return s->text && offset <= bytes;
}

static bool is_in_macro(CXSourceLocation at)
{
	CXFile spelling_file, expansion_file;
	unsigned spelling, expansion;

	clang_getSpellingLocation(at, &spelling_file, NULL, NULL, &spelling);
	clang_getExpansionLocation(at, &expansion_file, NULL, NULL, &expansion);
	return spelling != expansion || !clang_File_isEqual(spelling_file, expansion_file);
}

/* The use of a macro that begins at s->from: its name and what is in the parentheses behind. */
static void cut_at_macro(struct stretch *s)
{
	size_t at = s->from;
	int depth = 0;

	while (isalnum((unsigned char)s->text[at]) || s->text[at] == '_')
		at++;
	s->to = at;
	while (isblank((unsigned char)s->text[at]))
		at++;
	for (; s->text[at] == '(' || (depth && s->text[at]); at++) {
		depth += (s->text[at] == '(') - (s->text[at] == ')');
		if (!depth)
			break;
	}
	if (s->text[at] == ')')
		s->to = at + 1;
}

/* Where an expression stands in the text; false for one without a text of its own. */
static bool stretch_of(const struct walk *w, CXCursor cursor, struct stretch *s)
{
	CXSourceRange extent = clang_getCursorExtent(cursor);
	struct stretch end;

	if (is_in_macro(clang_getRangeStart(extent))) {
		if (!position_of(w, clang_getRangeStart(extent), s, &s->from))
			return false;
		cut_at_macro(s);
		return s->from < s->to;
	}
	if (!position_of(w, clang_getRangeStart(extent), s, &s->from) ||
	    !position_of(w, clang_getRangeEnd(extent), &end, &s->to) || end.text != s->text)
		return false;
	return s->from < s->to;
}

/* Copy a stretch with single blanks, cut behind TEXT_LIMIT_BYTES. */
static void copy_text(const struct stretch *s, char out[TEXT_BYTES])
{
	size_t used = 0, i = s->from;
	bool is_blank = false;

	for (; i < s->to && used < TEXT_LIMIT_BYTES; i++) {
		if (isspace((unsigned char)s->text[i]) || s->text[i] == '\\') {
			is_blank = used > 0;
			continue;
		}
		if (is_blank)
			out[used++] = ' ';
		is_blank = false;
		out[used++] = s->text[i];
	}
	memcpy(out + used, i < s->to ? "..." : "", i < s->to ? 4 : 1);
}

/* The place that debug information gives a location. */
static bool place_of(struct walk *w, CXSourceLocation at, struct fact_place *place)
{
	CXString name;
	unsigned line, column;
	const char *text;

	clang_getPresumedLocation(at, &name, &line, &column);
	text = clang_getCString(name);
	*place = (struct fact_place){ UINT32_MAX, line, column };
	if (text && *text)
		place->file = source_facts_file(
			w->facts,
			source_headers_name(source_headers_name(text, w->embedded),
		                            w->facts->folder),
			w->err);
	clang_disposeString(name);
	return place->file != UINT32_MAX;
}

struct children {
	CXCursor first, second;
	unsigned count;
};

static enum CXChildVisitResult take_child(CXCursor c, CXCursor parent, CXClientData data)
{
	struct children *children = data;

	(void)parent;
	if (children->count == 0)
		children->first = c;
	else if (children->count == 1)
		children->second = c;
	children->count++;
	return CXChildVisit_Continue;
}

static struct children children_of(CXCursor c)
{
	struct children children = { .count = 0 };

	clang_visitChildren(c, take_child, &children);
	return children;
}

/*
 * Where debug information puts an expression: clang's getExprLoc(), which libclang has not: of
 * a[i] that of a, of p->m that of m, of everything else where it begins.
 */
static CXSourceLocation expression_location(CXCursor c)
{
	enum CXCursorKind kind = clang_getCursorKind(c);
	struct children children;

	if (kind == CXCursor_MemberRefExpr)
		return clang_getCursorLocation(c);
	if (kind != CXCursor_ArraySubscriptExpr && kind != CXCursor_UnexposedExpr)
		return clang_getRangeStart(clang_getCursorExtent(c));
	children = children_of(c);
	/* The value of a pointer begins where its text does, m of p->m too. */
	if (children.count == 0 ||
	    (kind == CXCursor_UnexposedExpr &&
	     clang_getCanonicalType(clang_getCursorType(children.first)).kind == CXType_Pointer))
		return clang_getRangeStart(clang_getCursorExtent(c));
	return expression_location(children.first);
}

/* Skip blanks and comments from `at`. */
static size_t skip_blanks(const char *text, size_t at, size_t end)
{
	while (at < end) {
		const char *close = NULL;

		if (isspace((unsigned char)text[at]) || text[at] == '\\') {
			at++;
			continue;
		}
		if (text[at] == '/' && at + 1 < end && text[at + 1] == '*')
			close = strstr(text + at + 2, "*/");
		else if (text[at] == '/' && at + 1 < end && text[at + 1] == '/')
			close = strchr(text + at, '\n');
		if (!close)
			break;
		at = (size_t)(close - text) + (*close == '*' ? 2 : 1);
	}
	return at;
}

static void note_at(struct walk *w, const struct fact_place *place, const char *read,
                    const char *write)
{
	if (!w->ret)
		w->ret = source_facts_note(w->facts, place, read, write, w->err);
}

/*
 * What is in the argument of a macro has the place of the macro's use in the debug information of
 * clang 19, and that of the argument in clang 22's.
 */
static void note(struct walk *w, CXSourceLocation at, const char *read, const char *write)
{
	unsigned use_line, use_column, line, column;
	struct fact_place place;

	if (w->ret || !place_of(w, at, &place))
		return;
	note_at(w, &place, read, write);
	clang_getExpansionLocation(at, NULL, &use_line, &use_column, NULL);
	clang_getFileLocation(at, NULL, &line, &column, NULL);
	if (line == use_line && column == use_column)
		return;
	place.line += line - use_line;
	place.column = column;
	note_at(w, &place, read, write);
}

/* An expression that is read where it stands. */
static void note_read(struct walk *w, CXCursor c)
{
	char text[TEXT_BYTES];
	struct stretch s;

	if (!stretch_of(w, c, &s))
		return;
	copy_text(&s, text);
	note(w, expression_location(c), text, NULL);
}

/*
 * `left = right`: debug information puts the store at the operator, and with it the load of a
 * struct's right side (or both where that begins), of a compound assignment's left and of a vector
 * that is written in part.
 */
static void note_assignment(struct walk *w, CXCursor c)
{
	bool is_compound = clang_getCursorKind(c) == CXCursor_CompoundAssignOperator;
	struct children children = children_of(c);
	bool is_struct = clang_getCanonicalType(clang_getCursorType(c)).kind == CXType_Record;
	char left[TEXT_BYTES], right[TEXT_BYTES];
	struct stretch l, r;
	CXFile file;
	size_t at;

	if (children.count != 2 || !stretch_of(w, children.first, &l) ||
	    !stretch_of(w, children.second, &r) || l.text != r.text)
		return;
	if (l.to > r.from) { /* all of it in one macro */
		note_read(w, c);
		return;
	}
	at = skip_blanks(l.text, l.to, r.from);
	while (at < r.from && l.text[at] == ')')
		at = skip_blanks(l.text, at + 1, r.from);
	if (at >= r.from || (!is_compound && (l.text[at] != '=' || l.text[at + 1] == '=')))
		return;
	copy_text(&l, left);
	copy_text(&r, right);
	clang_getExpansionLocation(clang_getRangeStart(clang_getCursorExtent(c)), &file, NULL, NULL,
	                           NULL);
	note(w, clang_getLocationForOffset(w->unit, file, (unsigned)at), is_struct ? right : left,
	     left);
	if (is_struct)
		note(w, expression_location(children.second), right, left);
}

/* `p++`, `--p`, `*p`. */
static void note_unary(struct walk *w, CXCursor c)
{
	struct children children = children_of(c);
	char text[TEXT_BYTES];
	struct stretch whole, operand;
	CXFile file;

	if (children.count != 1 || !stretch_of(w, c, &whole) ||
	    !stretch_of(w, children.first, &operand))
		return;
	if (whole.text[whole.from] == '*' || is_in_macro(clang_getCursorLocation(c))) {
		note_read(w, c);
		return;
	}
	copy_text(&operand, text);
	clang_getExpansionLocation(clang_getCursorLocation(c), &file, NULL, NULL, NULL);
	if (whole.from < operand.from)
		note(w, clang_getCursorLocation(c), text, text);
	else
		note(w,
		     clang_getLocationForOffset(
			     w->unit, file,
			     (unsigned)skip_blanks(whole.text, operand.to, whole.to)),
		     text, text);
}

static void begin_function(struct walk *w, CXCursor c)
{
	CXSourceRange extent = clang_getCursorExtent(c);
	struct fact_function *f = array_push(&w->facts->functions, 1, w->err);
	CXString name = clang_getCursorSpelling(c);
	struct fact_place end;

	w->ret = f ? 0 : ERR_NOMEM;
	if (f) {
		array_init(&f->types, sizeof(char *), 1u << 16, "arguments");
		f->name = str_copy(clang_getCString(name), w->err);
		w->ret = f->name ? 0 : ERR_NOMEM;
		if (place_of(w, clang_getRangeStart(extent), &f->place) &&
		    place_of(w, clang_getRangeEnd(extent), &end) && end.file == f->place.file)
			f->last_line = end.line;
	}
	clang_disposeString(name);
	w->function = f;
}

/* A type without the address space of the argument itself, which is always private. */
static char *type_text(const char *type, struct err *err)
{
	static const char own[] = "__private";
	const char *at = strstr(type, own);
	size_t end;

	if (!at)
		return str_copy(type, err);
	end = (size_t)(at - type);
	at += sizeof(own) - 1;
	if (*at == ' ')
		at++;
	else if (end && type[end - 1] == ' ')
		end--;
	return str_format(err, "%.*s%s", (int)end, type, at);
}

static void note_argument(struct walk *w, CXCursor c)
{
	CXString type;
	char **slot;

	if (!w->function)
		return;
	type = clang_getTypeSpelling(clang_getCursorType(c));
	slot = array_push(&w->function->types, 1, w->err);
	if (slot)
		*slot = type_text(clang_getCString(type), w->err);
	w->ret = slot && *slot ? 0 : ERR_NOMEM;
	clang_disposeString(type);
}

static const struct {
	enum CXCursorKind kind;
	void (*note)(struct walk *w, CXCursor c);
} notes[] = {
	{ CXCursor_FunctionDecl, begin_function },
	{ CXCursor_FunctionTemplate, begin_function },
	{ CXCursor_CXXMethod, begin_function },
	{ CXCursor_ParmDecl, note_argument },
	{ CXCursor_ArraySubscriptExpr, note_read },
	{ CXCursor_MemberRefExpr, note_read },
	{ CXCursor_CallExpr, note_read },
	{ CXCursor_BinaryOperator, note_assignment },
	{ CXCursor_CompoundAssignOperator, note_assignment },
	{ CXCursor_UnaryOperator, note_unary },
};

static bool is_function(enum CXCursorKind kind)
{
	return kind == CXCursor_FunctionDecl || kind == CXCursor_FunctionTemplate ||
	       kind == CXCursor_CXXMethod;
}

static enum CXChildVisitResult visit(CXCursor c, CXCursor parent, CXClientData data)
{
	enum CXCursorKind kind = clang_getCursorKind(c);
	struct walk *w = data;

	(void)parent;
	if (is_function(kind) && (!clang_isCursorDefinition(c) ||
	                          clang_Location_isInSystemHeader(clang_getCursorLocation(c))))
		return CXChildVisit_Continue;
	for (size_t i = 0; i < sizeof(notes) / sizeof(notes[0]); i++)
		if (notes[i].kind == kind)
			notes[i].note(w, c);
	return w->ret ? CXChildVisit_Break : CXChildVisit_Recurse;
}

int source_walk(struct source_facts *f, const char *const *arguments, int argument_count,
                const struct str *text, const char *embedded, struct err *err)
{
	/* Among the embedded headers, where those of the current directory come later. */
	char *name = str_format(err, "%s%swarpline-program.cl", embedded ? embedded : "",
	                        embedded ? "/" : "");
	struct CXUnsavedFile file = { name, text->text, text->length };
	struct walk w = { .facts = f, .embedded = embedded, .err = err };
	CXIndex index = name ? clang_createIndex(1, 0) : NULL;

	if (!index) {
		w.ret = name ? 0 : ERR_NOMEM;
		free(name);
		return w.ret;
	}
	w.unit = clang_parseTranslationUnit(index, file.Filename, arguments, argument_count, &file,
	                                    1, CXTranslationUnit_KeepGoing);
	if (w.unit) {
		w.ret = source_headers_read(f, w.unit, embedded, err);
		clang_visitChildren(clang_getTranslationUnitCursor(w.unit), visit, &w);
	}
	clang_disposeTranslationUnit(w.unit);
	clang_disposeIndex(index);
	free(name);
	return w.ret;
}
