/* SPDX-License-Identifier: Apache-2.0 */
#include "insertion.h"

#include "array.h"
#include "err.h"
#include "insert_runs.h"

#include <stdlib.h>

/* A point that records the iteration of a loop. */
struct teller {
	uint32_t point; /* site, or site_count + loop of the table */
	uint32_t node;
	int32_t loop; /* in the flow: the loop whose iteration is recorded */
	bool is_rare; /* usually skipped */
};

/* The loop whose activations the records of a site belong to, or -1. */
static int32_t loop_of_records(const struct insertion *in, size_t site)
{
	const struct loop_forest *forest = &in->kernel->flow.forest;
	int32_t loop = forest->innermost[in->site_node[site]];

	return loop >= 0 && insertion_record(in, site) == RECORD_GRID ? forest->loops[loop].parent
	                                                              : loop;
}

/* Entries of loops with records are records of the surrounding loop. */
static void find_loops_with_records(struct insertion *in)
{
	const struct loop_forest *forest = &in->kernel->flow.forest;

	for (size_t s = 0; s < in->kernel->table->site_count; s++)
		for (int32_t l = loop_of_records(in, s); l >= 0; l = forest->loops[l].parent)
			in->loops[l].has_records = true;
}

/* The loop that is entered from a node and whose entry is recorded, or -1. */
static int32_t loop_entered_from(const struct insertion *in, uint32_t node)
{
	const struct kernel_flow *flow = &in->kernel->flow;
	uint32_t e = flow->graph.first[node], next;
	int32_t l;

	if (flow->graph.first[node + 1] - e != 1)
		return -1;
	next = flow->graph.successor[e];
	l = flow->forest.innermost[next];
	if (l < 0 || in->loops[l].preheader != node || !in->loops[l].has_records)
		return -1;
	return flow->forest.loops[l].parent < 0 ? -1 : l;
}

static int add_teller(struct array *tellers, struct teller teller, struct err *err)
{
	struct teller *t = array_push(tellers, 1, err);

	if (!t)
		return ERR_LIMIT;
	*t = teller;
	return 0;
}

/* The point for the entry of a loop in the flow. */
static uint32_t point_of_entry(const struct kernel *k, int32_t loop)
{
	return (uint32_t)(k->table->site_count + (size_t)k->table_loop[loop]);
}

/* A loop with this header may record its entry where it is left. */
static int add_late_entry(const struct insertion *in, struct array *tellers, uint32_t node,
                          struct err *err)
{
	const struct loop_forest *forest = &in->kernel->flow.forest;
	int32_t loop = forest->innermost[node];
	struct teller t = { .node = node, .is_rare = true };

	if (loop < 0 || forest->loops[loop].header != node ||
	    !insert_runs_may_enter(in, (uint32_t)loop))
		return 0;
	t.point = point_of_entry(in->kernel, loop);
	t.loop = forest->loops[loop].parent;
	return add_teller(tellers, t, err);
}

/* All such points, in the order of the code. */
static int find_tellers(const struct insertion *in, struct array *tellers, struct err *err)
{
	const struct kernel *k = in->kernel;
	const struct kernel_flow *flow = &k->flow;
	size_t site = 0;
	int ret = 0;

	for (size_t i = 0; !ret && i < flow->order_count; i++) {
		uint32_t node = flow->order[i];
		int32_t loop = flow->forest.innermost[node], entered = loop_entered_from(in, node);

		struct teller t = { .node = node, .loop = loop };

		ret = add_late_entry(in, tellers, node, err);
		for (; site < k->table->site_count && in->site_node[site] == node; site++) {
			t.point = (uint32_t)site;
			t.is_rare = insertion_is_sampled(in, (uint32_t)site);
			if (!ret && loop >= 0 && insertion_record(in, site) == RECORD_POINT)
				ret = add_teller(tellers, t, err);
		}
		if (ret || entered < 0)
			continue;
		t.point = point_of_entry(k, entered);
		t.is_rare = insertion_is_sampled(in, t.point);
		t.loop = flow->forest.loops[entered].parent;
		ret = add_teller(tellers, t, err);
	}
	return ret;
}

/* Whether every iteration of the loop executes the node before it ends. */
static bool is_in_every_iteration(const struct insertion *in, uint32_t l, uint32_t node)
{
	const struct loop_forest *forest = &in->kernel->flow.forest;
	uint32_t header = forest->loops[l].header;

	for (uint32_t e = in->predecessors.first[header]; e < in->predecessors.first[header + 1];
	     e++) {
		uint32_t from = in->predecessors.successor[e];

		if (loop_forest_contains(forest, (int32_t)l, forest->innermost[from]) &&
		    !insertion_dominates(in, node, from))
			return false;
	}
	return true;
}

/* The first point of each loop leads, if control always reaches it first. */
static void choose_leaders(struct insertion *in, const struct teller *tellers, size_t count)
{
	for (size_t i = 0; i < count; i++) {
		const struct teller *t = &tellers[i];
		struct insertion_loop *loop = &in->loops[t->loop];
		bool leads = loop->leader == INSERTION_NONE;

		if (!leads)
			continue;
		loop->leader = t->point;
		leads = !t->is_rare && is_in_every_iteration(in, (uint32_t)t->loop, t->node);
		for (size_t j = i + 1; leads && j < count; j++)
			leads = tellers[j].loop != t->loop ||
			        insertion_dominates(in, t->node, tellers[j].node);
		loop->needs_variable = !leads;
	}
}

int insert_loops_plan(struct insertion *in, struct err *err)
{
	struct array tellers;
	int ret;

	array_init(&tellers, sizeof(struct teller), INT32_MAX, "points");
	find_loops_with_records(in);
	ret = find_tellers(in, &tellers, err);
	if (!ret)
		choose_leaders(in, tellers.data, tellers.count);
	free(tellers.data);
	return ret;
}

/* The variable of a loop: 0 on entry, incremented at the header in each iteration. */
static void put_variable(struct insertion *in, uint32_t l)
{
	const struct kernel_flow *flow = &in->kernel->flow;
	uint32_t header = flow->forest.loops[l].header;
	LLVMValueRef variable = insertion_variable(in, "warpline.untold");
	LLVMValueRef before;

	LLVMPositionBuilderBefore(in->b, LLVMGetFirstInstruction(flow->node[header]));
	before = LLVMBuildPhi(in->b, in->u64, "");
	insertion_behind_phis(in, header);
	LLVMBuildStore(in->b, LLVMBuildAdd(in->b, before, insertion_u64(in, 1), ""), variable);
	for (uint32_t e = in->predecessors.first[header]; e < in->predecessors.first[header + 1];
	     e++) {
		uint32_t from = in->predecessors.successor[e];
		LLVMBasicBlockRef node = flow->node[from];
		LLVMValueRef value = insertion_u64(in, 0);

		if (loop_forest_contains(&flow->forest, (int32_t)l, flow->forest.innermost[from])) {
			insertion_at_end(in, from);
			value = LLVMBuildLoad2(in->b, in->u64, variable, "");
		}
		LLVMAddIncoming(before, &value, &node, 1);
	}
	in->loops[l].untold = variable;
}

LLVMValueRef insert_loops_run(struct insertion *in, int32_t loop, uint32_t point)
{
	LLVMValueRef variable = loop < 0 ? NULL : in->loops[loop].untold, run, told;

	if (loop < 0)
		return insertion_u64(in, 0);
	if (!variable)
		return insertion_u64(in, in->loops[loop].leader == point);
	run = LLVMBuildLoad2(in->b, in->u64, variable, "warpline.run");
	told = insertion_u64(in, 0);
	if (insertion_is_sampled(in, point))
		told = LLVMBuildSelect(in->b, in->kernel->in_sample, told, run, "");
	LLVMBuildStore(in->b, told, variable);
	return run;
}

/* Where a nested loop is entered: at the end of its only preheader. */
static int put_entry(struct insertion *in, uint32_t l, struct err *err)
{
	const struct kernel *k = in->kernel;
	int32_t parent = k->flow.forest.loops[l].parent;
	uint32_t point = point_of_entry(k, (int32_t)l);

	if (parent < 0)
		return 0;
	if (in->loops[l].preheader == INSERTION_NONE)
		return err_set(err, ERR_UNSUPPORTED,
		               "kernel %s: loop %d is entered from several places, expected one",
		               k->table->name, k->table_loop[l]);
	insertion_at_end(in, in->loops[l].preheader);
	insertion_put_point(in, point, parent, insertion_u64(in, 0),
	                    insert_loops_run(in, parent, point), NULL);
	return 0;
}

int insert_loops(struct insertion *in, struct err *err)
{
	uint32_t count = in->kernel->flow.forest.loop_count;
	int ret = 0;

	for (uint32_t l = 0; l < count; l++)
		if (in->loops[l].needs_variable)
			put_variable(in, l);
	for (uint32_t l = 0; !ret && l < count; l++)
		if (in->loops[l].has_records)
			ret = put_entry(in, l, err);
	return ret;
}
