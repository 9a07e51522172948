/*
 * ptx_target - the GPU that the PTX door makes code for.
 *
 * LLVM 14 knows GPUs up to sm_86 and writes the PTX version that the chosen one begins with. Code
 * for an older GPU runs on every newer one: its driver, or ptxas, compiles it.
 */
#ifndef PTX_TARGET_H
#define PTX_TARGET_H

#include <llvm-c/TargetMachine.h>

struct err;

/*
 * The back end for `arch` ("sm_90", NULL: sm_75): for the newest known GPU that is not newer. For
 * the caller to dispose. Returns 0; ERR_USAGE for what is no GPU's name, or one older than all that
 * are known; ERR_UNSUPPORTED when LLVM has no such back end.
 */
int ptx_target_create(const char *arch, LLVMTargetMachineRef *machine, struct err *err);

#endif
