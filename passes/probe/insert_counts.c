/* SPDX-License-Identifier: Apache-2.0 */
#include "insertion.h"

#include "array.h"
#include "err.h"
#include "node_counts.h"
#include "probe_abi.h"

#include <stdlib.h>

/* Words of a slot for these cells; some, so that there is one. */
static uint32_t words_of(const struct node_counts *c)
{
	uint32_t words = c->counter_count + (c->cell_count - c->counter_count + 7) / 8;

	return words ? words : 1;
}

int insert_counts_plan(struct insertion *in, struct node_counts *c, struct err *err)
{
	struct kernel_table *t = in->kernel->table;
	int ret = node_counts_find(c, in, err);
	uint32_t words = words_of(c);

	if (ret)
		return ret;
	in->counts = c;
	t->counts = c->sites;
	c->sites = NULL;
	t->counter_count = c->counter_count;
	t->cell_count = c->cell_count;
	t->item_words = words <= PROBE_MAX_SLOT_WORDS ? words : 0;
	t->least_words = words;
	return 0;
}

static void put_increment(struct insertion *in, uint32_t node, LLVMValueRef variable)
{
	LLVMValueRef count;

	insertion_at_end(in, node);
	count = LLVMBuildLoad2(in->b, in->u64, variable, "");
	count = LLVMBuildAdd(in->b, count, insertion_u64(in, 1), "warpline.count");
	LLVMBuildStore(in->b, count, variable);
}

static void tell_cell(struct insertion *in, uint32_t cell, LLVMValueRef count)
{
	const struct probe_runtime *r = in->runtime;
	uint32_t counters = in->counts->counter_count;
	LLVMValueRef arguments[3] = { insertion_u64(in, cell), count };

	if (!in->kernel->table->item_words) {
		arguments[0] = insertion_u32(in, cell);
		insertion_call(in, r->count, arguments, 2);
	} else if (cell < counters) {
		insertion_call(in, r->counter, arguments, 2);
	} else {
		arguments[0] = insertion_u64(in, counters);
		arguments[1] = insertion_u64(in, cell - counters);
		arguments[2] = count;
		insertion_call(in, r->flag, arguments, 3);
	}
}

int insert_counts(struct insertion *in, struct err *err)
{
	const struct kernel *k = in->kernel;
	uint32_t count = in->counts->cell_count;
	LLVMValueRef *variables = array_alloc(count, sizeof(LLVMValueRef), "sites", err);

	if (!variables)
		return ERR_NOMEM;
	for (uint32_t c = 0; c < count; c++) {
		variables[c] = insertion_variable(in, "warpline.counter");
		put_increment(in, in->counts->node[c], variables[c]);
	}
	for (uint32_t n = 0; n < k->flow.graph.node_count; n++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(k->flow.node[n]);

		for (uint32_t c = 0; LLVMIsAReturnInst(end) && c < count; c++) {
			LLVMPositionBuilderBefore(in->b, end);
			tell_cell(in, c, LLVMBuildLoad2(in->b, in->u64, variables[c], ""));
		}
	}
	for (size_t s = 0; s < k->table->site_count; s++)
		LLVMInstructionEraseFromParent(k->marks[s]);
	free(variables);
	return 0;
}
