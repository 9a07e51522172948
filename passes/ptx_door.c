/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_door.h"

#include "err.h"
#include "program.h"
#include "ptx_target.h"
#include "str.h"

#include <llvm-c/Core.h>
#include <llvm-c/TargetMachine.h>

#include <stdbool.h>
#include <string.h>

/* What every driver has. */
static const char *const driver_functions[] = { "vprintf", "malloc", "free", "__assertfail" };

static bool is_of_driver(const char *name)
{
	for (size_t i = 0; i < sizeof(driver_functions) / sizeof(driver_functions[0]); i++)
		if (!strcmp(name, driver_functions[i]))
			return true;
	return false;
}

static int check_declarations(LLVMModuleRef module, struct err *err)
{
	LLVMValueRef f = LLVMGetFirstFunction(module);

	for (; f; f = LLVMGetNextFunction(f)) {
		size_t length;
		const char *name = LLVMGetValueName2(f, &length);

		if (!LLVMIsDeclaration(f) || LLVMGetIntrinsicID(f) || is_of_driver(name) ||
		    !LLVMGetFirstUse(f))
			continue;
		return err_set(err, ERR_UNSUPPORTED,
		               "ptx: the program calls %s, which is neither in it nor one of the "
		               "functions that the PTX door has",
		               name);
	}
	return 0;
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
	int ret = check_declarations(p->module, err);

	if (!ret)
		ret = ptx_target_create(p->settings->gpu_arch, &machine, err);
	if (ret)
		return ret;
	ret = emit(p, machine, out, err);
	LLVMDisposeTargetMachine(machine);
	return ret;
}
