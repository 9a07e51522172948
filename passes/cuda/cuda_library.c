/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_library.h"

#include "cuda_bitcode.h"
#include "cuda_call.h"
#include "err.h"
#include "program.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/Linker.h>

#include <stdbool.h>
#include <string.h>

static bool is_ours(LLVMValueRef function)
{
	size_t length;

	return !strncmp(LLVMGetValueName2(function, &length), CUDA_LIBRARY_PREFIX,
	                strlen(CUDA_LIBRARY_PREFIX));
}

static bool is_needed(LLVMModuleRef module)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		if (LLVMIsDeclaration(f) && is_ours(f) && LLVMGetFirstUse(f))
			return true;
	return false;
}

static int parse(struct program *p, LLVMModuleRef *library, struct err *err)
{
	const char *triple = LLVMGetTarget(p->module);
	LLVMMemoryBufferRef buffer;
	int failed;

	if (strncmp(triple, "spir64-", 7) != 0)
		return err_set(err, ERR_UNSUPPORTED,
		               "the program is compiled for '%s', expected spir64", triple);
	buffer = LLVMCreateMemoryBufferWithMemoryRange((const char *)cuda_bitcode_64,
	                                               cuda_bitcode_64_bytes, "cuda_library", 0);
	failed = LLVMParseBitcodeInContext2(p->context, buffer, library);
	LLVMDisposeMemoryBuffer(buffer);
	return failed ? err_set(err, ERR_UNSUPPORTED, "the CUDA library does not parse") : 0;
}

/* Not of the library, though named as if: lower_syncs() takes them (sync_kind.h). */
static bool is_sync(const char *name)
{
	return !strcmp(name, "warpline_cuda_sync") || !strcmp(name, "warpline_cuda_group_sync");
}

/* What the program calls must be there. */
static int check_names(struct program *p, LLVMModuleRef library, struct err *err)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f)) {
		size_t length;
		const char *name = LLVMGetValueName2(f, &length);

		if (is_ours(f) && LLVMGetFirstUse(f) && !is_sync(name) &&
		    !LLVMGetNamedFunction(library, name))
			return err_set(err, ERR_UNSUPPORTED,
			               "%s: the program calls %s, which is not there",
			               p->settings->source, name);
	}
	return 0;
}

/* What the program declares must be what the library has. */
static int check_types(struct program *p, LLVMModuleRef library, struct err *err)
{
	for (LLVMValueRef f = LLVMGetFirstFunction(library); f; f = LLVMGetNextFunction(f)) {
		size_t length;
		const char *name = LLVMGetValueName2(f, &length);
		LLVMValueRef there = LLVMGetNamedFunction(p->module, name);

		if (!there || LLVMIsDeclaration(f))
			continue;
		if (!LLVMIsDeclaration(there) ||
		    LLVMGlobalGetValueType(there) != LLVMGlobalGetValueType(f))
			return err_set(err, ERR_UNSUPPORTED,
			               "%s: the program has a function %s with other types",
			               p->settings->source, name);
	}
	return 0;
}

/* OpenCL C has no word for LLVM's fence but mem_fence(). */
static void fence_in_words(struct program *p)
{
	LLVMValueRef function = LLVMGetNamedFunction(p->module, CUDA_LIBRARY_PREFIX "fence"), fence;
	LLVMTypeRef i32 = LLVMInt32TypeInContext(p->context);
	LLVMTypeRef type = LLVMFunctionType(LLVMVoidTypeInContext(p->context), &i32, 1, 0);
	LLVMValueRef flags = LLVMConstInt(i32, 3, 0), words, call;
	LLVMBuilderRef b;

	fence = function ? LLVMGetFirstInstruction(LLVMGetEntryBasicBlock(function)) : NULL;
	while (fence && !LLVMIsAFenceInst(fence))
		fence = LLVMGetNextInstruction(fence);
	if (!fence)
		return;
	words = LLVMGetNamedFunction(p->module, "_Z9mem_fencej");
	if (!words)
		words = LLVMAddFunction(p->module, "_Z9mem_fencej", type);
	LLVMSetFunctionCallConv(words, LLVMSPIRFUNCCallConv);
	b = LLVMCreateBuilderInContext(p->context);
	LLVMPositionBuilderBefore(b, fence);
	call = LLVMBuildCall2(b, type, words, &flags, 1, "");
	LLVMSetInstructionCallConv(call, LLVMSPIRFUNCCallConv);
	LLVMInstructionEraseFromParent(fence);
	LLVMDisposeBuilder(b);
}

int cuda_library_link(struct program *p, struct err *err)
{
	LLVMModuleRef library = NULL;
	int ret;

	if (!is_needed(p->module))
		return 0;
	ret = parse(p, &library, err);
	if (!ret)
		ret = check_names(p, library, err);
	if (!ret)
		ret = check_types(p, library, err);
	if (ret) {
		if (library)
			LLVMDisposeModule(library);
		return ret;
	}
	/* The linker takes the library over in every case. */
	if (LLVMLinkModules2(p->module, library))
		return err_set(err, ERR_UNSUPPORTED, "the CUDA library cannot be linked");
	for (LLVMValueRef f = LLVMGetFirstFunction(p->module); f; f = LLVMGetNextFunction(f))
		if (is_ours(f) && !LLVMIsDeclaration(f))
			LLVMSetLinkage(f, LLVMInternalLinkage);
	if (setting_is(p->settings->door, "text"))
		fence_in_words(p);
	return 0;
}
