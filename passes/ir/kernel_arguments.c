/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_arguments.h"

#include "array.h"
#include "err.h"
#include "memory_space.h"
#include "str.h"

#include <llvm-c/Core.h>

#include <stdlib.h>
#include <string.h>

/* The metadata with that name on a function, as a value; NULL when there is none. */
static LLVMValueRef metadata_of(LLVMValueRef function, const char *name)
{
	LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
	unsigned kind = LLVMGetMDKindIDInContext(context, name, (unsigned)strlen(name));
	size_t count;
	LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(function, &count);
	LLVMValueRef found = NULL;

	for (unsigned i = 0; i < count; i++)
		if (LLVMValueMetadataEntriesGetKind(entries, i) == kind)
			found = LLVMMetadataAsValue(
				context, LLVMValueMetadataEntriesGetMetadata(entries, i));
	LLVMDisposeValueMetadataEntries(entries);
	return found;
}

/* String i of a metadata node that has `count` strings, on the heap; "" when there is none. */
static char *text_at(LLVMValueRef node, unsigned i, unsigned count, struct err *err)
{
	LLVMValueRef *operands;
	const char *text = NULL;
	unsigned length = 0;
	char *copy;

	if (!node || LLVMGetMDNodeNumOperands(node) != count)
		return str_copy("", err);
	operands = array_alloc(count, sizeof(LLVMValueRef), "kernel arguments", err);
	if (!operands)
		return NULL;
	LLVMGetMDNodeOperands(node, operands);
	if (operands[i])
		text = LLVMGetMDString(operands[i], &length);
	copy = text ? str_format(err, "%.*s", (int)length, text) : str_copy("", err);
	free(operands);
	return copy;
}

static int fill_argument(struct kernel_argument *a, LLVMValueRef function, unsigned i,
                         struct err *err)
{
	unsigned count = LLVMCountParams(function);
	LLVMValueRef argument = LLVMGetParam(function, i);
	LLVMTypeRef type = LLVMTypeOf(argument);
	bool is_memory = LLVMGetTypeKind(type) == LLVMPointerTypeKind;
	char *access;

	a->name = text_at(metadata_of(function, "kernel_arg_name"), i, count, err);
	a->type = text_at(metadata_of(function, "kernel_arg_type"), i, count, err);
	access = text_at(metadata_of(function, "kernel_arg_access_qual"), i, count, err);
	if (!a->name || !a->type || !access) {
		free(access);
		return ERR_NOMEM;
	}
	if (is_memory)
		a->space = memory_space_of(LLVMGetGlobalParent(function), argument);
	else
		a->is_written = !strcmp(access, "write_only") || !strcmp(access, "read_write");
	free(access);
	return 0;
}

int kernel_arguments_fill(struct kernel_table *table, LLVMValueRef function, struct err *err)
{
	unsigned count = LLVMCountParams(function);
	int ret = 0;

	table->arguments = array_alloc(count, sizeof(*table->arguments), "kernel arguments", err);
	if (!table->arguments)
		return ERR_NOMEM;
	table->argument_count = count;
	for (unsigned i = 0; !ret && i < count; i++)
		ret = fill_argument(&table->arguments[i], function, i, err);
	return ret;
}
