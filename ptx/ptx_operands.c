/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_statements.h"

#include "err.h"

#define NESTING_MOST 4

const struct ptx_operand *ptx_operand_at(const struct ptx_statements *p, uint32_t index)
{
	return index == PTX_NONE ? NULL : (const struct ptx_operand *)p->operands.data + index;
}

/* A name, with its component and what is added to it. */
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

/* Numbers that are not one: no sentence, the operand is odd. */
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

/* False when they are odd, or without memory. */
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

int ptx_operands_read(struct ptx_statements *p, struct ptx_scan *s, uint32_t *first,
                      uint32_t *count)
{
	if (take_operands(p, s, first, count, 0))
		return 0;
	return s->err && s->err->code ? s->err->code : ERR_UNSUPPORTED;
}
