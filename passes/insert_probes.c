/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

#include "affine_sites.h"
#include "array.h"
#include "builtin.h"
#include "err.h"
#include "event.h"
#include "hidden_argument.h"
#include "kernel_arguments.h"
#include "mark.h"
#include "probe_runtime.h"
#include "program.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>

/* What is at hand while the probes of one kernel are put in. */
struct insertion {
	struct kernel *kernel;
	const struct probe_runtime *runtime;
	LLVMBuilderRef b;
	LLVMTypeRef u32, u64;
	LLVMValueRef item;   /* the work-item's struct probe_item, on its stack */
	LLVMValueRef header; /* the hidden argument as struct probe_header */
	LLVMValueRef
		*counter; /* per loop of the flow: its iteration, 64 bits; NULL: not in the table */
};

static LLVMValueRef constant32(const struct insertion *in, uint32_t value)
{
	return LLVMConstInt(in->u32, value, 0);
}

/* Call warpline_probe with this event. */
static void put_event(struct insertion *in, LLVMValueRef value, uint32_t point,
                      LLVMValueRef iteration)
{
	LLVMValueRef arguments[] = { in->item, in->header, value, constant32(in, point),
		                     iteration };

	probe_runtime_call(in->b, in->runtime->probe, arguments, 5);
}

static void position_at_end(struct insertion *in, LLVMBasicBlockRef node)
{
	LLVMPositionBuilderBefore(in->b, LLVMGetBasicBlockTerminator(node));
}

/* The first place in a node behind its phis. */
static void position_behind_phis(struct insertion *in, LLVMBasicBlockRef node)
{
	LLVMValueRef i = LLVMGetFirstInstruction(node);

	while (LLVMIsAPHINode(i))
		i = LLVMGetNextInstruction(i);
	LLVMPositionBuilderBefore(in->b, i);
}

/* Variables of fixed size belong at the top of the entry, wherever the entry is. */
static void move_variables(struct insertion *in, LLVMBasicBlockRef from)
{
	LLVMValueRef i = LLVMGetFirstInstruction(from), next;

	for (; i; i = next) {
		next = LLVMGetNextInstruction(i);
		if (!LLVMIsAAllocaInst(i) || !LLVMIsAConstantInt(LLVMGetOperand(i, 0)))
			continue;
		LLVMInstructionRemoveFromParent(i);
		LLVMInsertIntoBuilder(in->b, i);
	}
}

/* Store the value of each pointer argument into its slot, 0 for the others. */
static void tell_arguments(struct insertion *in)
{
	LLVMValueRef function = in->kernel->function;
	unsigned count = LLVMCountParams(function) - 1;

	for (unsigned i = 0; i < count; i++) {
		uint32_t space = in->kernel->table->arguments[i].space;
		LLVMValueRef value = LLVMConstInt(in->u64, 0, 0), arguments[3];

		if (space == SPACE_GLOBAL || space == SPACE_CONSTANT)
			value = LLVMBuildPtrToInt(in->b, LLVMGetParam(function, i), in->u64, "");
		arguments[0] = in->header;
		arguments[1] = constant32(in, i);
		arguments[2] = value;
		probe_runtime_call(in->b, in->runtime->argument, arguments, 3);
	}
}

static LLVMValueRef is_nonzero(struct insertion *in, LLVMValueRef value)
{
	return LLVMBuildICmp(in->b, LLVMIntNE, value, LLVMConstNull(LLVMTypeOf(value)), "");
}

/*
 * Before the kernel's code: enter, leave if out of the slice, tell the arguments if first.
 *
 *   enter -> {decide, outside}, decide -> {tell, body}, tell -> body
 */
static void put_entry(struct insertion *in)
{
	LLVMValueRef function = in->kernel->function, arguments[2], decision;
	LLVMContextRef c = LLVMGetModuleContext(LLVMGetGlobalParent(function));
	LLVMBasicBlockRef body = LLVMGetEntryBasicBlock(function);
	LLVMBasicBlockRef enter = LLVMInsertBasicBlockInContext(c, body, "warpline.enter");
	LLVMBasicBlockRef decide = LLVMInsertBasicBlockInContext(c, body, "warpline.decide");
	LLVMBasicBlockRef tell = LLVMInsertBasicBlockInContext(c, body, "warpline.tell");
	LLVMBasicBlockRef outside = LLVMAppendBasicBlockInContext(c, function, "warpline.outside");

	LLVMPositionBuilderAtEnd(in->b, enter);
	in->item = LLVMBuildAlloca(in->b, in->runtime->item_type, "warpline.item");
	move_variables(in, body);
	in->header = LLVMBuildBitCast(in->b, LLVMGetParam(function, LLVMCountParams(function) - 1),
	                              in->runtime->header_type, "warpline.header");
	arguments[0] = in->item;
	arguments[1] = in->header;
	decision = probe_runtime_call(in->b, in->runtime->enter, arguments, 2);
	LLVMBuildCondBr(in->b, is_nonzero(in, decision), decide, outside);

	LLVMPositionBuilderAtEnd(in->b, decide);
	decision = probe_runtime_call(in->b, in->runtime->is_first, &in->header, 1);
	LLVMBuildCondBr(in->b, is_nonzero(in, decision), tell, body);

	LLVMPositionBuilderAtEnd(in->b, tell);
	tell_arguments(in);
	LLVMBuildBr(in->b, body);

	LLVMPositionBuilderAtEnd(in->b, outside);
	LLVMBuildRetVoid(in->b);
}

/* At each return of the kernel's own: hand on the events. */
static void put_leaves(struct insertion *in)
{
	const struct kernel_flow *flow = &in->kernel->flow;

	for (uint32_t n = 0; n < flow->graph.node_count; n++) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(flow->node[n]);
		LLVMValueRef arguments[] = { in->item, in->header };

		if (!LLVMIsAReturnInst(end))
			continue;
		LLVMPositionBuilderBefore(in->b, end);
		probe_runtime_call(in->b, in->runtime->leave, arguments, 2);
	}
}

/* The counter of loop l: a phi in its header, 0 on entry, one more each time round. */
static void put_counter(struct insertion *in, const struct graph *predecessors, uint32_t l)
{
	const struct kernel_flow *flow = &in->kernel->flow;
	uint32_t header = flow->forest.loops[l].header;
	LLVMBasicBlockRef node = flow->node[header];
	LLVMValueRef zero = LLVMConstInt(in->u64, 0, 0), counter, next;

	LLVMPositionBuilderBefore(in->b, LLVMGetFirstInstruction(node));
	counter = LLVMBuildPhi(in->b, in->u64, "warpline.iteration");
	position_behind_phis(in, node);
	next = LLVMBuildAdd(in->b, counter, LLVMConstInt(in->u64, 1, 0), "warpline.next");
	for (uint32_t e = predecessors->first[header]; e < predecessors->first[header + 1]; e++) {
		uint32_t from = predecessors->successor[e];
		bool is_inside = loop_forest_contains(&flow->forest, (int32_t)l,
		                                      flow->forest.innermost[from]);

		LLVMAddIncoming(counter, is_inside ? &next : &zero, &flow->node[from], 1);
	}
	in->counter[l] = counter;
}

/* EVENT_EPOCH at the header, behind the phis and before every site. */
static void put_epoch(struct insertion *in, uint32_t l)
{
	uint32_t point = EVENT_EPOCH | (uint32_t)in->kernel->table_loop[l];
	LLVMValueRef arguments[] = { in->item, in->header, constant32(in, point), in->counter[l] };

	position_behind_phis(in, in->kernel->flow.node[in->kernel->flow.forest.loops[l].header]);
	probe_runtime_call(in->b, in->runtime->epoch, arguments, 4);
}

/* EVENT_LOOP where a loop that lies in another is entered: at the end of its one preheader. */
static int put_loop_entry(struct insertion *in, const struct graph *predecessors, uint32_t l,
                          struct err *err)
{
	const struct kernel_flow *flow = &in->kernel->flow;
	const struct forest_loop *loop = &flow->forest.loops[l];
	uint32_t preheader = GRAPH_NONE, outside_count = 0;

	if (loop->parent < 0)
		return 0;
	for (uint32_t e = predecessors->first[loop->header];
	     e < predecessors->first[loop->header + 1]; e++) {
		uint32_t from = predecessors->successor[e];

		if (loop_forest_contains(&flow->forest, (int32_t)l, flow->forest.innermost[from]))
			continue;
		preheader = from;
		outside_count++;
	}
	if (outside_count != 1 ||
	    flow->graph.first[preheader + 1] - flow->graph.first[preheader] != 1)
		return err_set(err, ERR_UNSUPPORTED,
		               "kernel %s: loop %d: it is entered from %u places, expected one",
		               in->kernel->table->name, in->kernel->table_loop[l], outside_count);
	position_at_end(in, flow->node[preheader]);
	put_event(in, in->counter[loop->parent], EVENT_LOOP | (uint32_t)in->kernel->table_loop[l],
	          constant32(in, 0));
	return 0;
}

static int put_loops(struct insertion *in, struct err *err)
{
	const struct kernel_flow *flow = &in->kernel->flow;
	uint32_t count = flow->forest.loop_count;
	struct graph predecessors;
	int ret = graph_reverse(&flow->graph, &predecessors, err);

	for (uint32_t l = 0; !ret && l < count; l++)
		if (in->kernel->table_loop[l] >= 0)
			put_counter(in, &predecessors, l);
	for (uint32_t l = 0; !ret && l < count; l++) {
		if (in->kernel->table_loop[l] < 0)
			continue;
		put_epoch(in, l);
		ret = put_loop_entry(in, &predecessors, l, err);
	}
	graph_release(&predecessors);
	return ret;
}

/* The iteration, low 32 bits, of the loop around a node. */
static LLVMValueRef iteration_at(struct insertion *in, uint32_t node)
{
	int32_t loop = in->kernel->flow.forest.innermost[node];

	if (loop < 0)
		return constant32(in, 0);
	return LLVMBuildTrunc(in->b, in->counter[loop], in->u32, "");
}

/* A probe in the place of the mark of site `number`, which stands in `node`. */
static void put_site(struct insertion *in, uint32_t node, size_t number)
{
	const struct site *site = &in->kernel->table->sites[number];
	LLVMValueRef instruction = in->kernel->marks[number], iteration;
	LLVMValueRef value = LLVMConstInt(in->u64, 0, 0);
	struct mark mark;

	mark_read(instruction, &mark);
	LLVMPositionBuilderBefore(in->b, instruction);
	iteration = iteration_at(in, node);
	if (site_kind_is_access(site->kind)) {
		if (site->bytes == 0)
			put_event(in, mark.bytes, EVENT_SIZE | (uint32_t)number, iteration);
		value = LLVMBuildPtrToInt(in->b, mark.pointer, in->u64, "");
	}
	put_event(in, value, EVENT_SITE | (uint32_t)number, iteration);
	LLVMInstructionEraseFromParent(instruction);
}

/* Fences that some devices lack become the runtime's. */
static void put_fences(struct insertion *in, LLVMBasicBlockRef node)
{
	LLVMValueRef i = LLVMGetFirstInstruction(node), next;

	for (; i; i = next) {
		LLVMValueRef called = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;
		LLVMValueRef arguments[] = { in->item, in->header };
		size_t length;

		next = LLVMGetNextInstruction(i);
		if (!called || !LLVMIsAFunction(called) ||
		    builtin_find(LLVMGetValueName2(called, &length)).class != BUILTIN_FENCE_ABSENT)
			continue;
		LLVMPositionBuilderBefore(in->b, i);
		probe_runtime_call(in->b, in->runtime->fence, arguments, 2);
		LLVMInstructionEraseFromParent(i);
	}
}

static void put_sites(struct insertion *in)
{
	const struct kernel *k = in->kernel;
	size_t next = 0;

	for (size_t i = 0; i < k->flow.order_count; i++) {
		uint32_t node = k->flow.order[i];

		while (next < k->table->site_count &&
		       LLVMGetInstructionParent(k->marks[next]) == k->flow.node[node])
			put_site(in, node, next++);
		put_fences(in, k->flow.node[node]);
	}
}

/* Hints of the source on unrolling and the like do not fit the code any more. */
static void drop_loop_hints(const struct kernel_flow *flow, LLVMContextRef context)
{
	unsigned kind = LLVMGetMDKindIDInContext(context, "llvm.loop", strlen("llvm.loop"));

	for (uint32_t n = 0; n < flow->graph.node_count; n++)
		LLVMSetMetadata(LLVMGetBasicBlockTerminator(flow->node[n]), kind, NULL);
}

/* Append to the file of --explain how the kernel's sites are recorded. */
static int explain(const struct program *p, const struct kernel *k, const struct affine_sites *a,
                   struct err *err)
{
	FILE *out = fopen(p->settings->explain, k == p->kernels ? "w" : "a");

	if (!out)
		return err_set(err, ERR_IO, "%s: %s", p->settings->explain, strerror(errno));
	affine_sites_explain(a, k, out);
	if (fclose(out))
		return err_set(err, ERR_IO, "%s: %s", p->settings->explain, strerror(errno));
	return 0;
}

static int insert_into(struct program *p, struct kernel *k, const struct probe_runtime *runtime,
                       struct err *err)
{
	struct insertion in = { .kernel = k, .runtime = runtime };
	struct affine_sites affine;
	int ret = affine_sites_find(&affine, k, err);

	if (!ret && p->settings->explain)
		ret = explain(p, k, &affine, err);
	affine_sites_release(&affine);
	if (ret)
		return ret;
	in.counter = array_alloc(k->flow.forest.loop_count, sizeof(LLVMValueRef), "loops", err);
	if (!in.counter)
		return ERR_NOMEM;
	in.b = LLVMCreateBuilderInContext(p->context);
	in.u32 = LLVMInt32TypeInContext(p->context);
	in.u64 = LLVMInt64TypeInContext(p->context);
	ret = hidden_argument_append(k->function, &k->function, err);
	if (!ret) {
		drop_loop_hints(&k->flow, p->context);
		put_entry(&in);
		put_leaves(&in);
		ret = put_loops(&in, err);
	}
	if (!ret)
		put_sites(&in);
	LLVMDisposeBuilder(in.b);
	free(in.counter);
	return ret;
}

int insert_probes(struct program *p, struct err *err)
{
	struct probe_runtime runtime;
	int ret = probe_runtime_link(&runtime, p->module, err);

	for (size_t i = 0; !ret && i < p->kernel_count; i++)
		ret = insert_into(p, &p->kernels[i], &runtime, err);
	if (!ret)
		mark_erase_all(p->module);
	return ret;
}
