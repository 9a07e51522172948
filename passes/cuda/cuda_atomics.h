/*
 * cuda_atomics - atomics of CUDA, instructions of LLVM and intrinsics of NVPTX alike, as calls: of
 * OpenCL's atomic_...() and atom_...() where it has the operation, else of the functions
 * warpline_cuda_atomic_<operation>_<type>_<space> of cuda_library.cl.
 *
 * Each is one access of the width of its value (builtins.def). Orders and scopes are not kept: on
 * the devices that run this each atomic is relaxed at least, for all of the device, which is what
 * CUDA's are by default. A pointer whose memory does not show is one to global memory.
 */
#ifndef CUDA_ATOMICS_H
#define CUDA_ATOMICS_H

struct cuda_call;

/* Replace an atomicrmw or cmpxchg. Refused: values other than of 16, 32 and 64 bits, vectors,
 * private memory. Errors as of cuda_call_replace(). */
int cuda_atomic_instruction(struct cuda_call *c);

#endif
