/*
 * text_type - types of the IR as OpenCL C writes them (private to the text door).
 */
#ifndef TEXT_TYPE_H
#define TEXT_TYPE_H

#include "text_function.h"

/* Names are borrowed from the module. */

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

#endif
