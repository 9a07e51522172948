/* SPDX-License-Identifier: Apache-2.0 */
#include "nvvm.h"

#include "array.h"
#include "err.h"

#include <llvm-c/Core.h>

#include <stdbool.h>
#include <stdlib.h>
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

#define NAME "nvvm.annotations"

/* All annotations: an array of *count nodes that the caller frees; NULL when out of memory. */
static LLVMValueRef *find_notes(LLVMModuleRef module, unsigned *count, struct err *err)
{
	LLVMValueRef *notes;

	*count = LLVMGetNamedMetadataNumOperands(module, NAME);
	notes = array_alloc(*count, sizeof(LLVMValueRef), "annotations", err);
	if (notes)
		LLVMGetNamedMetadataOperands(module, NAME, notes);
	return notes;
}

/*
 * The operands of an annotation, {function, name, number, name, number...}; the caller frees them.
 */
static LLVMValueRef *find_operands(LLVMValueRef note, unsigned *count, struct err *err)
{
	LLVMValueRef *operands;

	*count = (unsigned)LLVMGetMDNodeNumOperands(note);
	operands = array_alloc(*count, sizeof(LLVMValueRef), "annotations", err);
	if (operands)
		LLVMGetMDNodeOperands(note, operands);
	return operands;
}

static bool says_kernel(LLVMValueRef *operands, unsigned count)
{
	static const char word[] = "kernel";

	for (unsigned i = 1; i + 1 < count; i += 2) {
		unsigned length = 0;
		const char *text = operands[i] ? LLVMGetMDString(operands[i], &length) : NULL;

		if (text && length == strlen(word) && !memcmp(text, word, length))
			return true;
	}
	return false;
}

int nvvm_annotations_mark_kernels(LLVMModuleRef module, struct err *err)
{
	unsigned count;
	LLVMValueRef *notes = find_notes(module, &count, err);
	int ret = notes ? 0 : ERR_NOMEM;

	for (unsigned i = 0; !ret && i < count; i++) {
		unsigned operand_count;
		LLVMValueRef *operands = find_operands(notes[i], &operand_count, err);

		ret = operands ? 0 : ERR_NOMEM;
		if (!ret && operand_count && operands[0] && LLVMIsAFunction(operands[0]) &&
		    says_kernel(operands, operand_count))
			LLVMSetFunctionCallConv(operands[0], LLVMPTXKernelCallConv);
		free(operands);
	}
	free(notes);
	return ret;
}

int nvvm_annotations_copy(LLVMValueRef from, LLVMValueRef to, struct err *err)
{
	LLVMModuleRef module = LLVMGetGlobalParent(from);
	LLVMContextRef context = LLVMGetModuleContext(module);
	unsigned count;
	LLVMValueRef *notes = find_notes(module, &count, err);
	int ret = notes ? 0 : ERR_NOMEM;

	for (unsigned i = 0; !ret && i < count; i++) {
		unsigned operand_count;
		LLVMValueRef *operands = find_operands(notes[i], &operand_count, err);

		ret = operands ? 0 : ERR_NOMEM;
		if (!ret && operand_count && operands[0] == from) {
			operands[0] = to;
			LLVMAddNamedMetadataOperand(
				module, NAME,
				LLVMMDNodeInContext(context, operands, operand_count));
		}
		free(operands);
	}
	free(notes);
	return ret;
}
