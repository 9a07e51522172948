/* SPDX-License-Identifier: Apache-2.0 */
#include "device_module.h"

#include "carried_code.h"
#include "err.h"
#include "program.h"

#include <llvm-c/BitWriter.h>
#include <llvm-c/Core.h>

#define IS_CUDA "warpline.cuda"

int device_module_is_cuda(LLVMModuleRef module)
{
	return LLVMGetNamedMetadataNumOperands(module, IS_CUDA) > 0;
}

int device_module_keep(struct program *p, struct err *err)
{
	if (!setting_is(p->settings->keep_device, "1") || !device_module_is_cuda(p->module))
		return 0;
	p->device = LLVMWriteBitcodeToMemoryBuffer(p->module);
	return p->device ? 0 : err_set(err, ERR_NOMEM, "out of memory for device code");
}

int device_module_append(const struct program *p, struct str *text, struct err *err)
{
	if (!p->device)
		return 0;
	return carried_code_append(text, LLVMGetBufferStart(p->device),
	                           LLVMGetBufferSize(p->device), err);
}
