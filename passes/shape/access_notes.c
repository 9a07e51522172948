/* SPDX-License-Identifier: Apache-2.0 */
#include "access_notes.h"

#include "err.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

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

/* LLVM adds digits to a name that is there already: a full stop keeps them apart. */
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

/* What LLVM made anew has no notes: the place of another access to the same pointer. */
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

/* Phis have the names of what they are made of. */
static void drop_name(LLVMValueRef i)
{
	size_t length;

	if (has_value(i) && !strncmp(LLVMGetValueName2(i, &length), PREFIX, strlen(PREFIX)))
		LLVMSetValueName2(i, "", 0);
}

void access_notes_init(struct access_notes *n)
{
	array_init(&n->notes, sizeof(struct access_note), NOTES_LIMIT, "accesses");
}

void access_notes_release(struct access_notes *n)
{
	array_release(&n->notes);
}

int access_notes_take(struct access_notes *n, LLVMValueRef function, struct err *err)
{
	int ret = 0;

	for (LLVMBasicBlockRef node = LLVMGetFirstBasicBlock(function); !ret && node;
	     node = LLVMGetNextBasicBlock(node))
		for (LLVMValueRef i = LLVMGetFirstInstruction(node); !ret && i;
		     i = LLVMGetNextInstruction(i))
			if (is_access(i))
				ret = take(n, i, err);
	return ret;
}

void access_notes_give_back(const struct access_notes *n, LLVMValueRef function)
{
	for (LLVMBasicBlockRef node = LLVMGetFirstBasicBlock(function); node;
	     node = LLVMGetNextBasicBlock(node))
		for (LLVMValueRef i = LLVMGetFirstInstruction(node); i;
		     i = LLVMGetNextInstruction(i)) {
			if (is_access(i))
				give_back(n, i);
			drop_name(i);
		}
	for (LLVMBasicBlockRef node = LLVMGetFirstBasicBlock(function); node;
	     node = LLVMGetNextBasicBlock(node))
		for (LLVMValueRef i = LLVMGetFirstInstruction(node); i;
		     i = LLVMGetNextInstruction(i))
			if (LLVMIsALoadInst(i) || LLVMIsAStoreInst(i))
				find_place(i);
}
