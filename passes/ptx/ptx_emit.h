/*
 * ptx_emit - LLVM code for the statements of one PTX function, while it is being made.
 *
 * Registers are slots on the stack (mem2reg makes values of them). What cannot be expressed is a
 * refusal of the function, reported once; errors of memory and limits go to `err`.
 */
#ifndef PTX_EMIT_H
#define PTX_EMIT_H

#include "ptx_debug.h"
#include "ptx_items.h"
#include "ptx_symbols.h"

#define PTX_REFUSAL_BYTES   300
#define PTX_OPERANDS_MOST   8
#define PTX_STEP_TYPES_MOST 4
#define PTX_REGISTERS_MOST  ((uint64_t)1 << 20)

struct ptx_function; /* below */

struct ptx_emitter {
	LLVMContextRef context;
	LLVMModuleRef module;
	LLVMBuilderRef b;
	const char *name; /* of the file, in sentences and places */
	struct ptx_symbols symbols, labels;
	struct ptx_debug debug;
	struct ptx_items items;
	struct array functions; /* struct ptx_function */
	struct err *err;
	int failed;
	/* Of the function: */
	struct ptx_function *function;
	const struct ptx_statements *code;
	LLVMValueRef body;  /* the LLVM function */
	LLVMValueRef carry; /* the slot of the carry flag, NULL until it is used */
	size_t line;
	bool is_reached;
	char refusal[PTX_REFUSAL_BYTES];
};

/* An instruction with what its handler needs. */
struct ptx_step {
	const struct ptx_statement *statement;
	const struct ptx_operand *operands[PTX_OPERANDS_MOST];
	uint32_t count;
	enum ptx_type types[PTX_STEP_TYPES_MOST]; /* PTX_NO_TYPE after the last */
	uint32_t type_count;
};

/* The handlers, one for each row of ptx_opcodes.def, some shared. */
#define PTX_HANDLER(handler)                                                                       \
	void ptx_emit_##handler(struct ptx_emitter *e, const struct ptx_step *s);
#include "ptx_opcodes.def"

/* Refuse the function: the first reason stays. */
void ptx_refuse(struct ptx_emitter *e, const char *format, ...)
	__attribute__((format(printf, 2, 3)));

/* Note a failure of memory or of a limit. */
void ptx_fail(struct ptx_emitter *e, int code);

/* Whether the instruction has this suffix, or one of a list separated by blanks. */
bool ptx_has(const struct ptx_emitter *e, const struct ptx_step *s, const char *suffixes);

/* A slot on the stack, made in the entry of the function. */
LLVMValueRef ptx_slot(struct ptx_emitter *e, LLVMTypeRef type, uint64_t alignment_bytes);

/* The node that a label of this scope, or one around it, begins; NULL and a refusal: none. */
LLVMBasicBlockRef ptx_label(struct ptx_emitter *e, const struct ptx_step *s, struct ptx_word name);

/* Append a new node after the current one and continue there. */
LLVMBasicBlockRef ptx_node(struct ptx_emitter *e);
void ptx_continue_at(struct ptx_emitter *e, LLVMBasicBlockRef node);

/*
 * The functions of a PTX module: kernels (.entry) and device functions (.func).
 *
 * A kernel takes its parameters as they are: scalars, structs by value. A device function takes
 * for its results and parameters the addresses where the caller keeps them, and is inlined.
 */

struct ptx_function {
	struct ptx_head head;
	LLVMValueRef value;
	char *refusal; /* on the heap, or NULL */
};

/* Enter a function whose head is read, and read its body if it has one. Refusals are noted in it.
 * 0, ERR_FORMAT, ERR_LIMIT or ERR_NOMEM. */
int ptx_function_read(struct ptx_emitter *e, struct ptx_scan *s, const struct ptx_head *head);

/* The i-th parameter, results counted first. */
const struct ptx_variable *ptx_function_parameter(const struct ptx_emitter *e,
                                                  const struct ptx_function *f, uint32_t i);

/* Tell LLVM that the i-th parameter of a kernel is a struct by value, if it is one. */
void ptx_function_describe_parameter(struct ptx_emitter *e, const struct ptx_function *f,
                                     uint32_t i);

void ptx_function_release(struct ptx_function *f);

/* The list that .branchtargets gives this name, or NULL. */
const struct ptx_statement *ptx_targets(struct ptx_emitter *e, const struct ptx_step *s,
                                        struct ptx_word name);

#endif
