/*
 * debug_type - a type of C or C++ as text, from debug information: "const float *".
 *
 * The C API tells of a type without a name its size alone: with one it is a pointer or a reference,
 * without a qualifier. So every qualifier is taken for const, of a pointer itself for none.
 */
#ifndef DEBUG_TYPE_H
#define DEBUG_TYPE_H

#include <llvm-c/Types.h>

struct err;

/* The text, on the heap; `type` is a debug type as a value, NULL is void. NULL: ERR_NOMEM,
 * ERR_LIMIT. */
char *debug_type_text(LLVMValueRef type, struct err *err);

#endif
