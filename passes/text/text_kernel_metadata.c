/* SPDX-License-Identifier: Apache-2.0 */
#include "text_kernel_metadata.h"

#include "array.h"

#include <llvm-c/Core.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* The node of that kind that is attached to the function, or NULL. */
static LLVMValueRef node_of(LLVMValueRef function, const char *kind)
{
	LLVMContextRef c = LLVMGetTypeContext(LLVMTypeOf(function));
	unsigned number = LLVMGetMDKindIDInContext(c, kind, (unsigned)strlen(kind));
	size_t count = 0;
	LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(function, &count);
	LLVMMetadataRef found = NULL;

	for (unsigned i = 0; i < count; i++)
		if (LLVMValueMetadataEntriesGetKind(entries, i) == number)
			found = LLVMValueMetadataEntriesGetMetadata(entries, i);
	LLVMDisposeValueMetadataEntries(entries);
	return found ? LLVMMetadataAsValue(c, found) : NULL;
}

LLVMValueRef text_kernel_metadata_value(LLVMValueRef function, const char *kind, unsigned index)
{
	LLVMValueRef node = node_of(function, kind), *operands, found = NULL;
	unsigned count = node ? LLVMGetMDNodeNumOperands(node) : 0;

	if (index >= count)
		return NULL;
	operands = array_alloc(count, sizeof(LLVMValueRef), "metadata", NULL);
	if (!operands)
		return NULL;
	LLVMGetMDNodeOperands(node, operands);
	found = operands[index];
	free(operands);
	return found;
}

bool text_kernel_metadata(LLVMValueRef function, const char *kind, unsigned index, char *text,
                          size_t size)
{
	LLVMValueRef value = text_kernel_metadata_value(function, kind, index);
	unsigned length = 0;
	const char *string =
		value && LLVMIsAMDString(value) ? LLVMGetMDString(value, &length) : NULL;

	if (!string)
		return false;
	snprintf(text, size, "%.*s", (int)length, string);
	return true;
}
