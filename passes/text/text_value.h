/*
 * text_value - constants and values of a function as expressions (private to the text door).
 */
#ifndef TEXT_VALUE_H
#define TEXT_VALUE_H

#include "text_type.h"

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

#endif
