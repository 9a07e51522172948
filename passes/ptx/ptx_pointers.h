/*
 * ptx_pointers - turns the addresses of a kernel from PTX, which are integers there, into pointers.
 *
 * From each place where an integer becomes a pointer, it walks back through sums, casts, selects
 * and phis to where the address comes from: a variable, a slot, a parameter, a loaded value. Along
 * this path each sum becomes a GEP and each phi a phi of pointers. The operand of a sum that is
 * more likely an address is the base; either choice gives the same address.
 */
#ifndef PTX_POINTERS_H
#define PTX_POINTERS_H

#include <llvm-c/Types.h>

#include <stdbool.h>
#include <stddef.h>

struct err;

/*
 * Rewrite `function`. bases[i] is the pointer made from parameter i, or NULL; bases has an entry
 * per parameter. *refused is the address in shared memory that is made from a number, or NULL.
 * Returns 0 or ERR_NOMEM.
 */
int ptx_pointers_run(LLVMValueRef function, LLVMValueRef *bases, LLVMValueRef *refused,
                     struct err *err);

#endif
