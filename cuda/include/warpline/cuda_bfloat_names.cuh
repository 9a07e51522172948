/* SPDX-License-Identifier: Apache-2.0 */
/*
 * warpline/cuda_bfloat_names.cuh - the conversions of cuda_bf16.h by their names. Included there.
 */
#ifndef WARPLINE_CUDA_BFLOAT_NAMES_CUH
#define WARPLINE_CUDA_BFLOAT_NAMES_CUH

WARPLINE_BOTH warpline_bfloat16 __float2bfloat16(float value)
{
	return warpline_bfloat16(value);
}
WARPLINE_BOTH warpline_bfloat16 __float2bfloat16_rn(float value)
{
	return warpline_bfloat16(value);
}
WARPLINE_BOTH warpline_bfloat16 __double2bfloat16(double value)
{
	return warpline_bfloat16(value);
}
WARPLINE_BOTH float __bfloat162float(warpline_bfloat16 value)
{
	return (float)value;
}
WARPLINE_BOTH warpline_bfloat16 __int2bfloat16_rn(int value)
{
	return warpline_bfloat16(value);
}
WARPLINE_BOTH int __bfloat162int_rz(warpline_bfloat16 value)
{
	return (int)(float)value;
}
WARPLINE_BOTH int __bfloat162int_rn(warpline_bfloat16 value)
{
	return (int)rintf((float)value);
}
WARPLINE_BOTH warpline_bfloat16 __uint2bfloat16_rn(unsigned int value)
{
	return warpline_bfloat16(value);
}
WARPLINE_BOTH unsigned int __bfloat162uint_rz(warpline_bfloat16 value)
{
	return (unsigned int)(float)value;
}
WARPLINE_BOTH unsigned int __bfloat162uint_rn(warpline_bfloat16 value)
{
	return (unsigned int)rintf((float)value);
}
WARPLINE_BOTH warpline_bfloat16 __short2bfloat16_rn(short value)
{
	return warpline_bfloat16(value);
}
WARPLINE_BOTH short __bfloat162short_rz(warpline_bfloat16 value)
{
	return (short)(float)value;
}
WARPLINE_BOTH short __bfloat162short_rn(warpline_bfloat16 value)
{
	return (short)rintf((float)value);
}
WARPLINE_BOTH warpline_bfloat16 __ushort2bfloat16_rn(unsigned short value)
{
	return warpline_bfloat16(value);
}
WARPLINE_BOTH unsigned short __bfloat162ushort_rz(warpline_bfloat16 value)
{
	return (unsigned short)(float)value;
}
WARPLINE_BOTH unsigned short __bfloat162ushort_rn(warpline_bfloat16 value)
{
	return (unsigned short)rintf((float)value);
}
WARPLINE_BOTH warpline_bfloat16 __ll2bfloat16_rn(long long value)
{
	return warpline_bfloat16(value);
}
WARPLINE_BOTH long long __bfloat162ll_rz(warpline_bfloat16 value)
{
	return (long long)(float)value;
}
WARPLINE_BOTH long long __bfloat162ll_rn(warpline_bfloat16 value)
{
	return (long long)rintf((float)value);
}
WARPLINE_BOTH warpline_bfloat16 __ull2bfloat16_rn(unsigned long long value)
{
	return warpline_bfloat16(value);
}
WARPLINE_BOTH unsigned long long __bfloat162ull_rz(warpline_bfloat16 value)
{
	return (unsigned long long)(float)value;
}
WARPLINE_BOTH unsigned long long __bfloat162ull_rn(warpline_bfloat16 value)
{
	return (unsigned long long)rintf((float)value);
}
WARPLINE_BOTH unsigned short __bfloat16_as_ushort(warpline_bfloat16 value)
{
	return value.bits;
}
WARPLINE_BOTH short __bfloat16_as_short(warpline_bfloat16 value)
{
	return (short)value.bits;
}
WARPLINE_BOTH warpline_bfloat16 __ushort_as_bfloat16(unsigned short bits)
{
	return warpline_bfloat16::of_bits(bits);
}
WARPLINE_BOTH warpline_bfloat16 __short_as_bfloat16(short bits)
{
	return warpline_bfloat16::of_bits((unsigned short)bits);
}
WARPLINE_BOTH warpline_bfloat162 __floats2bfloat162_rn(float x, float y)
{
	return warpline_bfloat162(warpline_bfloat16(x), warpline_bfloat16(y));
}
WARPLINE_BOTH warpline_bfloat162 __float2bfloat162_rn(float value)
{
	return warpline_bfloat162(warpline_bfloat16(value), warpline_bfloat16(value));
}
WARPLINE_BOTH warpline_bfloat162 __float22bfloat162_rn(float2 value)
{
	return warpline_bfloat162(warpline_bfloat16(value.x), warpline_bfloat16(value.y));
}
WARPLINE_BOTH float2 __bfloat1622float2(warpline_bfloat162 value)
{
	return make_float2((float)value.x, (float)value.y);
}
WARPLINE_BOTH warpline_bfloat162 __bfloat162bfloat162(warpline_bfloat16 value)
{
	return warpline_bfloat162(value, value);
}
WARPLINE_BOTH warpline_bfloat162 __halves2bfloat162(warpline_bfloat16 x, warpline_bfloat16 y)
{
	return warpline_bfloat162(x, y);
}
WARPLINE_BOTH warpline_bfloat162 make_bfloat162(warpline_bfloat16 x, warpline_bfloat16 y)
{
	return warpline_bfloat162(x, y);
}
WARPLINE_BOTH warpline_bfloat16 __low2bfloat16(warpline_bfloat162 value)
{
	return value.x;
}
WARPLINE_BOTH warpline_bfloat16 __high2bfloat16(warpline_bfloat162 value)
{
	return value.y;
}
WARPLINE_BOTH float __low2float(warpline_bfloat162 value)
{
	return (float)value.x;
}
WARPLINE_BOTH float __high2float(warpline_bfloat162 value)
{
	return (float)value.y;
}
WARPLINE_BOTH warpline_bfloat162 __low2bfloat162(warpline_bfloat162 value)
{
	return warpline_bfloat162(value.x, value.x);
}
WARPLINE_BOTH warpline_bfloat162 __high2bfloat162(warpline_bfloat162 value)
{
	return warpline_bfloat162(value.y, value.y);
}
WARPLINE_BOTH warpline_bfloat162 __lowhigh2highlow(warpline_bfloat162 value)
{
	return warpline_bfloat162(value.y, value.x);
}

#endif
