/* SPDX-License-Identifier: Apache-2.0 */
#include "optimise_parts.h"

#include "address_form.h"
#include "err.h"
#include "ir_walk.h"
#include "llvm_api.h"
#include "memory_space.h"
#include "site.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

#define WIDTH_BYTES       16u
#define LANES_MOST        4u
#define WINDOW_MOST       128u /* loads, or stores, examined together */
#define PLAN_LIMIT        ((size_t)1 << 20)
#define VECTOR_LANES_MOST 64u

/* A load or store of one number. */
struct access {
	LLVMValueRef instruction, pointer;
	LLVMTypeRef type;
	uint64_t bytes, alignment;
	unsigned space;
	bool is_planned;
	struct form form; /* of its address */
};

/* Accesses with nothing between them that keeps them apart, in order. */
struct window {
	struct access accesses[WINDOW_MOST];
	uint32_t count;
};

/* Accesses to be merged: lane[n] is the access to the n-th number, or NULL. */
struct plan {
	LLVMValueRef first, last, lane[LANES_MOST];
	LLVMTypeRef type;
	uint64_t bytes, alignment, first_offset; /* of the first in order, starting at lane 0 */
	uint32_t lanes;
	bool is_store;
};

struct finder {
	LLVMModuleRef module;
	LLVMTargetDataRef layout;
	struct form_finder forms;
	struct window loads, stores;
	struct array plans; /* struct plan */
	struct err *err;
};

static bool is_simple(LLVMValueRef i)
{
	return (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) && !LLVMGetVolatile(i) &&
	       LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic;
}

static LLVMValueRef pointer_of(LLVMValueRef access)
{
	return LLVMGetOperand(access, LLVMIsAStoreInst(access) ? 1 : 0);
}

static LLVMTypeRef type_of(LLVMValueRef access)
{
	return LLVMTypeOf(LLVMIsAStoreInst(access) ? LLVMGetOperand(access, 0) : access);
}

/* --- Which accesses are merged --- */

static bool is_number(LLVMTypeRef type)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);
	unsigned bits = kind == LLVMIntegerTypeKind ? LLVMGetIntTypeWidth(type) : 0;

	return kind == LLVMFloatTypeKind || kind == LLVMDoubleTypeKind || bits == 8 || bits == 16 ||
	       bits == 32 || bits == 64;
}

/* The size of the widest access that may begin with this one, in bytes. */
static uint64_t reach(const struct access *a)
{
	uint64_t most = LANES_MOST * a->bytes < WIDTH_BYTES ? LANES_MOST * a->bytes : WIDTH_BYTES;

	return a->alignment < most ? a->alignment : most;
}

/* How far `a` is after `lead`, in numbers of their size; LANES_MOST when it is not close. */
static uint32_t lane_of(const struct access *a, const struct access *lead)
{
	uint64_t offset = a->form.constant - lead->form.constant;

	if (a->bytes != lead->bytes || a->space != lead->space || offset >= reach(lead) ||
	    offset % lead->bytes || !form_is_parallel(&a->form, &lead->form))
		return LANES_MOST;
	return (uint32_t)(offset / lead->bytes);
}

/* The byte offset of all indices of a step but the first; UINT64_MAX when one is not constant. */
static uint64_t offset_in_type(const struct finder *f, LLVMValueRef step)
{
	LLVMTypeRef type = LLVMGetGEPSourceElementType(step);
	uint64_t offset = 0;

	for (int n = 2; n < LLVMGetNumOperands(step); n++) {
		LLVMValueRef index = LLVMGetOperand(step, (unsigned)n);
		uint64_t place =
			LLVMIsAConstantInt(index) ? LLVMConstIntGetZExtValue(index) : UINT64_MAX;

		if (place >= UINT32_MAX)
			return UINT64_MAX;
		if (LLVMGetTypeKind(type) == LLVMStructTypeKind) {
			offset += LLVMOffsetOfElement(f->layout, type, (unsigned)place);
			type = LLVMStructGetTypeAtIndex(type, (unsigned)place);
		} else {
			type = LLVMGetElementType(type);
			offset += place * LLVMABISizeOfType(f->layout, type);
		}
	}
	return offset;
}

/*
 * Whether that many bytes from a pointer are inside a structure or array that the pointer is
 * derived from. All of it is in memory; after an aligned variable of 12 bytes there may be nothing.
 */
static bool is_inside(const struct finder *f, LLVMValueRef pointer, uint64_t bytes)
{
	while (LLVMIsABitCastInst(pointer) || LLVMIsAGetElementPtrInst(pointer)) {
		if (LLVMIsAGetElementPtrInst(pointer)) {
			LLVMTypeRef type = LLVMGetGEPSourceElementType(pointer);
			uint64_t offset = offset_in_type(f, pointer);

			if (offset > UINT32_MAX)
				return false;
			bytes += offset;
			if (bytes <= LLVMABISizeOfType(f->layout, type))
				return true;
			if (!LLVMIsNull(LLVMGetOperand(pointer, 1)))
				return false;
		}
		pointer = LLVMGetOperand(pointer, 0);
	}
	return false;
}

/* The number of lanes of the access that begins with lane 0: for a load, up to the last one needed,
 * and past it where there is memory; for a store, as many as leave no gap. */
static uint32_t lanes_of(const struct finder *f, const struct access *const lane[LANES_MOST],
                         bool is_store)
{
	uint32_t lanes = 0;

	for (uint32_t n = 0; n < LANES_MOST; n++)
		if (lane[n] && (!is_store || lanes == n))
			lanes = n + 1;
	for (uint32_t n = 0; lanes == 3 && !is_store && n < lanes; n++)
		if (lane[n] && is_inside(f, lane[n]->pointer, (LANES_MOST - n) * lane[n]->bytes))
			return 4;
	return lanes == 3 ? (lane[1] ? 2 : 1) : lanes;
}

/* Plan the access that begins with `lead`, if there is one. */
static int plan_from(struct finder *f, struct window *w, const struct access *lead, bool is_store)
{
	struct access *lane[LANES_MOST] = { NULL };
	const struct access *first = NULL, *last = NULL;
	struct plan *p;
	uint32_t lanes;

	for (uint32_t i = 0; i < w->count; i++) {
		struct access *a = &w->accesses[i];
		uint32_t n = a->is_planned ? LANES_MOST : lane_of(a, lead);

		if (n < LANES_MOST && !lane[n])
			lane[n] = a;
	}
	lanes = lanes_of(f, (const struct access *const *)lane, is_store);
	if (lanes < 2 || lanes * lead->bytes > reach(lead))
		return 0;
	p = array_push(&f->plans, 1, f->err);
	if (!p)
		return ERR_NOMEM;
	for (uint32_t n = 0; n < lanes; n++) {
		if (!lane[n])
			continue;
		lane[n]->is_planned = true;
		p->lane[n] = lane[n]->instruction;
		first = !first || lane[n] < first ? lane[n] : first;
		last = !last || lane[n] > last ? lane[n] : last;
	}
	p->first = first->instruction;
	p->last = last->instruction;
	p->first_offset = first->form.constant - lead->form.constant;
	p->type = lead->type;
	p->bytes = lead->bytes;
	p->alignment = lead->alignment;
	p->lanes = lanes;
	p->is_store = is_store;
	return 0;
}

/* Plan the accesses of a window, widest first, and empty it. */
static int close_window(struct finder *f, struct window *w)
{
	int ret = 0;

	for (uint64_t width = WIDTH_BYTES; !ret && w->count > 1 && width > 1; width /= 2)
		for (uint32_t i = 0; !ret && i < w->count; i++) {
			const struct access *a = &w->accesses[i];

			if (!a->is_planned && reach(a) == width && width > a->bytes)
				ret = plan_from(f, w, a, w == &f->stores);
		}
	w->count = 0;
	return ret;
}

/* --- What keeps accesses apart --- */

/* Whether accesses to these two memories may overlap. */
static bool may_meet(unsigned a, unsigned b)
{
	return a == b || a == SPACE_GENERIC || b == SPACE_GENERIC || a == SPACE_PRIVATE ||
	       b == SPACE_PRIVATE;
}

static int close_if_met(struct finder *f, struct window *w, unsigned space)
{
	for (uint32_t i = 0; i < w->count; i++)
		if (may_meet(w->accesses[i].space, space))
			return close_window(f, w);
	return 0;
}

/* A store elsewhere may overlap, unless the distance between them is known. */
static bool is_apart(const struct window *w, const struct access *a)
{
	for (uint32_t i = 0; i < w->count; i++) {
		const struct access *b = &w->accesses[i];
		uint64_t distance = a->form.constant - b->form.constant;

		if (may_meet(a->space, b->space) &&
		    (!form_is_parallel(&a->form, &b->form) || a->bytes != b->bytes ||
		     distance < a->bytes || -distance < a->bytes))
			return false;
	}
	return true;
}

/* An access whose address has no form is never merged, and such a store ends a window. */
static int take(struct finder *f, struct window *w, struct access *a)
{
	bool has_form = form_find(&f->forms, a->pointer, &a->form, f->err);
	int ret = 0;

	if (f->err->code)
		return f->err->code;
	if (w->count == WINDOW_MOST || (w == &f->stores && (!has_form || !is_apart(w, a))))
		ret = close_window(f, w);
	if (has_form)
		w->accesses[w->count++] = *a;
	return ret;
}

static int take_access(struct finder *f, LLVMValueRef i)
{
	struct access a = { .instruction = i, .pointer = pointer_of(i), .type = type_of(i) };
	bool is_store = LLVMIsAStoreInst(i) != NULL;
	bool is_wanted;
	int ret;

	a.space = memory_space_of(f->module, a.pointer);
	a.bytes = LLVMStoreSizeOfType(f->layout, a.type);
	a.alignment = LLVMGetAlignment(i);
	is_wanted = is_simple(i) && is_number(a.type) && a.space != SPACE_PRIVATE;
	ret = is_store ? close_if_met(f, &f->loads, a.space) : 0;
	if (!ret && (!is_store || !is_wanted))
		ret = close_if_met(f, &f->stores, a.space);
	if (ret || !is_wanted)
		return ret;
	return take(f, is_store ? &f->stores : &f->loads, &a);
}

/* Whether an instruction that is not a load or store leaves memory alone. */
static bool is_harmless(LLVMValueRef i)
{
	LLVMValueRef function;
	size_t length;

	if (LLVMIsAFenceInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i))
		return false;
	if (!LLVMIsACallInst(i))
		return true;
	function = LLVMIsAFunction(LLVMGetCalledValue(i));
	return function && (llvm_function_has(function, LLVM_TOUCHES_NOTHING) ||
	                    !strncmp(LLVMGetValueName2(function, &length), "llvm.dbg.", 9));
}

static int close_windows(struct finder *f)
{
	int ret = close_window(f, &f->loads);

	return ret ? ret : close_window(f, &f->stores);
}

static int look_at_node(struct finder *f, LLVMBasicBlockRef node)
{
	int ret = 0;

	for (LLVMValueRef i = LLVMGetFirstInstruction(node); !ret && i;
	     i = LLVMGetNextInstruction(i)) {
		if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i))
			ret = take_access(f, i);
		else if (!is_harmless(i))
			ret = close_windows(f);
	}
	return ret ? ret : close_windows(f);
}

/* --- Merging --- */

static LLVMValueRef index_of(LLVMModuleRef module, uint64_t n)
{
	return LLVMConstInt(LLVMInt32TypeInContext(LLVMGetModuleContext(module)), n, 0);
}

/* The address of lane 0: that many bytes before the pointer of the first access, which is available
 * there. */
static LLVMValueRef place_of(const struct plan *p, LLVMModuleRef module, LLVMBuilderRef b,
                             LLVMTypeRef vector)
{
	LLVMContextRef c = LLVMGetModuleContext(module);
	LLVMTypeRef byte = LLVMInt8TypeInContext(c);
	LLVMValueRef pointer = pointer_of(p->first);
	unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
	LLVMValueRef back = LLVMConstInt(LLVMInt64TypeInContext(c), -p->first_offset, 1);

	if (p->first_offset) {
		pointer = LLVMBuildBitCast(b, pointer, LLVMPointerType(byte, space), "");
		pointer = LLVMBuildGEP2(b, byte, pointer, &back, 1, "");
	}
	return LLVMBuildBitCast(b, pointer, LLVMPointerType(vector, space), "");
}

static void make_load(const struct plan *p, LLVMModuleRef module, LLVMBuilderRef b)
{
	LLVMTypeRef vector = LLVMVectorType(p->type, p->lanes);
	LLVMValueRef load;

	LLVMPositionBuilderBefore(b, p->first);
	load = LLVMBuildLoad2(b, vector, place_of(p, module, b, vector), "");
	LLVMSetAlignment(load, (unsigned)p->alignment);
	LLVMInstructionSetDebugLoc(load, LLVMInstructionGetDebugLoc(p->first));
	for (uint32_t n = 0; n < p->lanes; n++) {
		LLVMValueRef value;

		if (!p->lane[n])
			continue;
		value = LLVMBuildExtractElement(b, load, index_of(module, n), "");
		value = LLVMBuildBitCast(b, value, LLVMTypeOf(p->lane[n]), "");
		LLVMReplaceAllUsesWith(p->lane[n], value);
	}
}

static void make_store(const struct plan *p, LLVMModuleRef module, LLVMBuilderRef b)
{
	LLVMTypeRef vector = LLVMVectorType(p->type, p->lanes);
	LLVMValueRef value = LLVMGetUndef(vector), store;

	LLVMPositionBuilderBefore(b, p->last);
	for (uint32_t n = 0; n < p->lanes; n++)
		value = LLVMBuildInsertElement(
			b, value, LLVMBuildBitCast(b, LLVMGetOperand(p->lane[n], 0), p->type, ""),
			index_of(module, n), "");
	store = LLVMBuildStore(b, value, place_of(p, module, b, vector));
	LLVMSetAlignment(store, (unsigned)p->alignment);
	LLVMInstructionSetDebugLoc(store, LLVMInstructionGetDebugLoc(p->first));
}

static void carry_out(const struct plan *p, LLVMModuleRef module)
{
	LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));

	if (p->is_store)
		make_store(p, module, b);
	else
		make_load(p, module, b);
	for (uint32_t n = 0; n < p->lanes; n++)
		if (p->lane[n])
			LLVMInstructionEraseFromParent(p->lane[n]);
	LLVMDisposeBuilder(b);
}

static int join_neighbours(LLVMValueRef function, struct err *err)
{
	struct finder *f = calloc(1, sizeof(*f));
	int ret = 0;

	if (!f)
		return err_set(err, ERR_NOMEM, "out of memory for accesses");
	f->module = LLVMGetGlobalParent(function);
	f->layout = LLVMGetModuleDataLayout(f->module);
	f->err = err;
	form_finder_init(&f->forms, f->module, false);
	array_init(&f->plans, sizeof(struct plan), PLAN_LIMIT, "accesses");
	for (LLVMBasicBlockRef n = LLVMGetFirstBasicBlock(function); !ret && n;
	     n = LLVMGetNextBasicBlock(n))
		ret = look_at_node(f, n);
	/* Only now: the forms refer to values that are erased. */
	for (size_t i = 0; !ret && i < f->plans.count; i++)
		carry_out((struct plan *)f->plans.data + i, f->module);
	array_release(&f->plans);
	form_finder_release(&f->forms);
	free(f);
	return ret;
}

/* --- Vectors that are too wide --- */

struct splitter {
	LLVMModuleRef module;
	LLVMTargetDataRef layout;
	LLVMBuilderRef b;
	LLVMMetadataRef place;
};

/* `count` lanes, starting at `first`, of one vector or of two in a row. */
static LLVMValueRef lanes_from(const struct splitter *s, LLVMValueRef low, LLVMValueRef high,
                               uint32_t first, uint32_t count)
{
	LLVMValueRef lanes[VECTOR_LANES_MOST];

	for (uint32_t n = 0; n < count; n++)
		lanes[n] = index_of(s->module, first + n);
	return LLVMBuildShuffleVector(s->b, low, high, LLVMConstVector(lanes, count), "");
}

static LLVMValueRef half_of_pointer(const struct splitter *s, LLVMValueRef pointer,
                                    LLVMTypeRef half, uint32_t n)
{
	unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));
	LLVMValueRef index = index_of(s->module, n);

	pointer = LLVMBuildBitCast(s->b, pointer, LLVMPointerType(half, space), "");
	return n ? LLVMBuildInBoundsGEP2(s->b, half, pointer, &index, 1, "") : pointer;
}

/* Load a vector whole, or each half of it in the same way. Aligned to WIDTH_BYTES. */
static LLVMValueRef load_in_parts(const struct splitter *s, LLVMTypeRef type, LLVMValueRef pointer)
{
	uint32_t lanes = LLVMGetVectorSize(type);
	LLVMTypeRef half;
	LLVMValueRef low, high;

	if (LLVMStoreSizeOfType(s->layout, type) <= WIDTH_BYTES) {
		LLVMValueRef load = LLVMBuildLoad2(s->b, type, pointer, "");

		LLVMSetAlignment(load, WIDTH_BYTES);
		LLVMInstructionSetDebugLoc(load, s->place);
		return load;
	}
	half = LLVMVectorType(LLVMGetElementType(type), lanes / 2);
	low = load_in_parts(s, half, half_of_pointer(s, pointer, half, 0));
	high = load_in_parts(s, half, half_of_pointer(s, pointer, half, 1));
	return lanes_from(s, low, high, 0, lanes);
}

static void store_in_parts(const struct splitter *s, LLVMValueRef value, LLVMValueRef pointer)
{
	LLVMTypeRef type = LLVMTypeOf(value), half;
	uint32_t lanes = LLVMGetVectorSize(type);
	LLVMValueRef nothing = LLVMGetUndef(type);

	if (LLVMStoreSizeOfType(s->layout, type) <= WIDTH_BYTES) {
		LLVMValueRef store = LLVMBuildStore(s->b, value, pointer);

		LLVMSetAlignment(store, WIDTH_BYTES);
		LLVMInstructionSetDebugLoc(store, s->place);
		return;
	}
	half = LLVMVectorType(LLVMGetElementType(type), lanes / 2);
	for (uint32_t n = 0; n < 2; n++)
		store_in_parts(s, lanes_from(s, value, nothing, n * lanes / 2, lanes / 2),
		               half_of_pointer(s, pointer, half, n));
}

static bool is_too_wide(const struct splitter *s, LLVMValueRef i)
{
	LLVMTypeRef type;
	uint32_t lanes;

	if (!is_simple(i) || LLVMGetAlignment(i) < WIDTH_BYTES ||
	    memory_space_of(s->module, pointer_of(i)) == SPACE_PRIVATE)
		return false;
	type = type_of(i);
	if (LLVMGetTypeKind(type) != LLVMVectorTypeKind || !is_number(LLVMGetElementType(type)))
		return false;
	lanes = LLVMGetVectorSize(type);
	return lanes <= VECTOR_LANES_MOST && !(lanes & (lanes - 1)) &&
	       LLVMStoreSizeOfType(s->layout, type) > WIDTH_BYTES;
}

static void split(struct splitter *s, LLVMValueRef i)
{
	LLVMPositionBuilderBefore(s->b, i);
	s->place = LLVMInstructionGetDebugLoc(i);
	if (LLVMIsAStoreInst(i))
		store_in_parts(s, LLVMGetOperand(i, 0), LLVMGetOperand(i, 1));
	else
		LLVMReplaceAllUsesWith(i, load_in_parts(s, LLVMTypeOf(i), LLVMGetOperand(i, 0)));
	LLVMInstructionEraseFromParent(i);
}

static void split_vectors(LLVMValueRef function)
{
	LLVMModuleRef module = LLVMGetGlobalParent(function);
	struct splitter s = { .module = module, .layout = LLVMGetModuleDataLayout(module) };

	s.b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
	for (LLVMValueRef i = ir_first(function), next; i; i = next) {
		next = ir_next(i);
		if (is_too_wide(&s, i))
			split(&s, i);
	}
	LLVMDisposeBuilder(s.b);
}

int wide_accesses_make(LLVMValueRef function, struct err *err)
{
	split_vectors(function);
	return join_neighbours(function, err);
}
