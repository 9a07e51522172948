/* SPDX-License-Identifier: Apache-2.0 */
#include "insertion.h"

#include "array.h"
#include "err.h"

#include <stdlib.h>

static void put_increment(struct insertion *in, LLVMValueRef mark, LLVMValueRef counter)
{
	LLVMValueRef count;

	LLVMPositionBuilderBefore(in->b, mark);
	count = LLVMBuildLoad2(in->b, in->u64, counter, "");
	count = LLVMBuildAdd(in->b, count, insertion_u64(in, 1), "warpline.count");
	LLVMBuildStore(in->b, count, counter);
	LLVMInstructionEraseFromParent(mark);
}

static void tell_counts(struct insertion *in, LLVMValueRef end, LLVMValueRef *counters)
{
	const struct probe_runtime *r = in->runtime;
	bool has_slots = in->kernel->table->item_words > 0;

	for (uint32_t s = 0; s < in->kernel->table->site_count; s++) {
		LLVMValueRef arguments[3] = { insertion_u64(in, 2ull * s), insertion_u32(in, s) };

		LLVMPositionBuilderBefore(in->b, end);
		arguments[2] = LLVMBuildLoad2(in->b, in->u64, counters[s], "");
		if (has_slots)
			insertion_call(in, r->slot_count, arguments, 3);
		else
			insertion_call(in, r->count, arguments + 1, 2);
	}
}

int insert_counts(struct insertion *in, struct err *err)
{
	const struct kernel *k = in->kernel;
	size_t count = k->table->site_count;
	LLVMValueRef *counters = array_alloc(count, sizeof(LLVMValueRef), "sites", err);

	if (!counters)
		return ERR_NOMEM;
	for (size_t s = 0; s < count; s++) {
		counters[s] = insertion_variable(in, "warpline.counter");
		put_increment(in, k->marks[s], counters[s]);
	}
	for (uint32_t n = 0; n < k->flow.graph.node_count; n++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(k->flow.node[n]);

		if (LLVMIsAReturnInst(end))
			tell_counts(in, end, counters);
	}
	free(counters);
	return 0;
}
