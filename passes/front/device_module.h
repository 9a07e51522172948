/*
 * device_module - a program of CUDA that carries the code it was made of.
 *
 * The library that stands in for CUDA's hands OpenCL a SPIR binary whose code is finished: linked,
 * lowered, without places. Who records such a program wants the code before that. So the finished
 * module has it as bitcode in the named metadata !warpline.device, and the front end takes that one
 * instead (front_end.h).
 */
#ifndef DEVICE_MODULE_H
#define DEVICE_MODULE_H

#include <llvm-c/Types.h>

struct err;
struct program;

/* Whether a module is device code of CUDA that was retargeted (retarget.h). */
int device_module_is_cuda(LLVMModuleRef module);

/* With --keep-device 1: keep what p->module is now. Returns 0 or ERR_NOMEM. */
int device_module_keep(struct program *p, struct err *err);

/* Put what was kept, if anything, into p->module. Returns 0. */
int device_module_embed(struct program *p, struct err *err);

/* The module inside of *module in its place, if there is one. Returns 0, or ERR_FORMAT when it does
 * not parse; *module stays the caller's. */
int device_module_unwrap(LLVMContextRef context, LLVMModuleRef *module, struct err *err);

#endif
