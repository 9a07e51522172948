/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

#include "cuda_library.h"
#include "define_operations.h"
#include "err.h"
#include "program.h"
#include "ptx_library.h"
#include "retarget.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/DebugInfo.h>

#include <string.h>

#define PASSES      "always-inline,function(sroa,simplifycfg),globaldce"
#define KEEPS_FLOWS "always-inline,function(sroa),globaldce"

/*
 * Calls that were put in have no place in the source, which a function that has places must not
 * have: they get line 0 of it.
 */
static void place_calls(LLVMContextRef c, LLVMValueRef function)
{
	LLVMMetadataRef scope = LLVMGetSubprogram(function), nowhere;

	if (!scope)
		return;
	nowhere = LLVMDIBuilderCreateDebugLocation(c, 0, 0, scope, NULL);
	for (LLVMBasicBlockRef n = LLVMGetFirstBasicBlock(function); n;
	     n = LLVMGetNextBasicBlock(n))
		for (LLVMValueRef i = LLVMGetFirstInstruction(n); i; i = LLVMGetNextInstruction(i))
			if (LLVMIsACallInst(i) && !LLVMInstructionGetDebugLoc(i))
				LLVMInstructionSetDebugLoc(i, nowhere);
}

/* Notes for an optimiser that the inliner leaves, and that some devices take for functions. */
static void drop_notes(LLVMModuleRef module)
{
	static const char name[] = "llvm.experimental.noalias.scope.decl";
	LLVMValueRef function = LLVMGetNamedFunction(module, name);
	LLVMUseRef use;

	if (!function)
		return;
	while ((use = LLVMGetFirstUse(function)))
		LLVMInstructionEraseFromParent(LLVMGetUser(use));
	LLVMDeleteFunction(function);
}

/* Put a call of a builtin to the begin of its kernel. */
static void raise_call(LLVMBuilderRef b, LLVMValueRef call)
{
	LLVMValueRef kernel = LLVMGetBasicBlockParent(LLVMGetInstructionParent(call));
	LLVMValueRef at = LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(kernel));

	while (LLVMIsAAllocaInst(at))
		at = LLVMGetNextInstruction(at);
	if (at == call)
		return;
	LLVMInstructionRemoveFromParent(call);
	LLVMPositionBuilderBefore(b, at);
	LLVMInsertIntoBuilder(b, call);
}

/*
 * Ask for what all work-items of a group share at the begin of kernels. Asked for in a loop between
 * barriers, POCL 3.1 may leave it without a value: its library of the kernel then lacks a symbol,
 * and the program is aborted.
 */
static void raise_ids(LLVMModuleRef module)
{
	static const char *const names[] = { "_Z12get_group_idj", "_Z14get_num_groupsj",
		                             "_Z14get_local_sizej", "_Z15get_global_sizej",
		                             "_Z17get_global_offsetj" };
	LLVMBuilderRef b = LLVMCreateBuilderInContext(LLVMGetModuleContext(module));

	for (size_t i = 0; i < sizeof(names) / sizeof(names[0]); i++) {
		LLVMValueRef function = LLVMGetNamedFunction(module, names[i]);
		LLVMUseRef use = function ? LLVMGetFirstUse(function) : NULL;

		for (; use; use = LLVMGetNextUse(use)) {
			LLVMValueRef call = LLVMGetUser(use);

			if (LLVMIsACallInst(call) && LLVMIsAConstant(LLVMGetOperand(call, 0)))
				raise_call(b, call);
		}
	}
	LLVMDisposeBuilder(b);
}

/* The text door names the places of what it refuses; nobody else needs any. */
static void finish_places(struct program *p)
{
	if (!setting_is(p->settings->door, "text")) {
		LLVMStripModuleDebugInfo(p->module);
		return;
	}
	for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
		place_calls(p->context, f);
}

int finish_code(struct program *p, struct err *err)
{
	char *message = NULL;
	int ret = cuda_library_link(p, err);

	if (!ret)
		ret = ptx_library_link(p, err);

	finish_places(p);
	if (program_is_cuda(p) || retarget_is_needed(p->module)) {
		define_values(p->module);
		define_overflow(p->module);
	}
	if (!ret)
		ret = program_run_passes(p, p->keeps_flows ? KEEPS_FLOWS : PASSES, err);
	if (!ret)
		drop_notes(p->module);
	if (!ret && program_is_cuda(p))
		raise_ids(p->module);
	if (!ret && LLVMVerifyModule(p->module, LLVMReturnStatusAction, &message))
		ret = err_set(err, ERR_UNSUPPORTED, "%s: the instrumented code is not valid: %.*s",
		              p->settings->source, (int)strcspn(message, "\n"), message);
	LLVMDisposeMessage(message);
	return ret;
}
