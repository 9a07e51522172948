/* SPDX-License-Identifier: Apache-2.0 */
#include "fold_extracts.h"

#include <llvm-c/Core.h>

#include <stdbool.h>
#include <string.h>

#define LIMIT_DEPTH 16

/* A piece of a structure: `whole` with `count` indices. */
struct piece {
	LLVMValueRef whole;
	unsigned path[LIMIT_DEPTH], count;
};

/* Through pieces of pieces; false when they are too deep. */
static bool find_whole(struct piece *p)
{
	while (LLVMIsAExtractValueInst(p->whole)) {
		unsigned more = LLVMGetNumIndices(p->whole);

		if (p->count + more > LIMIT_DEPTH)
			return false;
		memmove(p->path + more, p->path, p->count * sizeof(p->path[0]));
		memcpy(p->path, LLVMGetIndices(p->whole), more * sizeof(p->path[0]));
		p->count += more;
		p->whole = LLVMGetOperand(p->whole, 0);
	}
	return true;
}

static unsigned common_indices(const struct piece *p, LLVMValueRef insert)
{
	unsigned count = LLVMGetNumIndices(insert), i = 0;

	while (i < count && i < p->count && LLVMGetIndices(insert)[i] == p->path[i])
		i++;
	return i;
}

/* What was put in where the piece lies, and where in that it lies; false when that does not show.
 */
static bool find_value(struct piece *p)
{
	while (LLVMIsAInsertValueInst(p->whole)) {
		unsigned common = common_indices(p, p->whole);

		if (common == LLVMGetNumIndices(p->whole)) {
			p->whole = LLVMGetOperand(p->whole, 1);
			p->count -= common;
			memmove(p->path, p->path + common, p->count * sizeof(p->path[0]));
			return true;
		}
		if (common == p->count)
			return false; /* only a piece of it is put in here */
		p->whole = LLVMGetOperand(p->whole, 0);
	}
	return false;
}

int fold_extract(void *is_changed, LLVMValueRef instruction, struct err *err)
{
	struct piece p = { .whole = instruction };
	bool is_found = false;
	LLVMBuilderRef b;

	(void)err;
	if (!LLVMIsAExtractValueInst(instruction))
		return 0;
	while (find_whole(&p) && find_value(&p))
		is_found = true;
	if (!is_found)
		return 0;
	b = LLVMCreateBuilderInContext(LLVMGetTypeContext(LLVMTypeOf(instruction)));
	LLVMPositionBuilderBefore(b, instruction);
	for (unsigned i = 0; i < p.count; i++)
		p.whole = LLVMBuildExtractValue(b, p.whole, p.path[i], "");
	LLVMDisposeBuilder(b);
	LLVMReplaceAllUsesWith(instruction, p.whole);
	LLVMInstructionEraseFromParent(instruction);
	*(bool *)is_changed = true;
	return 0;
}
