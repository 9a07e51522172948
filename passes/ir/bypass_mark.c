/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_mark.h"

#include <llvm-c/Core.h>

#include <string.h>

static unsigned kind_of(LLVMContextRef c)
{
	static const char name[] = "warpline.bypass";

	return LLVMGetMDKindIDInContext(c, name, (unsigned)strlen(name));
}

static LLVMContextRef context_of(LLVMValueRef load)
{
	return LLVMGetTypeContext(LLVMTypeOf(load));
}

void bypass_mark_put(LLVMValueRef load, struct bypass_mark mark)
{
	LLVMContextRef c = context_of(load);
	LLVMTypeRef u32 = LLVMInt32TypeInContext(c);
	LLVMValueRef numbers[] = { LLVMConstInt(u32, mark.site, 0),
		                   LLVMConstInt(u32, mark.warps, 0) };

	LLVMSetMetadata(load, kind_of(c), LLVMMDNodeInContext(c, numbers, 2));
}

bool bypass_mark_read(LLVMValueRef load, struct bypass_mark *mark)
{
	LLVMValueRef node = LLVMGetMetadata(load, kind_of(context_of(load))), numbers[2];

	if (!node || LLVMGetMDNodeNumOperands(node) != 2)
		return false;
	LLVMGetMDNodeOperands(node, numbers);
	mark->site = (uint32_t)LLVMConstIntGetZExtValue(numbers[0]);
	mark->warps = (uint32_t)LLVMConstIntGetZExtValue(numbers[1]);
	return true;
}
