/*
 * ptx_emit - builds LLVM code for the statements of one PTX function.
 *
 * Registers are stack slots (mem2reg turns them into values). What cannot be expressed makes the
 * function refused, with one reason; errors of memory and limits go to `err`.
 */
#ifndef PTX_EMIT_H
#define PTX_EMIT_H

#include "ptx_debug.h"
#include "ptx_items.h"
#include "ptx_symbols.h"

#include <llvm-c/Types.h>

#include <stdbool.h>
#include <stddef.h>

#define PTX_REFUSAL_BYTES   300
#define PTX_OPERANDS_MOST   8
#define PTX_STEP_TYPES_MOST 4
#define PTX_REGISTERS_MOST  ((uint64_t)1 << 20)

struct ptx_function; /* below */

struct ptx_emitter {
	LLVMContextRef context;
	LLVMModuleRef module;
	LLVMBuilderRef b;
	const char *name; /* of the file, for messages and positions */
	struct ptx_symbols symbols, labels;
	struct ptx_debug debug;
	struct ptx_items items;
	struct array functions; /* struct ptx_function */
	struct err *err;
	int failed;
	/* Of the current function: */
	struct ptx_function *function;
	const struct ptx_statements *code;
	LLVMValueRef body;  /* the LLVM function */
	LLVMValueRef carry; /* the slot of the carry flag, NULL until it is used */
	size_t line;
	bool is_reached;
	char refusal[PTX_REFUSAL_BYTES];
};

/* An instruction with everything that its handler needs. */
struct ptx_step {
	const struct ptx_statement *statement;
	const struct ptx_operand *operands[PTX_OPERANDS_MOST];
	uint32_t count;
	enum ptx_type types[PTX_STEP_TYPES_MOST]; /* PTX_NO_TYPE after the last */
	uint32_t type_count;
};

/* The handlers, one for each row of ptx_opcodes.def; some are shared. */
#define PTX_HANDLER(handler)                                                                       \
	void ptx_emit_##handler(struct ptx_emitter *e, const struct ptx_step *s);
#include "ptx_opcodes.def"

/* Refuse the function. The first reason is kept. */
void ptx_refuse(struct ptx_emitter *e, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Note an error of memory or of a limit. */
void ptx_fail(struct ptx_emitter *e, int code);

/* Whether the instruction has this suffix, or any from a list separated by blanks. */
bool ptx_has(const struct ptx_emitter *e, const struct ptx_step *s, const char *suffixes);

/* A stack slot, created in the entry of the function. */
LLVMValueRef ptx_slot(struct ptx_emitter *e, LLVMTypeRef type, uint64_t alignment_bytes);

/* The node that starts at a label of this scope or an enclosing one; NULL, with a refusal, if there
 * is none. */
LLVMBasicBlockRef ptx_label(struct ptx_emitter *e, const struct ptx_step *s, struct ptx_word name);

/* Append a new node after the current one and continue there. */
LLVMBasicBlockRef ptx_node(struct ptx_emitter *e);
void ptx_continue_at(struct ptx_emitter *e, LLVMBasicBlockRef node);

/*
 * The functions of a PTX module: kernels (.entry) and device functions (.func).
 *
 * A kernel takes its parameters directly: scalars, and structs by value. A device function takes
 * the addresses of its results and parameters in the caller, and is inlined.
 */

struct ptx_function {
	struct ptx_head head;
	LLVMValueRef value;
	char *refusal; /* on the heap, or NULL */
};

/* Enter a function whose head has been read, and read its body if it has one. Notes refusals in it.
 * Returns 0, ERR_FORMAT, ERR_LIMIT or ERR_NOMEM. */
int ptx_function_read(struct ptx_emitter *e, struct ptx_scan *s, const struct ptx_head *head);

/* Parameter i, counting results first. */
const struct ptx_variable *ptx_function_parameter(const struct ptx_emitter *e,
                                                  const struct ptx_function *f, uint32_t i);

/* If the i-th parameter of a kernel is a struct passed by value, declare it as such to LLVM. */
void ptx_function_describe_parameter(struct ptx_emitter *e, const struct ptx_function *f,
                                     uint32_t i);

void ptx_function_release(struct ptx_function *f);

/* The list named by .branchtargets, or NULL. */
const struct ptx_statement *ptx_targets(struct ptx_emitter *e, const struct ptx_step *s,
                                        struct ptx_word name);

/*
 * ptx_pointers.c: turns the addresses of a kernel from PTX, which are integers there, into
 * pointers.
 *
 * From each place where an integer becomes a pointer, it walks back through sums, casts, selects
 * and phis to where the address comes from: a variable, a slot, a parameter, a loaded value. Along
 * this path each sum becomes a GEP and each phi a phi of pointers. The operand of a sum that is
 * more likely an address is the base; either choice gives the same address.
 */

struct err;

/*
 * Rewrite `function`. bases[i] is the pointer made from parameter i, or NULL; bases has an entry
 * per parameter. *refused is the address in shared memory that is made from a number, or NULL.
 * Returns 0 or ERR_NOMEM.
 */
int ptx_pointers_run(LLVMValueRef function, LLVMValueRef *bases, LLVMValueRef *refused,
                     struct err *err);

#endif
