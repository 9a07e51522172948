/* SPDX-License-Identifier: Apache-2.0 */
#include "retarget_private.h"

#include "err.h"

#include <string.h>

/* llvm.used and its like keep alive what no kernel uses. */
static void drop_keepers(LLVMModuleRef module)
{
	LLVMValueRef v = LLVMGetFirstGlobal(module), next;

	for (; v; v = next) {
		size_t length;

		next = LLVMGetNextGlobal(v);
		if (!strncmp(LLVMGetValueName2(v, &length), "llvm.", 5))
			LLVMDeleteGlobal(v);
	}
}

int retarget_find_symbols(struct program *p, struct err *err)
{
	LLVMValueRef v;

	drop_keepers(p->module);
	for (v = LLVMGetFirstGlobal(p->module); v; v = LLVMGetNextGlobal(v)) {
		unsigned space = LLVMGetPointerAddressSpace(LLVMTypeOf(v));
		struct cuda_symbol *row;
		size_t length;

		if (space == NVPTX_SHARED || LLVMIsDeclaration(v) ||
		    (LLVMIsGlobalConstant(v) && !LLVMIsExternallyInitialized(v)))
			continue;
		row = cuda_table_add_symbol(p->cuda, LLVMGetValueName2(v, &length), err);
		if (!row)
			return ERR_NOMEM;
		row->space = space == NVPTX_CONSTANT ? CUDA_CONSTANT : CUDA_GLOBAL;
		row->align = LLVMGetAlignment(v);
		row->bytes = LLVMABISizeOfType(LLVMGetModuleDataLayout(p->module),
		                               LLVMGlobalGetValueType(v));
	}
	return 0;
}
