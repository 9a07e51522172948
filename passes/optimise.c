/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

#include "err.h"
#include "program.h"

#include <llvm-c/Error.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <stdbool.h>
#include <string.h>

/*
 * What a GPU's compiler does not do either: loops into calls of memset() and memcpy(), switches
 * into tables in memory.
 */
static const char *const restraints[] = { "no-builtins", "no-jump-tables" };

static void restrain(LLVMModuleRef module, bool is_on)
{
	LLVMContextRef context = LLVMGetModuleContext(module);
	LLVMAttributeIndex at = (LLVMAttributeIndex)LLVMAttributeFunctionIndex;
	LLVMValueRef f = LLVMGetFirstFunction(module);

	for (; f; f = LLVMGetNextFunction(f))
		for (size_t i = 0; i < sizeof(restraints) / sizeof(restraints[0]); i++) {
			unsigned length = (unsigned)strlen(restraints[i]);

			LLVMRemoveStringAttributeAtIndex(f, at, restraints[i], length);
			if (is_on)
				LLVMAddAttributeAtIndex(
					f, at,
					LLVMCreateStringAttribute(context, restraints[i], length,
				                                  "true", 4));
		}
}

int optimise(struct program *p, struct err *err)
{
	LLVMPassBuilderOptionsRef options;
	LLVMErrorRef error;
	int ret = 0;

	if (!p->settings->opt || strcmp(p->settings->opt, "2") != 0)
		return 0;
	restrain(p->module, true);
	options = LLVMCreatePassBuilderOptions();
	LLVMPassBuilderOptionsSetLoopUnrolling(options, 0);
	LLVMPassBuilderOptionsSetLoopVectorization(options, 0);
	LLVMPassBuilderOptionsSetSLPVectorization(options, 0);
	LLVMPassBuilderOptionsSetLoopInterleaving(options, 0);
	error = LLVMRunPasses(p->module, "default<O2>", NULL, options);
	if (error) {
		char *message = LLVMGetErrorMessage(error);

		ret = err_set(err, ERR_UNSUPPORTED, "LLVM passes 'default<O2>': %s", message);
		LLVMDisposeErrorMessage(message);
	}
	LLVMDisposePassBuilderOptions(options);
	restrain(p->module, false);
	return ret;
}
