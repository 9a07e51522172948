/* SPDX-License-Identifier: Apache-2.0 */
#include "exit_edges.h"

#include "affine_sites.h"
#include "insertion.h"

void exit_edge_open(struct exit_edge *e, struct insertion *in, const struct affine_exit *exit)
{
	LLVMBasicBlockRef *node = in->kernel->flow.node;
	LLVMValueRef end = LLVMGetBasicBlockTerminator(node[exit->from]);

	e->from = node[exit->from];
	e->to = node[exit->to];
	e->first =
		LLVMInsertBasicBlockInContext(LLVMGetTypeContext(in->u64), e->to, "warpline.leave");
	for (unsigned i = 0; i < LLVMGetNumSuccessors(end); i++)
		if (LLVMGetSuccessor(end, i) == e->to)
			LLVMSetSuccessor(end, i, e->first);
	LLVMPositionBuilderAtEnd(in->b, e->first);
}

static void replace_in(struct affine_expression *e, LLVMValueRef phi, LLVMValueRef by)
{
	for (size_t i = 0; i < e->term_count; i++)
		if (e->terms[i].value == phi)
			e->terms[i].value = by;
}

/* What was found before code was put in refers to values of the kernel. */
static void replace(struct insertion *in, struct affine_sites *a, LLVMValueRef phi, LLVMValueRef by)
{
	for (size_t i = 0; i < a->site_count; i++) {
		struct affine_site *s = &a->sites[i];

		replace_in(&s->address, phi, by);
		for (uint32_t c = 0; c < s->condition_count; c++)
			replace_in(&s->conditions[c].value, phi, by);
	}
	for (uint32_t l = 0; l < in->kernel->flow.forest.loop_count; l++)
		if (in->loops[l].counter == phi)
			in->loops[l].counter = by;
	LLVMReplaceAllUsesWith(phi, by);
	LLVMInstructionEraseFromParent(phi);
}

/* The C API cannot change where a phi's value comes from. Edges that became one are one entry. */
static LLVMValueRef renewed(const struct exit_edge *e, struct insertion *in, LLVMValueRef phi,
                            LLVMBasicBlockRef last)
{
	LLVMValueRef by;
	bool is_done = false;

	LLVMPositionBuilderBefore(in->b, phi);
	by = LLVMBuildPhi(in->b, LLVMTypeOf(phi), "");
	for (unsigned i = 0; i < LLVMCountIncoming(phi); i++) {
		LLVMBasicBlockRef from = LLVMGetIncomingBlock(phi, i);
		LLVMValueRef value = LLVMGetIncomingValue(phi, i);

		if (from == e->from && is_done)
			continue;
		is_done |= from == e->from;
		if (from == e->from)
			from = last;
		LLVMAddIncoming(by, &value, &from, 1);
	}
	return by;
}

void exit_edge_close(const struct exit_edge *e, struct insertion *in, struct affine_sites *a)
{
	LLVMBasicBlockRef last = LLVMGetInsertBlock(in->b);
	LLVMValueRef phi = LLVMGetFirstInstruction(e->to), next;

	LLVMBuildBr(in->b, e->to);
	for (; phi && LLVMIsAPHINode(phi); phi = next) {
		next = LLVMGetNextInstruction(phi);
		replace(in, a, phi, renewed(e, in, phi, last));
	}
}
