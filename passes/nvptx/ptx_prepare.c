/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

#include "cuda_call.h"
#include "err.h"
#include "ir_walk.h"
#include "kernel_names.h"
#include "llvm_api.h"
#include "memory_space.h"
#include "nvvm.h"
#include "program.h"
#include "retarget_private.h"
#include "str.h"

#include <llvm-c/Core.h>
#include <llvm-c/Target.h>
#include <llvm-c/Types.h>

#include <stdbool.h>
#include <string.h>

/*
 * Structures that a kernel of NVPTX is handed by value, made into registers.
 *
 * Such a parameter is memory, so what lies in it would seem to be loaded anew in each iteration of
 * a loop. Structures that are indexed by what is no constant stay as they are.
 */

#define DEPTH_MOST 32u

static bool is_read_in_parts(LLVMValueRef pointer, unsigned depth);

static bool has_constant_indices(LLVMValueRef gep)
{
	unsigned count = (unsigned)LLVMGetNumOperands(gep);

	for (unsigned i = 1; i < count; i++)
		if (!LLVMIsAConstantInt(LLVMGetOperand(gep, i)))
			return false;
	return true;
}

static bool is_plain_use(LLVMValueRef user, LLVMValueRef pointer, unsigned depth)
{
	if (LLVMIsALoadInst(user))
		return !LLVMGetVolatile(user);
	if (LLVMIsAMemCpyInst(user))
		return LLVMGetOperand(user, 1) == pointer &&
		       LLVMIsAConstantInt(LLVMGetOperand(user, 2));
	if (LLVMIsAGetElementPtrInst(user) && !has_constant_indices(user))
		return false;
	return (LLVMIsAGetElementPtrInst(user) || LLVMIsABitCastInst(user)) &&
	       is_read_in_parts(user, depth + 1);
}

/* Whether all that is done with an address is to read from it, at constant distances. */
static bool is_read_in_parts(LLVMValueRef pointer, unsigned depth)
{
	if (depth > DEPTH_MOST)
		return false;
	for (LLVMUseRef u = LLVMGetFirstUse(pointer); u; u = LLVMGetNextUse(u))
		if (!is_plain_use(LLVMGetUser(u), pointer, depth))
			return false;
	return true;
}

/* In bytes, as the parameter has it, which may be more than its type asks for. */
static unsigned alignment_of(LLVMValueRef kernel, unsigned parameter, unsigned least)
{
	LLVMAttributeRef attribute = LLVMGetEnumAttributeAtIndex(
		kernel, parameter + 1, LLVMGetEnumAttributeKindForName("align", 5));
	uint64_t alignment = attribute ? LLVMGetEnumAttributeValue(attribute) : 0;

	return alignment > least ? (unsigned)alignment : least;
}

static void copy(LLVMBuilderRef b, LLVMValueRef kernel, unsigned parameter)
{
	LLVMModuleRef module = LLVMGetGlobalParent(kernel);
	LLVMTargetDataRef layout = LLVMGetModuleDataLayout(module);
	LLVMValueRef argument = LLVMGetParam(kernel, parameter), variable;
	LLVMTypeRef type = memory_space_by_value(argument);
	LLVMTypeRef u64 = LLVMInt64TypeInContext(LLVMGetModuleContext(module));
	unsigned alignment = alignment_of(kernel, parameter, LLVMABIAlignmentOfType(layout, type));

	variable = LLVMBuildAlloca(b, type, "");
	LLVMSetAlignment(variable, alignment);
	LLVMReplaceAllUsesWith(argument, variable);
	LLVMBuildMemCpy(b, variable, alignment, argument, alignment,
	                LLVMConstInt(u64, LLVMABISizeOfType(layout, type), 0));
}

/* Copy what can be copied into variables in the entry, for LLVM to take apart. */
static void ptx_structures_copy(LLVMValueRef kernel)
{
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(kernel);
	LLVMBuilderRef b =
		LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(kernel)));

	LLVMPositionBuilderBefore(b, LLVMGetFirstInstruction(entry));
	for (unsigned i = 0; i < LLVMCountParams(kernel); i++) {
		LLVMValueRef argument = LLVMGetParam(kernel, i);

		if (memory_space_by_value(argument) && is_read_in_parts(argument, 0))
			copy(b, kernel, i);
	}
	LLVMDisposeBuilder(b);
}

static bool is_for_ptx(const struct program *p)
{
	return setting_is(p->settings->door, "ptx");
}

int ptx_find_kernels(struct program *p, struct err *err)
{
	if (!is_for_ptx(p))
		return 0;
	if (!memory_space_is_nvptx(p->module))
		return err_set(err, ERR_UNSUPPORTED,
		               "%s: the PTX door takes CUDA's device code, and this is compiled "
		               "for '%s'",
		               p->settings->source, LLVMGetTarget(p->module));
	return nvvm_annotations_apply(p->module, err);
}

/* Where code of a function's own begins: behind its variables. */
static LLVMBuilderRef builder_in_entry(LLVMValueRef function)
{
	LLVMBasicBlockRef entry = LLVMGetEntryBasicBlock(function);
	LLVMValueRef i = LLVMGetFirstInstruction(entry);
	LLVMBuilderRef b =
		LLVMCreateBuilderInContext(LLVMGetModuleContext(LLVMGetGlobalParent(function)));

	while (LLVMIsAAllocaInst(i))
		i = LLVMGetNextInstruction(i);
	LLVMPositionBuilderBefore(b, i);
	return b;
}

/*
 * In the place of `pointer`, the same by way of a pointer into the memory that it surely points to:
 * LLVM's own inference takes it from there. The builder stands behind it.
 */
static void tell_space(LLVMBuilderRef b, LLVMModuleRef module, LLVMValueRef pointer, unsigned space)
{
	LLVMTypeRef type = LLVMTypeOf(pointer);
	LLVMTypeRef known = llvm_pointer_in(type, memory_space_number(module, space));
	LLVMValueRef there, back;

	if (!LLVMGetFirstUse(pointer))
		return;
	there = LLVMBuildAddrSpaceCast(b, pointer, known, "");
	back = LLVMBuildAddrSpaceCast(b, there, type, "");
	LLVMReplaceAllUsesWith(pointer, back);
	LLVMSetOperand(there, 0, pointer);
}

static bool is_generic(LLVMModuleRef module, LLVMValueRef value)
{
	LLVMTypeRef type = LLVMTypeOf(value);

	return LLVMGetTypeKind(type) == LLVMPointerTypeKind &&
	       memory_space_of_type(module, type) == SPACE_GENERIC;
}

/* What the caller hands over points to global memory: that is all it has. */
static void tell_arguments(LLVMValueRef function)
{
	LLVMModuleRef module = LLVMGetGlobalParent(function);
	LLVMBuilderRef b = builder_in_entry(function);

	for (unsigned i = 0; i < LLVMCountParams(function); i++) {
		LLVMValueRef argument = LLVMGetParam(function, i);

		if (is_generic(module, argument) && !memory_space_by_value(argument))
			tell_space(b, module, argument, SPACE_GLOBAL);
	}
	LLVMDisposeBuilder(b);
}

/* Whether an address is inside a structure handed by value. */
static bool is_in_argument(LLVMValueRef pointer)
{
	while (LLVMIsAGetElementPtrInst(pointer) || LLVMIsABitCastInst(pointer))
		pointer = LLVMGetOperand(pointer, 0);
	return LLVMIsAArgument(pointer) && memory_space_by_value(pointer);
}

/* Pointers in such structures are the caller's too; variables that are left are private. */
static void tell_instruction(LLVMBuilderRef b, LLVMModuleRef module, LLVMValueRef i)
{
	LLVMPositionBuilderBefore(b, LLVMGetNextInstruction(i));
	if (LLVMIsAAllocaInst(i))
		tell_space(b, module, i, SPACE_PRIVATE);
	else if (is_in_argument(LLVMGetOperand(i, 0)))
		tell_space(b, module, i, SPACE_GLOBAL);
}

static void tell_values(LLVMValueRef function)
{
	LLVMModuleRef module = LLVMGetGlobalParent(function);
	LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));

	for (LLVMValueRef i = ir_first(function), next; i; i = next) {
		next = ir_next(i);
		if ((LLVMIsAAllocaInst(i) || LLVMIsALoadInst(i)) && is_generic(module, i))
			tell_instruction(b, module, i);
	}
	LLVMDisposeBuilder(b);
}

/* The function that a call calls and that is no declaration, or a pointer; else NULL. */
static LLVMValueRef own_callee(LLVMValueRef i)
{
	LLVMValueRef called = LLVMIsACallInst(i) ? LLVMGetCalledValue(i) : NULL;

	if (!called || LLVMIsAInlineAsm(called) ||
	    (LLVMIsAFunction(called) && LLVMIsDeclaration(called)))
		return NULL;
	return called;
}

/* The reader of the source says why it could not read a kernel. */
static int note_unread(struct kernel *k, struct err *err)
{
	const char *reason = cuda_call_refusal(k->function);

	if (!reason)
		return 0;
	k->table->refusal = str_copy(reason, err);
	return k->table->refusal ? 0 : ERR_NOMEM;
}

/* What is not inlined has no probes, and asks for the wrong group. */
static int refuse_calls(struct kernel *k, struct err *err)
{
	for (LLVMValueRef i = ir_first(k->function); i; i = ir_next(i)) {
		LLVMValueRef called = own_callee(i);
		size_t length;

		if (!called || k->table->refusal)
			continue;
		k->table->refusal =
			LLVMIsAFunction(called)
				? str_format(err, "ptx: a call of %s, which cannot be inlined",
		                             LLVMGetValueName2(called, &length))
				: str_copy("ptx: a call through a pointer", err);
		if (!k->table->refusal)
			return ERR_NOMEM;
	}
	return 0;
}

/* What the source calls a kernel's arguments, while it is still told. */
static int name_arguments(LLVMValueRef kernel, struct err *err)
{
	struct kernel_names names;
	int ret = kernel_names_init(&names, kernel, err);

	for (unsigned i = 0; !ret && i < LLVMCountParams(kernel); i++) {
		struct kernel_name name;

		ret = kernel_name_find(&name, LLVMGetParam(kernel, i), err);
		if (!ret)
			ret = kernel_names_set(&names, i, &name, err);
		kernel_name_release(&name);
	}
	if (!ret)
		ret = kernel_names_apply(&names, err);
	kernel_names_release(&names);
	return ret;
}

static int prepare(struct kernel *k, struct err *err)
{
	int ret = note_unread(k, err);

	if (!ret)
		ret = refuse_calls(k, err);
	return ret ? ret : name_arguments(k->function, err);
}

int ptx_infer_spaces(struct program *p, struct err *err)
{
	int ret = 0;

	if (!is_for_ptx(p))
		return 0;
	for (size_t i = 0; !ret && i < p->kernel_count; i++)
		ret = prepare(&p->kernels[i], err);
	if (!ret)
		ret = retarget_private_memory(p, err);
	for (size_t i = 0; !ret && i < p->kernel_count; i++)
		ptx_structures_copy(p->kernels[i].function);
	if (!ret)
		ret = retarget_private_memory(p, err);
	for (size_t i = 0; !ret && i < p->kernel_count; i++) {
		tell_arguments(p->kernels[i].function);
		tell_values(p->kernels[i].function);
	}
	return ret ? ret : infer_spaces(p, err);
}
