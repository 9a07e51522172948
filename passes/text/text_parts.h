/*
 * text_parts - what the files of the text output format do for each other (private to them): types,
 * constants, values, statements and control flow of one function, written as OpenCL C.
 *
 * Strings that are returned are borrowed from the module.
 */
#ifndef TEXT_PARTS_H
#define TEXT_PARTS_H

#include "text_function.h"

/* --- Types: text_type.c --- */

/* The name of a type, "" after a refusal; of the type with signed integers. */
const char *text_type(struct text_function *f, LLVMTypeRef type);
const char *text_type_signed(struct text_function *f, LLVMTypeRef type);
/* The signed integer type with the lanes and widths of `type`: the result of comparing vectors. */
const char *text_type_mask(struct text_function *f, LLVMTypeRef type);
/* "__global"; "warpline_global". */
const char *text_space(struct text_function *f, unsigned space);
const char *text_pointer(struct text_function *f, unsigned space);
/* Lanes of a vector type, otherwise 1; its element type, otherwise the type itself. */
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
 * through which anything may be accessed. *member becomes ".v" when the value is a member of it.
 */
const char *text_access_type(struct text_function *f, LLVMTypeRef type, unsigned alignment,
                             bool may_alias, const char **member);
/* The name of a struct of `bytes` bytes with that alignment, to copy memory with. */
const char *text_bytes_type(struct text_function *f, uint64_t bytes, unsigned alignment);

/* --- Constants, variables and opaque objects: text_constant.c --- */

void text_constant(struct text_function *f, LLVMValueRef constant);
void text_constant_signed(struct text_function *f, LLVMValueRef constant); /* scalar integer */
bool text_constant_bits(LLVMValueRef constant, uint64_t *bits); /* integer or float of <= 64 */
LLVMValueRef text_constant_element(LLVMValueRef constant, unsigned index); /* NULL: none */
void text_zero(struct text_function *f, LLVMTypeRef type);
/* A program-scope or local variable as a pointer. */
void text_global(struct text_function *f, LLVMValueRef global);
/* Its contents if it is a constant of bytes, for string literals; NULL if not. */
LLVMValueRef text_global_string(LLVMValueRef pointer);
/* Find which values are opaque objects; the type of such a value ("event_t"), NULL for others. */
void text_objects_find(struct text_function *f);
const char *text_object_type(struct text_function *f, LLVMValueRef v);

/* --- Values: text_value.c --- */

/* The value that stands for `v`: casts of pointers and the like stand for their operand. */
LLVMValueRef text_alias(LLVMValueRef v);
/* Write a value as a primary expression; its signed value as an expression that binds like a cast.
 */
void text_value(struct text_function *f, LLVMValueRef v);
void text_value_signed(struct text_function *f, LLVMValueRef v);
/* Its type: an object's, otherwise text_type(). */
const char *text_value_type(struct text_function *f, LLVMValueRef v);
/*
 * Write a template for an instruction or constant expression:
 *   $0..$9   an operand              $s0..$s9  signed            $w0..$w9  at least a uint
 *   $R $S $M type of the result, signed, as a mask               $T0 $M0   of an operand
 *   $[ $]    around an expression of the result's signed type: converts it to the result's type
 */
void text_template(struct text_function *f, const char *template, LLVMValueRef v);
/* Whether only instructions of its own node use it. */
bool text_is_node_local(LLVMValueRef instruction);
/* "\tuint v3 = " or "\tv3 = "; only the tabs when the value is not used. */
void text_assign(struct text_function *f, LLVMValueRef instruction);

/* --- Expressions: text_operation.c, text_memory.c. False: not an expression of this kind. --- */

bool text_operation(struct text_function *f, LLVMValueRef v);
bool text_pointer_operation(struct text_function *f, LLVMValueRef v);
/* Opcode of an instruction or constant expression. */
LLVMOpcode text_opcode(LLVMValueRef v);

/* --- Statements: text_memory.c, text_call.c, text_operation.c. False: not one of this kind. --- */

bool text_access(struct text_function *f, LLVMValueRef instruction);
bool text_copy(struct text_function *f, LLVMValueRef call, const char *name);
bool text_vector(struct text_function *f, LLVMValueRef instruction);
bool text_call(struct text_function *f, LLVMValueRef instruction);
/* The statements of one instruction that is neither a phi nor a terminator. */
void text_statement(struct text_function *f, LLVMValueRef i);
/* What loads that go past L1 need at the head of the text. Returns 0, ERR_NOMEM, ERR_LIMIT. */
int text_bypass_head(struct str *out, struct err *err);
/* Samplers that the program makes: whether a call makes one; write its name. */
bool text_is_sampler(LLVMValueRef v);
void text_sampler(struct text_function *f, LLVMValueRef call);

/* --- Control flow: text_flow.c --- */

/* All nodes of the function. */
void text_flow(struct text_function *f);
/* Write an instruction where it is used; false: it has a statement of its own. */
bool text_inlined(struct text_function *f, LLVMValueRef v);

#endif
