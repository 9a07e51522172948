/*
 * device_module - the device code of a CUDA program that text carries (carried_code.h): with
 * kernels and memories as OpenCL has them, but nothing linked or lowered yet.
 */
#ifndef DEVICE_MODULE_H
#define DEVICE_MODULE_H

#include <llvm-c/Types.h>

struct err;
struct program;
struct str;

/* Whether a module is device code of CUDA that was retargeted (retarget.h). */
int device_module_is_cuda(LLVMModuleRef module);

/* With --keep-device 1: keep what p->module is now. Returns 0 or ERR_NOMEM. */
int device_module_keep(struct program *p, struct err *err);

/* Append what was kept, if anything, to a text after its first line. Returns 0, ERR_LIMIT,
 * ERR_NOMEM. */
int device_module_append(const struct program *p, struct str *text, struct err *err);

#endif
