/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_statements.h"

#include "err.h"
#include "str.h"

#include <string.h>

#define PATH_MOST 65536 /* bytes; a longer path is taken as empty */

static int read_place(struct ptx_scan *s, uint64_t *file, uint64_t *line, uint64_t *column)
{
	int ret = ptx_scan_integer(s, UINT32_MAX, file);

	if (!ret)
		ret = ptx_scan_integer(s, UINT32_MAX, line);
	return ret ? ret : ptx_scan_integer(s, UINT32_MAX, column);
}

/* $L__info_string0+4 */
static int read_function(struct ptx_scan *s, struct ptx_loc *loc)
{
	int ret = ptx_scan_name(s, &loc->function);

	if (!ret && ptx_scan_take(s, "+"))
		ret = ptx_scan_integer(s, UINT32_MAX, &loc->function_offset);
	return ret;
}

/*
 * Read a .loc, from after that word. Returns 0 or ERR_FORMAT. The two attributes may be in any
 * order: .loc 1 14 5, function_name $L__info_string0+4, inlined_at 1 20 3
 */
static int ptx_loc_read(struct ptx_scan *s, struct ptx_loc *loc)
{
	int ret = read_place(s, &loc->file, &loc->line, &loc->column);

	while (!ret && ptx_scan_take(s, ",")) {
		if (ptx_scan_take(s, "function_name")) {
			ret = read_function(s, loc);
		} else if (ptx_scan_take(s, "inlined_at")) {
			loc->is_inlined = true;
			ret = read_place(s, &loc->at_file, &loc->at_line, &loc->at_column);
		} else {
			ret = ptx_scan_fail(s, ptx_scan_peek(s), "function_name or inlined_at");
		}
	}
	return ret;
}

/* Take the next token if it is a string, without its quotes. */
static bool take_string(struct ptx_scan *s, struct ptx_word *string)
{
	if (ptx_scan_peek(s).kind != PTX_STRING)
		return false;
	*string = ptx_scan_word(s, ptx_scan_next(s));
	string->at++;
	string->length -= string->length > 1 && string->at[string->length - 2] == '"' ? 2 : 1;
	return true;
}

static int ptx_file_read(struct ptx_scan *s, struct ptx_file *file)
{
	struct ptx_word second;
	int ret = ptx_scan_integer(s, UINT32_MAX, &file->number);

	if (!ret && !take_string(s, &file->name))
		ret = ptx_scan_fail(s, ptx_scan_peek(s), "the name of a file in quotes");
	if (!ret && take_string(s, &second)) {
		file->folder = file->name;
		file->name = second;
	}
	for (int i = 0; !ret && i < 2 && ptx_scan_take(s, ","); i++) /* time and size */
		ret = ptx_scan_integer(s, UINT64_MAX, &(uint64_t){ 0 });
	return ret;
}

int ptx_files_find(const struct ptx_scan *text, struct array *files)
{
	static const char directive[] = ".file";
	const char *begin = text->lexer.text, *end = begin + text->lexer.length, *at = begin;
	struct ptx_scan s = *text;
	int ret = 0;

	while (!ret && (at = memmem(at, (size_t)(end - at), directive, sizeof(directive) - 1))) {
		const char *line = at;
		struct ptx_file *file;

		at += sizeof(directive) - 1;
		while (line > begin && (line[-1] == ' ' || line[-1] == '\t'))
			line--;
		if (line > begin && line[-1] != '\n')
			continue;
		s.lexer.at = (size_t)(at - begin);
		file = array_push(files, 1, s.err);
		ret = file                   ? ptx_file_read(&s, file)
		      : s.err && s.err->code ? s.err->code
		                             : ERR_NOMEM;
	}
	return ret;
}

char *ptx_file_path(const struct ptx_file *file, struct err *err)
{
	size_t folder = file->folder.length, name = file->name.length;

	if (folder > PATH_MOST || name > PATH_MOST)
		folder = name = 0;
	return str_format(err, "%.*s%s%.*s", (int)folder, file->folder.at, folder ? "/" : "",
	                  (int)name, file->name.at);
}

#define NESTING_MOST 4

const struct ptx_operand *ptx_operand_at(const struct ptx_statements *p, uint32_t index)
{
	return index == PTX_NONE ? NULL : (const struct ptx_operand *)p->operands.data + index;
}

/* Take a name, with its component and the number added to it. */
static bool take_name(struct ptx_scan *s, struct ptx_operand *o)
{
	struct ptx_token t = ptx_scan_next(s), component;

	o->name = ptx_scan_word(s, t);
	component = ptx_scan_peek(s);
	if (component.kind == PTX_SUFFIX && component.begin == t.end) {
		ptx_scan_next(s);
		o->name.length = component.end - t.begin;
	}
	if (ptx_scan_take(s, "|")) {
		t = ptx_scan_next(s);
		o->second = ptx_scan_word(s, t);
		return t.kind == PTX_WORD;
	}
	return true;
}

/* Take a number; a malformed one makes the operand odd, without a message. */
static bool take_number(struct ptx_scan *s, struct ptx_number *number)
{
	struct ptx_scan quiet = *s;

	quiet.err = NULL;
	if (ptx_scan_number(&quiet, number))
		return false;
	s->lexer = quiet.lexer;
	return true;
}

static bool take_added(struct ptx_scan *s, struct ptx_operand *o)
{
	if (ptx_scan_take(s, "+") || ptx_scan_sees(s, "-"))
		return take_number(s, &o->number) && o->number.kind == PTX_INTEGER;
	return true;
}

/* [name], [name+4], [4] */
static bool take_address(struct ptx_scan *s, struct ptx_operand *o)
{
	o->kind = PTX_ADDRESS;
	if (ptx_scan_peek(s).kind == PTX_WORD) {
		if (!take_name(s, o) || !take_added(s, o))
			return false;
	} else if (!take_number(s, &o->number)) {
		return false;
	}
	return ptx_scan_take(s, "]");
}

static bool take_operands(struct ptx_statements *p, struct ptx_scan *s, uint32_t *first,
                          uint32_t *count, unsigned depth);

static bool take_operand(struct ptx_statements *p, struct ptx_scan *s, struct ptx_operand *o,
                         unsigned depth)
{
	struct ptx_token t = ptx_scan_peek(s);
	uint32_t count;

	if (ptx_scan_take(s, "["))
		return take_address(s, o);
	if (ptx_scan_sees(s, "{") || ptx_scan_sees(s, "(")) {
		const char *end = ptx_scan_sees(s, "{") ? "}" : ")";

		ptx_scan_next(s);
		o->kind = PTX_LIST;
		return depth < NESTING_MOST && take_operands(p, s, &o->first, &count, depth + 1) &&
		       ptx_scan_take(s, end);
	}
	if (ptx_scan_take(s, "!")) {
		o->is_negated = true;
		t = ptx_scan_peek(s);
	}
	if (t.kind == PTX_WORD)
		return take_name(s, o) && take_added(s, o);
	o->kind = PTX_NUMBERS;
	return take_number(s, &o->number);
}

/* Take operands; false if they are odd, or if out of memory. */
static bool take_operands(struct ptx_statements *p, struct ptx_scan *s, uint32_t *first,
                          uint32_t *count, unsigned depth)
{
	uint32_t last = PTX_NONE;

	*first = PTX_NONE;
	*count = 0;
	if (ptx_scan_sees(s, ";") || ptx_scan_sees(s, ")"))
		return true;
	do {
		struct ptx_operand o = { .first = PTX_NONE, .next = PTX_NONE }, *kept;
		uint32_t index;

		if (!take_operand(p, s, &o, depth))
			return false;
		index = (uint32_t)p->operands.count;
		kept = array_push(&p->operands, 1, s->err);
		if (!kept)
			return false;
		*kept = o;
		if (last == PTX_NONE)
			*first = index;
		else
			((struct ptx_operand *)p->operands.data)[last].next = index;
		last = index;
		++*count;
	} while (ptx_scan_take(s, ","));
	return true;
}

/* Read comma-separated operands up to `end`, which is not taken; *first is PTX_NONE if there are
 * none. */
static int ptx_operands_read(struct ptx_statements *p, struct ptx_scan *s, uint32_t *first,
                             uint32_t *count)
{
	if (take_operands(p, s, first, count, 0))
		return 0;
	return s->err && s->err->code ? s->err->code : ERR_UNSUPPORTED;
}

#define STATEMENTS_MOST ((size_t)1 << 24)
#define SCOPES_MOST     ((size_t)1 << 20)
#define DEPTH_MOST      64

void ptx_statements_init(struct ptx_statements *p)
{
	array_init(&p->list, sizeof(struct ptx_statement), STATEMENTS_MOST, "statements of PTX");
	array_init(&p->suffixes, sizeof(struct ptx_word), 8 * STATEMENTS_MOST, "suffixes of PTX");
	array_init(&p->operands, sizeof(struct ptx_operand), 8 * STATEMENTS_MOST,
	           "operands of PTX");
	array_init(&p->registers, sizeof(struct ptx_registers), SCOPES_MOST,
	           "declarations of registers in PTX");
	array_init(&p->variables, sizeof(struct ptx_variable), SCOPES_MOST, "variables in PTX");
	array_init(&p->initials, sizeof(struct ptx_initial), PTX_INITIALS_MOST,
	           "initial values in PTX");
	array_init(&p->locs, sizeof(struct ptx_loc), STATEMENTS_MOST, "places in PTX");
	array_init(&p->parents, sizeof(uint32_t), SCOPES_MOST, "scopes in PTX");
}

void ptx_statements_release(struct ptx_statements *p)
{
	array_release(&p->list);
	array_release(&p->suffixes);
	array_release(&p->operands);
	array_release(&p->registers);
	array_release(&p->variables);
	array_release(&p->initials);
	array_release(&p->locs);
	array_release(&p->parents);
}

void ptx_statements_clear(struct ptx_statements *p)
{
	array_clear(&p->list);
	array_clear(&p->suffixes);
	array_clear(&p->operands);
	array_clear(&p->registers);
	array_clear(&p->variables);
	array_clear(&p->initials);
	array_clear(&p->locs);
	array_clear(&p->parents);
}

struct ptx_word ptx_suffix_at(const struct ptx_statements *p, const struct ptx_statement *t,
                              uint32_t index)
{
	return ((const struct ptx_word *)p->suffixes.data)[t->first_suffix + index];
}

static int failed(const struct ptx_scan *s)
{
	return s->err && s->err->code ? s->err->code : ERR_NOMEM;
}

static int read_guard(struct ptx_scan *s, struct ptx_statement *t)
{
	struct ptx_token name;

	if (!ptx_scan_take(s, "@"))
		return 0;
	t->is_guard_negated = ptx_scan_take(s, "!");
	name = ptx_scan_next(s);
	if (name.kind != PTX_WORD)
		return ptx_scan_fail(s, name, "a predicate after this '@'");
	t->guard = ptx_scan_word(s, name);
	return 0;
}

/* Read a whole instruction, including its guard, from its first token on. Odd operands are
 * accepted. */
static int ptx_instruction_read(struct ptx_statements *p, struct ptx_scan *s,
                                struct ptx_statement *t)
{
	struct ptx_token first = ptx_scan_peek(s);
	size_t operands;
	int ret = read_guard(s, t);

	t->kind = PTX_INSTRUCTION;
	if (!ret)
		ret = ptx_scan_name(s, &t->name);
	if (ret)
		return ret;
	t->first_suffix = (uint32_t)p->suffixes.count;
	while (ptx_scan_peek(s).kind == PTX_SUFFIX) {
		struct ptx_word *suffix = array_push(&p->suffixes, 1, s->err);

		if (!suffix)
			return failed(s);
		*suffix = ptx_scan_word(s, ptx_scan_next(s));
		t->suffix_count++;
	}
	operands = s->lexer.at;
	ret = ptx_operands_read(p, s, &t->first_operand, &t->operand_count);
	t->is_odd = ret || !ptx_scan_sees(s, ";");
	if (ret && ret != ERR_UNSUPPORTED)
		return ret;
	if (t->is_odd) /* keeps its braces in pairs */
		s->lexer.at = operands;
	return ptx_scan_skip_statement(s, first.begin);
}

/* .reg .b32 %r<5>, x; one statement for each name */
static int read_registers(struct ptx_statements *p, struct ptx_scan *s, struct ptx_statement t)
{
	struct ptx_registers r = { .type = PTX_NO_TYPE };
	int ret = 0;

	while (ptx_scan_peek(s).kind == PTX_SUFFIX) {
		struct ptx_word suffix = ptx_scan_word(s, ptx_scan_next(s));

		if (ptx_type_of(suffix) != PTX_NO_TYPE)
			r.type = ptx_type_of(suffix);
	}
	do {
		struct ptx_registers *kept;
		struct ptx_statement *statement;

		r.count = 0;
		ret = ptx_scan_name(s, &r.name);
		if (!ret && ptx_scan_take(s, "<")) {
			ret = ptx_scan_integer(s, UINT32_MAX, &r.count);
			if (!ret)
				ret = ptx_scan_expect(s, ">");
			if (!ret && !r.count)
				continue; /* %r<0>: none */
		}
		if (ret)
			return ret;
		kept = array_push(&p->registers, 1, s->err);
		statement = kept ? array_push(&p->list, 1, s->err) : NULL;
		if (!statement)
			return failed(s);
		*kept = r;
		t.kind = PTX_REGISTERS;
		t.item = (uint32_t)p->registers.count - 1;
		*statement = t;
	} while (ptx_scan_take(s, ","));
	return ptx_scan_expect(s, ";");
}

/* .local .align 4 .b8 x[16], y; one statement for each name */
static int read_variables(struct ptx_statements *p, struct ptx_scan *s, struct ptx_statement t,
                          struct ptx_word suffix)
{
	struct ptx_variable type = { .space = ptx_space_of(suffix) };
	int ret = ptx_variable_read_type(s, &type);

	do {
		struct ptx_variable *v = ret ? NULL : array_push(&p->variables, 1, s->err);
		struct ptx_statement *statement = v ? array_push(&p->list, 1, s->err) : NULL;

		if (ret)
			return ret;
		if (!statement)
			return failed(s);
		*v = type;
		t.kind = PTX_VARIABLE;
		t.item = (uint32_t)p->variables.count - 1;
		*statement = t;
		ret = ptx_variable_read_name(s, v, &p->initials);
	} while (!ret && ptx_scan_take(s, ","));
	return ret ? ret : ptx_scan_expect(s, ";");
}

static int read_loc(struct ptx_statements *p, struct ptx_scan *s, struct ptx_statement *t)
{
	struct ptx_loc *loc = array_push(&p->locs, 1, s->err);

	if (!loc)
		return failed(s);
	t->kind = PTX_LOC;
	t->item = (uint32_t)p->locs.count - 1;
	return ptx_loc_read(s, loc);
}

/* Skip an unknown directive, with its braces or up to its semicolon. */
static int skip_directive(struct ptx_scan *s)
{
	while (!ptx_scan_sees(s, ";") && !ptx_scan_sees(s, "{")) {
		if (ptx_scan_peek(s).kind == PTX_END)
			return ptx_scan_fail(s, ptx_scan_peek(s), "';'");
		ptx_scan_next(s);
	}
	if (ptx_scan_take(s, ";"))
		return 0;
	return ptx_scan_skip_nested(s);
}

/* Read a directive; *is_kept becomes whether it is a statement to be added. */
static int read_directive(struct ptx_statements *p, struct ptx_scan *s, struct ptx_statement *t,
                          bool *is_kept)
{
	struct ptx_word suffix = ptx_scan_word(s, ptx_scan_next(s));

	*is_kept = false;
	if (ptx_word_is(suffix, ".reg"))
		return read_registers(p, s, *t);
	if (ptx_word_is(suffix, ".loc")) {
		*is_kept = true;
		return read_loc(p, s, t);
	}
	if (ptx_word_is(suffix, ".file"))
		return ptx_file_read(s, &(struct ptx_file){ .number = 0 });
	while (ptx_word_is_in(suffix, ".extern .visible .weak"))
		suffix = ptx_scan_word(s, ptx_scan_next(s));
	if (ptx_space_of(suffix) != PTX_GENERIC)
		return read_variables(p, s, *t, suffix);
	return skip_directive(s);
}

/* name: , or name: .branchtargets a, b; */
static int read_label(struct ptx_statements *p, struct ptx_scan *s, struct ptx_statement *t)
{
	int ret;

	ptx_scan_name(s, &t->name);
	ptx_scan_next(s); /* : */
	t->kind = PTX_LABEL;
	if (ptx_scan_take(s, ".branchtargets")) {
		t->kind = PTX_TARGETS;
		ret = ptx_operands_read(p, s, &t->first_operand, &t->operand_count);
		t->is_odd = ret != 0;
		return ptx_scan_skip_statement(s, t->begin);
	}
	if (ptx_scan_sees(s, ".callprototype") || ptx_scan_sees(s, ".calltargets"))
		return ptx_scan_skip_statement(s, t->begin);
	return 0;
}

static bool is_label(const struct ptx_scan *s, struct ptx_token t)
{
	struct ptx_lexer after = s->lexer;

	after.at = t.end;
	return t.kind == PTX_WORD && ptx_token_is(after.text, ptx_lexer_next(&after), ":");
}

static int open_scope(struct ptx_statements *p, struct ptx_scan *s, uint32_t parent,
                      uint32_t *scope)
{
	uint32_t *kept = array_push(&p->parents, 1, s->err);

	if (!kept)
		return failed(s);
	*kept = parent;
	*scope = (uint32_t)p->parents.count - 1;
	return 0;
}

static int read_statement(struct ptx_statements *p, struct ptx_scan *s, struct ptx_statement *t,
                          bool *is_kept)
{
	*is_kept = true;
	if (ptx_scan_peek(s).kind == PTX_SUFFIX)
		return read_directive(p, s, t, is_kept);
	if (is_label(s, ptx_scan_peek(s)))
		return read_label(p, s, t);
	return ptx_instruction_read(p, s, t);
}

static int keep(struct ptx_statements *p, struct ptx_scan *s, const struct ptx_statement *t)
{
	struct ptx_statement *kept = array_push(&p->list, 1, s->err);

	if (!kept)
		return failed(s);
	*kept = *t;
	return 0;
}

/* Take a brace, which opens or closes a scope; *depth scopes are open. */
static int take_brace(struct ptx_statements *p, struct ptx_scan *s, struct ptx_statement *t,
                      uint32_t *depth)
{
	if (ptx_scan_take(s, "}")) {
		t->kind = PTX_CLOSE;
		--*depth;
		return 0;
	}
	ptx_scan_take(s, "{");
	if ((*depth)++ > DEPTH_MOST)
		return ptx_scan_fail(s, ptx_scan_peek(s), "less nesting");
	t->kind = PTX_OPEN;
	return open_scope(p, s, t->scope, &t->scope);
}

int ptx_statements_read(struct ptx_statements *p, struct ptx_scan *s)
{
	size_t begin = s->lexer.at;
	uint32_t scope = 0, depth = 1;
	int ret = open_scope(p, s, PTX_NONE, &scope);

	while (!ret && depth) {
		struct ptx_token first = ptx_scan_peek(s);
		struct ptx_statement t = { .scope = scope,
			                   .begin = first.begin,
			                   .first_operand = PTX_NONE,
			                   .line = ptx_scan_line(s, first) };
		char sign = first.kind == PTX_SIGN ? s->lexer.text[first.begin] : '\0';
		bool is_kept = true;

		if (first.kind == PTX_END)
			return ptx_scan_fail_at(s, begin, "a '}' at the end of this function");
		if (sign == ';' && ptx_scan_take(s, ";"))
			continue;
		if (sign == '{' || sign == '}') {
			ret = take_brace(p, s, &t, &depth);
			scope = t.kind == PTX_OPEN ? t.scope : ((uint32_t *)p->parents.data)[scope];
		} else {
			ret = read_statement(p, s, &t, &is_kept);
		}
		t.end = s->lexer.at;
		if (!ret && is_kept && depth)
			ret = keep(p, s, &t);
	}
	return ret;
}
