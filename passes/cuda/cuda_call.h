/*
 * cuda_call - a call, or another instruction, of CUDA device code while it is being replaced by its
 * OpenCL equivalent.
 *
 * The replacement is built before the instruction, at its source position; then exactly one of
 * cuda_call_replace() and cuda_call_refuse() removes the instruction. This file does not know what
 * calls mean (cuda_calls.h).
 */
#ifndef CUDA_CALL_H
#define CUDA_CALL_H

#include <llvm-c/Types.h>

#include <stdbool.h>
#include <stdint.h>

struct err;
struct program;

/* The effects of a called function, as far as optimisers need to know. */
enum cuda_effect {
	CUDA_PURE,     /* depends on its arguments only */
	CUDA_EFFECT,   /* reads or writes memory */
	CUDA_TOGETHER, /* waits for other work-items, which must also call it */
};

struct cuda_call {
	struct program *program;
	struct err *err; /* borrowed; every error goes here */
	LLVMModuleRef module;
	LLVMValueRef instruction; /* to be replaced */
	LLVMBuilderRef b;         /* positioned before it */
	const char *name;         /* what the program calls; for messages; borrowed */
	const char *target;       /* from the row in cuda_calls.def; borrowed */
	int ret;                  /* the error of the first call that could not be built */
};

enum { CUDA_CALL_ARGUMENTS_MAX = 16 };

/* Prefix of the functions of cuda_library.cl. */
#define CUDA_LIBRARY_PREFIX "warpline_cuda_"

/* Start on an instruction. Call cuda_call_release() in any case. */
void cuda_call_init(struct cuda_call *c, struct program *p, LLVMValueRef instruction,
                    struct err *err);
void cuda_call_release(struct cuda_call *c);

/* Argument i, which must exist; the number of arguments. */
LLVMValueRef cuda_call_argument(const struct cuda_call *c, unsigned i);
unsigned cuda_call_count(const struct cuda_call *c);

/* Whether argument i exists and is a pointer. */
bool cuda_call_has_pointer(const struct cuda_call *c, unsigned i);

/* Types and constants of the program's context. */
LLVMTypeRef cuda_call_int(const struct cuda_call *c, unsigned bits);
LLVMValueRef cuda_call_number(const struct cuda_call *c, unsigned bits, uint64_t value);

/* The function `symbol` of that type, declared if necessary. NULL as for cuda_call_make(). */
LLVMValueRef cuda_call_function(struct cuda_call *c, const char *symbol, enum cuda_effect effect,
                                LLVMTypeRef type);

/* A variable of our own in global memory, initially zero, for which a hidden argument will be
 * passed. */
LLVMValueRef cuda_call_variable(struct cuda_call *c, const char *name, LLVMTypeRef type);

/*
 * Build a call of the function `symbol`, declared if necessary, with parameter types from the
 * arguments. Returns the value of the call. NULL, with ERR_UNSUPPORTED in c->ret, when the program
 * has such a function with other types.
 */
LLVMValueRef cuda_call_make(struct cuda_call *c, const char *symbol, enum cuda_effect effect,
                            LLVMTypeRef result, LLVMValueRef *arguments, unsigned count);

/* Build a call of a function of cuda_library.cl; `name` is without the prefix "warpline_cuda_". */
LLVMValueRef cuda_call_library(struct cuda_call *c, const char *name, enum cuda_effect effect,
                               LLVMTypeRef result, LLVMValueRef *arguments, unsigned count);

/* Convert `value` to `type`: integers are truncated or zero-extended, bits and pointers are cast.
 * NULL when that is impossible, or when `value` is NULL. */
LLVMValueRef cuda_call_cast(struct cuda_call *c, LLVMValueRef value, LLVMTypeRef type);

/*
 * Replace the result by `value`, cast to its type, and remove the instruction. A NULL `value` is
 * for an instruction without a result; otherwise it means that the value could not be built, and
 * the call is refused. Returns c->ret, or as cuda_call_refuse().
 */
int cuda_call_replace(struct cuda_call *c, LLVMValueRef value);

/*
 * Note in the function's attribute CUDA_REFUSAL that it cannot run: "NAME, at FILE:LINE, why". The
 * first refusal of a function is kept. Removes the instruction; its result is undefined. Returns 0
 * or ERR_NOMEM.
 */
int cuda_call_refuse(struct cuda_call *c, const char *why);

/* The attribute of a function, and its value; NULL when it has none. The module owns the string. */
#define CUDA_REFUSAL "warpline-refusal"
const char *cuda_call_refusal(LLVMValueRef function);

/*
 * A CUDA kernel that cannot become an OpenCL kernel: the reason, and the source position.
 *
 * The first reason is kept. Such a kernel is removed once all are retargeted (retarget.h); the
 * others remain.
 */

/*
 * Note in the program's CUDA table that the kernel that contains `instruction` is refused:
 * "FILE:LINE: WHAT", or without the position when the instruction has none. The position is the
 * innermost in a file of the program. Returns 0 or ERR_NOMEM.
 */
int cuda_refuse(struct program *p, LLVMValueRef instruction, struct err *err, const char *what, ...)
	__attribute__((format(printf, 4, 5)));

/*
 * The same sentence, on the heap, for an instruction of `kernel`, whose name need not be set yet.
 */
char *cuda_refusal_text(LLVMValueRef instruction, LLVMValueRef kernel, struct err *err,
                        const char *what, ...) __attribute__((format(printf, 4, 5)));

#endif
