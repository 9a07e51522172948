/* text_call - functions that are not kernels, in the text (private to the text door). */
#ifndef TEXT_CALL_H
#define TEXT_CALL_H

#include "text_function.h"

/* The type of a parameter that is handed over as a copy in memory, or NULL. */
LLVMTypeRef text_by_value(LLVMValueRef function, unsigned index);

#endif
