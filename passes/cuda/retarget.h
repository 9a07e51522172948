/*
 * retarget - device code of CUDA, as clang or the reader of PTX leaves it, into the form that the
 * OpenCL front end gives, so that later steps need not know about CUDA.
 *
 * In: LLVM IR for nvptx64-nvidia-cuda, kernels named by calling convention or !nvvm.annotations,
 * pointers generic (address space 0) or not, llvm.nvvm.* intrinsics, calls of libdevice. Out:
 * triple spir64, kernels with SPIR's calling convention, pointers of a memory each, metadata kernel_arg_*, OpenCL's
 * builtins, !warpline.cuda. Arguments: a pointer to global memory for each pointer, a structure
 * by value in words of 8, 4, 2 and 1 bytes, and after the program's own arguments the hidden ones:
 * dynamic shared memory, one pointer for each variable of the device that the kernel uses.
 *
 * Each access of the source stays unchanged in number, order and width: what runs before the
 * memories are known only takes variables of the kernel into registers. While it runs, accesses to
 * anything else are volatile and copies hidden under another name, so that no pass may drop, join
 * or split them (retarget_private_memory.c). A pointer of which nothing is known -- it was loaded
 * from memory or made from a number -- points to global memory.
 *
 * What cannot be a kernel of OpenCL is refused, kernel by kernel, with a sentence in the CUDA
 * table: recursion, calls through pointers, pointers to shared or private memory that are stored in
 * memory, code of another file.
 */
#ifndef RETARGET_H
#define RETARGET_H

#include <llvm-c/Types.h>

#include <stdbool.h>

struct err;
struct program;

/* Whether a module is device code of CUDA. */
bool retarget_is_needed(LLVMModuleRef module);

/*
 * Retarget p->module, if it needs to be, and make p->cuda. The program may be without kernels
 * afterwards. Returns 0; ERR_UNSUPPORTED for what concerns the whole module; ERR_NOMEM; ERR_LIMIT.
 */
int retarget(struct program *p, struct err *err);

#endif
