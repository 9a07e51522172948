/* SPDX-License-Identifier: Apache-2.0 */
#include "nvvm.h"

#include "array.h"
#include "err.h"

#include <llvm-c/Core.h>

#include <stdbool.h>
#include <stdio.h>
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

#define BOUND_LENGTH 7 /* of "maxntidx", "reqntidz" without the dimension */

/*
 * Add a bound of the group: from LLVM 20 on in an attribute "nvvm.maxntid"="X,Y,Z", which LLVM 19
 * ignores. The bound of x comes first and starts it.
 */
static void add_bound(LLVMValueRef function, const char *name, LLVMValueRef value)
{
	LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
	char attribute[5 + BOUND_LENGTH + 1], text[80] = "";
	LLVMAttributeRef there;
	unsigned length = 0, kept;
	const char *before;

	snprintf(attribute, sizeof(attribute), "nvvm.%.*s", BOUND_LENGTH, name);
	kept = (unsigned)strlen(attribute);
	there = name[BOUND_LENGTH] == 'x'
	                ? NULL
	                : LLVMGetStringAttributeAtIndex(function, at, attribute, kept);
	before = there ? LLVMGetStringAttributeValue(there, &length) : "";
	snprintf(text, sizeof(text), "%.*s%s%llu", (int)length, before, length ? "," : "",
	         LLVMConstIntGetZExtValue(value));
	LLVMAddAttributeAtIndex(function, at,
	                        LLVMCreateStringAttribute(LLVMGetTypeContext(LLVMTypeOf(function)),
	                                                  attribute, kept, text,
	                                                  (unsigned)strlen(text)));
}

/* Whether it is a function that may be a kernel. */
static bool is_candidate(LLVMValueRef function)
{
	return function && LLVMIsAFunction(function) && !LLVMIsDeclaration(function) &&
	       LLVMGetTypeKind(LLVMGetReturnType(LLVMGlobalGetValueType(function))) ==
	               LLVMVoidTypeKind;
}

/* Apply an annotation to the function itself, where NVPTX reads it. */
static void apply_note(LLVMValueRef *operands, unsigned count)
{
	for (unsigned i = 1; i + 1 < count; i += 2) {
		unsigned length = 0;
		const char *text = operands[i] ? LLVMGetMDString(operands[i], &length) : NULL;
		LLVMValueRef value = operands[i + 1] ? LLVMIsAConstantInt(operands[i + 1]) : NULL;

		if (text && !strcmp(text, "kernel"))
			LLVMSetFunctionCallConv(operands[0], LLVMPTXKernelCallConv);
		else if (text && value && length == BOUND_LENGTH + 1 &&
		         (!strncmp(text, "maxntid", BOUND_LENGTH) ||
		          !strncmp(text, "reqntid", BOUND_LENGTH)))
			add_bound(operands[0], text, value);
	}
}

int nvvm_annotations_apply(LLVMModuleRef module, struct err *err)
{
	unsigned count;
	LLVMValueRef *notes = find_notes(module, &count, err);
	int ret = notes ? 0 : ERR_NOMEM;

	for (unsigned i = 0; !ret && i < count; i++) {
		unsigned operand_count;
		LLVMValueRef *operands = find_operands(notes[i], &operand_count, err);

		ret = operands ? 0 : ERR_NOMEM;
		if (!ret && operand_count && is_candidate(operands[0]))
			apply_note(operands, operand_count);
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
