/* SPDX-License-Identifier: Apache-2.0 */
#include "infer_spaces.h"

#include "err.h"
#include "retarget_private.h"

#include <llvm-c/Error.h>
#include <llvm-c/Target.h>
#include <llvm-c/TargetMachine.h>
#include <llvm-c/Transforms/PassBuilder.h>

#include <string.h>

#define PASSES  "function(infer-address-spaces)"
#define MACHINE "sm_75"
#define NOTE    "warpline.volatile" /* metadata of what was volatile, which the pass skips */

static unsigned note_kind(LLVMValueRef i)
{
	LLVMContextRef context = LLVMGetTypeContext(LLVMTypeOf(i));

	return LLVMGetMDKindIDInContext(context, NOTE, sizeof(NOTE) - 1);
}

static int take_volatile(void *context, LLVMValueRef i, struct err *err)
{
	(void)err;
	if ((LLVMIsALoadInst(i) || LLVMIsAStoreInst(i)) && LLVMGetVolatile(i)) {
		LLVMSetVolatile(i, 0);
		LLVMSetMetadata(i, note_kind(i), LLVMMDNodeInContext(context, NULL, 0));
	}
	return 0;
}

static int give_volatile(void *context, LLVMValueRef i, struct err *err)
{
	(void)context;
	(void)err;
	if (LLVMHasMetadata(i) && LLVMGetMetadata(i, note_kind(i))) {
		LLVMSetVolatile(i, 1);
		LLVMSetMetadata(i, note_kind(i), NULL);
	}
	return 0;
}

static LLVMTargetMachineRef create_machine(struct err *err)
{
	LLVMTargetMachineRef machine;
	LLVMTargetRef target;
	char *message = NULL;

	LLVMInitializeNVPTXTargetInfo();
	LLVMInitializeNVPTXTarget();
	LLVMInitializeNVPTXTargetMC();
	if (LLVMGetTargetFromTriple("nvptx64-nvidia-cuda", &target, &message)) {
		err_set(err, ERR_UNSUPPORTED, "LLVM without NVPTX: %s", message);
		LLVMDisposeMessage(message);
		return NULL;
	}
	machine = LLVMCreateTargetMachine(target, "nvptx64-nvidia-cuda", MACHINE, "",
	                                  LLVMCodeGenLevelNone, LLVMRelocDefault,
	                                  LLVMCodeModelDefault);
	if (!machine)
		err_set(err, ERR_UNSUPPORTED, "LLVM without NVPTX");
	return machine;
}

static int run(struct program *p, LLVMTargetMachineRef machine, struct err *err)
{
	LLVMPassBuilderOptionsRef options = LLVMCreatePassBuilderOptions();
	LLVMErrorRef error = LLVMRunPasses(p->module, PASSES, machine, options);
	int ret = 0;

	if (error) {
		char *message = LLVMGetErrorMessage(error);

		ret = err_set(err, ERR_UNSUPPORTED, "LLVM passes '" PASSES "': %s", message);
		LLVMDisposeErrorMessage(message);
	}
	LLVMDisposePassBuilderOptions(options);
	return ret;
}

int infer_spaces(struct program *p, struct err *err)
{
	LLVMTargetMachineRef machine = create_machine(err);
	int ret;

	if (!machine)
		return ERR_UNSUPPORTED;
	ret = retarget_each_kernel(p->module, take_volatile, p->context, err);
	if (!ret)
		ret = run(p, machine, err);
	if (!ret)
		ret = retarget_each_kernel(p->module, give_volatile, NULL, err);
	LLVMDisposeTargetMachine(machine);
	return ret;
}
