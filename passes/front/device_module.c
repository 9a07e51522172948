/* SPDX-License-Identifier: Apache-2.0 */
#include "device_module.h"

#include "err.h"
#include "program.h"

#include <llvm-c/BitWriter.h>
#include <llvm-c/IRReader.h>

#include <string.h>

#define METADATA "warpline.device"
#define IS_CUDA  "warpline.cuda"

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

int device_module_embed(struct program *p, struct err *err)
{
	LLVMMetadataRef text;

	(void)err;
	if (!p->device)
		return 0;
	text = LLVMMDStringInContext2(p->context, LLVMGetBufferStart(p->device),
	                              LLVMGetBufferSize(p->device));
	text = LLVMMDNodeInContext2(p->context, &text, 1);
	LLVMAddNamedMetadataOperand(p->module, METADATA, LLVMMetadataAsValue(p->context, text));
	return 0;
}

/* The bytes of the module inside, borrowed, or NULL. */
static const char *bytes_inside(LLVMModuleRef module, unsigned *length)
{
	LLVMValueRef node, text = NULL;

	if (LLVMGetNamedMetadataNumOperands(module, METADATA) != 1)
		return NULL;
	LLVMGetNamedMetadataOperands(module, METADATA, &node);
	if (LLVMGetMDNodeNumOperands(node) == 1)
		LLVMGetMDNodeOperands(node, &text);
	return text ? LLVMGetMDString(text, length) : NULL;
}

int device_module_unwrap(LLVMContextRef context, LLVMModuleRef *module, struct err *err)
{
	unsigned length = 0;
	const char *bytes = bytes_inside(*module, &length);
	LLVMModuleRef inside = NULL;
	char *message = NULL;
	int ret = 0;

	if (!bytes)
		return 0;
	/* The buffer belongs to the parser from here on. */
	if (LLVMParseIRInContext(context,
	                         LLVMCreateMemoryBufferWithMemoryRangeCopy(bytes, length, METADATA),
	                         &inside, &message)) {
		ret = err_set(err, ERR_FORMAT, "the device code in the module does not parse: %.*s",
		              message ? (int)strcspn(message, "\n") : 0, message ? message : "");
	} else {
		LLVMDisposeModule(*module);
		*module = inside;
	}
	LLVMDisposeMessage(message);
	return ret;
}
