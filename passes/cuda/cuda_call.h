/*
 * cuda_call - one call, or other instruction, of CUDA device code that is being replaced by what
 * OpenCL has for it.
 *
 * What replaces it stands before it, at its source position; then it goes, by exactly one of
 * cuda_call_replace() and cuda_call_refuse(). Knows nothing of what calls mean (cuda_calls.h).
 */
#ifndef CUDA_CALL_H
#define CUDA_CALL_H

#include <llvm-c/Types.h>

#include <stdbool.h>
#include <stdint.h>

struct err;
struct program;

/* What a function that is called does, as far as optimisers ask. */
enum cuda_effect {
	CUDA_PURE,     /* a value of its arguments */
	CUDA_EFFECT,   /* reads or writes memory */
	CUDA_TOGETHER, /* waits for other work-items, which must call it too */
};

struct cuda_call {
	struct program *program;
	struct err *err; /* borrowed; every error goes here */
	LLVMModuleRef module;
	LLVMValueRef instruction; /* what is replaced */
	LLVMBuilderRef b;         /* stands before it */
	const char *name;         /* what the program calls, for messages; borrowed */
	const char *target;       /* of the row in cuda_calls.def; borrowed */
	int ret;                  /* the error of the first call that could not be made */
};

enum { CUDA_CALL_ARGUMENTS_MAX = 16 };

/* Before the names of the functions of cuda_library.cl. */
#define CUDA_LIBRARY_PREFIX "warpline_cuda_"

/* Begin with an instruction; cuda_call_release() whatever became of it. */
void cuda_call_init(struct cuda_call *c, struct program *p, LLVMValueRef instruction,
                    struct err *err);
void cuda_call_release(struct cuda_call *c);

/* Argument i, which the call has; the number of arguments. */
LLVMValueRef cuda_call_argument(const struct cuda_call *c, unsigned i);
unsigned cuda_call_count(const struct cuda_call *c);

/* Whether there is such an argument, and it is a pointer. */
bool cuda_call_has_pointer(const struct cuda_call *c, unsigned i);

/* Types and numbers of the program's context. */
LLVMTypeRef cuda_call_int(const struct cuda_call *c, unsigned bits);
LLVMValueRef cuda_call_number(const struct cuda_call *c, unsigned bits, uint64_t value);

/* The function `symbol` of that type, declared if it is not. NULL as cuda_call_make() has it. */
LLVMValueRef cuda_call_function(struct cuda_call *c, const char *symbol, enum cuda_effect effect,
                                LLVMTypeRef type);

/* A variable of our own in global memory, zero at first, which a hidden argument will stand for. */
LLVMValueRef cuda_call_variable(struct cuda_call *c, const char *name, LLVMTypeRef type);

/*
 * A call of the function `symbol`, which is declared if it is not; its parameters are as the
 * arguments are. Result: the value of the call. NULL, and ERR_UNSUPPORTED in c->ret, when the
 * program has the function with other types.
 */
LLVMValueRef cuda_call_make(struct cuda_call *c, const char *symbol, enum cuda_effect effect,
                            LLVMTypeRef result, LLVMValueRef *arguments, unsigned count);

/* A function of cuda_library.cl in the same way: "warpline_cuda_" is put before its name. */
LLVMValueRef cuda_call_library(struct cuda_call *c, const char *name, enum cuda_effect effect,
                               LLVMTypeRef result, LLVMValueRef *arguments, unsigned count);

/* `value` as `type`: integers are cut or filled with zeros, bits and pointers are cast. NULL when
 * that cannot be; a NULL value stays one. */
LLVMValueRef cuda_call_cast(struct cuda_call *c, LLVMValueRef value, LLVMTypeRef type);

/*
 * Put `value` in the place of the result, cast to its type, and take the instruction away. `value`
 * may be NULL where there is no result, and when it could not be made: that is refused. Returns
 * c->ret, or as cuda_call_refuse().
 */
int cuda_call_replace(struct cuda_call *c, LLVMValueRef value);

/*
 * Note in the function, as the attribute CUDA_REFUSAL, that it cannot run: "NAME, at FILE:LINE,
 * why". The first refusal of a function is kept. The instruction goes, its result is undefined.
 * Returns 0 or ERR_NOMEM.
 */
int cuda_call_refuse(struct cuda_call *c, const char *why);

/* The attribute of a function, and what it says; NULL: it has none. The text is the module's. */
#define CUDA_REFUSAL "warpline-refusal"
const char *cuda_call_refusal(LLVMValueRef function);

/*
 * A kernel of CUDA that cannot become an OpenCL kernel: why, and at which place.
 *
 * The first reason stays. Such a kernel is taken out of the code once it has its form
 * (retarget.h); the others go on.
 */

/*
 * Note in the program's CUDA table that the kernel in which `instruction` stands is refused:
 * "FILE:LINE: WHAT", without the place where the instruction has none; the place is the innermost
 * that lies in a file of the program. Returns 0, ERR_NOMEM.
 */
int cuda_refuse(struct program *p, LLVMValueRef instruction, struct err *err, const char *what, ...)
	__attribute__((format(printf, 4, 5)));

/* That sentence, on the heap, for an instruction of `kernel` that need not have a name yet. */
char *cuda_refusal_text(LLVMValueRef instruction, LLVMValueRef kernel, struct err *err,
                        const char *what, ...) __attribute__((format(printf, 4, 5)));

#endif
