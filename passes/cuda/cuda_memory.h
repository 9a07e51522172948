/*
 * cuda_memory - which memory a generic pointer of CUDA points into, by where it comes from.
 *
 * Walks back over address arithmetic, casts, phis and selects; generic is address space 0, as in
 * NVPTX, and also 4, as in SPIR.
 */
#ifndef CUDA_MEMORY_H
#define CUDA_MEMORY_H

#include <llvm-c/Types.h>

#include <stdbool.h>

struct cuda_call;

/* Whether it comes from a variable of the function. */
bool cuda_memory_is_private(LLVMValueRef pointer);

/*
 * The pointer, cast to the memory that it points into, which is *space: SPACE_LOCAL where it comes
 * from there on all ways; its own when it has one; else SPACE_GLOBAL.
 */
LLVMValueRef cuda_memory_pointer(struct cuda_call *c, LLVMValueRef pointer, unsigned *space);

/*
 * Atomics of CUDA, instructions of LLVM and intrinsics of NVPTX alike, as calls: of
 * OpenCL's atomic_...() and atom_...() where it has the operation, else of the functions
 * warpline_cuda_atomic_<operation>_<type>_<space> of cuda_library.cl.
 *
 * Each is one access of the width of its value (builtins.def). Orders and scopes are not kept: on
 * the devices that run this each atomic is relaxed at least, for all of the device, which is what
 * CUDA's are by default. A pointer whose memory does not show is one to global memory.
 */

/* Replace an atomicrmw or cmpxchg. Refused: values other than of 16, 32 and 64 bits, vectors,
 * private memory. Errors as of cuda_call_replace(). */
int cuda_atomic_instruction(struct cuda_call *c);

#endif
