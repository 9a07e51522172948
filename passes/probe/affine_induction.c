/* SPDX-License-Identifier: Apache-2.0 */
#include "affine_finder.h"

#include "err.h"
#include "kernel_flow.h"

#include <llvm-c/Core.h>

/* Additions on the way round, from the latch back to the phi. */
#define CHAIN_LIMIT 8

/* Whether `value` leads to `phi` over additions of the loop. */
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

/* What one link of the way round adds: to *parts, and to *constant. Returns the next link. */
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

/* A phi of the header: the value on entry, and what is added on the way round. */
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

uint32_t affine_finder_visit_phi(struct affine_finder *f, LLVMValueRef phi)
{
	const struct kernel_flow *flow = f->scope->flow;
	uint32_t node = kernel_flow_find(flow, LLVMGetInstructionParent(phi));
	LLVMValueRef value[2];
	unsigned inside;

	if (f->scope->loop < 0 || flow->forest.loops[f->scope->loop].header != node ||
	    LLVMCountIncoming(phi) != 2)
		return affine_finder_refuse(f, "address: depends on the way taken");
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
