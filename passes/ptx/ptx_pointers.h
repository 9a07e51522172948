/*
 * ptx_pointers - the addresses of a kernel from PTX, which are integers there, as pointers.
 *
 * From each place where an integer becomes a pointer the way is gone back over sums, casts, choices
 * and phis to where the address comes from: a variable, a slot, a parameter, what was loaded. On
 * this way each sum becomes a GEP, each phi one of pointers. Of the two parts of a sum the one that
 * is more likely an address is the base; whichever it is, the address is the same.
 */
#ifndef PTX_POINTERS_H
#define PTX_POINTERS_H

#include <llvm-c/Types.h>

#include <stdbool.h>
#include <stddef.h>

struct err;

/*
 * Change `function`. bases[i] is the pointer that was made of parameter i, or NULL for other
 * parameters; room for as many as it has parameters. *refused: the address in shared memory that is
 * made of a number, or NULL. 0 or ERR_NOMEM.
 */
int ptx_pointers_run(LLVMValueRef function, LLVMValueRef *bases, LLVMValueRef *refused,
                     struct err *err);

#endif
