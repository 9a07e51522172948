/* SPDX-License-Identifier: Apache-2.0 */
#include "sreg.h"

#include <llvm-c/Core.h>

#include <string.h>

#define PREFIX "llvm.nvvm.read.ptx.sreg."

int sreg_dimension(LLVMValueRef instruction, const char *name)
{
	LLVMValueRef called = LLVMIsACallInst(instruction) ? LLVMGetCalledValue(instruction) : NULL;
	size_t length = strlen(name), found_length;
	const char *found;

	if (!called || !LLVMIsAFunction(called))
		return SREG_NONE;
	found = LLVMGetValueName2(called, &found_length);
	if (strncmp(found, PREFIX, strlen(PREFIX)) != 0)
		return SREG_NONE;
	found += strlen(PREFIX);
	if (strncmp(found, name, length) != 0 || found[length] != '.' || found[length + 1] < 'x' ||
	    found[length + 1] > 'z' || found[length + 2])
		return SREG_NONE;
	return found[length + 1] - 'x';
}
