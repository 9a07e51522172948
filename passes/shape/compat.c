/* SPDX-License-Identifier: Apache-2.0 */
#include "compat.h"

#include "compat_bitcode.h"
#include "err.h"

#include <llvm-c/BitReader.h>
#include <llvm-c/Core.h>
#include <llvm-c/Linker.h>

#include <stdbool.h>
#include <string.h>

static int parse(LLVMModuleRef module, LLVMModuleRef *library, struct err *err)
{
	const char *triple = LLVMGetTarget(module);
	bool is_wide = !strncmp(triple, "spir64-", 7);
	LLVMMemoryBufferRef buffer;
	int failed;

	if (!is_wide && strncmp(triple, "spir-", 5) != 0)
		return err_set(err, ERR_UNSUPPORTED,
		               "the program is compiled for '%s', expected spir or spir64", triple);
	buffer = LLVMCreateMemoryBufferWithMemoryRange(
		(const char *)(is_wide ? compat_bitcode_64 : compat_bitcode_32),
		is_wide ? compat_bitcode_64_bytes : compat_bitcode_32_bytes, "compat", 0);
	failed = LLVMParseBitcodeInContext2(LLVMGetModuleContext(module), buffer, library);
	LLVMDisposeMemoryBuffer(buffer);
	return failed ? err_set(err, ERR_UNSUPPORTED, "the compat library does not parse") : 0;
}

/* The names that the library defines must be free, or belong to functions of no other module. */
static int link_library(LLVMModuleRef module, LLVMModuleRef library, struct err *err)
{
	LLVMValueRef f = LLVMGetFirstFunction(library), there;

	for (; f; f = LLVMGetNextFunction(f)) {
		size_t length;
		const char *name = LLVMGetValueName2(f, &length);

		there = LLVMIsDeclaration(f) ? NULL : LLVMGetNamedFunction(module, name);
		if (there && LLVMGetLinkage(f) != LLVMInternalLinkage) {
			int ret = err_set(err, ERR_UNSUPPORTED,
			                  "the program has a function %s; names that begin with "
			                  "'warpline_' are taken",
			                  name);

			LLVMDisposeModule(library);
			return ret;
		}
	}
	/* The linker takes the library over in every case. */
	if (LLVMLinkModules2(module, library))
		return err_set(err, ERR_UNSUPPORTED, "the compat library cannot be linked");
	return 0;
}

int compat_function(LLVMModuleRef module, const char *name, LLVMValueRef *function, struct err *err)
{
	LLVMModuleRef library = NULL;
	int ret;

	*function = LLVMGetNamedFunction(module, name);
	if (*function && LLVMGetLinkage(*function) == LLVMInternalLinkage)
		return 0;
	ret = parse(module, &library, err);
	if (!ret)
		ret = link_library(module, library, err);
	if (ret)
		return ret;
	for (LLVMValueRef f = LLVMGetFirstFunction(module); f; f = LLVMGetNextFunction(f)) {
		size_t length;

		if (!LLVMIsDeclaration(f) &&
		    !strncmp(LLVMGetValueName2(f, &length), "warpline_", strlen("warpline_")))
			LLVMSetLinkage(f, LLVMInternalLinkage);
	}
	*function = LLVMGetNamedFunction(module, name);
	if (!*function)
		return err_set(err, ERR_UNSUPPORTED, "the compat library has no %s", name);
	return 0;
}
