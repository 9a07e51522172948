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

struct ptx_word ptx_suffix_at(const struct ptx_statements *p, const struct ptx_statement *t,
                              uint32_t index)
{
	return ((const struct ptx_word *)p->suffixes.data)[t->first_suffix + index];
}

static int failed(const struct ptx_scan *s)
{
	return s->err && s->err->code ? s->err->code : ERR_NOMEM;
}

int ptx_instruction_read(struct ptx_statements *p, struct ptx_scan *s, struct ptx_statement *t)
{
	int ret;

	t->kind = PTX_INSTRUCTION;
	if (ptx_scan_take(s, "@")) {
		t->is_guard_negated = ptx_scan_take(s, "!");
		ret = ptx_scan_name(s, &t->guard);
		if (ret)
			return ret;
	}
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
	ret = ptx_operands_read(p, s, &t->first_operand, &t->operand_count);
	t->is_odd = ret || !ptx_scan_sees(s, ";");
	if (ret && ret != ERR_UNSUPPORTED)
		return ret;
	return ptx_scan_skip_statement(s);
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

static int read_variable(struct ptx_statements *p, struct ptx_scan *s, struct ptx_statement *t,
                         struct ptx_word suffix)
{
	struct ptx_variable *v = array_push(&p->variables, 1, s->err);
	int ret;

	if (!v)
		return failed(s);
	v->space = ptx_space_of(suffix);
	t->kind = PTX_VARIABLE;
	t->item = (uint32_t)p->variables.count - 1;
	ret = ptx_variable_read(s, v, &p->initials);
	return ret ? ret : ptx_scan_expect(s, ";");
}

static int read_place(struct ptx_scan *s, uint64_t *file, uint64_t *line, uint64_t *column)
{
	int ret = ptx_scan_integer(s, UINT32_MAX, file);

	if (!ret)
		ret = ptx_scan_integer(s, UINT32_MAX, line);
	return ret ? ret : ptx_scan_integer(s, UINT32_MAX, column);
}

/* .loc 1 14 5, function_name $L__info_string0+4, inlined_at 1 20 3 */
static int read_loc(struct ptx_statements *p, struct ptx_scan *s, struct ptx_statement *t)
{
	struct ptx_loc *loc = array_push(&p->locs, 1, s->err);
	int ret;

	if (!loc)
		return failed(s);
	t->kind = PTX_LOC;
	t->item = (uint32_t)p->locs.count - 1;
	ret = read_place(s, &loc->file, &loc->line, &loc->column);
	if (ret || !ptx_scan_take(s, ","))
		return ret;
	ret = ptx_scan_expect(s, "function_name");
	if (!ret)
		ret = ptx_scan_name(s, &loc->function);
	if (!ret && ptx_scan_take(s, "+"))
		ret = ptx_scan_integer(s, UINT32_MAX, &loc->function_offset);
	if (!ret)
		ret = ptx_scan_expect(s, ",");
	if (!ret)
		ret = ptx_scan_expect(s, "inlined_at");
	return ret ? ret : read_place(s, &loc->at_file, &loc->at_line, &loc->at_column);
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
	while (ptx_word_is_in(suffix, ".extern .visible .weak"))
		suffix = ptx_scan_word(s, ptx_scan_next(s));
	if (ptx_space_of(suffix) != PTX_GENERIC) {
		*is_kept = true;
		return read_variable(p, s, t, suffix);
	}
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
		return ptx_scan_skip_statement(s);
	}
	if (ptx_scan_sees(s, ".callprototype") || ptx_scan_sees(s, ".calltargets"))
		return ptx_scan_skip_statement(s);
	return 0;
}

static bool is_label(const struct ptx_scan *s)
{
	struct ptx_scan ahead = *s;

	return ptx_scan_next(&ahead).kind == PTX_WORD && ptx_scan_sees(&ahead, ":");
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
	if (is_label(s))
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

int ptx_statements_read(struct ptx_statements *p, struct ptx_scan *s)
{
	uint32_t scope = 0, depth = 0;
	int ret = open_scope(p, s, PTX_NONE, &scope);

	while (!ret) {
		struct ptx_statement t = { .scope = scope,
			                   .first_operand = PTX_NONE,
			                   .line = ptx_scan_line(s, ptx_scan_peek(s)) };
		bool is_kept = true;

		if (ptx_scan_take(s, ";"))
			continue;
		if (ptx_scan_take(s, "}")) {
			if (!depth--)
				return 0;
			scope = ((uint32_t *)p->parents.data)[scope];
			t.kind = PTX_CLOSE;
		} else if (ptx_scan_take(s, "{")) {
			if (depth++ == DEPTH_MOST)
				return ptx_scan_fail(s, ptx_scan_peek(s), "less nesting");
			ret = open_scope(p, s, scope, &scope);
			t.kind = PTX_OPEN;
			t.scope = scope;
		} else {
			ret = read_statement(p, s, &t, &is_kept);
		}
		if (!ret && is_kept)
			ret = keep(p, s, &t);
	}
	return ret;
}
