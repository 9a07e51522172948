/* SPDX-License-Identifier: Apache-2.0 */
#include "source_names.h"

#include "err.h"
#include "str.h"

#include <ctype.h>
#include <search.h>
#include <stdlib.h>
#include <string.h>

#define HEAD  "warpline"
#define BLANK " \t"

/*
 * Names whose meaning no compiler is asked for.
 *
 * fate  SAME    the same for every compiler, or not a macro
 *       PLACE   names the file, which only the device's compiler knows: no string of the code
 *               may contain it
 *       ASKED   asks whether a compiler has something: the device's compiler is asked if the
 *               name is in a condition; otherwise as REFUSED
 *       REFUSED asks what a compiler has, and the answer cannot be passed on: source that
 *               uses it is not instrumented
 */
static const struct {
	const char *name;
	enum special_macro fate;
} specials[] = {
	{ "defined", SPECIAL_SAME },     /* an operator */
	{ "_Pragma", SPECIAL_SAME },     /* an operator */
	{ "__VA_ARGS__", SPECIAL_SAME }, /* belongs to a macro */
	{ "__VA_OPT__", SPECIAL_SAME },  /* belongs to a macro */
	{ "__LINE__", SPECIAL_SAME },    /* lines are the source's */
	{ "__COUNTER__", SPECIAL_SAME }, /* starts at 0, and only the source's own uses count */
	{ "__INCLUDE_LEVEL__", SPECIAL_SAME },    /* includes are the source's */
	{ "__DATE__", SPECIAL_SAME },             /* the build time, which differs each time */
	{ "__TIME__", SPECIAL_SAME },             /* the build time, which differs each time */
	{ "__TIMESTAMP__", SPECIAL_SAME },        /* the build time, which differs each time */
	{ "__FILE__", SPECIAL_PLACE },            /* often a temporary file's name */
	{ "__FILE_NAME__", SPECIAL_PLACE },       /* often a temporary file's name */
	{ "__BASE_FILE__", SPECIAL_PLACE },       /* often a temporary file's name */
	{ "__has_attribute", SPECIAL_ASKED },     /* a property of the compiler */
	{ "__has_builtin", SPECIAL_ASKED },       /* a property of the compiler */
	{ "__has_c_attribute", SPECIAL_REFUSED }, /* a property of the compiler */
	{ "__has_constexpr_builtin", SPECIAL_REFUSED },  /* a property of the compiler */
	{ "__has_cpp_attribute", SPECIAL_REFUSED },      /* a property of the compiler */
	{ "__has_declspec_attribute", SPECIAL_REFUSED }, /* a property of the compiler */
	{ "__has_embed", SPECIAL_REFUSED },              /* a property of the compiler */
	{ "__has_extension", SPECIAL_ASKED },            /* a property of the compiler */
	{ "__has_feature", SPECIAL_ASKED },              /* a property of the compiler */
	{ "__has_include", SPECIAL_REFUSED },            /* also of the compiler's own headers */
	{ "__has_include_next", SPECIAL_REFUSED },       /* also of the compiler's own headers */
	{ "__has_warning", SPECIAL_REFUSED },            /* a property of the compiler */
	{ "__building_module", SPECIAL_REFUSED },        /* a property of the compiler */
	{ "__is_identifier", SPECIAL_REFUSED },          /* a property of the compiler */
	{ "__is_target_arch", SPECIAL_REFUSED },         /* a property of the compiler */
	{ "__is_target_environment", SPECIAL_REFUSED },  /* a property of the compiler */
	{ "__is_target_os", SPECIAL_REFUSED },           /* a property of the compiler */
	{ "__is_target_variant_environment", SPECIAL_REFUSED }, /* a property of the compiler */
	{ "__is_target_variant_os", SPECIAL_REFUSED },          /* a property of the compiler */
	{ "__is_target_vendor", SPECIAL_REFUSED },              /* a property of the compiler */
};

enum special_macro special_macro_of(const char *name)
{
	for (size_t i = 0; i < sizeof(specials) / sizeof(specials[0]); i++)
		if (!strcmp(specials[i].name, name))
			return specials[i].fate;
	return SPECIAL_NONE;
}

/* The length of the macro that one of our names, HEAD and the macro, asks about; 0: none. */
static size_t asked_length(const char *name)
{
	const char *macro = name + strlen(HEAD);

	if (strncmp(name, HEAD, strlen(HEAD)) != 0)
		return 0;
	for (size_t i = 0; i < sizeof(specials) / sizeof(specials[0]); i++) {
		size_t length = strlen(specials[i].name);

		if (specials[i].fate == SPECIAL_ASKED &&
		    !strncmp(macro, specials[i].name, length) && macro[length] == '_')
			return length;
	}
	return 0;
}

static const char *skip_blanks(const char *at, const char *end)
{
	while (at < end && strchr(BLANK, *at) && *at)
		at++;
	return at;
}

/*
 * Our name for a question in a condition, on the heap: about the macro of `length` bytes at `text`,
 * if it is followed before `end` by a single name in parentheses. NULL when it is not, or when out
 * of memory; the macro's own name then stands for it.
 */
static char *compiler_question_name(const char *text, size_t length, const char *end)
{
	const char *at = skip_blanks(text + length, end), *thing, *stop;
	char *name;

	if (at == end || *at != '(')
		return NULL;
	thing = skip_blanks(at + 1, end);
	for (stop = thing; stop < end && (isalnum((unsigned char)*stop) || *stop == '_');)
		stop++;
	at = skip_blanks(stop, end);
	if (stop == thing || isdigit((unsigned char)*thing) || at == end || *at != ')')
		return NULL;
	name = str_format(NULL, HEAD "%.*s_%.*s", (int)length, text, (int)(stop - thing), thing);
	if (name && compiler_question_is(name))
		return name;
	free(name);
	return NULL;
}

bool compiler_question_is(const char *name)
{
	return asked_length(name);
}

int compiler_question_ask(const char *name, struct str *out, struct err *err)
{
	const char *macro = name + strlen(HEAD);
	int length = (int)asked_length(name);

	return str_printf(out, err, "%s=%.*s(%s)\n", name, length, macro, macro + length + 1);
}

int compiler_question_answer(const char *name, const char *answer, struct str *out, struct err *err)
{
	const char *macro = name + strlen(HEAD);
	int length = (int)asked_length(name);

	return str_printf(out, err,
	                  "#undef %.*s\n#define %.*s(thing) " HEAD "%.*s_##thing\n"
	                  "#define %s %s\n",
	                  length, macro, length, macro, length, macro, name, answer);
}

#define LIMIT_NAMES      (1u << 20)
#define LIMIT_CALL_BYTES 4096 /* maximal distance to the end of a call */
#define LIMIT_LOOKS      16   /* how often, on average, a byte is visited in that search */

enum directive { NO_DIRECTIVE, DEFINITION, CONDITION, OTHER_DIRECTIVE };

struct scan {
	struct source_names *names;
	const char *at, *end;
	size_t looks_left;
	enum directive directive;
	bool is_line_start; /* only blanks so far on this line */
	bool is_defined;    /* the next name is being defined by #define */
	struct err *err;
};

void source_names_init(struct source_names *n)
{
	*n = (struct source_names){ .tree = NULL };
	array_init(&n->list, sizeof(struct source_name *), LIMIT_NAMES, "names in a source");
}

static void leave(void *name)
{
	(void)name;
}

void source_names_release(struct source_names *n)
{
	struct source_name **list = n->list.data;

	tdestroy(n->tree, leave);
	for (size_t i = 0; i < n->list.count; i++) {
		free(list[i]->text);
		free(list[i]);
	}
	array_release(&n->list);
	free(n->found);
	n->tree = NULL;
	n->found = NULL;
}

static int compare(const void *a, const void *b)
{
	const struct source_name *x = a, *y = b;

	return strcmp(x->text, y->text);
}

/* Compares the searched text with a name, in tsearch()'s order of arguments. */
static int compare_text(const void *text, const void *name)
{
	return strcmp(text, ((const struct source_name *)name)->text);
}

const struct source_name *source_names_at(const struct source_names *n, size_t i)
{
	struct source_name *const *list = n->list.data;

	return list[i];
}

const struct source_name *source_names_find(const struct source_names *n, const char *text)
{
	struct source_name *const *found = tfind(text, &n->tree, compare_text);

	return found ? *found : NULL;
}

/* Takes ownership of `name`, whose text is on the heap. */
static struct source_name *insert(struct source_names *n, struct source_name *name, struct err *err)
{
	struct source_name **found = tsearch(name, &n->tree, compare), **slot;

	if (found && *found != name) {
		free(name->text);
		free(name);
		return *found;
	}
	slot = found ? array_push(&n->list, 1, err) : NULL;
	if (slot) {
		*slot = name;
		return name;
	}
	if (found)
		tdelete(name, &n->tree, compare);
	else
		err_set(err, ERR_NOMEM, "out of memory for the names of a source");
	free(name->text);
	free(name);
	return NULL;
}

struct source_name *source_names_add(struct source_names *n, const char *text, size_t length,
                                     struct err *err)
{
	struct source_name *name = array_alloc(1, sizeof(*name), "a name of the source", err);

	if (!name)
		return NULL;
	name->argument_count = -1;
	name->text = str_format(err, "%.*s", (int)length, text);
	if (name->text)
		return insert(n, name, err);
	free(name);
	return NULL;
}

static bool begins_name(char c)
{
	return isalpha((unsigned char)c) || c == '_' || c == '$';
}

static bool continues_name(char c)
{
	return begins_name(c) || isdigit((unsigned char)c);
}

/* The length of a backslash and the line end after it; 0 if `at` is no such place. */
static size_t splice_at(const char *at, const char *end)
{
	if (end - at >= 2 && at[0] == '\\' && at[1] == '\n')
		return 2;
	return end - at >= 3 && at[0] == '\\' && at[1] == '\r' && at[2] == '\n' ? 3 : 0;
}

/* Remove such places from the text; they may be within a word. */
static int join_lines(const char *text, size_t length, struct str *out, struct err *err)
{
	const char *end = text + length, *from = text;
	int ret = 0;

	for (const char *at = text; !ret && at < end; at++) {
		size_t splice = *at == '\\' ? splice_at(at, end) : 0;

		if (!splice)
			continue;
		ret = str_append(out, from, (size_t)(at - from), err);
		from = at + splice;
		at = from - 1;
	}
	return ret ? ret : str_append(out, from, (size_t)(end - from), err);
}

/* Skip the string or character that begins at `at`; the end of the line also ends it. */
static const char *after_quoted(const char *at, const char *end)
{
	const char quote = *at++;

	while (at < end && *at != quote && *at != '\n')
		at += *at == '\\' && at + 1 < end ? 2 : 1;
	return at < end && *at == quote ? at + 1 : at;
}

/* Skip the comment that begins at `at`; returns `at` when there is none. */
static const char *after_comment(const char *at, const char *end)
{
	const char *stop;

	if (end - at < 2 || at[0] != '/')
		return at;
	if (at[1] == '/') {
		stop = memchr(at, '\n', (size_t)(end - at));
		return stop ? stop : end;
	}
	if (at[1] != '*')
		return at;
	stop = memmem(at + 2, (size_t)(end - at - 2), "*/", 2);
	return stop ? stop + 2 : end;
}

/* Skip a number, from a digit on, by the rules of pp-numbers. */
static const char *after_number(const char *at, const char *end)
{
	while (at < end) {
		bool is_sign = *at == '+' || *at == '-';

		if (is_sign ? !strchr("eEpP", at[-1]) : !continues_name(*at) && *at != '.')
			break;
		at++;
	}
	return at;
}

static const char *after_name(const char *at, const char *end)
{
	while (at < end && continues_name(*at))
		at++;
	return at;
}

/* Skip blanks and comments; in a directive, not past its line. */
static const char *after_blanks(const char *at, const char *end, bool is_line)
{
	while (at < end) {
		const char *next = after_comment(at, end);

		if (next == at && isspace((unsigned char)*at) && !(is_line && *at == '\n'))
			next = at + 1;
		if (next == at)
			break;
		at = next;
	}
	return at;
}

/* How many arguments the call has whose '(' would come next, before `end`; -1: not a call. *at is
 * how far it looked. */
static int look_for_call(const char **at, const char *end, bool is_line)
{
	int count = 0, depth = 0;

	while (*at < end) {
		const char *next = after_blanks(*at, end, is_line);

		if (next > *at) {
			*at = next;
			continue;
		}
		if ((!depth && **at != '(') || **at == '\n')
			return -1;
		if (**at == ')' && --depth == 0)
			return count;
		if (depth == 1)
			count += (count == 0) + (**at == ',');
		depth += **at == '(';
		*at = **at == '"' || **at == '\'' ? after_quoted(*at, end) : *at + 1;
	}
	return -1;
}

static int count_arguments(struct scan *s, const char *from)
{
	size_t most = s->looks_left < LIMIT_CALL_BYTES ? s->looks_left : LIMIT_CALL_BYTES;
	const char *end = (size_t)(s->end - from) > most ? from + most : s->end, *at = from;
	int count = look_for_call(&at, end, s->directive);

	s->looks_left -= (size_t)(at - from);
	return count;
}

static void begin_directive(struct scan *s)
{
	static const char *const conditions[] = { "if",   "ifdef",   "ifndef",
		                                  "elif", "elifdef", "elifndef" };
	const char *word = after_blanks(s->at + 1, s->end, true), *stop = after_name(word, s->end);
	size_t length = (size_t)(stop - word);

	s->directive = OTHER_DIRECTIVE;
	if (length == strlen("define") && !memcmp(word, "define", length))
		s->directive = DEFINITION;
	for (size_t i = 0; i < sizeof(conditions) / sizeof(conditions[0]); i++)
		if (length == strlen(conditions[i]) && !memcmp(word, conditions[i], length))
			s->directive = CONDITION;
	s->is_defined = s->directive == DEFINITION;
	s->at = stop > s->at ? stop : s->at + 1;
}

static int note_name(struct scan *s)
{
	const char *stop = after_name(s->at, s->end);
	size_t length = (size_t)(stop - s->at);
	char *question =
		s->directive == CONDITION ? compiler_question_name(s->at, length, s->end) : NULL;
	struct source_name *name = source_names_add(s->names, question ? question : s->at,
	                                            question ? strlen(question) : length, s->err);

	free(question);
	if (!name)
		return s->err && s->err->code ? s->err->code : ERR_NOMEM;
	name->is_tested |= s->directive == CONDITION;
	if (name->argument_count < 0 && !s->is_defined)
		name->argument_count = count_arguments(s, stop);
	s->is_defined = false;
	s->at = stop;
	return 0;
}

static int pass_quoted(struct scan *s)
{
	struct source_names *n = s->names;
	const char *stop = after_quoted(s->at, s->end), *from = NULL;

	if (n->watched && !n->found)
		from = memmem(s->at, (size_t)(stop - s->at), n->watched, strlen(n->watched));
	if (from)
		n->found = str_format(s->err, "%.*s", (int)(stop - from), from);
	s->at = stop;
	return from && !n->found ? ERR_NOMEM : 0;
}

static int step(struct scan *s)
{
	const char *next = after_comment(s->at, s->end);
	const char c = *s->at;

	if (next > s->at) {
		s->at = next;
		return 0;
	}
	if (c == '\n') {
		s->directive = NO_DIRECTIVE;
		s->is_line_start = true;
		s->at++;
		return 0;
	}
	if (isspace((unsigned char)c)) {
		s->at++;
		return 0;
	}
	if (c == '#' && s->is_line_start) {
		begin_directive(s);
		s->is_line_start = false;
		return 0;
	}
	s->is_line_start = false;
	if (begins_name(c))
		return note_name(s);
	if (c == '"' || c == '\'')
		return pass_quoted(s);
	if (isdigit((unsigned char)c))
		s->at = after_number(s->at + 1, s->end);
	else
		s->at++;
	return 0;
}

int source_names_read(struct source_names *n, const char *text, size_t length, struct err *err)
{
	struct scan s = { .names = n, .is_line_start = true, .err = err };
	struct str joined;
	int ret;

	str_init(&joined, length + 1);
	ret = join_lines(text, length, &joined, err);
	s.at = joined.text;
	s.end = s.at + joined.length;
	s.looks_left = LIMIT_CALL_BYTES + LIMIT_LOOKS * joined.length;
	while (!ret && s.at < s.end)
		ret = step(&s);
	str_release(&joined);
	return ret;
}
