/* SPDX-License-Identifier: Apache-2.0 */
/* The text of a PTX module, as the instrumenter takes it from strangers' binaries: what is read is
 * a module that LLVM finds valid. */
#include "fuzz.h"

#include "err.h"
#include "ptx_reader.h"

#include <llvm-c/Analysis.h>
#include <llvm-c/Core.h>
#include <stdio.h>
#include <stdlib.h>

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
	LLVMContextRef context = LLVMContextCreate();
	LLVMModuleRef module = NULL;
	struct err err = { 0 };
	char *fault = NULL;
	int ret;

	fuzz_write("in.ptx", data, size);
	ret = ptx_reader_run(context, fuzz_path("in.ptx"), "in.ptx", &module, &err);
	fuzz_assert(!ret == !!module, "there is a module or an error");
	fuzz_assert(!ret || err.msg[0], "what is refused has a reason");
	if (module && LLVMVerifyModule(module, LLVMReturnStatusAction, &fault)) {
		fprintf(stderr, "%s\n", fault);
		fuzz_assert(0, "what is read is a valid module");
	}
	LLVMDisposeMessage(fault);
	if (module)
		LLVMDisposeModule(module);
	LLVMContextDispose(context);
	return 0;
}
