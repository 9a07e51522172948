/* SPDX-License-Identifier: Apache-2.0 */
#include "hidden_argument.h"

#include "array.h"
#include "err.h"
#include "kernel_table.h"
#include "memory_space.h"
#include "nvvm.h"
#include "str.h"

#include <llvm-c/Core.h>

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* What the metadata of each kind says of the new argument; NULL: the number of its space. */
static const struct {
	const char *kind, *text;
} metadata_rows[] = {
	{ "kernel_arg_addr_space", NULL }, { "kernel_arg_access_qual", "none" },
	{ "kernel_arg_type", "uchar*" },   { "kernel_arg_base_type", "uchar*" },
	{ "kernel_arg_type_qual", "" },    { "kernel_arg_name", "warpline_buffer" },
};

/* Promises that no longer hold once probes write and take addresses. */
static const char *const dropped_attributes[] = {
	"readonly",     "readnone",  "writeonly",           "argmemonly",
	"nosync",       "nocapture", "inaccessiblememonly", "inaccessiblemem_or_argmemonly",
	"speculatable",
};

static LLVMValueRef create_like(LLVMValueRef old, struct err *err)
{
	LLVMModuleRef module = LLVMGetGlobalParent(old);
	LLVMContextRef context = LLVMGetModuleContext(module);
	unsigned count = LLVMCountParams(old);
	LLVMTypeRef *types = array_alloc(count + 1, sizeof(LLVMTypeRef), "parameters", err);
	LLVMTypeRef type;
	LLVMValueRef kernel;

	if (!types)
		return NULL;
	LLVMGetParamTypes(LLVMGlobalGetValueType(old), types);
	types[count] = LLVMPointerType(LLVMInt8TypeInContext(context),
	                               memory_space_number(module, SPACE_GLOBAL));
	type = LLVMFunctionType(LLVMVoidTypeInContext(context), types, count + 1, 0);
	kernel = LLVMAddFunction(module, "", type);
	LLVMSetFunctionCallConv(kernel, LLVMGetFunctionCallConv(old));
	LLVMSetLinkage(kernel, LLVMGetLinkage(old));
	LLVMSetVisibility(kernel, LLVMGetVisibility(old));
	free(types);
	return kernel;
}

static bool is_dropped(LLVMAttributeRef attribute)
{
	unsigned kind;

	if (LLVMIsStringAttribute(attribute))
		return false;
	kind = LLVMGetEnumAttributeKind(attribute);
	for (size_t i = 0; i < sizeof(dropped_attributes) / sizeof(dropped_attributes[0]); i++)
		if (kind == LLVMGetEnumAttributeKindForName(dropped_attributes[i],
		                                            strlen(dropped_attributes[i])))
			return true;
	return false;
}

static int copy_attributes_at(LLVMValueRef old, LLVMValueRef kernel, LLVMAttributeIndex at,
                              struct err *err)
{
	unsigned count = LLVMGetAttributeCountAtIndex(old, at);
	LLVMAttributeRef *attributes;

	attributes = array_alloc(count, sizeof(LLVMAttributeRef), "attributes", err);
	if (!attributes)
		return ERR_NOMEM;
	LLVMGetAttributesAtIndex(old, at, attributes);
	for (unsigned i = 0; i < count; i++)
		if (!is_dropped(attributes[i]))
			LLVMAddAttributeAtIndex(kernel, at, attributes[i]);
	free(attributes);
	return 0;
}

static int copy_attributes(LLVMValueRef old, LLVMValueRef kernel, struct err *err)
{
	unsigned count = LLVMCountParams(old);
	int ret = copy_attributes_at(old, kernel, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
	                             err);

	for (unsigned i = 0; !ret && i < count; i++)
		ret = copy_attributes_at(old, kernel, i + 1, err);
	return ret;
}

/* The same code under the new arguments. */
static void move_code(LLVMValueRef old, LLVMValueRef kernel)
{
	LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(old));
	LLVMBasicBlockRef end = LLVMAppendBasicBlockInContext(context, kernel, ""), node;
	unsigned count = LLVMCountParams(old);

	while ((node = LLVMGetFirstBasicBlock(old)))
		LLVMMoveBasicBlockBefore(node, end);
	LLVMDeleteBasicBlock(end);
	for (unsigned i = 0; i < count; i++) {
		LLVMValueRef from = LLVMGetParam(old, i), to = LLVMGetParam(kernel, i);
		size_t length;
		const char *name = LLVMGetValueName2(from, &length);

		LLVMSetValueName2(to, name, length);
		LLVMReplaceAllUsesWith(from, to);
	}
	LLVMSetValueName2(LLVMGetParam(kernel, count), "warpline_buffer", 15);
}

/* The row's metadata of the kernel, one operand longer. */
static int extend_metadata(LLVMContextRef context, LLVMValueRef kernel, size_t row, unsigned kind,
                           LLVMMetadataRef there, struct err *err)
{
	LLVMValueRef node = LLVMMetadataAsValue(context, there);
	unsigned count = LLVMGetMDNodeNumOperands(node);
	LLVMValueRef *values = array_alloc(count, sizeof(LLVMValueRef), "metadata", err);
	LLVMMetadataRef *operands =
		array_alloc(count + 1, sizeof(LLVMMetadataRef), "metadata", err);
	const char *text = metadata_rows[row].text;
	int ret = values && operands ? 0 : ERR_NOMEM;

	if (!ret) {
		LLVMGetMDNodeOperands(node, values);
		for (unsigned i = 0; i < count; i++)
			operands[i] = LLVMValueAsMetadata(values[i]);
		operands[count] = text ? LLVMMDStringInContext2(context, text, strlen(text))
		                       : LLVMValueAsMetadata(LLVMConstInt(
						 LLVMInt32TypeInContext(context), SPACE_GLOBAL, 0));
		LLVMGlobalSetMetadata(kernel, kind,
		                      LLVMMDNodeInContext2(context, operands, count + 1));
	}
	free(values);
	free(operands);
	return ret;
}

static int copy_metadata(LLVMValueRef old, LLVMValueRef kernel, struct err *err)
{
	LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(old));
	size_t count;
	LLVMValueMetadataEntry *entries = LLVMGlobalCopyAllMetadata(old, &count);
	int ret = 0;

	for (unsigned i = 0; !ret && i < count; i++) {
		unsigned kind = LLVMValueMetadataEntriesGetKind(entries, i);
		LLVMMetadataRef there = LLVMValueMetadataEntriesGetMetadata(entries, i);

		LLVMGlobalSetMetadata(kernel, kind, there);
		for (size_t r = 0; r < sizeof(metadata_rows) / sizeof(metadata_rows[0]); r++) {
			const char *name = metadata_rows[r].kind;

			if (kind == LLVMGetMDKindIDInContext(context, name, (unsigned)strlen(name)))
				ret = extend_metadata(context, kernel, r, kind, there, err);
		}
	}
	LLVMDisposeValueMetadataEntries(entries);
	return ret;
}

int hidden_argument_append(LLVMValueRef old, LLVMValueRef *kernel, struct err *err)
{
	size_t length;
	char *name;
	int ret;

	/* A kernel that calls itself, or is handed to enqueue_kernel(). */
	if (LLVMGetFirstUse(old))
		return err_set(err, ERR_UNSUPPORTED,
		               "kernel %s: the program's own code refers to it",
		               LLVMGetValueName2(old, &length));
	name = str_copy(LLVMGetValueName2(old, &length), err);
	if (!name)
		return ERR_NOMEM;
	*kernel = create_like(old, err);
	ret = *kernel ? copy_attributes(old, *kernel, err) : ERR_NOMEM;
	if (!ret)
		ret = copy_metadata(old, *kernel, err);
	if (!ret)
		ret = nvvm_annotations_copy(old, *kernel, err);
	if (!ret) {
		move_code(old, *kernel);
		LLVMDeleteFunction(old);
		LLVMSetValueName2(*kernel, name, strlen(name));
	}
	free(name);
	return ret;
}
