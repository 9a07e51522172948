/* SPDX-License-Identifier: Apache-2.0 */
#include "probe_runtime.h"

#include "cuda_call.h"
#include "err.h"
#include "probe_bitcode.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/Linker.h>

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define PREFIX "warpline_"
#define OTHERS "warpline_cuda_" /* libraries of ours that come later declare these */

static const struct {
	const char *name;
	size_t offset; /* of its field in struct probe_runtime */
} rows[] = {
#define PROBE_FUNCTION(name) { PREFIX #name, offsetof(struct probe_runtime, name) },
#include "probe_functions.def"
#undef PROBE_FUNCTION
};

/* The runtime for each target and number of lanes. */
static const struct {
	const char *triple; /* begins so */
	unsigned lanes;
	const unsigned char *bitcode;
	const size_t *bytes;
} forms[] = {
	{ "spir-", 1, probe_bitcode_spir_1, &probe_bitcode_spir_1_bytes },
	{ "spir-", 32, probe_bitcode_spir_32, &probe_bitcode_spir_32_bytes },
	{ "spir64-", 1, probe_bitcode_spir64_1, &probe_bitcode_spir64_1_bytes },
	{ "spir64-", 32, probe_bitcode_spir64_32, &probe_bitcode_spir64_32_bytes },
	{ "nvptx64-", 1, probe_bitcode_nvptx64_1, &probe_bitcode_nvptx64_1_bytes },
	{ "nvptx64-", 32, probe_bitcode_nvptx64_32, &probe_bitcode_nvptx64_32_bytes },
};

static int parse(LLVMModuleRef module, unsigned lanes, LLVMModuleRef *runtime, struct err *err)
{
	const char *triple = LLVMGetTarget(module);
	LLVMMemoryBufferRef buffer;
	size_t i = 0;
	int failed;

	while (i < sizeof(forms) / sizeof(forms[0]) &&
	       (forms[i].lanes != lanes ||
	        strncmp(triple, forms[i].triple, strlen(forms[i].triple)) != 0))
		i++;
	if (i == sizeof(forms) / sizeof(forms[0]))
		return err_set(err, ERR_UNSUPPORTED,
		               "the program is compiled for '%s', expected spir, spir64 or nvptx64",
		               triple);
	buffer = LLVMCreateMemoryBufferWithMemoryRange((const char *)forms[i].bitcode,
	                                               *forms[i].bytes, "probe", 0);
	failed = LLVMParseBitcodeInContext2(LLVMGetModuleContext(module), buffer, runtime);
	LLVMDisposeMemoryBuffer(buffer);
	return failed ? err_set(err, ERR_UNSUPPORTED, "the probe runtime does not parse") : 0;
}

bool probe_runtime_owns(LLVMValueRef function)
{
	size_t length;
	const char *name = LLVMGetValueName2(function, &length);

	return !strncmp(name, PREFIX, strlen(PREFIX)) &&
	       (strncmp(name, OTHERS, strlen(OTHERS)) != 0 || !LLVMIsDeclaration(function));
}

/* Declared for the CUDA library, which is linked later. */
static bool is_of_cuda(LLVMValueRef function)
{
	size_t length;

	return LLVMIsDeclaration(function) &&
	       !strncmp(LLVMGetValueName2(function, &length), CUDA_LIBRARY_PREFIX,
	                strlen(CUDA_LIBRARY_PREFIX));
}

/* A program that defines or calls such names itself would be linked to ours. */
static int check_names(LLVMModuleRef module, struct err *err)
{
	LLVMValueRef f = LLVMGetFirstFunction(module);

	for (; f; f = LLVMGetNextFunction(f)) {
		size_t length;

		if (probe_runtime_owns(f) && !is_of_cuda(f))
			return err_set(err, ERR_UNSUPPORTED,
			               "the program has a function %s; names that begin with "
			               "'" PREFIX "' are taken",
			               LLVMGetValueName2(f, &length));
	}
	return 0;
}

/*
 * SPIR libraries of some CPU runtimes have no mem_fence(). On a CPU the atomic behind it does.
 */
static void drop_fences(LLVMModuleRef runtime)
{
	LLVMValueRef fence = LLVMGetNamedFunction(runtime, "_Z9mem_fencej");
	LLVMUseRef use;

	if (!fence)
		return;
	while ((use = LLVMGetFirstUse(fence)))
		LLVMInstructionEraseFromParent(LLVMGetUser(use));
	LLVMDeleteFunction(fence);
}

int probe_runtime_link(struct probe_runtime *r, LLVMModuleRef module, unsigned lanes,
                       bool has_fences, struct err *err)
{
	LLVMTypeRef types[5];
	LLVMModuleRef runtime = NULL;
	LLVMValueRef f;
	int ret = check_names(module, err);

	if (!ret)
		ret = parse(module, lanes, &runtime, err);
	if (ret)
		return ret;
	if (!has_fences)
		drop_fences(runtime);
	/* The linker takes the runtime over in every case. */
	if (LLVMLinkModules2(module, runtime))
		return err_set(err, ERR_UNSUPPORTED, "the probe runtime cannot be linked");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		f = LLVMGetNamedFunction(module, rows[i].name);
		*(LLVMValueRef *)(void *)((char *)r + rows[i].offset) = f;
	}
	for (f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f))
		if (probe_runtime_owns(f) && !is_of_cuda(f))
			LLVMSetLinkage(f, LLVMInternalLinkage);
	LLVMGetParamTypes(LLVMGlobalGetValueType(r->point), types);
	r->item_type = LLVMGetElementType(types[0]);
	r->header_type = types[1];
	return 0;
}

LLVMValueRef probe_runtime_call(LLVMBuilderRef b, LLVMValueRef function, LLVMValueRef *arguments,
                                unsigned count)
{
	LLVMValueRef call =
		LLVMBuildCall2(b, LLVMGlobalGetValueType(function), function, arguments, count, "");

	LLVMSetInstructionCallConv(call, LLVMGetFunctionCallConv(function));
	return call;
}
