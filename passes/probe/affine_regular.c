/* SPDX-License-Identifier: Apache-2.0 */
#include "affine_regular.h"

#include "err.h"
#include "kernel_flow.h"

#include <llvm-c/Core.h>

/* Whether what the expression begins with is affine, or even invariant, in another loop. */
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

/* Whether a branch out of the inner loop compares what is affine in it, with invariant bounds. */
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
