/*
 * define_operations - device code of CUDA without what LLVM leaves undefined and a GPU does not.
 *
 * In C++ a shift by the width, a conversion out of range or a value never set may become anything,
 * and LLVM deletes code because of it. On a GPU it is an instruction with a result, on which
 * programs rely. So the front end's module is rewritten before any pass looks at it. Promises that
 * sums do not wrap stay until the end: address_form.h needs them to find where accesses lie.
 */
#ifndef DEFINE_OPERATIONS_H
#define DEFINE_OPERATIONS_H

#include <llvm-c/Types.h>

/*
 * In a module that clang made of CUDA C++, in all functions: shifts, divisions and conversions to
 * integers as gpu_arithmetic.h has them; counts of zeros in 0; a `bool` in memory is true unless it
 * is 0; no promises about values (!range, llvm.assume); scalar variables are 0 at first.
 *
 * Where nvcc's own choice decides about the result, it is that: conversions to 8 and 16 bits are
 * those to 32 bits, cut; a dividend of 64 bits that fits 32 is divided as 32 bits.
 */
void define_operations(LLVMModuleRef module);

/* Let signed overflow wrap: additions, subtractions and products without their promises. */
void define_overflow(LLVMModuleRef module);

/* Put 0 for each operand that is undefined, but where parts of a value are put together. */
void define_values(LLVMModuleRef module);

#endif
