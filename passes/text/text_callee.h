/* text_callee - functions that are not kernels, in the text (private to the text door). */
#ifndef TEXT_CALLEE_H
#define TEXT_CALLEE_H

#include "text_function.h"

/*
 * The name of a function of the module in the text, which is written on the first call. Refuses
 * the calling function if it cannot be.
 */
const char *text_callee_name(struct text_function *f, LLVMValueRef function);

/* The type of a parameter that is handed over as a copy in memory, or NULL. */
LLVMTypeRef text_by_value(LLVMValueRef function, unsigned index);

#endif
