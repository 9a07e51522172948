/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_door.h"

#include "cuda_call.h"
#include "err.h"
#include "program.h"
#include "ptx_bypass.h"
#include "ptx_mend.h"
#include "ptx_target.h"
#include "str.h"

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

#include <stdbool.h>
#include <string.h>

/* What every driver has, and what the back end answers itself (libdevice asks it). */
static const char *const known_functions[] = { "vprintf", "malloc", "free", "__assertfail",
	                                       "__nvvm_reflect" };

static bool is_known(const char *name)
{
	for (size_t i = 0; i < sizeof(known_functions) / sizeof(known_functions[0]); i++)
		if (!strcmp(name, known_functions[i]))
			return true;
	return false;
}

static int check_declarations(LLVMModuleRef module, struct err *err)
{
	LLVMValueRef f = LLVMGetFirstFunction(module);

	for (; f; f = LLVMGetNextFunction(f)) {
		size_t length;
		const char *name = LLVMGetValueName2(f, &length);

		if (!LLVMIsDeclaration(f) || LLVMGetIntrinsicID(f) || is_known(name) ||
		    !LLVMGetFirstUse(f))
			continue;
		return err_set(err, ERR_UNSUPPORTED,
		               "ptx: the program calls %s, which is neither in it nor one of the "
		               "functions that the PTX door has",
		               name);
	}
	return 0;
}

/* Kernels that the reader of the source could not read have no code, and are left out. */
static void drop_unread(struct program *p)
{
	for (size_t i = 0; i < p->kernel_count; i++) {
		LLVMValueRef *function = &p->kernels[i].function;

		if (!cuda_call_refusal(*function))
			continue;
		LLVMDeleteFunction(*function);
		*function = NULL;
	}
}

static int emit(struct program *p, LLVMTargetMachineRef machine, struct str *out, struct err *err)
{
	LLVMMemoryBufferRef buffer;
	char *message = NULL;
	int ret;

	if (LLVMTargetMachineEmitToMemoryBuffer(machine, p->module, LLVMAssemblyFile, &message,
	                                        &buffer)) {
		ret = err_set(err, ERR_UNSUPPORTED, "ptx: %.*s", (int)strcspn(message, "\n"),
		              message);
		LLVMDisposeMessage(message);
		return ret;
	}
	ret = str_append(out, LLVMGetBufferStart(buffer), LLVMGetBufferSize(buffer), err);
	LLVMDisposeMemoryBuffer(buffer);
	return ret;
}

int ptx_door_write(struct program *p, struct str *out, struct err *err)
{
	LLVMTargetMachineRef machine;
	int ret;

	drop_unread(p);
	ptx_mend(p->module);
	ret = ptx_bypass_apply(p, err);
	if (!ret)
		ret = check_declarations(p->module, err);
	if (!ret)
		ret = ptx_target_create(p->settings->gpu_arch, &machine, err);
	if (ret)
		return ret;
	ret = emit(p, machine, out, err);
	LLVMDisposeTargetMachine(machine);
	return ret;
}
