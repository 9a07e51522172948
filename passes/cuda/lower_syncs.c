/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

#include "array.h"
#include "err.h"
#include "ir_walk.h"
#include "llvm_api.h"
#include "program.h"
#include "site.h"
#include "str.h"
#include "sync_kind.h"
#include "sync_points.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/Types.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

EMBEDDED(cuda_sync_bitcode);

/*
 * The functions of cuda_sync.cl in a module: links them, calls them, and creates the memory that
 * the work-items of a kernel share for them. Their bitcode is embedded in this program.
 */

struct sync_library {
	LLVMModuleRef module;
	LLVMValueRef item, begin, publish, is_ready, collect, leave, end, is_alive, is_stuck;
	LLVMValueRef barrier; /* OpenCL's barrier(uint) */
	LLVMTypeRef shared;   /* struct warpline_sync */
};

/* The first arguments of the functions that act for a work-item (cuda_sync.cl). */
struct sync_item {
	LLVMValueRef shared; /* what the group shares, from sync_library_shared() */
	LLVMValueRef number; /* i.e. its index in the group */
	LLVMValueRef place;  /* a variable of its own, u32 */
	LLVMValueRef kinds;  /* of all calls in the kernel, a constant */
};

#define PREFIX           "warpline_sync_"
#define BARRIER          "_Z7barrierj"
#define SHAPE            "warpline_sync_shape"
#define MEMORIES         3 /* CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE */
#define ALIGNMENT        8
#define LIMIT_NAME_BYTES (1u << 20)
#define ITEM_ARGUMENTS   4
#define MORE_MOST        8

/* The functions of cuda_sync.cl that a kernel may call: warpline_sync_<name>(). */
static const struct {
	const char *name;
	size_t offset; /* of its field in struct sync_library */
} rows[] = {
#define ROW(name) { PREFIX #name, offsetof(struct sync_library, name) }
	ROW(item),  ROW(begin), ROW(publish),  ROW(is_ready), ROW(collect),
	ROW(leave), ROW(end),   ROW(is_alive), ROW(is_stuck),
#undef ROW
};

static int parse(LLVMModuleRef module, LLVMModuleRef *library, struct err *err)
{
	const char *triple = LLVMGetTarget(module);

	if (strncmp(triple, "spir64-", 7) != 0)
		return err_set(err, ERR_UNSUPPORTED,
		               "the program is compiled for '%s', expected spir64", triple);
	return llvm_parse_library(LLVMGetModuleContext(module), cuda_sync_bitcode,
	                          cuda_sync_bitcode_bytes, "sync library", library, err);
}

static LLVMValueRef declare_barrier(LLVMModuleRef module)
{
	LLVMContextRef c = LLVMGetModuleContext(module);
	LLVMTypeRef u32 = LLVMInt32TypeInContext(c);
	LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(c), &u32, 1, 0);
	LLVMValueRef barrier = LLVMGetNamedFunction(module, BARRIER);
	unsigned convergent = LLVMGetEnumAttributeKindForName("convergent", strlen("convergent"));

	if (barrier)
		return barrier;
	barrier = LLVMAddFunction(module, BARRIER, type);
	LLVMSetFunctionCallConv(barrier, LLVMSPIRFUNCCallConv);
	LLVMAddAttributeAtIndex(barrier, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
	                        LLVMCreateEnumAttribute(c, convergent, 0));
	return barrier;
}

/* Link it into a spir64 module, private to it. Returns 0 or ERR_UNSUPPORTED. */
static int sync_library_link(struct sync_library *l, LLVMModuleRef module, struct err *err)
{
	LLVMModuleRef library = NULL;
	LLVMValueRef shape;
	int ret;

	if (LLVMGetNamedFunction(module, rows[0].name))
		return err_set(err, ERR_UNSUPPORTED,
		               "the program has a function %s; names that begin with 'warpline_' "
		               "are reserved",
		               rows[0].name);
	ret = parse(module, &library, err);
	if (ret)
		return ret;
	if (llvm_link(module, library))
		return err_set(err, ERR_UNSUPPORTED, "the sync library cannot be linked");
	*l = (struct sync_library){ .module = module };
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		LLVMValueRef f = LLVMGetNamedFunction(module, rows[i].name);

		LLVMSetLinkage(f, LLVMInternalLinkage);
		*(LLVMValueRef *)(void *)((char *)l + rows[i].offset) = f;
	}
	shape = LLVMGetNamedGlobal(module, SHAPE);
	l->shared = LLVMGlobalGetValueType(shape);
	LLVMDeleteGlobal(shape);
	l->barrier = declare_barrier(module);
	return 0;
}

/* The type of the shared variable for calls of these kinds: only the group's part, or all. */
static LLVMTypeRef shared_type(const struct sync_library *l, LLVMValueRef kinds)
{
	const uint64_t of_warps = ((uint64_t)1 << SYNC_GROUP_COUNT) - 1;

	return LLVMConstIntGetZExtValue(kinds) & of_warps ? l->shared
	                                                  : LLVMStructGetTypeAtIndex(l->shared, 0);
}

/*
 * Create a variable in local memory for all calls of one kernel, named as clang names a kernel's
 * variables: some runtimes find it by that name. It has the size that calls of these kinds need: 20
 * bytes if none is for warps. NULL with ERR_NOMEM or ERR_LIMIT.
 */
static LLVMValueRef sync_library_shared(const struct sync_library *l, LLVMValueRef kernel,
                                        LLVMValueRef kinds, struct err *err)
{
	LLVMTypeRef type = shared_type(l, kinds);
	LLVMValueRef variable = NULL;
	struct str name;
	size_t length;

	str_init(&name, LIMIT_NAME_BYTES);
	if (!str_printf(&name, err, "%s.warpline_sync", LLVMGetValueName2(kernel, &length)))
		variable = LLVMAddGlobalInAddressSpace(l->module, type, name.text, SPACE_LOCAL);
	str_release(&name);
	if (!variable)
		return NULL;
	LLVMSetLinkage(variable, LLVMInternalLinkage);
	LLVMSetInitializer(variable, LLVMGetUndef(type));
	LLVMSetAlignment(variable, ALIGNMENT);
	return LLVMConstBitCast(variable, LLVMPointerType(l->shared, SPACE_LOCAL));
}

/*
 * Build a call of one of the functions: for a work-item, with up to 8 further arguments; of the
 * barrier, for both memories.
 */
static LLVMValueRef sync_library_call(LLVMBuilderRef b, LLVMValueRef function,
                                      LLVMValueRef *arguments, unsigned count)
{
	LLVMValueRef call =
		LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, arguments, count, "");

	LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function));
	return call;
}

static LLVMValueRef sync_library_call_item(LLVMBuilderRef b, LLVMValueRef function,
                                           const struct sync_item *item, const LLVMValueRef *more,
                                           unsigned count)
{
	LLVMValueRef arguments[ITEM_ARGUMENTS + MORE_MOST] = { item->shared, item->number,
		                                               item->place, item->kinds };

	for (unsigned i = 0; i < count; i++)
		arguments[ITEM_ARGUMENTS + i] = more[i];
	return sync_library_call(b, function, arguments, ITEM_ARGUMENTS + count);
}

static void sync_library_barrier(const struct sync_library *l, LLVMBuilderRef b)
{
	LLVMTypeRef u32 = LLVMInt32TypeInContext(LLVMGetModuleContext(l->module));
	LLVMValueRef memories = LLVMConstInt(u32, MEMORIES, 0);

	sync_library_call(b, l->barrier, &memories, 1);
}

/*
 * Turns a kernel whose work-items wait for one another anywhere into one that OpenCL can run, by
 * running it in rounds.
 *
 * All work-items of a group must reach an OpenCL barrier together. CUDA's warps wait under
 * conditions, some lanes wait without others, and no one waits for work-items that have returned.
 * So the kernel becomes one loop that all execute together: in each round, a work-item that may
 * continue runs from where it waited to where it waits next. In between, its values are in
 * variables. cuda_sync.cl decides which work-items wait for which.
 */

struct rounds {
	const struct sync_library *library;
	LLVMValueRef function;
	LLVMContextRef context;
	LLVMBuilderRef b;
	LLVMTypeRef u32, u64;
	struct sync_item item;
	/* Variables of the work-item. */
	LLVMValueRef site;     /* where it waits; 0: at the start */
	LLVMValueRef argument; /* the operand of its call that others do not see */
	LLVMValueRef result;   /* of the call */
	LLVMValueRef round, is_stuck;
	/* Nodes of a round, in order. */
	LLVMBasicBlockRef begin, head, collect, wait, go, join, end;
	LLVMValueRef choice; /* the switch at the end of `go` */
};

/* First, for each kernel: make every call in `calls` (LLVMValueRef) the last instruction before a
 * jump. */
static void sync_rounds_cut(const struct array *calls)
{
	const LLVMValueRef *call = calls->data;

	for (size_t i = 0; i < calls->count; i++)
		node_cut(LLVMGetNextInstruction(call[i]));
}

static LLVMBasicBlockRef add_node(const struct rounds *r, const char *name)
{
	return LLVMAppendBasicBlockInContext(r->context, r->function, name);
}

static LLVMValueRef number(const struct rounds *r, unsigned long long value)
{
	return LLVMConstInt(r->u32, value, 0);
}

static LLVMValueRef load(const struct rounds *r, LLVMValueRef variable)
{
	return LLVMBuildLoad2(r->b, LLVMGetAllocatedType(variable), variable, "");
}

/* Call warpline_sync_...(item, more). */
static LLVMValueRef call(const struct rounds *r, LLVMValueRef function, LLVMValueRef more)
{
	return sync_library_call_item(r->b, function, &r->item, &more, more ? 1 : 0);
}

/* Call warpline_sync_...(shared[, more]) and compare with 0. */
static LLVMValueRef ask(const struct rounds *r, LLVMValueRef function, LLVMValueRef more)
{
	LLVMValueRef arguments[] = { r->item.shared, more };
	LLVMValueRef answer = sync_library_call(r->b, function, arguments, more ? 2 : 1);

	return LLVMBuildICmp(r->b, LLVMIntNE, answer, number(r, 0), "");
}

static LLVMValueRef add_variable(const struct rounds *r, LLVMTypeRef type, const char *name)
{
	LLVMValueRef variable = LLVMBuildAlloca(r->b, type, name);

	LLVMBuildStore(r->b, LLVMConstNull(type), variable);
	return variable;
}

/* Keep the variables of the old entry in the new entry. */
static void move_variables(const struct rounds *r, LLVMBasicBlockRef from)
{
	LLVMValueRef i = LLVMGetFirstInstruction(from), next;

	for (; i; i = next) {
		next = LLVMGetNextInstruction(i);
		if (!LLVMIsAAllocaInst(i))
			continue;
		LLVMInstructionRemoveFromParent(i);
		LLVMInsertIntoBuilder(r->b, i);
	}
}

static void build_begin(struct rounds *r)
{
	LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(r->function);

	r->begin = LLVMInsertBasicBlockInContext(r->context, first, "");
	LLVMPositionBuilderAtEnd(r->b, r->begin);
	move_variables(r, first);
	r->item.place = add_variable(r, r->u32, "place");
	r->site = add_variable(r, r->u32, "site");
	r->argument = add_variable(r, r->u32, "argument");
	r->result = add_variable(r, r->u64, "result");
	r->round = add_variable(r, r->u32, "round");
	r->is_stuck = add_variable(r, r->u32, "stuck");
	LLVMBuildStore(r->b, number(r, 1), r->round);
	r->item.number = sync_library_call(r->b, r->library->item, NULL, 0);
	call(r, r->library->begin, NULL);
	sync_library_barrier(r->library, r->b);
}

/* From the start of the loop to where a work-item continues: at `first`, unless it has waited. */
static void build_head(struct rounds *r, LLVMBasicBlockRef first, unsigned sites)
{
	LLVMValueRef is_ready;

	LLVMPositionBuilderAtEnd(r->b, r->begin);
	LLVMBuildBr(r->b, r->head);
	LLVMPositionBuilderAtEnd(r->b, r->head);
	is_ready = call(r, r->library->is_ready, load(r, r->is_stuck));
	is_ready = LLVMBuildICmp(r->b, LLVMIntNE, is_ready, number(r, 0), "");
	LLVMBuildCondBr(r->b, is_ready, r->collect, r->wait);
	LLVMPositionBuilderAtEnd(r->b, r->collect);
	LLVMBuildStore(r->b, call(r, r->library->collect, load(r, r->argument)), r->result);
	LLVMBuildBr(r->b, r->wait);
	LLVMPositionBuilderAtEnd(r->b, r->wait);
	sync_library_barrier(r->library, r->b);
	LLVMBuildCondBr(r->b, is_ready, r->go, r->join);
	LLVMPositionBuilderAtEnd(r->b, r->go);
	call(r, r->library->leave, load(r, r->round));
	r->choice = LLVMBuildSwitch(r->b, load(r, r->site), first, sites);
}

static void build_join(struct rounds *r)
{
	LLVMValueRef round, is_stuck;

	LLVMPositionBuilderAtEnd(r->b, r->join);
	sync_library_barrier(r->library, r->b);
	round = load(r, r->round);
	is_stuck = ask(r, r->library->is_stuck, round);
	LLVMBuildStore(r->b, LLVMBuildZExt(r->b, is_stuck, r->u32, ""), r->is_stuck);
	LLVMBuildStore(r->b, LLVMBuildAdd(r->b, round, number(r, 1), ""), r->round);
	LLVMBuildCondBr(r->b, ask(r, r->library->is_alive, NULL), r->head, r->end);
	LLVMPositionBuilderAtEnd(r->b, r->end);
	LLVMBuildRetVoid(r->b);
}

/* Move what follows a call in its node to the end of another node. */
static void move_behind(const struct rounds *r, LLVMValueRef point, LLVMBasicBlockRef to)
{
	LLVMValueRef i = LLVMGetNextInstruction(point), next;

	LLVMPositionBuilderAtEnd(r->b, to);
	for (; i; i = next) {
		next = LLVMGetNextInstruction(i);
		LLVMInstructionRemoveFromParent(i);
		LLVMInsertIntoBuilder(r->b, i);
	}
}

/* The work-item waits here: its round ends, and the next begins after the call. */
static void build_site(struct rounds *r, LLVMValueRef point, unsigned site)
{
	LLVMBasicBlockRef behind = add_node(r, "");
	struct sync_operands o;
	LLVMValueRef result;

	LLVMPositionBuilderAtEnd(r->b, behind);
	result = load(r, r->result);
	if (!sync_point_is_barrier(point))
		LLVMReplaceAllUsesWith(point, result);
	move_behind(r, point, behind);
	LLVMPositionBuilderBefore(r->b, point);
	sync_point_read(point, &o);
	sync_library_call_item(r->b, r->library->publish, &r->item,
	                       (LLVMValueRef[]){ o.kind, o.mask, o.value, number(r, site) }, 4);
	LLVMBuildStore(r->b, o.argument, r->argument);
	LLVMBuildStore(r->b, number(r, site), r->site);
	LLVMBuildBr(r->b, r->join);
	LLVMInstructionEraseFromParent(point);
	LLVMAddCase(r->choice, number(r, site), behind);
}

/* A work-item that returns keeps looping with the others, doing nothing. */
static void build_returns(const struct rounds *r)
{
	LLVMBasicBlockRef n = LLVMGetFirstBasicBlock(r->function);

	for (; n; n = LLVMGetNextBasicBlock(n)) {
		LLVMValueRef end = LLVMGetBasicBlockTerminator(n);

		if (n == r->end || !end || !LLVMIsAReturnInst(end))
			continue;
		LLVMPositionBuilderBefore(r->b, end);
		call(r, r->library->end, NULL);
		LLVMBuildBr(r->b, r->join);
		LLVMInstructionEraseFromParent(end);
	}
}

/*
 * Then, once no value of `function` crosses nodes except in variables (LLVM's reg2mem): build the
 * loop, with `shared` from sync_library_shared(). Removes the calls.
 */
static void sync_rounds_build(const struct sync_library *library, LLVMValueRef function,
                              LLVMValueRef shared, const struct array *calls)
{
	LLVMContextRef c = LLVMGetModuleContext(library->module);
	LLVMBasicBlockRef first = LLVMGetEntryBasicBlock(function);
	const LLVMValueRef *point = calls->data;
	struct rounds r = { .library = library,
		            .function = function,
		            .context = c,
		            .item = { .shared = shared, .kinds = sync_points_kinds(calls, c) },
		            .b = LLVMCreateBuilderInContext(c),
		            .u32 = LLVMInt32TypeInContext(c),
		            .u64 = LLVMInt64TypeInContext(c) };

	build_begin(&r);
	r.head = add_node(&r, "round");
	r.collect = add_node(&r, "");
	r.wait = add_node(&r, "");
	r.go = add_node(&r, "");
	r.join = add_node(&r, "");
	r.end = add_node(&r, "");
	build_head(&r, first, (unsigned)calls->count);
	build_join(&r);
	build_returns(&r);
	for (size_t i = 0; i < calls->count; i++)
		build_site(&r, point[i], (unsigned)i + 1);
	LLVMDisposeBuilder(r.b);
}

#define LIMIT_POINTS 0xfffeu /* SITE_MASK of cuda_sync.cl */

/*
 * reg2mem: values that cross nodes are stored in variables. The points where work-items continue
 * create loops with several entries, which the writers of code cannot handle.
 */
#define TO_VARIABLES "function(reg2mem)"
#define REDUCE       "function(lower-switch,fix-irreducible,loop-simplify)"

/* The points of a kernel where work-items wait, and how they are lowered. */
struct lowering {
	LLVMValueRef function;
	struct array calls;
	LLVMValueRef shared; /* from sync_library_shared(), if needed */
	bool is_even;        /* all work-items reach each point equally often */
	bool has_others;     /* there are others than barriers, which OpenCL has */
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

/* After the variables of the entry. */
static void position_after_variables(LLVMBuilderRef b, LLVMValueRef function)
{
	LLVMValueRef i = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function));

	while (LLVMIsAAllocaInst(i))
		i = LLVMGetNextInstruction(i);
	LLVMPositionBuilderBefore(b, i);
}

/* Publish, wait for all, collect, wait until all have collected. */
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

/* All work-items reach each call together: OpenCL barriers suffice. */
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
