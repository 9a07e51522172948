/* SPDX-License-Identifier: Apache-2.0 */
#include "probe_runtime.h"

#include "err.h"
#include "probe_bitcode.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/Linker.h>

#include <stdbool.h>
#include <stddef.h>
#include <string.h>

#define PREFIX "warpline_"

static const struct {
	const char *name;
	size_t offset; /* of its field in struct probe_runtime */
} rows[] = {
	{ PREFIX "enter", offsetof(struct probe_runtime, enter) },
	{ PREFIX "is_first", offsetof(struct probe_runtime, is_first) },
	{ PREFIX "argument", offsetof(struct probe_runtime, argument) },
	{ PREFIX "probe", offsetof(struct probe_runtime, probe) },
	{ PREFIX "epoch", offsetof(struct probe_runtime, epoch) },
	{ PREFIX "fence", offsetof(struct probe_runtime, fence) },
	{ PREFIX "leave", offsetof(struct probe_runtime, leave) },
};

static int parse(LLVMModuleRef module, LLVMModuleRef *runtime, struct err *err)
{
	const char *triple = LLVMGetTarget(module);
	bool is_wide = !strncmp(triple, "spir64-", 7);
	LLVMMemoryBufferRef buffer;
	int failed;

	if (!is_wide && strncmp(triple, "spir-", 5) != 0)
		return err_set(err, ERR_UNSUPPORTED,
		               "the program is compiled for '%s', expected spir or spir64", triple);
	buffer = LLVMCreateMemoryBufferWithMemoryRange(
		(const char *)(is_wide ? probe_bitcode_64 : probe_bitcode_32),
		is_wide ? probe_bitcode_64_bytes : probe_bitcode_32_bytes, "probe", 0);
	failed = LLVMParseBitcodeInContext2(LLVMGetModuleContext(module), buffer, runtime);
	LLVMDisposeMemoryBuffer(buffer);
	return failed ? err_set(err, ERR_UNSUPPORTED, "the probe runtime does not parse") : 0;
}

/* A program that defines or calls such names itself would be linked to ours. */
static int check_names(LLVMModuleRef module, struct err *err)
{
	LLVMValueRef f = LLVMGetFirstFunction(module);

	for (; f; f = LLVMGetNextFunction(f)) {
		size_t length;
		const char *name = LLVMGetValueName2(f, &length);

		if (!strncmp(name, PREFIX, strlen(PREFIX)))
			return err_set(err, ERR_UNSUPPORTED,
			               "the program has a function %s; names that begin with "
			               "'" PREFIX "' are taken",
			               name);
	}
	return 0;
}

int probe_runtime_link(struct probe_runtime *r, LLVMModuleRef module, struct err *err)
{
	LLVMTypeRef types[5];
	LLVMModuleRef runtime = NULL;
	LLVMValueRef f;
	int ret = check_names(module, err);

	if (!ret)
		ret = parse(module, &runtime, err);
	if (ret)
		return ret;
	/* The linker takes the runtime over in every case. */
	if (LLVMLinkModules2(module, runtime))
		return err_set(err, ERR_UNSUPPORTED, "the probe runtime cannot be linked");
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		f = LLVMGetNamedFunction(module, rows[i].name);
		*(LLVMValueRef *)(void *)((char *)r + rows[i].offset) = f;
	}
	for (f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		size_t length;

		if (!strncmp(LLVMGetValueName2(f, &length), PREFIX, strlen(PREFIX)))
			LLVMSetLinkage(f, LLVMInternalLinkage);
	}
	LLVMGetParamTypes(LLVMGlobalGetValueType(r->probe), types);
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
