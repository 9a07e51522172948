/* SPDX-License-Identifier: Apache-2.0 */
#include "retarget.h"

#include "cuda_call.h"
#include "cuda_calls.h"
#include "err.h"
#include "inline_ptx.h"
#include "retarget_private.h"
#include "steps.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

#define TRIPLE "nvptx64-"
#define LAYOUT "e-i64:64-v16:16-v24:32-v32:32-v48:64-v96:128-v192:256-v256:256-v512:512-v1024:1024"

bool retarget_is_needed(LLVMModuleRef module)
{
	return !strncmp(LLVMGetTarget(module), TRIPLE, strlen(TRIPLE));
}

bool retarget_is_kernel(LLVMValueRef function)
{
	return program_is_kernel(function) && !LLVMIsDeclaration(function);
}

bool retarget_is_pointer(LLVMTypeRef type, unsigned space)
{
	return LLVMGetTypeKind(type) == LLVMPointerTypeKind &&
	       LLVMGetPointerAddressSpace(type) == space;
}

LLVMValueRef retarget_variable(LLVMValueRef pointer)
{
	while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer) ||
	       LLVMIsAAddrSpaceCastInst(pointer))
		pointer = LLVMGetOperand(pointer, 0);
	return LLVMIsAAllocaInst(pointer);
}

int retarget_each(LLVMValueRef function,
                  int (*visit)(void *context, LLVMValueRef instruction, struct err *err),
                  void *context, struct err *err)
{
	LLVMBasicBlockRef node = LLVMGetFirstBasicBlock(function);
	int ret = 0;

	for (; !ret && node; node = LLVMGetNextBasicBlock(node)) {
		LLVMValueRef i = LLVMGetFirstInstruction(node), next;

		for (; !ret && i; i = next) {
			next = LLVMGetNextInstruction(i);
			ret = visit(context, i, err);
		}
	}
	return ret;
}

int retarget_each_kernel(LLVMModuleRef module,
                         int (*visit)(void *context, LLVMValueRef instruction, struct err *err),
                         void *context, struct err *err)
{
	LLVMValueRef f = LLVMGetFirstFunction(module);
	int ret = 0;

	for (; !ret && f; f = LLVMGetNextFunction(f))
		if (retarget_is_kernel(f))
			ret = retarget_each(f, visit, context, err);
	return ret;
}

/* What lower_cuda_calls() says of a kernel goes into its row. */
static int take_refusal(struct cuda_kernel *row, LLVMValueRef kernel, struct err *err)
{
	LLVMAttributeRef said = LLVMGetStringAttributeAtIndex(
		kernel, (LLVMAttributeIndex)LLVMAttributeFunctionIndex, CUDA_REFUSAL,
		sizeof(CUDA_REFUSAL) - 1);
	unsigned length;

	if (!said || row->refusal)
		return 0;
	row->refusal = str_copy(LLVMGetStringAttributeValue(said, &length), err);
	return row->refusal ? 0 : ERR_NOMEM;
}

/* Take the kernels that are refused out of the code. */
static int drop_refused(struct program *p, struct err *err)
{
	LLVMValueRef f = LLVMGetFirstFunction(p->module), next;

	for (; f; f = next) {
		struct cuda_kernel *row;
		size_t length;

		next = LLVMGetNextFunction(f);
		if (!retarget_is_kernel(f))
			continue;
		row = cuda_table_kernel(p->cuda, LLVMGetValueName2(f, &length));
		if (row && take_refusal(row, f, err))
			return ERR_NOMEM;
		if (row && row->refusal)
			LLVMDeleteFunction(f);
	}
	return 0;
}

static void note_version(struct program *p, const char *name, unsigned major, unsigned minor)
{
	LLVMTypeRef type = LLVMInt32TypeInContext(p->context);
	LLVMValueRef numbers[] = { LLVMConstInt(type, major, 0), LLVMConstInt(type, minor, 0) };

	if (!LLVMGetNamedMetadataNumOperands(p->module, name))
		LLVMAddNamedMetadataOperand(p->module, name,
		                            LLVMMDNodeInContext(p->context, numbers, 2));
}

/* Variables that hidden arguments stand for are of no use in the code any more. */
static void drop_symbols(struct program *p)
{
	const struct cuda_symbol *symbols = p->cuda->symbols.data;

	for (size_t i = 0; i < p->cuda->symbols.count; i++) {
		LLVMValueRef v = LLVMGetNamedGlobal(p->module, symbols[i].name);

		if (!v)
			continue;
		LLVMSetLinkage(v, LLVMInternalLinkage);
		LLVMSetInitializer(v, LLVMGetUndef(LLVMGlobalGetValueType(v)));
	}
}

/* Variables that stay in memory count as local memory of CUDA's. */
static int count_local(void *context, LLVMValueRef i, struct err *err)
{
	struct program *p = context;
	LLVMValueRef kernel = LLVMGetBasicBlockParent(LLVMGetInstructionParent(i));
	struct cuda_kernel *row;
	size_t length;

	(void)err;
	if (!LLVMIsAAllocaInst(i))
		return 0;
	row = cuda_table_kernel(p->cuda, LLVMGetValueName2(kernel, &length));
	if (row)
		row->local_bytes += LLVMABISizeOfType(LLVMGetModuleDataLayout(p->module),
		                                      LLVMGetAllocatedType(i));
	return 0;
}

static int name_target(struct program *p, struct err *err)
{
	if (retarget_each_kernel(p->module, count_local, p, err))
		return ERR_NOMEM;
	drop_symbols(p);
	LLVMSetTarget(p->module, "spir64-unknown-unknown");
	LLVMSetDataLayout(p->module, LAYOUT);
	note_version(p, "opencl.ocl.version", 1, 2);
	note_version(p, "opencl.spir.version", 1, 2);
	LLVMAddNamedMetadataOperand(p->module, "warpline.cuda",
	                            LLVMMDNodeInContext(p->context, NULL, 0));
	return program_run_passes(p, "globaldce", err);
}

static int (*const stages[])(struct program *, struct err *) = {
	retarget_find_kernels,
	retarget_find_symbols,
	inline_ptx_read,
	inline_calls,
	retarget_check_calls,
	drop_refused,
	retarget_rebuild_kernels,
	drop_refused,
	retarget_private_memory,
	retarget_spaces,
	drop_refused,
	lower_cuda_calls,
	drop_refused,
	retarget_lift_variables,
	name_target,
};

int retarget(struct program *p, struct err *err)
{
	int ret = 0;

	if (!retarget_is_needed(p->module) || setting_is(p->settings->door, "ptx"))
		return 0;
	p->cuda = array_alloc(1, sizeof(*p->cuda), "the table of CUDA kernels", err);
	if (!p->cuda)
		return ERR_NOMEM;
	cuda_table_init(p->cuda);
	for (size_t i = 0; !ret && i < sizeof(stages) / sizeof(stages[0]); i++)
		ret = stages[i](p, err);
	return ret;
}
