/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_statements.h"

#include "err.h"

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

int ptx_instruction_read(struct ptx_statements *p, struct ptx_scan *s, struct ptx_statement *t)
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
	if (t->is_odd) /* so that its braces are in pairs */
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

/* What is not known is skipped: with its braces or up to its semicolon. */
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

/* *is_kept: whether it is a statement that is to be added. */
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

/* A brace, which opens or closes a scope: *depth of them are open. */
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
