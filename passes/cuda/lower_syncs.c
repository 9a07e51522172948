/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

#include "array.h"
#include "err.h"
#include "program.h"
#include "sync_library.h"
#include "sync_points.h"
#include "sync_rounds.h"

#include <llvm-c/Core.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT_POINTS 0xfffeu /* SITE_MASK of cuda_sync.cl */

/*
 * reg2mem: what lives from one node to another lies in variables. Where a work-item goes on makes
 * loops with several entries, which the doors do not know.
 */
#define TO_VARIABLES "function(reg2mem)"
#define REDUCE       "function(lowerswitch,fix-irreducible,loop-simplify)"

/* The points of a kernel, and what becomes of them. */
struct lowering {
	LLVMValueRef function;
	struct array calls;
	LLVMValueRef shared; /* of sync_library_shared(), where it is needed */
	bool is_even;        /* all work-items come to each equally often */
	bool has_others;     /* than barriers, which OpenCL has */
};

static int look_at(struct lowering *l, struct err *err)
{
	const LLVMValueRef *call;
	int ret = sync_points_find(l->function, &l->calls, err);

	l->is_even = true;
	call = l->calls.data;
	for (size_t i = 0; !ret && i < l->calls.count; i++)
		l->has_others |= !sync_point_is_barrier(call[i]);
	if (!ret && l->calls.count)
		ret = sync_points_are_even(l->function, &l->calls, &l->is_even, err);
	return ret;
}

/* Behind the variables of the entry. */
static void position_after_variables(LLVMBuilderRef b, LLVMValueRef function)
{
	LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));

	while (LLVMIsAAllocaInst(i))
		i = LLVMGetNextInstruction(i);
	LLVMPositionBuilderBefore(b, i);
}

/* Publish, wait for all, collect, wait until all have. */
static void lower_point(const struct sync_library *s, LLVMBuilderRef b, LLVMValueRef call,
                        const struct sync_item *item)
{
	LLVMTypeRef u32 = LLVMTypeOf(item->number);
	LLVMValueRef site = LLVMConstInt(u32, 1, 0), round = LLVMConstInt(u32, 0, 0), result;
	struct sync_item one = *item;
	struct sync_operands o;

	sync_point_read(call, &o);
	one.kinds = sync_point_kinds(call);
	LLVMPositionBuilderBefore(b, call);
	sync_library_call_item(b, s->publish, item,
	                       (LLVMValueRef[]){ o.kind, o.mask, o.value, site }, 4);
	sync_library_barrier(s, b);
	result = sync_library_call_item(b, s->collect, &one, &o.argument, 1);
	sync_library_barrier(s, b);
	sync_library_call_item(b, s->leave, item, &round, 1);
	LLVMReplaceAllUsesWith(call, result);
	LLVMInstructionEraseFromParent(call);
}

/* All work-items come to each call alike: barriers of OpenCL do. */
static void lower_evenly(const struct sync_library *s, const struct lowering *l)
{
	LLVMContextRef c = LLVMGetModuleContext(s->module);
	LLVMBuilderRef b = LLVMCreateBuilderInContext(c);
	struct sync_item item = { .shared = l->shared, .kinds = sync_points_kinds(&l->calls, c) };
	const LLVMValueRef *call = l->calls.data;

	position_after_variables(b, l->function);
	item.place = LLVMBuildAlloca(b, LLVMTypeOf(item.kinds), "place");
	item.number = sync_library_call(b, s->item, NULL, 0);
	sync_library_call_item(b, s->begin, &item, NULL, 0);
	sync_library_barrier(s, b);
	for (size_t i = 0; i < l->calls.count; i++)
		if (!sync_point_is_barrier(call[i]))
			lower_point(s, b, call[i], &item);
	LLVMDisposeBuilder(b);
}

/* Whether the control flow of a function has loops with several entries. */
static int is_irreducible(LLVMValueRef function, bool *is, struct err *err)
{
	struct kernel_flow flow;
	int ret = kernel_flow_init(&flow, function, err);

	if (!ret)
		*is |= flow.forest.is_irreducible;
	kernel_flow_release(&flow);
	return ret;
}

static int lower_in_rounds(struct program *p, const struct sync_library *s,
                           const struct lowering *all, struct err *err)
{
	bool must_reduce = false;
	int ret;

	for (size_t i = 0; i < p->kernel_count; i++)
		if (!all[i].is_even)
			sync_rounds_cut(&all[i].calls);
	ret = program_run_passes(p, TO_VARIABLES, err);
	for (size_t i = 0; !ret && i < p->kernel_count; i++) {
		if (all[i].is_even)
			continue;
		sync_rounds_build(s, all[i].function, all[i].shared, &all[i].calls);
		ret = is_irreducible(all[i].function, &must_reduce, err);
	}
	p->keeps_flows = true;
	return ret || !must_reduce ? ret : program_run_passes(p, REDUCE, err);
}

static int lower_all(struct program *p, struct lowering *all, struct err *err)
{
	struct sync_library library = { 0 };
	bool needs_rounds = false;
	int ret = 0;

	for (size_t i = 0; !ret && i < p->kernel_count; i++) {
		needs_rounds |= !all[i].is_even;
		if (all[i].is_even && !all[i].has_others)
			continue;
		if (!library.module)
			ret = sync_library_link(&library, p->module, err);
		if (!ret)
			all[i].shared = sync_library_shared(
				&library, all[i].function,
				sync_points_kinds(&all[i].calls, p->context), err);
		if (!ret && !all[i].shared)
			ret = ERR_NOMEM;
	}
	for (size_t i = 0; !ret && i < p->kernel_count; i++)
		if (all[i].is_even && all[i].has_others)
			lower_evenly(&library, &all[i]);
	return ret || !needs_rounds ? ret : lower_in_rounds(p, &library, all, err);
}

int lower_syncs(struct program *p, struct err *err)
{
	struct lowering *all;
	int ret = 0;

	if (!program_is_cuda(p))
		return 0;
	all = array_alloc(p->kernel_count, sizeof(*all), "kernels", err);
	if (!all)
		return ERR_NOMEM;
	for (size_t i = 0; i < p->kernel_count; i++) {
		all[i].function = p->kernels[i].function;
		array_init(&all[i].calls, sizeof(LLVMValueRef), LIMIT_POINTS, "barriers");
	}
	for (size_t i = 0; !ret && i < p->kernel_count; i++)
		ret = look_at(&all[i], err);
	if (!ret)
		ret = lower_all(p, all, err);
	for (size_t i = 0; i < p->kernel_count; i++)
		array_release(&all[i].calls);
	free(all);
	return ret;
}
