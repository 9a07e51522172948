/*
 * text_function - one function of the module while it becomes OpenCL C (private to the text door).
 *
 * Failures stick: the first one is kept in `ret` and `err`, and whatever is written afterwards is
 * lost, so that only text_function_write()'s caller looks. ERR_UNSUPPORTED means that the function
 * has a construct which cannot be expressed; the message names it and its place in the source.
 *
 * Every integer is of an unsigned type in the text, i1 is bool, a vector of i1 is a char vector
 * of 0 and -1. A pointer is `uchar *` of its address space (warpline_global, ...), and its type is
 * said where memory is accessed. An array is a struct with one member `e`.
 */
#ifndef TEXT_FUNCTION_H
#define TEXT_FUNCTION_H

#include "kernel_flow.h"
#include "pointer_map.h"
#include "str.h"
#include "text_module.h"

#include <llvm-c/Core.h>

#include <stdbool.h>

struct err;

struct text_function {
	struct text_module *module;
	LLVMValueRef function;
	bool is_kernel;
	LLVMValueRef at;         /* the instruction that is being written, or NULL */
	struct str *out;         /* where text goes */
	struct str declarations; /* variables of the whole function */
	struct str body;
	unsigned indent;
	bool is_dry;                /* nothing is written: labels are only asked for */
	struct kernel_flow flow;    /* its control flow */
	struct pointer_map numbers; /* values that have a variable: its number */
	struct pointer_map objects; /* values that are events, images, ...: enum text_object */
	struct pointer_map inlined; /* has instructions that are written where they are used */
	struct pointer_map wraps;   /* has arithmetic that never wraps as signed */
	bool is_frozen; /* has a freeze: nothing that is undefined in C may be written */
	uint32_t number_count;
	int ret; /* 0 or what went wrong first */
	struct err *err;
};

/* Append to f->out, or to another text. Nothing after a failure or while is_dry. */
void text_put(struct text_function *f, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
void text_put_to(struct text_function *f, struct str *to, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

void text_append(struct text_function *f, struct str *to, const struct str *text);

/* Begin a line: its tabs. */
void text_line(struct text_function *f);

/* Refuse the function for a construct ("a vector of 5 elements"), at f->at's place. */
void text_refuse(struct text_function *f, const char *fmt, ...)
	__attribute__((format(printf, 2, 3)));

/* Note the failure `ret` of a call that has set f->err. */
void text_check(struct text_function *f, int ret);

/* Types: text_type.c. Names are borrowed from the module. */

/* The type's name; "" after a refusal. */
const char *text_type(struct text_function *f, LLVMTypeRef type);
/* The same with signed integers. */
const char *text_type_signed(struct text_function *f, LLVMTypeRef type);
/* The signed integer type with lanes and widths of `type`: what comparisons of vectors give. */
const char *text_type_mask(struct text_function *f, LLVMTypeRef type);
/* "__global" */
const char *text_space(struct text_function *f, unsigned space);
/* "warpline_global" */
const char *text_pointer(struct text_function *f, unsigned space);
/* Lanes of a vector type, else 1; its element type, else the type itself. */
unsigned text_lanes(LLVMTypeRef type);
LLVMTypeRef text_element(LLVMTypeRef type);
/* Whether an integer of `bits`, or vectors of such, it is. */
bool text_is_bool(LLVMTypeRef type);
bool text_is_integer(LLVMTypeRef type);
bool text_is_float(LLVMTypeRef type);
bool text_is_pointer(LLVMTypeRef type);
bool text_is_aggregate(LLVMTypeRef type);
/* Natural alignment in bytes, as OpenCL C has it. */
unsigned text_alignment(struct text_function *f, LLVMTypeRef type);
uint64_t text_size(struct text_function *f, LLVMTypeRef type);
/*
 * The name of a type for accesses with less than the natural alignment (in bytes; 0: natural), or
 * through which anything may be accessed. *member becomes ".v" when the value is a member of it.
 */
const char *text_access_type(struct text_function *f, LLVMTypeRef type, unsigned alignment,
                             bool may_alias, const char **member);
/* The name of a struct of `bytes` bytes with that alignment, to copy memory by. */
const char *text_bytes_type(struct text_function *f, uint64_t bytes, unsigned alignment);

/* Constants: text_constant.c. */
void text_constant(struct text_function *f, LLVMValueRef constant);
void text_constant_signed(struct text_function *f, LLVMValueRef constant); /* scalar integer */
bool text_constant_bits(LLVMValueRef constant, uint64_t *bits); /* integer or float of <= 64 */
LLVMValueRef text_constant_element(LLVMValueRef constant, unsigned index); /* NULL: none */
void text_zero(struct text_function *f, LLVMTypeRef type);
/* A program-scope or local variable as a pointer: text_global.c. */
void text_global(struct text_function *f, LLVMValueRef global);
/* Its contents if it is a constant of bytes, for string literals; NULL if not. */
LLVMValueRef text_global_string(LLVMValueRef pointer);

/* Values: text_value.c. */

/* The value that stands for `v`: casts of pointers and the like stand for their operand. */
LLVMValueRef text_alias(LLVMValueRef v);
/* Write a value as a primary expression. */
void text_value(struct text_function *f, LLVMValueRef v);
/* The value that `v` has, signed, as an expression that binds like a cast. */
void text_value_signed(struct text_function *f, LLVMValueRef v);
/* Its type: an object's, else text_type(). */
const char *text_value_type(struct text_function *f, LLVMValueRef v);
/*
 * Write a template for an instruction or constant expression:
 *   $0..$9   an operand              $s0..$s9  signed            $w0..$w9  at least a uint
 *   $R $S $M type of the result, signed, as a mask               $T0 $M0   of an operand
 *   $[ $]    around what is of the signed type of the result, makes it the result
 */
void text_template(struct text_function *f, const char *template, LLVMValueRef v);
/* Whether only instructions of its own node use it. */
bool text_is_node_local(LLVMValueRef instruction);
/* "\tuint v3 = " or "\tv3 = "; nothing but the tabs when nobody uses the value. */
void text_assign(struct text_function *f, LLVMValueRef instruction);

/* Expressions: text_operation.c, text_pointer.c. False: not one of these. */
bool text_operation(struct text_function *f, LLVMValueRef v);
bool text_pointer_operation(struct text_function *f, LLVMValueRef v);
/* Opcode of an instruction or constant expression. */
LLVMOpcode text_opcode(LLVMValueRef v);

/* Statements: text_access.c, text_copy.c, text_call.c, text_vector.c. False: not one of these. */
bool text_access(struct text_function *f, LLVMValueRef instruction);
bool text_copy(struct text_function *f, LLVMValueRef call, const char *name);
bool text_vector(struct text_function *f, LLVMValueRef instruction);
bool text_call(struct text_function *f, LLVMValueRef instruction);
/* The statement or statements of one instruction that is neither phi nor terminator. */
void text_statement(struct text_function *f, LLVMValueRef instruction);

/* Opaque objects: text_object.c. Finds which values are such. */
void text_objects_find(struct text_function *f);
/* "event_t"; NULL when the value is none. */
const char *text_object_type(struct text_function *f, LLVMValueRef v);

/* Samplers made by the program: text_sampler.c. The call that makes one, its name, its definition.
 */
bool text_is_sampler(LLVMValueRef v);
void text_sampler(struct text_function *f, LLVMValueRef call);
void text_sampler_declare(struct text_function *f, LLVMValueRef call);

/* Whether signed arithmetic does not wrap: text_wrap.c. */
void text_wraps_find(struct text_function *f);
bool text_never_wraps(struct text_function *f, LLVMValueRef instruction);

/* Control flow: text_flow.c, text_phi.c. */
void text_flow(struct text_function *f);
/* The copies on the edge between two nodes; text_has_copies() without writing them. */
void text_copies(struct text_function *f, LLVMBasicBlockRef from, LLVMBasicBlockRef to);
bool text_has_copies(LLVMBasicBlockRef from, LLVMBasicBlockRef to);

/*
 * Whether the header of a loop can stand in the condition of a while: text_while.c. From then on
 * its instructions are written where they are used: text_inlined() writes one that is.
 */
bool text_while_fits(struct text_function *f, LLVMBasicBlockRef header);
bool text_inlined(struct text_function *f, LLVMValueRef v);

/* Attributes, name and parameters: text_signature.c. */
void text_signature(struct text_function *f, const char *name);

/*
 * Append the whole of a function to *out, which is as it was when it cannot be written. Returns 0,
 * ERR_UNSUPPORTED, ERR_NOMEM, ERR_LIMIT.
 */
int text_function_write(struct text_module *m, LLVMValueRef function, const char *name,
                        struct str *out, struct err *err);

#endif
