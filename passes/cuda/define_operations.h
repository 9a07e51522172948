/*
 * define_operations - gives CUDA device code the results that a GPU defines and LLVM does not.
 *
 * In C++ a shift by the full width, a conversion out of range or a value never set is undefined,
 * and LLVM deletes code because of it. On a GPU it is an instruction with a result, on which
 * programs rely. So the front end's module is rewritten before any pass runs. The promises that
 * sums do not wrap stay until the end: address_form.h needs them to analyse addresses.
 */
#ifndef DEFINE_OPERATIONS_H
#define DEFINE_OPERATIONS_H

#include <llvm-c/Types.h>

/*
 * In all functions of a module that clang made from CUDA C++: shifts, divisions and conversions to
 * integers follow gpu_arithmetic.h; counting zeros in 0 is defined; a `bool` in memory is true
 * unless it is 0; promises about values (!range, llvm.assume) are dropped; scalar variables start
 * as 0.
 *
 * Where the result depends on nvcc's choice, follow it: conversions to 8 and 16 bits are
 * conversions to 32 bits, truncated; a 64-bit dividend that fits 32 bits is divided as 32 bits.
 */
void define_operations(LLVMModuleRef module);

/* Let signed overflow wrap: drop the promises of additions, subtractions and products. */
void define_overflow(LLVMModuleRef module);

/* Replace each undefined operand by 0, except where a value is assembled from parts. */
void define_values(LLVMModuleRef module);

#endif
