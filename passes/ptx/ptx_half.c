/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_half.h"

#include "ptx_value.h"

#define HALF_BITS      16
#define NOT_A_NUMBER   0x7fff
#define BELOW_THE_HALF 0x7fff

LLVMValueRef ptx_half_to_float(struct ptx_emitter *e, LLVMValueRef bits, enum ptx_type type)
{
	LLVMValueRef word;

	if (ptx_type_class(type) == PTX_CLASS_H)
		return ptx_call(e, "__nv_half2float", ptx_float(e), &bits, 1);
	word = LLVMBuildZExt(e->b, bits, ptx_int(e, 32), "");
	word = LLVMBuildShl(e->b, word, ptx_like(word, HALF_BITS), "");
	return LLVMBuildBitCast(e->b, word, ptx_float(e), "");
}

/* The upper half, plus one where the lower is above its middle, or there and the upper is odd. */
static LLVMValueRef cut(struct ptx_emitter *e, LLVMValueRef value)
{
	LLVMValueRef bits = LLVMBuildBitCast(e->b, value, ptx_int(e, 32), "");
	LLVMValueRef upper = LLVMBuildLShr(e->b, bits, ptx_like(bits, HALF_BITS), "");
	LLVMValueRef odd = LLVMBuildAnd(e->b, upper, ptx_like(upper, 1), "");
	LLVMValueRef is_none = LLVMBuildFCmp(e->b, LLVMRealUNO, value, value, "");

	bits = LLVMBuildAdd(e->b, bits, ptx_like(bits, BELOW_THE_HALF), "");
	bits = LLVMBuildAdd(e->b, bits, odd, "");
	bits = LLVMBuildLShr(e->b, bits, ptx_like(bits, HALF_BITS), "");
	bits = LLVMBuildSelect(e->b, is_none, ptx_like(bits, NOT_A_NUMBER), bits, "");
	return LLVMBuildTrunc(e->b, bits, ptx_int(e, HALF_BITS), "");
}

LLVMValueRef ptx_float_to_half(struct ptx_emitter *e, LLVMValueRef value, enum ptx_type type)
{
	if (ptx_type_class(type) == PTX_CLASS_H)
		return ptx_call(e, "__nv_float2half_rn", ptx_int(e, HALF_BITS), &value, 1);
	return cut(e, value);
}

LLVMValueRef ptx_half_lane(struct ptx_emitter *e, LLVMValueRef bits, unsigned i)
{
	if (LLVMGetIntTypeWidth(LLVMTypeOf(bits)) == HALF_BITS)
		return bits;
	if (i)
		bits = LLVMBuildLShr(e->b, bits, ptx_like(bits, HALF_BITS), "");
	return LLVMBuildTrunc(e->b, bits, ptx_int(e, HALF_BITS), "");
}

LLVMValueRef ptx_half_pair(struct ptx_emitter *e, LLVMValueRef low, LLVMValueRef high)
{
	low = LLVMBuildZExt(e->b, low, ptx_int(e, 2 * HALF_BITS), "");
	high = LLVMBuildZExt(e->b, high, ptx_int(e, 2 * HALF_BITS), "");
	high = LLVMBuildShl(e->b, high, ptx_like(high, HALF_BITS), "");
	return LLVMBuildOr(e->b, low, high, "");
}
