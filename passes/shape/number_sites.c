/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

#include "array.h"
#include "builtin.h"
#include "err.h"
#include "front_end.h"
#include "kernel_arguments.h"
#include "kernel_flow.h"
#include "kernel_table.h"
#include "llvm_api.h"
#include "mark.h"
#include "memory_space.h"
#include "pointer_origin.h"
#include "program.h"
#include "source_place.h"
#include "str.h"
#include "sync_points.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <llvm-c/Types.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/*
 * The layout of a work-group's local memory, the same for every device.
 *
 * The variables of a kernel come one after another from offset 0, in the order of the module, each
 * at a multiple of its alignment. For a pointer argument, offsets count from 0 separately.
 */

struct local_variable {
	LLVMValueRef variable;
	uint64_t offset_bytes;
};

struct local_layout {
	struct local_variable *variables;
	size_t count;
	uint64_t bytes; /* of all variables */
};

/* Whether a function uses a value, including in constants. */
static bool is_used_in(LLVMValueRef value, LLVMValueRef function)
{
	for (LLVMUseRef u = LLVMGetFirstUse(value); u; u = LLVMGetNextUse(u)) {
		LLVMValueRef user = LLVMGetUser(u);

		if (LLVMIsAInstruction(user)
		            ? LLVMGetBasicBlockParent(LLVMGetInstructionParent(user)) == function
		            : LLVMIsAConstantExpr(user) && is_used_in(user, function))
			return true;
	}
	return false;
}

static bool is_local(LLVMValueRef variable)
{
	return memory_space_of(LLVMGetGlobalParent(variable), variable) == SPACE_LOCAL;
}

/* Lay out the local variables that `function` uses. Release in any case. Returns 0 or ERR_NOMEM. */
static int local_layout_init(struct local_layout *l, LLVMValueRef function, struct err *err)
{
	LLVMModuleRef module = LLVMGetGlobalParent(function);
	LLVMTargetDataRef target = LLVMGetModuleDataLayout(module);
	LLVMValueRef v;
	uint64_t end = 0;
	size_t count = 0;

	*l = (struct local_layout){ 0 };
	for (v = LLVMGetFirstGlobal(module); v; v = LLVMGetNextGlobal(v))
		count += is_local(v);
	l->variables = array_alloc(count, sizeof(*l->variables), "local variables", err);
	if (!l->variables)
		return ERR_NOMEM;
	for (v = LLVMGetFirstGlobal(module); v; v = LLVMGetNextGlobal(v)) {
		uint64_t alignment = is_local(v) ? LLVMGetAlignment(v) : 0;

		if (!is_local(v) || !is_used_in(v, function))
			continue;
		if (!alignment)
			alignment = LLVMPreferredAlignmentOfGlobal(target, v);
		end = (end + alignment - 1) / alignment * alignment;
		l->variables[l->count++] = (struct local_variable){ v, end };
		end += LLVMABISizeOfType(target, LLVMGlobalGetValueType(v));
	}
	l->bytes = end;
	return 0;
}

/* Free what it owns and zero it. Accepts a zeroed struct. */
static void local_layout_release(struct local_layout *l)
{
	free(l->variables);
	memset(l, 0, sizeof(*l));
}

/*
 * Convert a pointer to a number with an instruction even if it is constant: some devices cannot
 * handle arithmetic on addresses of variables in constants.
 */
static LLVMValueRef build_number(LLVMBuilderRef b, LLVMValueRef pointer, LLVMTypeRef type)
{
	LLVMTypeRef byte = LLVMInt8TypeInContext(LLVMGetTypeContext(type));
	LLVMValueRef placeholder = LLVMBuildAlloca(b, byte, "");
	LLVMValueRef number = LLVMBuildPtrToInt(b, placeholder, type, "");

	LLVMSetOperand(number, 0, pointer);
	LLVMInstructionEraseFromParent(placeholder);
	return number;
}

/*
 * A pointer whose value is the offset that `pointer` points to, built before `instruction`. `base`
 * is the variable or argument that it comes from; if it is NULL, unknown, returns `pointer` itself.
 */
static LLVMValueRef local_layout_pointer(const struct local_layout *l, LLVMValueRef instruction,
                                         LLVMValueRef pointer, LLVMValueRef base)
{
	LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(pointer));
	LLVMTypeRef number = LLVMInt64TypeInContext(context);
	LLVMValueRef offset;
	LLVMBuilderRef b;
	size_t i = 0;

	while (i < l->count && l->variables[i].variable != base)
		i++;
	if (!base || (i == l->count && !LLVMIsAArgument(base)))
		return pointer;
	b = LLVMCreateBuilderInContext(context);
	LLVMPositionBuilderBefore(b, instruction);
	offset = LLVMBuildSub(b, build_number(b, pointer, number), build_number(b, base, number),
	                      "");
	if (i < l->count && l->variables[i].offset_bytes)
		offset = LLVMBuildAdd(b, offset,
		                      LLVMConstInt(number, l->variables[i].offset_bytes, 0), "");
	pointer = LLVMBuildIntToPtr(b, offset, LLVMTypeOf(pointer), "");
	LLVMDisposeBuilder(b);
	return pointer;
}

/* The loops of a kernel's table: those that contain sites, parents first. */

/* In table_loop, until they get a number. */
#define WITHOUT_SITES (-1)
#define WITH_SITES    (-2)

static void find_loops_with_sites(struct kernel *k, const bool *has_sites)
{
	const struct loop_forest *f = &k->flow.forest;

	for (uint32_t l = 0; l < f->loop_count; l++)
		k->table_loop[l] = WITHOUT_SITES;
	for (uint32_t n = 0; n < k->flow.graph.node_count; n++)
		for (int32_t l = f->innermost[n]; has_sites[n] && l >= 0; l = f->loops[l].parent)
			k->table_loop[l] = WITH_SITES;
}

/* For each loop, a node that jumps back to its header. */
static uint32_t *find_latches(const struct kernel *k, struct err *err)
{
	const struct graph *g = &k->flow.graph;
	const struct loop_forest *f = &k->flow.forest;
	uint32_t *latch = array_alloc(f->loop_count, sizeof(*latch), "loops", err);

	if (!latch)
		return NULL;
	for (uint32_t n = 0; n < g->node_count; n++)
		for (uint32_t e = g->first[n]; e < g->first[n + 1]; e++) {
			uint32_t s = g->successor[e];
			int32_t l = f->innermost[s];

			if (l >= 0 && f->loops[l].header == s &&
			    loop_forest_contains(f, l, f->innermost[n]))
				latch[l] = n;
		}
	return latch;
}

static int number_loop(struct kernel *k, int32_t forest_loop, const uint32_t *latch,
                       struct array *loops, struct err *err)
{
	const struct forest_loop *from = &k->flow.forest.loops[forest_loop];
	struct loop *to = array_push(loops, 1, err);

	if (!to)
		return ERR_LIMIT;
	k->table_loop[forest_loop] = (int32_t)loops->count - 1;
	to->parent = from->parent < 0 ? -1 : k->table_loop[from->parent];
	to->depth = from->depth;
	return source_place_of_loop(k->flow.node[from->header], k->flow.node[latch[forest_loop]],
	                            &to->place, err);
}

/*
 * Fill k->table->loops and k->table_loop. has_sites[n] says whether node n of k->flow contains a
 * site. Loops are numbered in the order of the nodes. Returns 0, ERR_NOMEM or ERR_LIMIT.
 */
static int number_loops(struct kernel *k, const bool *has_sites, struct err *err)
{
	const struct loop_forest *f = &k->flow.forest;
	uint32_t *latch = find_latches(k, err);
	struct array loops;
	int ret = latch ? 0 : ERR_NOMEM;

	array_init(&loops, sizeof(struct loop), INT32_MAX, "loops");
	k->table_loop = array_alloc(f->loop_count, sizeof(*k->table_loop), "loops", err);
	if (!k->table_loop)
		ret = ERR_NOMEM;
	if (!ret)
		find_loops_with_sites(k, has_sites);
	for (size_t i = 0; !ret && i < k->flow.order_count; i++) {
		uint32_t n = k->flow.order[i];
		int32_t l = f->innermost[n];

		if (l >= 0 && f->loops[l].header == n && k->table_loop[l] == WITH_SITES)
			ret = number_loop(k, l, latch, &loops, err);
	}
	k->table->loop_count = loops.count;
	k->table->loops = array_take(&loops);
	free(latch);
	return ret;
}

/* Calls that access memory in ways that no site represents, and what a kernel may write to. */

/*
 * Append {what, place of the instruction} to an array of struct unrecorded. Returns 0, ERR_NOMEM or
 * ERR_LIMIT.
 */
static int unrecorded_add(struct array *unrecorded, const char *what, LLVMValueRef instruction,
                          struct err *err)
{
	struct unrecorded *u = array_push(unrecorded, 1, err);

	if (!u)
		return ERR_LIMIT;
	u->what = str_copy(what, err);
	return u->what ? source_place(instruction, &u->place, NULL, NULL, err) : ERR_NOMEM;
}

/* Note a write through a pointer with this origin in arguments[].is_written and writes_unknown. */
static void unrecorded_note_write(struct kernel_table *table, const struct pointer_origin *origin)
{
	table->writes_unknown |= origin->is_unknown || origin->is_global_known;
	for (size_t i = 0; i < table->argument_count; i++)
		table->arguments[i].is_written |=
			origin->from[i] ||
			(origin->is_unknown && table->arguments[i].space == SPACE_GLOBAL);
}

static bool promises(LLVMValueRef call, LLVMValueRef function, enum llvm_effect effect)
{
	return llvm_call_has(call, effect) || (function && llvm_function_has(function, effect));
}

/* A pointer through which a callee could reach global memory. */
static bool is_global_pointer(LLVMModuleRef module, LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value);
	unsigned space;

	if (LLVMGetTypeKind(type) != LLVMPointerTypeKind)
		return false;
	space = memory_space_of(module, value);
	return space == SPACE_GLOBAL || space == SPACE_GENERIC;
}

/* Whether the callee gets a pointer to global memory; notes what it may write there. */
static int note_pointers(LLVMValueRef call, bool may_write, struct kernel_table *table,
                         struct pointer_origin *origin, bool *has_pointers, struct err *err)
{
	unsigned count = LLVMGetNumArgOperands(call);
	int ret = 0;

	for (unsigned i = 0; !ret && i < count; i++) {
		LLVMValueRef pointer = LLVMGetOperand(call, i);

		if (!is_global_pointer(origin->module, pointer))
			continue;
		*has_pointers = true;
		ret = pointer_origin_find(origin, pointer, err);
		if (!ret && may_write)
			unrecorded_note_write(table, origin);
	}
	return ret;
}

static char *name_of_call(LLVMValueRef call, LLVMValueRef function, struct err *err)
{
	size_t length;
	const char *name;

	if (function) {
		name = builtin_source_name(LLVMGetValueName2(function, &length), &length);
		return str_format(err, "call of %.*s", (int)length, name);
	}
	if (LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
		return str_copy("inline assembly", err);
	return str_copy("call through a pointer", err);
}

/* A call of a function that is not in the table of built-in functions. */
static int look_at_unknown(LLVMValueRef call, LLVMValueRef function, struct kernel_table *table,
                           struct pointer_origin *origin, struct array *unrecorded, struct err *err)
{
	bool may_write = !promises(call, function, LLVM_WRITES_NOTHING);
	bool is_opaque = !function || !LLVMIsDeclaration(function);
	char *what;
	int ret;

	if (promises(call, function, LLVM_TOUCHES_NOTHING))
		return 0;
	table->is_repeatable &= !may_write;
	ret = note_pointers(call, may_write, table, origin, &is_opaque, err);
	if (ret || !is_opaque)
		return ret;
	what = name_of_call(call, function, err);
	ret = what ? unrecorded_add(unrecorded, what, call, err) : ERR_NOMEM;
	free(what);
	return ret;
}

/* Intrinsics that no table names; inline assembly without address operands. */
static bool is_harmless(LLVMValueRef call, LLVMValueRef function)
{
	unsigned count = LLVMGetNumArgOperands(call);

	if (function || !LLVMIsAInlineAsm(LLVMGetCalledValue(call)))
		return function && LLVMGetIntrinsicID(function);
	for (unsigned i = 0; i < count; i++) {
		LLVMTypeRef type = LLVMTypeOf(LLVMGetOperand(call, i));

		if (LLVMGetTypeKind(type) == LLVMPointerTypeKind ||
		    (LLVMGetTypeKind(type) == LLVMIntegerTypeKind &&
		     LLVMGetIntTypeWidth(type) == 64))
			return false;
	}
	return true;
}

/*
 * If `instruction` is a call with effects that no mark represents, append what it is; note what it
 * may write and whether launches stay repeatable. `origin` is scratch space of the caller. Returns
 * 0, ERR_NOMEM or ERR_LIMIT.
 */
static int unrecorded_look(LLVMValueRef instruction, struct kernel_table *table,
                           struct pointer_origin *origin, struct array *unrecorded, struct err *err)
{
	struct builtin b = { .class = BUILTIN_NONE };
	LLVMValueRef function;
	bool has_pointers = false;
	size_t length;
	int ret;

	if (LLVMGetInstructionOpcode(instruction) != LLVMCall)
		return 0;
	function = LLVMIsAFunction(LLVMGetCalledValue(instruction));
	if (function && LLVMIsDeclaration(function))
		b = builtin_find(LLVMGetValueName2(function, &length));
	if (b.class == BUILTIN_NONE && is_harmless(instruction, function))
		return 0;
	if (b.class == BUILTIN_NONE)
		return look_at_unknown(instruction, function, table, origin, unrecorded, err);
	if (b.class != BUILTIN_PASSED && b.class != BUILTIN_EFFECT)
		return 0;
	table->is_repeatable &= b.class != BUILTIN_EFFECT;
	ret = note_pointers(instruction, true, table, origin, &has_pointers, err);
	if (ret || !*b.what)
		return ret;
	return unrecorded_add(unrecorded, b.what, instruction, err);
}

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

/* A barrier or fence that orders global memory counts as a global one. */
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

/* The address of a local access is its offset in the group's local memory, where that is known. */
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

/* Set each site's loop: sites are in the order of the nodes, as the walk found them. */
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
		ret = kernel_flow_find_conditions(&k->flow, &t->has_conditional_barrier, err);
	if (!ret)
		set_loops(n);
	n->marks.data = NULL;
	return ret ? ret : kernel_table_check(t, err);
}

/* Barriers that lower_syncs() will put into rounds are then under no conditions. */
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
 * Drop a sample of local memory that would cost a kernel its records of global memory: when it has
 * too many sites for a device that mixes work-items (mark.h).
 */
static int leave_out_sample(const struct program *p, const struct kernel *k, struct err *err)
{
	bool has_conditional_barrier = false;
	int ret = 0;

	if (!space_set_samples(p->spaces) || !setting_is(p->settings->mixes_items, "1") ||
	    mark_count(k->function) <= MARK_FRAGILE_SITES)
		return 0;
	ret = kernel_flow_find_conditions(&k->flow, &has_conditional_barrier, err);
	if (!ret && has_conditional_barrier)
		mark_erase_local(k->function);
	return ret;
}

/* PTX has what a GPU's compiler left, whatever is requested. */
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
		/* before lower_syncs() adds variables */
		n.kernel->table->is_local_exact = program_is_cuda(p);
		n.kernel->table->local_bytes = n.layout.bytes;
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
