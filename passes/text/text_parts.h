/*
 * text_parts - what the files of the text door do for each other, besides types and values.
 */
#ifndef TEXT_PARTS_H
#define TEXT_PARTS_H

#include "text_value.h"

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
void text_statement(struct text_function *f, LLVMValueRef i);

/* Opaque objects: text_object.c. Finds which values are such. */
void text_objects_find(struct text_function *f);
/* "event_t"; NULL when the value is none. */
const char *text_object_type(struct text_function *f, LLVMValueRef v);

/* Samplers made by the program: text_sampler.c. The call that makes one, its name, its definition.
 */
bool text_is_sampler(LLVMValueRef v);
void text_sampler(struct text_function *f, LLVMValueRef call);

/* Whether signed arithmetic does not wrap: text_wrap.c. */
void text_wraps_find(struct text_function *f);

/* Control flow: text_flow.c, text_phi.c. */
void text_flow(struct text_function *f);

/*
 * Whether the header of a loop can stand in the condition of a while: text_while.c. From then on
 * its instructions are written where they are used: text_inlined() writes one that is.
 */
bool text_inlined(struct text_function *f, LLVMValueRef v);

/* Attributes, name and parameters: text_signature.c. */
void text_signature(struct text_function *f, const char *name);

#endif
