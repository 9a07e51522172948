/*
 * device_module - the device code of a CUDA program, carried inside the OpenCL C output
 * (carried_code.h): kernels and memories are already in OpenCL form, but nothing is linked or
 * lowered yet.
 */
#ifndef DEVICE_MODULE_H
#define DEVICE_MODULE_H

#include <llvm-c/Types.h>

struct err;
struct program;
struct str;

/* Whether a module is retargeted CUDA device code (retarget.h). */
int device_module_is_cuda(LLVMModuleRef module);

/* With --keep-device 1: keep the present p->module. Returns 0 or ERR_NOMEM. */
int device_module_keep(struct program *p, struct err *err);

/* Insert what was kept, if anything, after the first line of `text`. Returns 0, ERR_LIMIT or
 * ERR_NOMEM. */
int device_module_append(const struct program *p, struct str *text, struct err *err);

#endif
