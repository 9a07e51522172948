/* SPDX-License-Identifier: Apache-2.0 */
#include "text_parts.h"

#include "text_callee.h"
#include "text_kernel_metadata.h"

#include <llvm-c/Core.h>

#include <string.h>

static bool has_attribute(LLVMValueRef function, LLVMAttributeIndex index, const char *name)
{
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	return LLVMGetEnumAttributeAtIndex(function, index, kind) != NULL;
}

/* reqd_work_group_size(8, 8, 1) */
static void write_sizes(struct text_function *f, const char *kind, const char *attribute,
                        unsigned count)
{
	LLVMValueRef sizes[3];

	for (unsigned i = 0; i < count; i++) {
		sizes[i] = text_kernel_metadata_value(f->function, kind, i);
		if (!sizes[i] || !LLVMIsAConstantInt(sizes[i]))
			return;
	}
	text_put(f, "__attribute__((%s(", attribute);
	for (unsigned i = 0; i < count; i++)
		text_put(f, "%s%llu", i ? ", " : "", LLVMConstIntGetZExtValue(sizes[i]));
	text_put(f, ")))\n");
}

static void write_vector_hint(struct text_function *f)
{
	LLVMValueRef type = text_kernel_metadata_value(f->function, "vec_type_hint", 0);
	LLVMValueRef is_signed = text_kernel_metadata_value(f->function, "vec_type_hint", 1);

	if (!type || !is_signed || !LLVMIsAConstantInt(is_signed))
		return;
	text_put(f, "__attribute__((vec_type_hint(%s)))\n",
	         LLVMIsNull(is_signed) ? text_type(f, LLVMTypeOf(type))
	                               : text_type_signed(f, LLVMTypeOf(type)));
}

static void write_parameter(struct text_function *f, LLVMValueRef parameter, unsigned index)
{
	LLVMTypeRef type = LLVMTypeOf(parameter), by_value = text_by_value(f->function, index);
	const char *object = text_object_type(f, parameter);

	if (object)
		text_put(f, "%s ", object);
	else
		text_put(f, "%s ", text_type(f, by_value ? by_value : type));
	if (!by_value && has_attribute(f->function, index + 1, "noalias"))
		text_put(f, "restrict ");
	text_put(f, "a%u", index);
}

void text_signature(struct text_function *f, const char *name)
{
	LLVMTypeRef type = LLVMGlobalGetValueType(f->function);
	unsigned count = LLVMCountParams(f->function);

	if (f->is_kernel) {
		write_sizes(f, "reqd_work_group_size", "reqd_work_group_size", 3);
		write_sizes(f, "work_group_size_hint", "work_group_size_hint", 3);
		write_sizes(f, "intel_reqd_sub_group_size", "intel_reqd_sub_group_size", 1);
		write_vector_hint(f);
		text_put(f, "__kernel void %s(", name);
	} else {
		if (has_attribute(f->function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
		                  "noinline"))
			text_put(f, "__attribute__((noinline)) ");
		text_put(f, "%s %s(", text_type(f, LLVMGetReturnType(type)), name);
	}
	if (LLVMIsFunctionVarArg(type))
		text_refuse(f, "a function with a variable number of arguments");
	for (unsigned i = 0; i < count; i++) {
		text_put(f, i ? ", " : "");
		write_parameter(f, LLVMGetParam(f->function, i), i);
	}
	text_put(f, count ? ")" : "void)");
}
