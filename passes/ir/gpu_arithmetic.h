/*
 * gpu_arithmetic - operations whose results are defined by PTX, or by NVIDIA's GPUs, for operands
 * that LLVM's own operations leave undefined.
 *
 * For integers and floating-point numbers, not vectors. When LLVM defines the result for known
 * operands, the plain operation is used.
 */
#ifndef GPU_ARITHMETIC_H
#define GPU_ARITHMETIC_H

#include <llvm-c/Core.h>

#include <stdbool.h>

/*
 * Shift by LLVMShl, LLVMLShr or LLVMAShr. `amount` may have another width than `value`; its lower
 * 32 bits are used, unsigned. Amounts of the width or more leave zeros, or the sign (PTX ISA, shl
 * and shr: "clamped to N").
 */
LLVMValueRef gpu_shift(LLVMBuilderRef b, LLVMOpcode opcode, LLVMValueRef value,
                       LLVMValueRef amount);

/*
 * Divide by LLVMUDiv, LLVMSDiv, LLVMURem or LLVMSRem. Division by zero gives a quotient and a
 * remainder with all bits set: PTX leaves this to the machine, and ptxas of CUDA 13 does so for
 * sm_75 to sm_100. The least integer divided by -1 gives itself, with remainder 0.
 */
LLVMValueRef gpu_divide(LLVMBuilderRef b, LLVMOpcode opcode, LLVMValueRef x, LLVMValueRef y);

/*
 * Convert a float or double to an integer of `type`, rounding toward zero. Values out of range
 * become the nearest integer in range. NaN becomes 0, or only the highest bit set where a double or
 * 64 bits are involved (PTX ISA, cvt).
 */
LLVMValueRef gpu_to_integer(LLVMBuilderRef b, LLVMValueRef value, LLVMTypeRef type, bool is_signed);

#endif
