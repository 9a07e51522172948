/* SPDX-License-Identifier: Apache-2.0 */
#include "steps.h"

#include "program.h"

#include <string.h>

static void remove_attribute(LLVMValueRef function, const char *name)
{
	LLVMRemoveEnumAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
	                               LLVMGetEnumAttributeKindForName(name, strlen(name)));
}

static void add_attribute(LLVMValueRef function, const char *name)
{
	LLVMContextRef context = LLVMGetModuleContext(LLVMGetGlobalParent(function));
	unsigned kind = LLVMGetEnumAttributeKindForName(name, strlen(name));

	LLVMAddAttributeAtIndex(function, (LLVMAttributeIndex)LLVMAttributeFunctionIndex,
	                        LLVMCreateEnumAttribute(context, kind, 0));
}

int inline_calls(struct program *p, struct err *err)
{
	LLVMValueRef f;
	int ret;

	for (f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f)) {
		if (LLVMIsDeclaration(f))
			continue;
		remove_attribute(f, "noinline");
		remove_attribute(f, "optnone");
		add_attribute(f, "alwaysinline");
		if (!program_is_kernel(f))
			LLVMSetLinkage(f, LLVMInternalLinkage);
	}
	ret = program_run_passes(p, "always-inline,globaldce", err);
	for (size_t i = 0; !ret && i < p->kernel_count; i++)
		remove_attribute(p->kernels[i].function, "alwaysinline");
	return ret;
}
