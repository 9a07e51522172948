/*
 * cuda_calls - replaces what CUDA device code calls by OpenCL equivalents: the step between a CUDA
 * module whose address spaces are known and the SPIR form that later steps take.
 *
 * One table, cuda_calls.def, says how each name is replaced: special registers, barriers,
 * libdevice's mathematics, intrinsics of LLVM's NVPTX, functions that CUDA's headers declare. What
 * OpenCL has is called by its mangled name. What it lacks is a function of cuda_library.cl, a
 * declaration `warpline_cuda_...` until cuda_library_link(). What waits for other work-items of a
 * warp becomes warpline_cuda_sync() (sync_kind.h). Atomic instructions become calls too
 * (cuda_memory.c), and inline PTX becomes code (retarget_private.h). Unknown calls are refused
 * (cuda_call_refuse()).
 *
 * Assumes that functions are inlined as far as the program asks for it, so that origins of pointers
 * and formats of printf() are visible. May create the variables CUDA_TRAP (i32) and CUDA_CLOCK
 * (i64, read by clock64()) in global memory, both initially zero.
 */
#ifndef CUDA_CALLS_H
#define CUDA_CALLS_H

#include <llvm-c/Types.h>

#include <stdbool.h>

struct err;
struct program;
struct cuda_call;

#define CUDA_CLOCK "__warpline_clock"

/* Why the program was stopped, or 0: the first enum cuda_trap. */
#define CUDA_TRAP "__warpline_trap"

enum cuda_trap {
	CUDA_TRAP_ASSERT = 1, /* __assertfail() */
	CUDA_TRAP_STOP = 2,   /* __trap() */
};

/*
 * Replace all such calls of p->module. Functions with refused calls get the attribute CUDA_REFUSAL
 * (cuda_call.h). Returns 0, ERR_NOMEM, or ERR_UNSUPPORTED when the program defines a function under
 * a name that is needed.
 */
int lower_cuda_calls(struct program *p, struct err *err);

/*
 * The kinds of rows of cuda_calls.def: each function replaces one call, using its `target`, and
 * returns 0 or an error of cuda_call_replace(). Those for mathematics and special registers are
 * private to cuda_calls.c.
 */
int cuda_kind_load(struct cuda_call *c);
int cuda_kind_store(struct cuda_call *c);
int cuda_kind_prefetch(struct cuda_call *c);
int cuda_kind_trap(struct cuda_call *c);
int cuda_kind_copy(struct cuda_call *c);
int cuda_kind_is_space(struct cuda_call *c);
int cuda_kind_atomic(struct cuda_call *c);
int cuda_kind_shuffle(struct cuda_call *c);
int cuda_kind_vote(struct cuda_call *c);
int cuda_kind_match(struct cuda_call *c);
int cuda_kind_reduce(struct cuda_call *c);
int cuda_kind_warp(struct cuda_call *c);
int cuda_kind_group(struct cuda_call *c);
int cuda_kind_printf(struct cuda_call *c);
int cuda_kind_assert(struct cuda_call *c);

/* Whether a generic pointer comes from a variable of the function. */
bool cuda_memory_is_private(LLVMValueRef pointer);

/*
 * Cast the pointer to the memory that it points into, *space: found by walking back through address
 * arithmetic, casts, phis and selects. SPACE_LOCAL if it comes from there on all paths; its own
 * memory when its type has one; otherwise SPACE_GLOBAL. Address space 0 is generic, as in NVPTX,
 * and so is 4, as in SPIR.
 */
LLVMValueRef cuda_memory_pointer(struct cuda_call *c, LLVMValueRef pointer, unsigned *space);

/*
 * Replace an atomicrmw or cmpxchg by a call of OpenCL's atomic_...() or atom_...() if it has the
 * operation, otherwise of warpline_cuda_atomic_<operation>_<type>_<space> of cuda_library.cl.
 *
 * Each is one access of the width of its value. Orders and scopes are dropped: on the devices that
 * run this, each atomic is at least relaxed and device-wide, CUDA's default. A pointer into unknown
 * memory is assumed to point to global memory. Refused: values that do not have 16, 32 or 64 bits,
 * vectors, private memory. Errors as for cuda_call_replace().
 */
int cuda_atomic_instruction(struct cuda_call *c);

/*
 * Link what the program calls of the library, private to the module and to be inlined by
 * finish_code(). Does nothing for a module without such declarations. Returns 0; ERR_UNSUPPORTED
 * when a declared function is missing from the library or has other types there, when the module is
 * not spir64, or when linking fails.
 */
int cuda_library_link(struct program *p, struct err *err);

#endif
