/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

#include "array.h"
#include "err.h"
#include "front_end.h"
#include "ir_walk.h"
#include "llvm_api.h"
#include "memory_space.h"
#include "optimise_parts.h"
#include "program.h"
#include "site.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>
#include <llvm-c/Types.h>

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/*
 * What is known about a function's accesses besides the code, kept across passes that drop it or
 * must not use it: their source positions, which LLVM drops when it moves code out of a loop, and
 * their types (`tbaa`), which it would use.
 *
 * An access is identified by its name, which LLVM keeps when it moves or copies it, or by metadata
 * if it has no value. An access merged from several has the notes of the one that stayed.
 */

struct access_notes {
	struct array notes; /* struct access_note */
};

#define PREFIX      "warpline.note"
#define NOTES_LIMIT ((size_t)1 << 24)

struct access_note {
	LLVMMetadataRef place;
	LLVMValueRef type;
};

static unsigned kind_of(LLVMValueRef i, const char *metadata)
{
	return LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(i)), metadata,
	                                (unsigned)strlen(metadata));
}

static bool has_value(LLVMValueRef i)
{
	return LLVMGetTypeKind(LLVMTypeOf(i)) != LLVMVoidTypeKind;
}

static bool is_access(LLVMValueRef i)
{
	return LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) || LLVMIsACallInst(i);
}

/* LLVM appends digits to a name that exists already; the full stop separates them. */
static void number(LLVMValueRef i, size_t n)
{
	LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(i));
	LLVMMetadataRef value = LLVMValueAsMetadata(LLVMConstInt(LLVMInt64TypeInContext(c), n, 0));
	char name[sizeof(PREFIX) + 32];

	snprintf(name, sizeof(name), PREFIX "%zu.", n);
	if (has_value(i))
		LLVMSetValueName2(i, name, strlen(name));
	else
		LLVMSetMetadata(i, kind_of(i, PREFIX),
		                LLVMMetadataAsValue(c, LLVMMDNodeInContext2(c, &value, 1)));
}

static const struct access_note *find(const struct access_notes *n, LLVMValueRef i)
{
	const struct access_note *notes = n->notes.data;
	size_t at = n->notes.count, length;

	if (has_value(i)) {
		const char *name = LLVMGetValueName2(i, &length);

		if (!strncmp(name, PREFIX, strlen(PREFIX)))
			at = strtoul(name + strlen(PREFIX), NULL, 10);
	} else {
		LLVMValueRef node = LLVMGetMetadata(i, kind_of(i, PREFIX)), value;

		if (node) {
			LLVMGetMDNodeOperands(node, &value);
			at = LLVMConstIntGetZExtValue(value);
		}
	}
	return at < n->notes.count ? &notes[at] : NULL;
}

static int take(struct access_notes *n, LLVMValueRef i, struct err *err)
{
	struct access_note *note = array_push(&n->notes, 1, err);

	if (!note)
		return err->code;
	note->place = LLVMInstructionGetDebugLoc(i);
	note->type = LLVMGetMetadata(i, kind_of(i, "tbaa"));
	LLVMSetMetadata(i, kind_of(i, "tbaa"), NULL);
	LLVMSetMetadata(i, kind_of(i, "tbaa.struct"), NULL);
	number(i, n->notes.count - 1);
	return 0;
}

static void give_back(const struct access_notes *n, LLVMValueRef i)
{
	const struct access_note *note = find(n, i);
	LLVMMetadataRef place = LLVMInstructionGetDebugLoc(i);

	if (note && note->place && (!place || LLVMDILocationGetLine(place) == 0))
		LLVMInstructionSetDebugLoc(i, note->place);
	if (note && note->type)
		LLVMSetMetadata(i, kind_of(i, "tbaa"), note->type);
	if (!has_value(i))
		LLVMSetMetadata(i, kind_of(i, PREFIX), NULL);
}

/* For an access that LLVM created: the position of another access to the same pointer. */
static LLVMMetadataRef place_by_pointer(LLVMValueRef access)
{
	bool is_load = LLVMIsALoadInst(access) != NULL;
	LLVMUseRef use = LLVMGetFirstUse(LLVMGetOperand(access, is_load ? 0 : 1));

	for (; use; use = LLVMGetNextUse(use)) {
		LLVMValueRef user = LLVMGetUser(use);
		LLVMMetadataRef place = is_access(user) ? LLVMInstructionGetDebugLoc(user) : NULL;

		if (place && LLVMDILocationGetLine(place))
			return place;
	}
	return NULL;
}

static void find_place(LLVMValueRef access)
{
	LLVMMetadataRef place = LLVMInstructionGetDebugLoc(access);

	if (place && LLVMDILocationGetLine(place))
		return;
	place = place_by_pointer(access);
	if (place)
		LLVMInstructionSetDebugLoc(access, place);
}

/* Phis have the names of their operands. */
static void drop_name(LLVMValueRef i)
{
	size_t length;

	if (has_value(i) && !strncmp(LLVMGetValueName2(i, &length), PREFIX, strlen(PREFIX)))
		LLVMSetValueName2(i, "", 0);
}

/* Start with no notes; free them. */
static void access_notes_init(struct access_notes *n)
{
	array_init(&n->notes, sizeof(struct access_note), NOTES_LIMIT, "accesses");
}

static void access_notes_release(struct access_notes *n)
{
	array_release(&n->notes);
}

/*
 * Note the positions of all loads, stores and calls of a function, and remove the types. Returns 0,
 * ERR_NOMEM or ERR_LIMIT.
 */
static int access_notes_take(struct access_notes *n, LLVMValueRef function, struct err *err)
{
	int ret = 0;

	for (LLVMValueRef i = ir_first(function); !ret && i; i = ir_next(i))
		if (is_access(i))
			ret = take(n, i, err);
	return ret;
}

/* Restore types, and the positions that were lost. */
static void access_notes_give_back(const struct access_notes *n, LLVMValueRef function)
{
	for (LLVMValueRef i = ir_first(function); i; i = ir_next(i)) {
		if (is_access(i))
			give_back(n, i);
		drop_name(i);
	}
	for (LLVMValueRef i = ir_first(function); i; i = ir_next(i))
		if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i))
			find_place(i);
}

/*
 * Stores on both sides of a branch to the same address become one store where they meet.
 *
 * GPU compilers do this, and it matters: two stores are two instructions for a warp that takes both
 * sides. LLVM's own passes would also merge stores, or loads, to different addresses; then their
 * source position and buffer would be unknown.
 */

/* The two nodes that lead to this one and to no other. Returns false when there are no such two. */
static bool find_sides(LLVMBasicBlockRef meeting, LLVMBasicBlockRef side[2])
{
	LLVMUseRef use = LLVMGetFirstUse(LLVMBasicBlockAsValue(meeting));
	unsigned count = 0;

	for (; use; use = LLVMGetNextUse(use)) {
		LLVMValueRef jump = LLVMGetUser(use);

		if (!LLVMIsABranchInst(jump) || LLVMIsConditional(jump) || count == 2)
			return false;
		side[count++] = LLVMGetInstructionParent(jump);
	}
	return count == 2;
}

static bool is_of_memory(LLVMValueRef i)
{
	return LLVMIsALoadInst(i) || LLVMIsAStoreInst(i) || LLVMIsACallInst(i) ||
	       LLVMIsAFenceInst(i) || LLVMIsAAtomicRMWInst(i) || LLVMIsAAtomicCmpXchgInst(i);
}

/* The store after which a node accesses no memory, or NULL. */
static LLVMValueRef last_store(LLVMBasicBlockRef node)
{
	LLVMValueRef i = LLVMGetLastInstruction(node);

	while (i && !is_of_memory(i))
		i = LLVMGetPreviousInstruction(i);
	return i && LLVMIsAStoreInst(i) && !LLVMGetVolatile(i) &&
	                       LLVMGetOrdering(i) == LLVMAtomicOrderingNotAtomic
	               ? i
	               : NULL;
}

static bool are_alike(LLVMValueRef a, LLVMValueRef b)
{
	return a && b && LLVMGetOperand(a, 1) == LLVMGetOperand(b, 1) &&
	       LLVMTypeOf(LLVMGetOperand(a, 0)) == LLVMTypeOf(LLVMGetOperand(b, 0));
}

static LLVMValueRef first_by_line(LLVMValueRef a, LLVMValueRef b)
{
	LLVMMetadataRef x = LLVMInstructionGetDebugLoc(a), y = LLVMInstructionGetDebugLoc(b);

	return x && y && LLVMDILocationGetLine(y) < LLVMDILocationGetLine(x) ? b : a;
}

/* The type of the merged store (`tbaa`): none if the two differ. */
static void set_type(LLVMValueRef joined, LLVMValueRef store[2])
{
	unsigned kind = LLVMGetMDKindIDInContext(LLVMGetTypeContext(LLVMTypeOf(joined)), "tbaa", 4);

	if (LLVMGetMetadata(store[0], kind) != LLVMGetMetadata(store[1], kind))
		LLVMSetMetadata(joined, kind, NULL);
}

static void join(LLVMBasicBlockRef meeting, LLVMBasicBlockRef side[2], LLVMValueRef store[2])
{
	LLVMValueRef first = first_by_line(store[0], store[1]), phi, at, joined;
	LLVMValueRef value[2] = { LLVMGetOperand(store[0], 0), LLVMGetOperand(store[1], 0) };
	LLVMTypeRef type = LLVMTypeOf(value[0]);
	LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetTypeContext(type));
	unsigned alignment[2] = { LLVMGetAlignment(store[0]), LLVMGetAlignment(store[1]) };

	LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(meeting));
	phi = LLVMBuildPhi(b, type, "");
	LLVMAddIncoming(phi, value, side, 2);
	at = LLVMGetFirstInstruction(meeting);
	while (LLVMIsAPHINode(at))
		at = LLVMGetNextInstruction(at);
	LLVMPositionBuilderBefore(b, at);
	joined = LLVMInstructionClone(first);
	LLVMInsertIntoBuilder(b, joined);
	LLVMSetOperand(joined, 0, phi);
	LLVMSetAlignment(joined, alignment[alignment[1] < alignment[0]]);
	LLVMInstructionSetDebugLoc(joined, LLVMInstructionGetDebugLoc(first));
	set_type(joined, store);
	LLVMInstructionEraseFromParent(store[0]);
	LLVMInstructionEraseFromParent(store[1]);
	LLVMDisposeBuilder(b);
}

static bool join_last(LLVMBasicBlockRef meeting, LLVMBasicBlockRef side[2])
{
	LLVMValueRef store[2] = { last_store(side[0]), last_store(side[1]) };

	if (!are_alike(store[0], store[1]))
		return false;
	join(meeting, side, store);
	return true;
}

/* Merge them in a function. The remaining store has the position of the first. */
static void joined_stores_make(LLVMValueRef function)
{
	for (LLVMBasicBlockRef n = LLVMGetFirstBasicBlock(function); n;
	     n = LLVMGetNextBasicBlock(n)) {
		LLVMBasicBlockRef side[2];

		if (find_sides(n, side))
			while (join_last(n, side)) {
			}
	}
}

/*
 * Copies of structures become the loads and stores that a GPU's compiler makes of them: one per
 * member if one side is a variable of the work-item, else one per piece, as wide as the alignment
 * of both sides.
 *
 * Applies to copies of a constant length of at most EXPAND_COPIES_BYTES that are not volatile, with
 * global, constant or local memory on at least one side. Longer ones are left alone: compilers make
 * loops of them.
 */

/* As in nvcc 13: straight code up to 128 bytes, a loop above. */
#define EXPAND_COPIES_BYTES 128u

#define PIECES_MOST EXPAND_COPIES_BYTES
#define DEPTH_MOST  8u

/* What is moved at once: a value of `type`, `offset` bytes from the start. */
struct piece {
	LLVMTypeRef type;
	uint64_t offset;
};

struct copy {
	LLVMModuleRef module;
	LLVMTargetDataRef layout;
	LLVMValueRef call;
	LLVMBuilderRef b; /* positioned before the call */
	uint64_t bytes;
	uint64_t alignment[2]; /* of the destination, of the source */
	struct piece pieces[PIECES_MOST];
	uint32_t count;
	uint64_t filled; /* bytes that the pieces so far cover */
};

static uint64_t alignment_at(uint64_t alignment, uint64_t offset)
{
	while (offset % alignment)
		alignment /= 2;
	return alignment;
}

static bool add_piece(struct copy *c, LLVMTypeRef type, uint64_t offset)
{
	if (c->count == PIECES_MOST)
		return false;
	c->pieces[c->count++] = (struct piece){ .type = type, .offset = offset };
	c->filled = offset + LLVMStoreSizeOfType(c->layout, type);
	return true;
}

/* Add integers up to `end`, each as wide as both sides allow, at most 8 bytes. */
static bool add_numbers(struct copy *c, uint64_t end)
{
	uint64_t both = c->alignment[0] < c->alignment[1] ? c->alignment[0] : c->alignment[1];
	bool is_room = true;

	while (is_room && c->filled < end) {
		uint64_t width = alignment_at(both < 8 ? both : 8, c->filled);

		while (width > end - c->filled)
			width /= 2;
		is_room = add_piece(
			c,
			LLVMIntTypeInContext(LLVMGetModuleContext(c->module), (unsigned)width * 8),
			c->filled);
	}
	return is_room;
}

static bool add_members(struct copy *c, LLVMTypeRef type, uint64_t offset, uint32_t depth);

static bool add_structure(struct copy *c, LLVMTypeRef type, uint64_t offset, uint32_t depth)
{
	unsigned count = LLVMCountStructElementTypes(type);
	bool is_known = true;

	for (unsigned i = 0; is_known && i < count; i++)
		is_known = add_members(c, LLVMStructGetTypeAtIndex(type, i),
		                       offset + LLVMOffsetOfElement(c->layout, type, i), depth);
	return is_known;
}

static bool add_elements(struct copy *c, LLVMTypeRef type, uint64_t offset, uint32_t depth)
{
	LLVMTypeRef element = LLVMGetElementType(type);
	uint64_t bytes = LLVMABISizeOfType(c->layout, element);
	unsigned count = LLVMGetArrayLength(type);
	bool is_known = true;

	for (unsigned i = 0; is_known && i < count; i++)
		is_known = add_members(c, element, offset + i * bytes, depth);
	return is_known;
}

/* Add the members of a type by offset, and the padding between them. */
static bool add_members(struct copy *c, LLVMTypeRef type, uint64_t offset, uint32_t depth)
{
	LLVMTypeKind kind = LLVMGetTypeKind(type);

	if (depth == DEPTH_MOST || offset < c->filled || !add_numbers(c, offset))
		return false;
	if (kind == LLVMStructTypeKind)
		return add_structure(c, type, offset, depth + 1);
	if (kind == LLVMArrayTypeKind)
		return add_elements(c, type, offset, depth + 1);
	return LLVMSizeOfTypeInBits(c->layout, type) == 8 * LLVMStoreSizeOfType(c->layout, type) &&
	       add_piece(c, type, offset);
}

/* The type at the constant indices of an address. */
static LLVMTypeRef type_of_place(LLVMValueRef address)
{
	LLVMTypeRef type = LLVMGetGEPSourceElementType(address);
	unsigned count = (unsigned)LLVMGetNumOperands(address);

	for (unsigned n = 2; n < count; n++) {
		LLVMValueRef place = LLVMGetOperand(address, n);

		if (LLVMGetTypeKind(type) == LLVMStructTypeKind)
			type = LLVMStructGetTypeAtIndex(type,
			                                (unsigned)LLVMConstIntGetZExtValue(place));
		else
			type = LLVMGetElementType(type);
	}
	return type;
}

/* The type of the first member of a structure or array; NULL for any other type. */
static LLVMTypeRef first_member(LLVMTypeRef type)
{
	if (LLVMGetTypeKind(type) == LLVMArrayTypeKind)
		return LLVMGetElementType(type);
	return LLVMGetTypeKind(type) == LLVMStructTypeKind && LLVMCountStructElementTypes(type)
	               ? LLVMStructGetTypeAtIndex(type, 0)
	               : NULL;
}

/* The type of the variable, or the part of it, whose bytes the pointer refers to; NULL when
 * unknown. */
static LLVMTypeRef type_behind(const struct copy *c, LLVMValueRef pointer)
{
	LLVMTypeRef type = NULL;

	while (LLVMIsABitCastInst(pointer) || LLVMIsAAddrSpaceCastInst(pointer))
		pointer = LLVMGetOperand(pointer, 0);
	if (LLVMIsAAllocaInst(pointer))
		type = LLVMGetAllocatedType(pointer);
	else if (LLVMIsAGetElementPtrInst(pointer))
		type = type_of_place(pointer);
	else if (LLVMIsAArgument(pointer))
		type = memory_space_by_value(pointer);
	/* The first member has the address of the whole. */
	while (type && LLVMTypeIsSized(type) && LLVMABISizeOfType(c->layout, type) > c->bytes)
		type = first_member(type);
	return type && LLVMTypeIsSized(type) && LLVMABISizeOfType(c->layout, type) == c->bytes
	               ? type
	               : NULL;
}

static bool is_private(LLVMModuleRef module, LLVMValueRef pointer)
{
	return memory_space_of(module, pointer) == SPACE_PRIVATE;
}

/* Member by member if a variable is filled or read whose members other code uses; else as wide as
 * possible. Returns false when the copy cannot be split. */
static bool find_pieces(struct copy *c)
{
	for (unsigned side = 0; side < 2; side++) {
		LLVMTypeRef type = type_behind(c, LLVMGetOperand(c->call, side));

		c->count = 0;
		c->filled = 0;
		if (type && is_private(c->module, LLVMGetOperand(c->call, side)) &&
		    add_members(c, type, 0, 0) && add_numbers(c, c->bytes))
			return true;
	}
	c->count = 0;
	c->filled = 0;
	return add_numbers(c, c->bytes);
}

static LLVMValueRef place_of(const struct copy *c, unsigned side, const struct piece *p)
{
	LLVMValueRef pointer = LLVMGetOperand(c->call, side);
	LLVMContextRef context = LLVMGetModuleContext(c->module);
	LLVMValueRef offset = LLVMConstInt(LLVMInt64TypeInContext(context), p->offset, 0);
	unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(pointer));

	if (p->offset)
		pointer = LLVMBuildInBoundsGEP2(c->b, LLVMInt8TypeInContext(context), pointer,
		                                &offset, 1, "");
	return LLVMBuildBitCast(c->b, pointer, LLVMPointerType(p->type, space), "");
}

static void write_pieces(struct copy *c)
{
	LLVMMetadataRef place = LLVMInstructionGetDebugLoc(c->call);
	LLVMValueRef loaded[PIECES_MOST];

	for (uint32_t i = 0; i < c->count; i++) {
		const struct piece *p = &c->pieces[i];

		loaded[i] = LLVMBuildLoad2(c->b, p->type, place_of(c, 1, p), "");
		LLVMSetAlignment(loaded[i], (unsigned)alignment_at(c->alignment[1], p->offset));
		LLVMInstructionSetDebugLoc(loaded[i], place);
	}
	for (uint32_t i = 0; i < c->count; i++) {
		const struct piece *p = &c->pieces[i];
		LLVMValueRef store = LLVMBuildStore(c->b, loaded[i], place_of(c, 0, p));

		LLVMSetAlignment(store, (unsigned)alignment_at(c->alignment[0], p->offset));
		LLVMInstructionSetDebugLoc(store, place);
	}
}

static uint64_t alignment_of(LLVMValueRef call, unsigned side)
{
	static const char name[] = "align";
	LLVMAttributeRef a = LLVMGetCallSiteEnumAttribute(
		call, side + 1, LLVMGetEnumAttributeKindForName(name, strlen(name)));

	return a ? LLVMGetEnumAttributeValue(a) : 1;
}

/* Whether an instruction is a copy to expand; *bytes is its length. */
static bool is_short_copy(LLVMModuleRef module, LLVMValueRef i, uint64_t *bytes)
{
	LLVMValueRef function = LLVMIsACallInst(i) ? LLVMIsAFunction(LLVMGetCalledValue(i)) : NULL;
	LLVMValueRef length, is_volatile;
	size_t name_length;
	const char *name = function ? LLVMGetValueName2(function, &name_length) : "";

	if (strncmp(name, "llvm.memcpy.p", 13) != 0 && strncmp(name, "llvm.memmove.p", 14) != 0)
		return false;
	length = LLVMGetOperand(i, 2);
	is_volatile = LLVMGetOperand(i, 3);
	if (!LLVMIsAConstantInt(length) || !LLVMIsNull(is_volatile))
		return false;
	*bytes = LLVMConstIntGetZExtValue(length);
	return *bytes > 0 && *bytes <= EXPAND_COPIES_BYTES &&
	       !(is_private(module, LLVMGetOperand(i, 0)) &&
	         is_private(module, LLVMGetOperand(i, 1)));
}

static void expand(struct copy *c)
{
	c->alignment[0] = alignment_of(c->call, 0);
	c->alignment[1] = alignment_of(c->call, 1);
	if (!find_pieces(c))
		return;
	c->b = LLVMCreateBuilderInContext(LLVMGetModuleContext(c->module));
	LLVMPositionBuilderBefore(c->b, c->call);
	write_pieces(c);
	LLVMDisposeBuilder(c->b);
	LLVMInstructionEraseFromParent(c->call);
}

/*
 * Expand the copies in a function. Everything that a copy reads is read before anything is written.
 */
static void expand_copies(LLVMValueRef function)
{
	LLVMModuleRef module = LLVMGetGlobalParent(function);

	for (LLVMValueRef i = ir_first(function), next; i; i = next) {
		struct copy c = { .module = module,
			          .layout = LLVMGetModuleDataLayout(module),
			          .call = i };

		next = ir_next(i);
		if (is_short_copy(module, i, &c.bytes))
			expand(&c);
	}
}

/*
 * Redundant accesses are done once, loop-invariant ones before the loop, overwritten ones never:
 * all LLVM passes that remove accesses, and what these need. No pass that computes differently
 * (instcombine, reassociate), copies loops (unroll, unswitch), splits vectors (vector-combine) or
 * merges accesses in different places (simplifycfg's sinking).
 */
#define FIRST                                                                                      \
	"function(" LLVM_SROA ",early-cse<memssa>,simplifycfg<keep-loops;hoist-common-insts>,"     \
	"loop-simplify,lcssa,loop-mssa(licm),early-cse<memssa>)"
#define THEN                                                                                       \
	"function(loop-simplify,lcssa,loop-mssa(loop-rotate,licm),gvn,dse,adce,"                   \
	"simplifycfg<keep-loops;hoist-common-insts>)"

static int prepare(struct program *p, struct access_notes *notes, struct err *err)
{
	int ret = 0;

	optimiser_hints_put_effects(p->module);
	for (size_t i = 0; !ret && i < p->kernel_count; i++) {
		LLVMValueRef kernel = p->kernels[i].function;

		expand_copies(kernel);
		ret = optimiser_hints_put(kernel, err);
		if (!ret)
			ret = access_notes_take(notes, kernel, err);
	}
	return ret;
}

static int finish(struct program *p, const struct access_notes *notes, struct err *err)
{
	int ret = 0;

	optimiser_hints_remove(p->module);
	for (size_t i = 0; !ret && i < p->kernel_count; i++) {
		access_notes_give_back(notes, p->kernels[i].function);
		joined_stores_make(p->kernels[i].function);
		ret = wide_accesses_make(p->kernels[i].function, err);
	}
	return ret;
}

static int run(struct program *p, struct err *err)
{
	int ret = program_run_passes(p, FIRST, err);

	for (size_t i = 0; !ret && i < p->kernel_count; i++)
		ret = turned_loops_choose(p->kernels[i].function, err);
	if (!ret)
		ret = program_run_passes(p, THEN, err);
	turned_loops_end(p->module);
	return ret;
}

int optimise(struct program *p, struct err *err)
{
	struct access_notes notes;
	int ret;

	if (!setting_is(p->settings->opt, "gpu") || front_end_is_ptx(p->settings->source))
		return 0;
	access_notes_init(&notes);
	ret = prepare(p, &notes, err);
	if (!ret)
		ret = run(p, err);
	if (!ret)
		ret = finish(p, &notes, err);
	access_notes_release(&notes);
	return ret;
}
