/* SPDX-License-Identifier: Apache-2.0 */
#include "affine_expression.h"

#include "affine_pure.h"
#include "array.h"
#include "err.h"
#include "kernel_flow.h"

#include <llvm-c/Core.h>

#include <stdlib.h>
#include <string.h>

/* Larger expressions are refused: their code on the way out of the loop would be large too. */
#define TERM_LIMIT_COUNT  256
#define DEPTH_LIMIT       64
#define CHAIN_LIMIT       8
#define CHECKED_BITS_MOST 32

#define NONE UINT32_MAX

struct finder {
	const struct affine_scope *scope;
	struct array terms, parts;
	const char *why; /* not NULL: refused */
	struct err *err;
	int code; /* not 0: failed */
	uint32_t depth;
	LLVMValueRef entering; /* the header's phi whose step is being looked for */
	size_t check_count;
	bool may_trap;
};

static uint32_t visit(struct finder *f, LLVMValueRef value);

static uint32_t refuse(struct finder *f, const char *why)
{
	if (!f->why)
		f->why = why;
	return NONE;
}

static uint32_t fail(struct finder *f, int code)
{
	f->code = code;
	return refuse(f, "no memory");
}

static struct affine_term *term_at(const struct finder *f, uint32_t term)
{
	return (struct affine_term *)f->terms.data + term;
}

static bool is_linear(const struct finder *f, uint32_t term)
{
	return term_at(f, term)->is_linear;
}

/* Width as an integer, 0 for what is neither integer nor pointer. */
static uint32_t bits_of(const struct finder *f, LLVMTypeRef type)
{
	if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind)
		return LLVMGetIntTypeWidth(type);
	if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
		return 8 * LLVMPointerSizeForAS(f->scope->layout, LLVMGetPointerAddressSpace(type));
	return 0;
}

static uint32_t add_term(struct finder *f, struct affine_term term)
{
	struct affine_term *to;

	if (f->terms.count >= TERM_LIMIT_COUNT)
		return refuse(f, "address: too large an expression");
	if (term.is_linear && (term.bits == 0 || term.bits > 64))
		return refuse(f, "address: neither integer nor pointer");
	to = array_push(&f->terms, 1, f->err);
	if (!to)
		return fail(f, ERR_NOMEM);
	*to = term;
	return (uint32_t)f->terms.count - 1;
}

/* Parts of one term are added together, when all its operands have been visited. */
static bool add_parts(struct finder *f, struct affine_term *term, const struct affine_part *parts,
                      uint32_t count)
{
	struct affine_part *to = array_push(&f->parts, count, f->err);

	if (!to) {
		fail(f, ERR_NOMEM);
		return false;
	}
	memcpy(to, parts, count * sizeof(*to));
	term->first_part = (uint32_t)(f->parts.count - count);
	term->part_count = count;
	return true;
}

/* A linear term of up to two parts. */
static uint32_t add_linear(struct finder *f, enum affine_kind kind, uint32_t bits,
                           LLVMValueRef value, const struct affine_part *parts, uint32_t count)
{
	struct affine_term term = { .kind = kind, .is_linear = true, .bits = bits, .value = value };

	if (!add_parts(f, &term, parts, count))
		return NONE;
	return add_term(f, term);
}

/* Integer `operand`, linear, made wider or narrower. */
static uint32_t add_resize(struct finder *f, uint32_t operand, uint32_t bits, bool is_signed,
                           LLVMValueRef value)
{
	const struct affine_part part = { .term = operand, .scale = 1 };
	const struct affine_term *from = term_at(f, operand);

	if (bits <= from->bits)
		return add_linear(f, bits < from->bits ? AFFINE_TRUNC : AFFINE_SUM, bits, value,
		                  &part, 1);
	if (from->bits > CHECKED_BITS_MOST)
		return refuse(f, "address: an extension of more than 32 bits");
	if (from->kind == AFFINE_TRUNC && from->bits < CHECKED_BITS_MOST)
		return refuse(f, "address: cut to a few bits");
	f->check_count++;
	return add_linear(f, is_signed ? AFFINE_SIGN : AFFINE_ZERO, bits, value, &part, 1);
}

static bool is_outside(const struct finder *f, LLVMValueRef value)
{
	const struct kernel_flow *flow = f->scope->flow;
	uint32_t node;

	if (!LLVMIsAInstruction(value))
		return LLVMIsAConstant(value) || LLVMIsAArgument(value);
	node = kernel_flow_find(flow, LLVMGetInstructionParent(value));
	return node != GRAPH_NONE &&
	       !loop_forest_contains(&flow->forest, f->scope->loop, flow->forest.innermost[node]);
}

/* A GEP as parts: the pointer and the indices with the sizes of what they step over. */
struct address_parts {
	struct affine_part parts[2 + 6];
	uint32_t count;
	uint64_t constant;
};

static bool add_index(struct finder *f, struct address_parts *a, LLVMValueRef index, uint64_t bytes,
                      uint32_t bits)
{
	uint32_t term;

	if (LLVMIsAConstantInt(index)) {
		a->constant += bytes * (uint64_t)LLVMConstIntGetSExtValue(index);
		return true;
	}
	if (LLVMGetTypeKind(LLVMTypeOf(index)) != LLVMIntegerTypeKind ||
	    a->count == sizeof(a->parts) / sizeof(a->parts[0])) {
		refuse(f, "address: an index that is no integer");
		return false;
	}
	term = visit(f, index);
	if (term != NONE && is_linear(f, term) && term_at(f, term)->bits != bits)
		term = add_resize(f, term, bits, true, NULL);
	if (term == NONE)
		return false;
	a->parts[a->count++] = (struct affine_part){ .term = term, .scale = bytes };
	return true;
}

/* The indices of a GEP; parts[0] is left to the caller. */
static bool visit_indices(struct finder *f, struct address_parts *a, LLVMValueRef gep)
{
	LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
	uint32_t bits = bits_of(f, LLVMTypeOf(gep));
	unsigned count = (unsigned)LLVMGetNumOperands(gep);

	*a = (struct address_parts){ .count = 1 };
	for (unsigned i = 1; i < count; i++) {
		LLVMValueRef index = LLVMGetOperand(gep, i);

		if (i > 1 && LLVMGetTypeKind(type) == LLVMStructTypeKind) {
			unsigned member = (unsigned)LLVMConstIntGetZExtValue(index);

			a->constant += LLVMOffsetOfElement(f->scope->layout, type, member);
			type = LLVMStructGetTypeAtIndex(type, member);
			continue;
		}
		if (i > 1)
			type = LLVMGetElementType(type);
		if (!add_index(f, a, index, LLVMABISizeOfType(f->scope->layout, type), bits))
			return false;
	}
	return true;
}

/* Whether `value` leads to `phi` over additions of the loop. */
static bool leads_to(const struct finder *f, LLVMValueRef value, LLVMValueRef phi, uint32_t depth)
{
	LLVMOpcode opcode;

	if (value == phi)
		return true;
	if (depth == CHAIN_LIMIT || !LLVMIsAInstruction(value) || is_outside(f, value))
		return false;
	opcode = LLVMGetInstructionOpcode(value);
	if (opcode == LLVMAdd && leads_to(f, LLVMGetOperand(value, 1), phi, depth + 1))
		return true;
	return (opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMGetElementPtr ||
	        opcode == LLVMBitCast) &&
	       leads_to(f, LLVMGetOperand(value, 0), phi, depth + 1);
}

/* What one link of the way round adds: to *parts, and to *constant. Returns the next link. */
static LLVMValueRef take_link(struct finder *f, LLVMValueRef link, struct array *steps,
                              uint64_t *constant)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(link);
	unsigned chain = opcode == LLVMAdd && leads_to(f, LLVMGetOperand(link, 1), f->entering, 0);
	struct address_parts added = { .count = 1 };
	struct affine_part *to;

	if (opcode == LLVMGetElementPtr && !visit_indices(f, &added, link))
		return NULL;
	if (opcode == LLVMAdd || opcode == LLVMSub) {
		uint32_t term = visit(f, LLVMGetOperand(link, 1 - chain));

		if (term == NONE)
			return NULL;
		added.parts[added.count++] =
			(struct affine_part){ .term = term,
			                      .scale = opcode == LLVMSub ? UINT64_MAX : 1 };
	}
	for (uint32_t i = 1; i < added.count; i++) {
		if (is_linear(f, added.parts[i].term)) {
			refuse(f, "address: its step changes");
			return NULL;
		}
		to = array_push(steps, 1, f->err);
		if (!to) {
			fail(f, ERR_NOMEM);
			return NULL;
		}
		*to = added.parts[i];
	}
	*constant += added.constant;
	return LLVMGetOperand(link, chain);
}

/* A phi of the header: the value on entry, and what is added on the way round. */
static uint32_t visit_induction(struct finder *f, LLVMValueRef phi, LLVMValueRef start,
                                LLVMValueRef link)
{
	struct affine_term term = { .kind = AFFINE_PHI,
		                    .is_linear = true,
		                    .bits = bits_of(f, LLVMTypeOf(phi)),
		                    .value = phi };
	struct affine_part *first;
	struct array steps;
	uint32_t result = NONE;

	array_init(&steps, sizeof(struct affine_part), TERM_LIMIT_COUNT, "an address");
	first = array_push(&steps, 1, f->err);
	if (!first) {
		fail(f, ERR_NOMEM);
		goto out;
	}
	first->term = visit(f, start);
	first->scale = 1;
	if (first->term == NONE)
		goto out;
	f->entering = phi;
	while (link && link != phi)
		link = take_link(f, link, &steps, &term.constant);
	f->entering = NULL;
	if (link && add_parts(f, &term, steps.data, (uint32_t)steps.count))
		result = add_term(f, term);
out:
	array_release(&steps);
	return result;
}

static uint32_t visit_phi(struct finder *f, LLVMValueRef phi)
{
	const struct kernel_flow *flow = f->scope->flow;
	uint32_t node = kernel_flow_find(flow, LLVMGetInstructionParent(phi));
	LLVMValueRef value[2];
	unsigned inside;

	if (f->scope->loop < 0 || flow->forest.loops[f->scope->loop].header != node ||
	    LLVMCountIncoming(phi) != 2)
		return refuse(f, "address: depends on the way taken");
	if (f->entering)
		return refuse(f, "address: its step changes");
	node = kernel_flow_find(flow, LLVMGetIncomingBlock(phi, 1));
	inside = loop_forest_contains(&flow->forest, f->scope->loop, flow->forest.innermost[node])
	                 ? 1
	                 : 0;
	value[0] = LLVMGetIncomingValue(phi, 1 - inside);
	value[1] = LLVMGetIncomingValue(phi, inside);
	if (!bits_of(f, LLVMTypeOf(phi)) || !leads_to(f, value[1], phi, 0))
		return refuse(f, "address: not stepped by a constant amount");
	return visit_induction(f, phi, value[0], value[1]);
}

/* An instruction without effects, of which some operand is linear. */
static uint32_t add_operation(struct finder *f, LLVMValueRef value, const uint32_t *operand)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
	uint32_t bits = bits_of(f, LLVMTypeOf(value));
	struct affine_part parts[2] = { { operand[0], 1 }, { operand[1], 1 } };

	switch ((int)opcode) {
	case LLVMSub:
		parts[1].scale = UINT64_MAX;
		return add_linear(f, AFFINE_SUM, bits, value, parts, 2);
	case LLVMAdd:
		return add_linear(f, AFFINE_SUM, bits, value, parts, 2);
	case LLVMMul:
		if (is_linear(f, operand[0]) && is_linear(f, operand[1]))
			return refuse(f, "address: a product of two that change");
		if (is_linear(f, operand[1])) {
			parts[0].term = operand[1];
			parts[1].term = operand[0];
		}
		return add_linear(f, AFFINE_PRODUCT, bits, value, parts, 2);
	case LLVMShl:
		if (is_linear(f, operand[1]))
			return refuse(f, "address: shifted by an amount that changes");
		return add_linear(f, AFFINE_SHIFT, bits, value, parts, 2);
	case LLVMBitCast:
	case LLVMTrunc:
	case LLVMZExt:
	case LLVMPtrToInt:
	case LLVMIntToPtr:
		return add_resize(f, operand[0], bits, false, value);
	case LLVMSExt:
		return add_resize(f, operand[0], bits, true, value);
	default:
		return refuse(f, "address: an operation that is not affine");
	}
}

static uint32_t add_clone(struct finder *f, LLVMValueRef value, const uint32_t *operand,
                          uint32_t count)
{
	struct affine_part parts[AFFINE_OPERANDS_MOST];
	struct affine_term term = { .kind = AFFINE_CLONE, .value = value };

	for (uint32_t i = 0; i < count; i++)
		parts[i] = (struct affine_part){ .term = operand[i], .scale = 1 };
	f->may_trap |= affine_pure_may_trap(value);
	if (!add_parts(f, &term, parts, count))
		return NONE;
	return add_term(f, term);
}

static uint32_t visit_gep(struct finder *f, LLVMValueRef gep)
{
	struct affine_term term = { .kind = AFFINE_SUM,
		                    .is_linear = true,
		                    .bits = bits_of(f, LLVMTypeOf(gep)),
		                    .value = gep };
	uint32_t base = visit(f, LLVMGetOperand(gep, 0));
	struct address_parts a;

	if (base == NONE || !visit_indices(f, &a, gep))
		return NONE;
	a.parts[0] = (struct affine_part){ .term = base, .scale = 1 };
	term.constant = a.constant;
	if (!add_parts(f, &term, a.parts, a.count))
		return NONE;
	return add_term(f, term);
}

static uint32_t visit_operation(struct finder *f, LLVMValueRef value)
{
	uint32_t operand[AFFINE_OPERANDS_MOST] = { 0 };
	int32_t count = affine_pure_operands(value);
	bool is_invariant = true;

	if (count < 0 || count > AFFINE_OPERANDS_MOST)
		return refuse(f, LLVMIsALoadInst(value)
		                         ? "address: loaded in the loop"
		                         : "address: an operation that is not affine");
	for (int32_t i = 0; i < count; i++) {
		operand[i] = visit(f, LLVMGetOperand(value, (unsigned)i));
		if (operand[i] == NONE)
			return NONE;
		is_invariant &= !is_linear(f, operand[i]);
	}
	if (is_invariant)
		return add_clone(f, value, operand, (uint32_t)count);
	if (LLVMGetInstructionOpcode(value) == LLVMGetElementPtr)
		return visit_gep(f, value);
	return add_operation(f, value, operand);
}

/* The term of a value: that found before, or a new one. NONE when refused. */
static uint32_t visit(struct finder *f, LLVMValueRef value)
{
	uint32_t term;

	for (term = 0; term < f->terms.count; term++)
		if (term_at(f, term)->value == value)
			return term;
	if (f->why)
		return NONE;
	if (is_outside(f, value))
		return add_term(f, (struct affine_term){ .kind = AFFINE_LEAF, .value = value });
	if (!LLVMIsAInstruction(value) || f->depth == DEPTH_LIMIT)
		return refuse(f, "address: too deep an expression");
	f->depth++;
	term = LLVMIsAPHINode(value) ? visit_phi(f, value) : visit_operation(f, value);
	f->depth--;
	return term;
}

static int find(struct affine_expression *e, const struct affine_scope *scope, LLVMValueRef value,
                bool is_address, const char **why, struct err *err)
{
	struct finder f = { .scope = scope, .err = err };
	uint32_t last;

	memset(e, 0, sizeof(*e));
	array_init(&f.terms, sizeof(struct affine_term), TERM_LIMIT_COUNT, "an address");
	array_init(&f.parts, sizeof(struct affine_part), SIZE_MAX, "an address");
	last = visit(&f, value);
	if (is_address && last != NONE && is_linear(&f, last) && term_at(&f, last)->bits < 64)
		last = add_resize(&f, last, 64, false, NULL);
	*why = f.why;
	if (last != NONE)
		*e = (struct affine_expression){ .terms = array_take(&f.terms),
			                         .term_count = (size_t)last + 1,
			                         .parts = array_take(&f.parts),
			                         .check_count = f.check_count,
			                         .may_trap = f.may_trap };
	array_release(&f.terms);
	array_release(&f.parts);
	return f.code;
}

int affine_expression_find(struct affine_expression *e, const struct affine_scope *scope,
                           LLVMValueRef value, const char **why, struct err *err)
{
	return find(e, scope, value, false, why, err);
}

int affine_expression_find_address(struct affine_expression *e, const struct affine_scope *scope,
                                   LLVMValueRef pointer, const char **why, struct err *err)
{
	return find(e, scope, pointer, true, why, err);
}

bool affine_expression_is_linear(const struct affine_expression *e)
{
	return e->terms[e->term_count - 1].is_linear;
}

void affine_expression_release(struct affine_expression *e)
{
	free(e->terms);
	free(e->parts);
	memset(e, 0, sizeof(*e));
}
