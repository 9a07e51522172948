/* SPDX-License-Identifier: Apache-2.0 */
#include "sync_rounds.h"

#include "array.h"
#include "node_split.h"
#include "sync_library.h"
#include "sync_points.h"

#include <llvm-c/Core.h>

#include <stddef.h>

struct rounds {
	const struct sync_library *library;
	LLVMValueRef function;
	LLVMContextRef context;
	LLVMBuilderRef b;
	LLVMTypeRef u32, u64;
	struct sync_item item;
	/* Variables of the work-item. */
	LLVMValueRef site;     /* where it waits; 0: at its beginning */
	LLVMValueRef argument; /* what its call says of itself alone */
	LLVMValueRef result;   /* of the call */
	LLVMValueRef round, is_stuck;
	/* Nodes of a round, in their order. */
	LLVMBasicBlockRef begin, head, collect, wait, go, join, end;
	LLVMValueRef choice; /* the switch at the end of `go` */
};

void sync_rounds_cut(const struct array *calls)
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

/* The variables of the old entry stay variables of the entry. */
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

/* From the loop's beginning to where a work-item goes on: at `first`, unless it has waited. */
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

/* What stands behind a call, up to the end of its node, to the end of another. */
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

/* The work-item waits here: the round ends for it, and the next begins behind the call. */
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

/* A work-item that returns goes round with the others, doing nothing. */
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

void sync_rounds_build(const struct sync_library *library, LLVMValueRef function,
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
