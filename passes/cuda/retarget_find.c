/* SPDX-License-Identifier: Apache-2.0 */
#include "retarget_private.h"

#include "cuda_refusal.h"
#include "err.h"

#include <stdlib.h>
#include <string.h>

#define ANNOTATIONS "nvvm.annotations"

/* One property of a kernel, as an annotation says it. */
static void note_property(struct cuda_kernel *row, const char *name, uint64_t value)
{
	if (strncmp(name, "maxntid", 7) != 0 || !value || row->max_threads > UINT32_MAX / value)
		return;
	row->max_threads = (row->max_threads ? row->max_threads : 1) * value;
}

static const char *text_of(LLVMValueRef operand)
{
	unsigned length;

	return operand ? LLVMGetMDString(operand, &length) : NULL;
}

/* The row of a function that is named as a kernel, made when it is the first time. */
static struct cuda_kernel *row_of(struct program *p, LLVMValueRef function, bool is_new,
                                  struct err *err)
{
	size_t length;
	const char *name = LLVMGetValueName2(function, &length);
	struct cuda_kernel *row = cuda_table_kernel(p->cuda, name);

	if (row || !is_new)
		return row;
	LLVMSetFunctionCallConv(function, LLVMSPIRKERNELCallConv);
	return cuda_table_add_kernel(p->cuda, name, err);
}

static bool returns_nothing(LLVMValueRef function)
{
	LLVMTypeRef type = LLVMGetReturnType(LLVMGlobalGetValueType(function));

	return LLVMGetTypeKind(type) == LLVMVoidTypeKind;
}

/* An annotation: a function, then names and numbers by turns. */
static int read_annotation(struct program *p, LLVMValueRef const *operands, unsigned count,
                           bool is_first, struct err *err)
{
	LLVMValueRef function = operands[0] ? LLVMIsAFunction(operands[0]) : NULL;

	if (!function || LLVMIsDeclaration(function) || !returns_nothing(function))
		return 0;
	for (unsigned i = 1; i + 1 < count; i += 2) {
		const char *name = text_of(operands[i]);
		LLVMValueRef value = operands[i + 1] ? LLVMIsAConstantInt(operands[i + 1]) : NULL;
		bool is_kernel = name && !strcmp(name, "kernel");
		struct cuda_kernel *row;

		if (!name || !value || is_kernel != is_first)
			continue;
		row = row_of(p, function, is_first, err);
		if (!row && is_first)
			return ERR_NOMEM;
		if (row && !is_first)
			note_property(row, name, LLVMConstIntGetZExtValue(value));
	}
	return 0;
}

static int read_node(struct program *p, LLVMValueRef node, bool is_first, struct err *err)
{
	unsigned count = LLVMGetMDNodeNumOperands(node);
	LLVMValueRef *operands = array_alloc(count, sizeof(LLVMValueRef), "annotations", err);
	int ret = 0;

	if (!operands)
		return ERR_NOMEM;
	LLVMGetMDNodeOperands(node, operands);
	if (count)
		ret = read_annotation(p, operands, count, is_first, err);
	free(operands);
	return ret;
}

/* Kernels first, then what is said of them. */
int retarget_find_kernels(struct program *p, struct err *err)
{
	unsigned count = LLVMGetNamedMetadataNumOperands(p->module, ANNOTATIONS);
	LLVMValueRef *nodes = array_alloc(count, sizeof(LLVMValueRef), "annotations", err);
	int ret = 0;

	if (!nodes)
		return ERR_NOMEM;
	LLVMGetNamedMetadataOperands(p->module, ANNOTATIONS, nodes);
	for (unsigned i = 0; !ret && i < count; i++)
		ret = read_node(p, nodes[i], true, err);
	for (unsigned i = 0; !ret && i < count; i++)
		ret = read_node(p, nodes[i], false, err);
	free(nodes);
	return ret;
}

static int check_call(void *context, LLVMValueRef instruction, struct err *err)
{
	struct program *p = context;
	LLVMValueRef callee, function;
	size_t length;

	if (LLVMIsAInvokeInst(instruction) || LLVMIsACallBrInst(instruction))
		return cuda_refuse(p, instruction, err, "a call that may not return");
	if (!LLVMIsACallInst(instruction))
		return 0;
	callee = LLVMGetCalledValue(instruction);
	function = LLVMIsAFunction(callee);
	if (LLVMIsAInlineAsm(callee))
		return 0;
	if (!function)
		return cuda_refuse(p, instruction, err,
		                   "a call through a pointer, or of a virtual function");
	if (LLVMIsDeclaration(function))
		return 0;
	return cuda_refuse(p, instruction, err, "a call of %s, which calls itself",
	                   LLVMGetValueName2(function, &length));
}

int retarget_check_calls(struct program *p, struct err *err)
{
	return retarget_each_kernel(p->module, check_call, p, err);
}
