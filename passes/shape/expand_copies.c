/* SPDX-License-Identifier: Apache-2.0 */
#include "expand_copies.h"

#include "memory_space.h"
#include "site.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>
#include <llvm-c/Target.h>

#include <stdbool.h>
#include <stdint.h>
#include <string.h>

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
	LLVMBuilderRef b; /* stands before the call */
	uint64_t bytes;
	uint64_t alignment[2]; /* of the target, of the source */
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

/* Whole numbers up to `end`, each as wide as both sides allow, at most 8 bytes. */
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

/* The members of a type in the order of their offsets, and what lies between them. */
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

/* What the pointer was before it was cast to one to bytes: NULL when that does not tell. */
static LLVMTypeRef type_behind(const struct copy *c, LLVMValueRef pointer)
{
	LLVMTypeRef type;

	if (!LLVMIsABitCastInst(pointer))
		return NULL;
	type = LLVMGetElementType(LLVMTypeOf(LLVMGetOperand(pointer, 0)));
	return LLVMTypeIsSized(type) && LLVMABISizeOfType(c->layout, type) == c->bytes ? type
	                                                                               : NULL;
}

static bool is_private(LLVMModuleRef module, LLVMValueRef pointer)
{
	return memory_space_of(module, pointer) == SPACE_PRIVATE;
}

/* Member by member where a variable is filled or read, of which other code wants members; else as
 * wide as can be. False when the copy cannot be told as pieces. */
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

/* Whether an instruction is a copy to expand; *bytes gets its length. */
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

void expand_copies(LLVMValueRef function)
{
	LLVMModuleRef module = LLVMGetGlobalParent(function);

	for (LLVMBasicBlockRef n = LLVMGetFirstBasicBlock(function); n;
	     n = LLVMGetNextBasicBlock(n)) {
		LLVMValueRef i = LLVMGetFirstInstruction(n), next;

		for (; i; i = next) {
			struct copy c = { .module = module,
				          .layout = LLVMGetModuleDataLayout(module),
				          .call = i };

			next = LLVMGetNextInstruction(i);
			if (is_short_copy(module, i, &c.bytes))
				expand(&c);
		}
	}
}
