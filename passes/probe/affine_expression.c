/* SPDX-License-Identifier: Apache-2.0 */
#include "affine_expression.h"

#include "address_form.h"
#include "array.h"
#include "err.h"
#include "kernel_flow.h"
#include "memory_space.h"

#include <llvm-c/Core.h>

#include <stdlib.h>
#include <string.h>

#define AFFINE_NO_TERM UINT32_MAX

/* Larger expressions are refused: their code at the loop's exits would be large too. */
#define AFFINE_TERMS_MOST 256

struct affine_finder {
	const struct affine_scope *scope;
	struct array terms, parts;
	const char *why; /* not NULL: refused */
	struct err *err;
	int code; /* not 0: failed */
	uint32_t depth;
	LLVMValueRef entering; /* the header's phi whose step is being determined */
	size_t check_count;
	bool may_trap;
};

/* A GEP in parts: the pointer, left to the caller, and the indices with the sizes that they step
 * over. */
struct affine_indices {
	struct affine_part parts[2 + 6];
	uint32_t count;
	uint64_t constant;
};

#define DEPTH_LIMIT       64
#define CHECKED_BITS_MOST 32

/* Refuse, with this reason unless there is one already; fail. Both return AFFINE_NO_TERM. */
static uint32_t affine_finder_refuse(struct affine_finder *f, const char *why)
{
	if (!f->why)
		f->why = why;
	return AFFINE_NO_TERM;
}

static uint32_t affine_finder_fail(struct affine_finder *f, int code)
{
	f->code = code;
	return affine_finder_refuse(f, "out of memory");
}

static struct affine_term *term_at(const struct affine_finder *f, uint32_t term)
{
	return (struct affine_term *)f->terms.data + term;
}

static bool affine_finder_is_linear(const struct affine_finder *f, uint32_t term)
{
	return term_at(f, term)->is_linear;
}

/* The width as an integer; 0 if it is neither integer nor pointer. */
static uint32_t affine_finder_bits(const struct affine_finder *f, LLVMTypeRef type)
{
	if (LLVMGetTypeKind(type) == LLVMIntegerTypeKind)
		return LLVMGetIntTypeWidth(type);
	if (LLVMGetTypeKind(type) == LLVMPointerTypeKind)
		return 8 * LLVMPointerSizeForAS(f->scope->layout, LLVMGetPointerAddressSpace(type));
	return 0;
}

/* Append a term; give a term its parts, once all are visited (false: failed). */
static uint32_t affine_finder_add(struct affine_finder *f, struct affine_term term)
{
	struct affine_term *to;

	if (f->terms.count >= AFFINE_TERMS_MOST)
		return affine_finder_refuse(f, "address: too large an expression");
	if (term.is_linear && (term.bits == 0 || term.bits > 64))
		return affine_finder_refuse(f, "address: neither integer nor pointer");
	to = array_push(&f->terms, 1, f->err);
	if (!to)
		return affine_finder_fail(f, ERR_NOMEM);
	*to = term;
	return (uint32_t)f->terms.count - 1;
}

static bool affine_finder_add_parts(struct affine_finder *f, struct affine_term *term,
                                    const struct affine_part *parts, uint32_t count)
{
	struct affine_part *to = array_push(&f->parts, count, f->err);

	if (!to) {
		affine_finder_fail(f, ERR_NOMEM);
		return false;
	}
	memcpy(to, parts, count * sizeof(*to));
	term->first_part = (uint32_t)(f->parts.count - count);
	term->part_count = count;
	return true;
}

/* A linear term of up to two parts. */
static uint32_t add_linear(struct affine_finder *f, enum affine_kind kind, uint32_t bits,
                           LLVMValueRef value, const struct affine_part *parts, uint32_t count)
{
	struct affine_term term = { .kind = kind, .is_linear = true, .bits = bits, .value = value };

	if (!affine_finder_add_parts(f, &term, parts, count))
		return AFFINE_NO_TERM;
	return affine_finder_add(f, term);
}

/* Widen or narrow the linear integer `operand`. */
static uint32_t add_resize(struct affine_finder *f, uint32_t operand, uint32_t bits, bool is_signed,
                           LLVMValueRef value)
{
	const struct affine_part part = { .term = operand, .scale = 1 };
	const struct affine_term *from = term_at(f, operand);

	if (bits <= from->bits)
		return add_linear(f, bits < from->bits ? AFFINE_TRUNC : AFFINE_SUM, bits, value,
		                  &part, 1);
	if (from->bits > CHECKED_BITS_MOST)
		return affine_finder_refuse(f, "address: an extension of more than 32 bits");
	if (from->kind == AFFINE_TRUNC && from->bits < CHECKED_BITS_MOST)
		return affine_finder_refuse(f, "address: truncated to a few bits");
	f->check_count++;
	return add_linear(f, is_signed ? AFFINE_SIGN : AFFINE_ZERO, bits, value, &part, 1);
}

static bool affine_finder_is_outside(const struct affine_finder *f, LLVMValueRef value)
{
	const struct kernel_flow *flow = f->scope->flow;
	uint32_t node;

	if (!LLVMIsAInstruction(value))
		return LLVMIsAConstant(value) || LLVMIsAArgument(value);
	node = kernel_flow_find(flow, LLVMGetInstructionParent(value));
	return node != GRAPH_NONE &&
	       !loop_forest_contains(&flow->forest, f->scope->loop, flow->forest.innermost[node]);
}

static uint32_t affine_finder_visit(struct affine_finder *f, LLVMValueRef value);

static bool add_index(struct affine_finder *f, struct affine_indices *a, LLVMValueRef index,
                      uint64_t bytes, uint32_t bits)
{
	uint32_t term;

	if (LLVMIsAConstantInt(index)) {
		a->constant += bytes * (uint64_t)LLVMConstIntGetSExtValue(index);
		return true;
	}
	if (LLVMGetTypeKind(LLVMTypeOf(index)) != LLVMIntegerTypeKind ||
	    a->count == sizeof(a->parts) / sizeof(a->parts[0])) {
		affine_finder_refuse(f, "address: an index that is not an integer");
		return false;
	}
	term = affine_finder_visit(f, index);
	if (term != AFFINE_NO_TERM && affine_finder_is_linear(f, term) &&
	    term_at(f, term)->bits != bits)
		term = add_resize(f, term, bits, true, NULL);
	if (term == AFFINE_NO_TERM)
		return false;
	a->parts[a->count++] = (struct affine_part){ .term = term, .scale = bytes };
	return true;
}

/* Split the indices of a GEP. Returns false when refused. */
static bool affine_finder_indices(struct affine_finder *f, struct affine_indices *a,
                                  LLVMValueRef gep)
{
	LLVMTypeRef type = LLVMGetGEPSourceElementType(gep);
	uint32_t bits = affine_finder_bits(f, LLVMTypeOf(gep));
	unsigned count = (unsigned)LLVMGetNumOperands(gep);

	*a = (struct affine_indices){ .count = 1 };
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

/* An instruction without side effects that has a linear operand. */
static uint32_t add_operation(struct affine_finder *f, LLVMValueRef value, const uint32_t *operand)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(value);
	uint32_t bits = affine_finder_bits(f, LLVMTypeOf(value));
	struct affine_part parts[2] = { { operand[0], 1 }, { operand[1], 1 } };

	switch ((int)opcode) {
	case LLVMSub:
		parts[1].scale = UINT64_MAX;
		return add_linear(f, AFFINE_SUM, bits, value, parts, 2);
	case LLVMAdd:
		return add_linear(f, AFFINE_SUM, bits, value, parts, 2);
	case LLVMMul:
		if (affine_finder_is_linear(f, operand[0]) &&
		    affine_finder_is_linear(f, operand[1]))
			return affine_finder_refuse(f,
			                            "address: a product of two values that change");
		if (affine_finder_is_linear(f, operand[1])) {
			parts[0].term = operand[1];
			parts[1].term = operand[0];
		}
		return add_linear(f, AFFINE_PRODUCT, bits, value, parts, 2);
	case LLVMShl:
		if (affine_finder_is_linear(f, operand[1]))
			return affine_finder_refuse(f,
			                            "address: shifted by an amount that changes");
		return add_linear(f, AFFINE_SHIFT, bits, value, parts, 2);
	case LLVMAddrSpaceCast:
		if (!memory_space_is_kept_by(value))
			return affine_finder_refuse(f, "address: a cast to another memory");
		return add_resize(f, operand[0], bits, false, value);
	case LLVMBitCast:
	case LLVMTrunc:
	case LLVMZExt:
	case LLVMPtrToInt:
	case LLVMIntToPtr:
		return add_resize(f, operand[0], bits, false, value);
	case LLVMSExt:
		return add_resize(f, operand[0], bits, true, value);
	default:
		return affine_finder_refuse(f, "address: an operation that is not affine");
	}
}

static uint32_t add_clone(struct affine_finder *f, LLVMValueRef value, const uint32_t *operand,
                          uint32_t count)
{
	struct affine_part parts[AFFINE_OPERANDS_MOST];
	struct affine_term term = { .kind = AFFINE_CLONE, .value = value };

	for (uint32_t i = 0; i < count; i++)
		parts[i] = (struct affine_part){ .term = operand[i], .scale = 1 };
	f->may_trap |= affine_pure_may_trap(value);
	if (!affine_finder_add_parts(f, &term, parts, count))
		return AFFINE_NO_TERM;
	return affine_finder_add(f, term);
}

static uint32_t visit_gep(struct affine_finder *f, LLVMValueRef gep)
{
	struct affine_term term = { .kind = AFFINE_SUM,
		                    .is_linear = true,
		                    .bits = affine_finder_bits(f, LLVMTypeOf(gep)),
		                    .value = gep };
	uint32_t base = affine_finder_visit(f, LLVMGetOperand(gep, 0));
	struct affine_indices a;

	if (base == AFFINE_NO_TERM || !affine_finder_indices(f, &a, gep))
		return AFFINE_NO_TERM;
	a.parts[0] = (struct affine_part){ .term = base, .scale = 1 };
	term.constant = a.constant;
	if (!affine_finder_add_parts(f, &term, a.parts, a.count))
		return AFFINE_NO_TERM;
	return affine_finder_add(f, term);
}

static uint32_t visit_operation(struct affine_finder *f, LLVMValueRef value)
{
	uint32_t operand[AFFINE_OPERANDS_MOST] = { 0 };
	int32_t count = affine_pure_operands(value);
	bool is_invariant = true;

	if (count < 0 || count > AFFINE_OPERANDS_MOST)
		return affine_finder_refuse(
			f, LLVMIsALoadInst(value) ? "address: loaded in the loop"
						  : "address: an operation that is not affine");
	for (int32_t i = 0; i < count; i++) {
		operand[i] = affine_finder_visit(f, LLVMGetOperand(value, (unsigned)i));
		if (operand[i] == AFFINE_NO_TERM)
			return AFFINE_NO_TERM;
		is_invariant &= !affine_finder_is_linear(f, operand[i]);
	}
	if (is_invariant)
		return add_clone(f, value, operand, (uint32_t)count);
	if (LLVMGetInstructionOpcode(value) == LLVMGetElementPtr)
		return visit_gep(f, value);
	return add_operation(f, value, operand);
}

static uint32_t affine_finder_visit_phi(struct affine_finder *f, LLVMValueRef phi);

/* The term of a value: one found before, or a new one; AFFINE_NO_TERM when refused. */
static uint32_t affine_finder_visit(struct affine_finder *f, LLVMValueRef value)
{
	uint32_t term;

	for (term = 0; term < f->terms.count; term++)
		if (term_at(f, term)->value == value)
			return term;
	if (f->why)
		return AFFINE_NO_TERM;
	if (affine_finder_is_outside(f, value))
		return affine_finder_add(
			f, (struct affine_term){ .kind = AFFINE_LEAF, .value = value });
	if (!LLVMIsAInstruction(value) || f->depth == DEPTH_LIMIT)
		return affine_finder_refuse(f, "address: too deep an expression");
	f->depth++;
	term = LLVMIsAPHINode(value) ? affine_finder_visit_phi(f, value)
	                             : visit_operation(f, value);
	f->depth--;
	return term;
}

static int find(struct affine_expression *e, const struct affine_scope *scope, LLVMValueRef value,
                bool is_address, const char **why, struct err *err)
{
	struct affine_finder f = { .scope = scope, .err = err };
	uint32_t last;

	memset(e, 0, sizeof(*e));
	array_init(&f.terms, sizeof(struct affine_term), AFFINE_TERMS_MOST, "an address");
	array_init(&f.parts, sizeof(struct affine_part), SIZE_MAX, "an address");
	last = affine_finder_visit(&f, value);
	if (is_address && last != AFFINE_NO_TERM && affine_finder_is_linear(&f, last) &&
	    term_at(&f, last)->bits < 64)
		last = add_resize(&f, last, 64, false, NULL);
	*why = f.why;
	if (last != AFFINE_NO_TERM)
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

/* Additions in one iteration, from the latch back to the phi. */
#define CHAIN_LIMIT 8

/* Whether `value` leads to `phi` through additions in the loop. */
static bool leads_to(const struct affine_finder *f, LLVMValueRef value, LLVMValueRef phi,
                     uint32_t depth)
{
	LLVMOpcode opcode;

	if (value == phi)
		return true;
	if (depth == CHAIN_LIMIT || !LLVMIsAInstruction(value) ||
	    affine_finder_is_outside(f, value))
		return false;
	opcode = LLVMGetInstructionOpcode(value);
	if (opcode == LLVMAdd && leads_to(f, LLVMGetOperand(value, 1), phi, depth + 1))
		return true;
	return (opcode == LLVMAdd || opcode == LLVMSub || opcode == LLVMGetElementPtr ||
	        opcode == LLVMBitCast) &&
	       leads_to(f, LLVMGetOperand(value, 0), phi, depth + 1);
}

/* What one addition contributes to *parts and *constant. Returns the next value in the chain. */
static LLVMValueRef take_link(struct affine_finder *f, LLVMValueRef link, struct array *steps,
                              uint64_t *constant)
{
	LLVMOpcode opcode = LLVMGetInstructionOpcode(link);
	unsigned chain = opcode == LLVMAdd && leads_to(f, LLVMGetOperand(link, 1), f->entering, 0);
	struct affine_indices added = { .count = 1 };
	struct affine_part *to;

	if (opcode == LLVMGetElementPtr && !affine_finder_indices(f, &added, link))
		return NULL;
	if (opcode == LLVMAdd || opcode == LLVMSub) {
		uint32_t term = affine_finder_visit(f, LLVMGetOperand(link, 1 - chain));

		if (term == AFFINE_NO_TERM)
			return NULL;
		added.parts[added.count++] =
			(struct affine_part){ .term = term,
			                      .scale = opcode == LLVMSub ? UINT64_MAX : 1 };
	}
	for (uint32_t i = 1; i < added.count; i++) {
		if (affine_finder_is_linear(f, added.parts[i].term)) {
			affine_finder_refuse(f, "address: its step changes");
			return NULL;
		}
		to = array_push(steps, 1, f->err);
		if (!to) {
			affine_finder_fail(f, ERR_NOMEM);
			return NULL;
		}
		*to = added.parts[i];
	}
	*constant += added.constant;
	return LLVMGetOperand(link, chain);
}

/* A phi of the header: its value on entry, and what is added in each iteration. */
static uint32_t visit_induction(struct affine_finder *f, LLVMValueRef phi, LLVMValueRef start,
                                LLVMValueRef link)
{
	struct affine_term term = { .kind = AFFINE_PHI,
		                    .is_linear = true,
		                    .bits = affine_finder_bits(f, LLVMTypeOf(phi)),
		                    .value = phi };
	struct affine_part *first;
	struct array steps;
	uint32_t result = AFFINE_NO_TERM;

	array_init(&steps, sizeof(struct affine_part), AFFINE_TERMS_MOST, "an address");
	first = array_push(&steps, 1, f->err);
	if (!first) {
		affine_finder_fail(f, ERR_NOMEM);
		goto out;
	}
	first->term = affine_finder_visit(f, start);
	first->scale = 1;
	if (first->term == AFFINE_NO_TERM)
		goto out;
	f->entering = phi;
	while (link && link != phi)
		link = take_link(f, link, &steps, &term.constant);
	f->entering = NULL;
	if (link && affine_finder_add_parts(f, &term, steps.data, (uint32_t)steps.count))
		result = affine_finder_add(f, term);
out:
	array_release(&steps);
	return result;
}

/* The term of a phi in the header, if each iteration adds the same. */
static uint32_t affine_finder_visit_phi(struct affine_finder *f, LLVMValueRef phi)
{
	const struct kernel_flow *flow = f->scope->flow;
	uint32_t node = kernel_flow_find(flow, LLVMGetInstructionParent(phi));
	LLVMValueRef value[2];
	unsigned inside;

	if (f->scope->loop < 0 || flow->forest.loops[f->scope->loop].header != node ||
	    LLVMCountIncoming(phi) != 2)
		return affine_finder_refuse(f, "address: depends on the path taken");
	if (f->entering)
		return affine_finder_refuse(f, "address: its step changes");
	node = kernel_flow_find(flow, LLVMGetIncomingBlock(phi, 1));
	inside = loop_forest_contains(&flow->forest, f->scope->loop, flow->forest.innermost[node])
	                 ? 1
	                 : 0;
	value[0] = LLVMGetIncomingValue(phi, 1 - inside);
	value[1] = LLVMGetIncomingValue(phi, inside);
	if (!affine_finder_bits(f, LLVMTypeOf(phi)) || !leads_to(f, value[1], phi, 0))
		return affine_finder_refuse(f, "address: not stepped by a constant amount");
	return visit_induction(f, phi, value[0], value[1]);
}

/* Whether the expression's starting values are affine, or even invariant, in another loop. */
static int look_at_leaves(const struct affine_expression *e, const struct affine_scope *outer,
                          bool is_step_allowed, bool *is_regular, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && *is_regular && i < e->term_count; i++) {
		struct affine_expression leaf;
		const char *why;

		if (e->terms[i].kind != AFFINE_LEAF)
			continue;
		ret = affine_expression_find(&leaf, outer, e->terms[i].value, &why, err);
		if (ret || why)
			*is_regular = false;
		else if (!is_step_allowed)
			*is_regular = !affine_expression_is_linear(&leaf);
		affine_expression_release(&leaf);
	}
	return ret;
}

/* Whether a branch out of the inner loop compares values that are affine in it with invariant
 * bounds. */
static int look_at_exit(LLVMValueRef end, const struct affine_scope *inner,
                        const struct affine_scope *outer, bool *is_regular, struct err *err)
{
	LLVMValueRef condition;
	int ret = 0;

	condition = LLVMIsABranchInst(end) && LLVMIsConditional(end) ? LLVMGetCondition(end) : NULL;
	*is_regular = condition && LLVMIsAICmpInst(condition);
	for (unsigned i = 0; !ret && *is_regular && i < 2; i++) {
		struct affine_expression side;
		const char *why;

		ret = affine_expression_find(&side, inner, LLVMGetOperand(condition, i), &why, err);
		*is_regular = !ret && !why;
		if (*is_regular)
			ret = look_at_leaves(&side, outer, false, is_regular, err);
		affine_expression_release(&side);
	}
	return ret;
}

int affine_regular_find(const struct affine_expression *address, int32_t inner,
                        const struct affine_scope *outer, bool *is_regular, struct err *err)
{
	const struct kernel_flow *flow = outer->flow;
	const struct loop_forest *forest = &flow->forest;
	struct affine_scope scope = { flow, outer->layout, inner };
	int ret;

	*is_regular = true;
	ret = look_at_leaves(address, outer, true, is_regular, err);
	for (uint32_t n = 0; !ret && *is_regular && n < flow->graph.node_count; n++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(flow->node[n]);

		if (!loop_forest_contains(forest, inner, forest->innermost[n]))
			continue;
		for (uint32_t e = flow->graph.first[n]; e < flow->graph.first[n + 1]; e++) {
			uint32_t to = flow->graph.successor[e];

			if (!ret && *is_regular &&
			    !loop_forest_contains(forest, inner, forest->innermost[to]))
				ret = look_at_exit(end, &scope, outer, is_regular, err);
		}
	}
	return ret;
}
