/* SPDX-License-Identifier: Apache-2.0 */
#include "generic_marks.h"

#include "err.h"
#include "mark.h"
#include "node_split.h"
#include "pointer_origin.h"
#include "program.h"
#include "space_set.h"

#include <llvm-c/Core.h>
#include <llvm-c/DebugInfo.h>

#include <string.h>

/* What asks a generic pointer whether it points to a memory, as clang calls it: NULL if not. */
static const char *const question[] = {
	[SPACE_GLOBAL] = "__to_global", [SPACE_LOCAL] = "__to_local"
};

static void add_attribute(LLVMContextRef context, LLVMValueRef function, const char *name)
{
	LLVMAddAttributeAtIndex(
		function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
		LLVMCreateEnumAttribute(context,
	                                LLVMGetEnumAttributeKindForName(name, strlen(name)), 0));
}

static LLVMValueRef question_function(LLVMModuleRef module, unsigned space)
{
	LLVMContextRef context = LLVMGetModuleContext(module);
	LLVMTypeRef byte = LLVMInt8TypeInContext(context);
	LLVMTypeRef generic = LLVMPointerType(byte, SPACE_GENERIC);
	LLVMTypeRef type = LLVMFunctionType(LLVMPointerType(byte, space), &generic, 1, 0);
	LLVMValueRef function = LLVMGetNamedFunction(module, question[space]);

	if (function)
		return function;
	function = LLVMAddFunction(module, question[space], type);
	LLVMSetFunctionCallConv(function, LLVMSPIRFUNCCallConv);
	add_attribute(context, function, "readnone");
	add_attribute(context, function, "nounwind");
	add_attribute(context, function, "willreturn");
	return function;
}

/* A mark like this one, before `at`, of a pointer into one memory. */
static void put_like(const struct mark *mark, LLVMValueRef instruction, LLVMValueRef at,
                     LLVMValueRef pointer)
{
	struct mark resolved = *mark;

	LLVMInstructionSetDebugLoc(at, LLVMInstructionGetDebugLoc(instruction));
	resolved.pointer = pointer;
	mark_put(at, &resolved);
}

/* The memory of the pointer is known: ask nothing. */
static void mark_known(const struct mark *mark, LLVMValueRef instruction, unsigned space)
{
	LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(mark->pointer));
	LLVMTypeRef type = LLVMPointerType(LLVMInt8TypeInContext(context), space);
	LLVMBuilderRef b = LLVMCreateBuilderInContext(context);

	LLVMPositionBuilderBefore(b, instruction);
	put_like(mark, instruction, instruction,
	         LLVMBuildAddrSpaceCast(b, mark->pointer, type, ""));
	LLVMDisposeBuilder(b);
}

/* Let the pointer say at run time whether it points into `space`. */
static void mark_asked(const struct mark *mark, LLVMValueRef instruction, unsigned space,
                       LLVMModuleRef module)
{
	LLVMValueRef function = question_function(module, space), pointer = mark->pointer, jump;
	LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));
	LLVMTypeRef type;

	LLVMPositionBuilderBefore(b, instruction);
	LLVMGetParamTypes(LLVMGlobalGetValueType(function), &type);
	pointer = LLVMBuildBitCast(b, pointer, type, "");
	pointer = LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, &pointer, 1, "");
	LLVMSetInstructionCallConv(pointer, LLVMSPIRFUNCCallConv);
	LLVMInstructionSetDebugLoc(pointer, LLVMInstructionGetDebugLoc(instruction));
	jump = node_split(instruction, LLVMBuildICmp(b, LLVMIntNE, pointer,
	                                             LLVMConstNull(LLVMTypeOf(pointer)), ""));
	put_like(mark, instruction, jump, pointer);
	LLVMDisposeBuilder(b);
}

static int resolve(struct program *p, struct pointer_origin *origin, LLVMValueRef instruction,
                   const struct mark *mark, struct err *err)
{
	static const unsigned spaces[] = { SPACE_GLOBAL, SPACE_LOCAL };
	int ret = pointer_origin_find(origin, mark->pointer, err);

	for (size_t i = 0; !ret && i < sizeof(spaces) / sizeof(spaces[0]); i++) {
		if (!space_set_has(p->spaces, spaces[i]))
			continue;
		if (!origin->is_unknown && origin->spaces == 1u << spaces[i])
			mark_known(mark, instruction, spaces[i]);
		else if (origin->is_unknown || origin->spaces >> spaces[i] & 1)
			mark_asked(mark, instruction, spaces[i], p->module);
	}
	if (!ret)
		LLVMInstructionEraseFromParent(instruction);
	return ret;
}

static int resolve_kernel(struct program *p, LLVMValueRef function, struct err *err)
{
	LLVMBasicBlockRef node = LLVMGetFirstBasicBlock(function);
	struct pointer_origin origin;
	int ret = pointer_origin_init(&origin, function, err);

	for (; !ret && node; node = LLVMGetNextBasicBlock(node)) {
		LLVMValueRef i = LLVMGetFirstInstruction(node), next;

		for (; !ret && i; i = next) {
			struct mark mark;

			next = LLVMGetNextInstruction(i);
			if (mark_read(i, &mark) &&
			    LLVMGetPointerAddressSpace(LLVMTypeOf(mark.pointer)) == SPACE_GENERIC)
				ret = resolve(p, &origin, i, &mark, err);
		}
	}
	pointer_origin_release(&origin);
	return ret;
}

int generic_marks_resolve(struct program *p, struct err *err)
{
	int ret = 0;

	for (size_t k = 0; !ret && k < p->kernel_count; k++)
		ret = resolve_kernel(p, p->kernels[k].function, err);
	return ret;
}
