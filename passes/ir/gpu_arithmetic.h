/*
 * gpu_arithmetic - operations with the result that PTX defines, or that NVIDIA's GPUs give, for
 * operands for which LLVM's own operation has none.
 *
 * Integers and floating point numbers, no vectors. Operands that are known, and for which LLVM
 * defines the result, become the plain operation.
 */
#ifndef GPU_ARITHMETIC_H
#define GPU_ARITHMETIC_H

#include <llvm-c/Core.h>

#include <stdbool.h>

/*
 * Shift by LLVMShl, LLVMLShr or LLVMAShr. `amount` may have another width than `value`; its lower
 * 32 bits count, without a sign. Amounts of the width or more leave zeros, or the sign (PTX ISA,
 * shl and shr: "clamped to N").
 */
LLVMValueRef gpu_shift(LLVMBuilderRef b, LLVMOpcode opcode, LLVMValueRef value,
                       LLVMValueRef amount);

/*
 * Divide by LLVMUDiv, LLVMSDiv, LLVMURem or LLVMSRem. By zero quotient and remainder have all bits
 * set: PTX leaves it to the machine, and that is what ptxas of CUDA 13 makes for sm_75 to sm_100.
 * The least number by -1 is itself, remainder 0.
 */
LLVMValueRef gpu_divide(LLVMBuilderRef b, LLVMOpcode opcode, LLVMValueRef x, LLVMValueRef y);

/*
 * Convert a float or double to an integer of `type`, cut to whole numbers. Too large ones become
 * the nearest there is. What is no number becomes 0, or the highest bit alone where a double or 64
 * bits take part (PTX ISA, cvt).
 */
LLVMValueRef gpu_to_integer(LLVMBuilderRef b, LLVMValueRef value, LLVMTypeRef type, bool is_signed);

#endif
