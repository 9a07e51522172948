/*
 * text_parts - functions that the files of this folder share (private to it): write types,
 * constants, values, statements and control flow of one function as OpenCL C.
 *
 * Returned strings are borrowed from the module.
 */
#ifndef TEXT_PARTS_H
#define TEXT_PARTS_H

#include "text_function.h"

/* --- Types: text_type.c --- */

/* The name of a type, "" after a refusal; of the same type with signed integers. */
const char *text_type(struct text_function *f, LLVMTypeRef type);
const char *text_type_signed(struct text_function *f, LLVMTypeRef type);
/* The signed integer type with the lanes and widths of `type`: the result of comparing vectors. */
const char *text_type_mask(struct text_function *f, LLVMTypeRef type);
/* "__global"; "warpline_global". */
const char *text_space(struct text_function *f, unsigned space);
const char *text_pointer(struct text_function *f, unsigned space);
/* Number of lanes of a vector type, otherwise 1; its element type, otherwise the type itself. */
unsigned text_lanes(LLVMTypeRef type);
LLVMTypeRef text_element(LLVMTypeRef type);
/* Whether a type, or each lane of a vector, is of this kind. */
bool text_is_bool(LLVMTypeRef type);
bool text_is_integer(LLVMTypeRef type);
bool text_is_float(LLVMTypeRef type);
bool text_is_pointer(LLVMTypeRef type);
bool text_is_aggregate(LLVMTypeRef type);
/* Natural alignment and size in bytes, as OpenCL C defines them. */
unsigned text_alignment(struct text_function *f, LLVMTypeRef type);
uint64_t text_size(struct text_function *f, LLVMTypeRef type);
/*
 * The name of a type for accesses with less than the natural alignment (in bytes; 0: natural), or
 * that may alias anything. *member becomes ".v" when the value is a member of it.
 */
const char *text_access_type(struct text_function *f, LLVMTypeRef type, unsigned alignment,
                             bool may_alias, const char **member);
/* The name of a struct of `bytes` bytes with that alignment, for copying memory. */
const char *text_bytes_type(struct text_function *f, uint64_t bytes, unsigned alignment);

/* --- Constants, variables and opaque objects: text_constant.c --- */

void text_constant(struct text_function *f, LLVMValueRef constant);
void text_constant_signed(struct text_function *f, LLVMValueRef constant); /* scalar integer */
bool text_constant_bits(LLVMValueRef constant,
                        uint64_t *bits); /* an integer or float of <= 64 bits */
LLVMValueRef text_constant_element(LLVMValueRef constant, unsigned index); /* NULL: none */
void text_zero(struct text_function *f, LLVMTypeRef type);
/* A program-scope or local variable as a pointer. */
void text_global(struct text_function *f, LLVMValueRef global);
/* Its contents if it is a constant byte array, for string literals; else NULL. */
LLVMValueRef text_global_string(LLVMValueRef pointer);
/*
 * Find out which values are opaque objects; the type of such a value ("event_t"), NULL for others.
 */
void text_objects_find(struct text_function *f);
const char *text_object_type(struct text_function *f, LLVMValueRef v);

/* --- Values: text_value.c --- */

/* The value that stands for `v`: casts of pointers and the like stand for their operand. */
LLVMValueRef text_alias(LLVMValueRef v);
/* Write a value as a primary expression; its signed value as an expression with the precedence of a
 * cast. */
void text_value(struct text_function *f, LLVMValueRef v);
void text_value_signed(struct text_function *f, LLVMValueRef v);
/* A value's type: an object's, otherwise text_type(). */
const char *text_value_type(struct text_function *f, LLVMValueRef v);
/*
 * Write a template for an instruction or constant expression:
 *   $0..$9   an operand              $s0..$s9  signed            $w0..$w9  at least a uint
 *   $R $S $M type of the result, signed, as a mask               $T0 $M0   of an operand
 *   $[ $]    around an expression of the result's signed type: converts it to the result's type
 */
void text_template(struct text_function *f, const char *template, LLVMValueRef v);
/* Whether it is used only by instructions of its own node. */
bool text_is_node_local(LLVMValueRef instruction);
/* "\tuint v3 = " or "\tv3 = "; only the tabs when the value is unused. */
void text_assign(struct text_function *f, LLVMValueRef instruction);

/* --- Expressions: text_operation.c, text_memory.c. False: not such an expression. --- */

bool text_operation(struct text_function *f, LLVMValueRef v);
bool text_pointer_operation(struct text_function *f, LLVMValueRef v);
/* The opcode of an instruction or constant expression. */
LLVMOpcode text_opcode(LLVMValueRef v);

/* --- Statements: text_memory.c, text_call.c, text_operation.c. False: not such a statement. --- */

bool text_access(struct text_function *f, LLVMValueRef instruction);
bool text_copy(struct text_function *f, LLVMValueRef call, const char *name);
bool text_vector(struct text_function *f, LLVMValueRef instruction);
bool text_call(struct text_function *f, LLVMValueRef instruction);
/* Write the statements of an instruction that is neither a phi nor a terminator. */
void text_statement(struct text_function *f, LLVMValueRef i);
/*
 * Write what loads that bypass L1 need at the top of the output. Returns 0, ERR_NOMEM or ERR_LIMIT.
 */
int text_bypass_head(struct str *out, struct err *err);
/* Whether a call creates one of the program's samplers; write its name. */
bool text_is_sampler(LLVMValueRef v);
void text_sampler(struct text_function *f, LLVMValueRef call);

/* --- Control flow: text_flow.c --- */

/* Write all nodes of the function. */
void text_flow(struct text_function *f);
/* Write an instruction where it is used; false if it has a statement of its own. */
bool text_inlined(struct text_function *f, LLVMValueRef v);

#endif
