/*
 * retarget - converts CUDA device code, from clang or the PTX reader, into the form that the OpenCL
 * front end produces, so that later steps need not know about CUDA.
 *
 * In: LLVM IR for nvptx64-nvidia-cuda; kernels named by calling convention or !nvvm.annotations;
 * pointers generic (address space 0) or not; llvm.nvvm.* intrinsics; calls of libdevice. Out:
 * triple spir64; kernels with SPIR's calling convention; each pointer in one memory; metadata
 * kernel_arg_*; OpenCL's built-in functions; !warpline.cuda. Arguments: a pointer to global memory
 * for each pointer; a structure passed by value in words of 8, 4, 2 and 1 bytes; then the hidden
 * ones: dynamic shared memory, and one pointer for each device variable that the kernel uses.
 *
 * The accesses of the source keep their number, order and width: passes that run before the
 * memories are known only promote variables of the kernel to registers. Meanwhile, accesses to
 * anything else are volatile, and copies are hidden under another name, so that no pass may drop,
 * join or split them (retarget_private_memory.c). A pointer about which nothing is known -- it was
 * loaded from memory or made from a number -- is assumed to point to global memory.
 *
 * What cannot become an OpenCL kernel is refused, kernel by kernel, with a sentence in the CUDA
 * table: recursion, calls through pointers, pointers to shared or private memory that are stored in
 * memory, code of another file.
 */
#ifndef RETARGET_H
#define RETARGET_H

#include <llvm-c/Types.h>

#include <stdbool.h>

struct err;
struct program;

/* Whether a module is CUDA device code. */
bool retarget_is_needed(LLVMModuleRef module);

/*
 * Retarget p->module if necessary, and create p->cuda. There may be no kernels left afterwards.
 * Returns 0; ERR_UNSUPPORTED for what concerns the whole module; ERR_NOMEM; ERR_LIMIT.
 */
int retarget(struct program *p, struct err *err);

#endif
