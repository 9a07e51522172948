/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

#include "array.h"
#include "barrier_conditions.h"
#include "err.h"
#include "front_end.h"
#include "kernel_arguments.h"
#include "local_layout.h"
#include "mark.h"
#include "memory_space.h"
#include "number_loops.h"
#include "pointer_origin.h"
#include "program.h"
#include "source_place.h"
#include "space_set.h"
#include "sync_points.h"
#include "unrecorded_calls.h"

#include <stdlib.h>

#define FENCE_LOCAL      1u
#define FENCE_GLOBAL     2u
#define LIMIT_SITE_COUNT ((size_t)1 << 20)

struct numbering {
	struct kernel *kernel;
	struct pointer_origin origin;
	struct local_layout layout;
	struct array sites;      /* struct site */
	struct array marks;      /* LLVMValueRef */
	struct array unrecorded; /* struct unrecorded */
	bool *has_sites;         /* per node */
};

static bool is_written(enum site_kind kind)
{
	return kind == SITE_WRITE || kind == SITE_ATOMIC;
}

/* A barrier or fence that orders global memory counts as one of global memory. */
static uint32_t space_of_flags(uint64_t flags)
{
	if (flags & FENCE_GLOBAL)
		return SPACE_GLOBAL;
	return flags & FENCE_LOCAL ? SPACE_LOCAL : 0;
}

static int add_site(struct numbering *n, LLVMValueRef instruction, const struct mark *mark,
                    struct err *err)
{
	struct site *site = array_push(&n->sites, 1, err);
	LLVMValueRef *slot = array_push(&n->marks, 1, err);
	bool is_constant = LLVMIsAConstantInt(mark->bytes);
	uint64_t bytes = is_constant ? LLVMConstIntGetZExtValue(mark->bytes) : 0;

	if (!site || !slot)
		return ERR_LIMIT;
	*slot = instruction;
	site->kind = mark->kind;
	site->space = memory_space_of_type(n->origin.module, LLVMTypeOf(mark->pointer));
	site->loop = -1;
	site->argument = -1;
	if (site_kind_has_address(mark->kind)) {
		site->bytes = bytes <= UINT32_MAX ? (uint32_t)bytes : 0;
		site->argument = pointer_origin_argument(&n->origin);
	} else {
		site->space = space_of_flags(bytes);
	}
	return source_place(instruction, &site->place, &site->inlined_at, &site->inlined_count,
	                    err);
}

/* The address of an access to local memory is its offset in the group's, where that is known. */
static void set_local_address(struct numbering *n, LLVMValueRef instruction,
                              const struct mark *mark)
{
	LLVMSetOperand(instruction, 1,
	               local_layout_pointer(&n->layout, instruction, mark->pointer,
	                                    pointer_origin_base(&n->origin)));
}

static int take_mark(struct numbering *n, uint32_t node, LLVMValueRef instruction,
                     const struct mark *mark, struct err *err)
{
	unsigned space = memory_space_of_type(n->origin.module, LLVMTypeOf(mark->pointer));
	int ret = pointer_origin_find(&n->origin, mark->pointer, err);

	if (ret)
		return ret;
	if (is_written(mark->kind) && space == SPACE_GLOBAL)
		unrecorded_note_write(n->kernel->table, &n->origin);
	if (space == SPACE_LOCAL)
		set_local_address(n, instruction, mark);
	n->has_sites[node] = true;
	return add_site(n, instruction, mark, err);
}

static int walk_node(struct numbering *n, uint32_t node, struct err *err)
{
	LLVMValueRef i = LLVMGetFirstInstruction(n->kernel->flow.node[node]);
	int ret = 0;

	for (; !ret && i; i = LLVMGetNextInstruction(i)) {
		struct mark mark;

		if (mark_read(i, &mark))
			ret = take_mark(n, node, i, &mark, err);
		else
			ret = unrecorded_look(i, n->kernel->table, &n->origin, &n->unrecorded, err);
	}
	return ret;
}

/* Give each site its loop: sites are in the order of the nodes, as the walk found them. */
static void set_loops(struct numbering *n)
{
	const struct kernel_flow *flow = &n->kernel->flow;
	struct site *sites = n->kernel->table->sites;
	size_t next = 0;

	for (size_t i = 0; i < flow->order_count; i++) {
		uint32_t node = flow->order[i];
		int32_t loop = flow->forest.innermost[node];

		while (next < n->marks.count &&
		       LLVMGetInstructionParent(n->kernel->marks[next]) == flow->node[node])
			sites[next++].loop = loop < 0 ? -1 : n->kernel->table_loop[loop];
	}
}

static int number_kernel(struct numbering *n, struct err *err)
{
	struct kernel *k = n->kernel;
	struct kernel_table *t = k->table;
	int ret;

	t->is_repeatable = true;
	ret = kernel_arguments_fill(t, k->function, err);
	for (size_t i = 0; !ret && i < k->flow.order_count; i++)
		ret = walk_node(n, k->flow.order[i], err);
	t->site_count = n->sites.count;
	t->sites = array_take(&n->sites);
	k->marks = n->marks.data;
	t->unrecorded_count = n->unrecorded.count;
	t->unrecorded = array_take(&n->unrecorded);
	if (!ret)
		ret = number_loops(k, n->has_sites, err);
	if (!ret)
		ret = barrier_conditions_find(&k->flow, &t->has_conditional_barrier, err);
	if (!ret)
		set_loops(n);
	n->marks.data = NULL;
	return ret ? ret : kernel_table_check(t, err);
}

/* Barriers that lower_syncs() will put in rounds are under no conditions then. */
static int forget_rounds(const struct kernel *k, struct err *err)
{
	struct array calls;
	bool are_even = true;
	int ret;

	array_init(&calls, sizeof(LLVMValueRef), LIMIT_SITE_COUNT, "barriers");
	ret = sync_points_find(k->function, &calls, err);
	if (!ret && calls.count)
		ret = sync_points_are_even(k->function, &calls, &are_even, err);
	k->table->has_conditional_barrier &= are_even;
	array_release(&calls);
	return ret;
}

/*
 * Where a sample of local memory would cost a kernel its records of global memory, there is none:
 * of one with too many sites for a device that mixes work-items (mark.h).
 */
static int leave_out_sample(const struct program *p, const struct kernel *k, struct err *err)
{
	bool has_conditional_barrier = false;
	int ret = 0;

	if (!space_set_samples(p->spaces) || !setting_is(p->settings->mixes_items, "1") ||
	    mark_count(k->function) <= MARK_FRAGILE_SITES)
		return 0;
	ret = barrier_conditions_find(&k->flow, &has_conditional_barrier, err);
	if (!ret && has_conditional_barrier)
		mark_erase_local(k->function);
	return ret;
}

/* Of PTX, whatever is asked for: it has what a GPU's compiler left. */
static enum access_level level_of(const struct program *p)
{
	return setting_is(p->settings->opt, "gpu") || front_end_is_ptx(p->settings->source)
	               ? ACCESS_LEVEL_GPU
	               : ACCESS_LEVEL_SOURCE;
}

int number_sites(struct program *p, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < p->kernel_count; i++) {
		struct numbering n = { .kernel = &p->kernels[i] };

		array_init(&n.sites, sizeof(struct site), LIMIT_SITE_COUNT, "sites");
		array_init(&n.marks, sizeof(LLVMValueRef), LIMIT_SITE_COUNT, "sites");
		array_init(&n.unrecorded, sizeof(struct unrecorded), LIMIT_SITE_COUNT,
		           "unrecorded constructs");
		n.has_sites = array_alloc(n.kernel->flow.graph.node_count, sizeof(*n.has_sites),
		                          "sites", err);
		ret = n.has_sites ? pointer_origin_init(&n.origin, n.kernel->function, err)
		                  : ERR_NOMEM;
		if (!ret)
			ret = leave_out_sample(p, n.kernel, err);
		if (!ret)
			ret = local_layout_init(&n.layout, n.kernel->function, err);
		n.kernel->table->level = level_of(p);
		/* Before lower_syncs() adds to them. */
		n.kernel->table->has_local_bytes = program_is_cuda(p);
		n.kernel->table->local_bytes = program_is_cuda(p) ? n.layout.bytes : 0;
		if (!ret)
			ret = number_kernel(&n, err);
		if (!ret && program_is_cuda(p) && n.kernel->table->has_conditional_barrier)
			ret = forget_rounds(n.kernel, err);
		local_layout_release(&n.layout);
		free(n.has_sites);
		pointer_origin_release(&n.origin);
	}
	return ret;
}
