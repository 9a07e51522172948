/* SPDX-License-Identifier: Apache-2.0 */
/*
 * warpline/cuda_half_names.cuh - the conversions of cuda_fp16.h by their names. Included there.
 */
#ifndef WARPLINE_CUDA_HALF_NAMES_CUH
#define WARPLINE_CUDA_HALF_NAMES_CUH

WARPLINE_BOTH warpline_half __float2half(float value)
{
	return warpline_half(value);
}
WARPLINE_BOTH warpline_half __float2half_rn(float value)
{
	return warpline_half(value);
}
WARPLINE_BOTH warpline_half __double2half(double value)
{
	return warpline_half(value);
}
WARPLINE_BOTH float __half2float(warpline_half value)
{
	return (float)value;
}
WARPLINE_BOTH warpline_half __int2half_rn(int value)
{
	return warpline_half(value);
}
WARPLINE_BOTH int __half2int_rz(warpline_half value)
{
	return (int)(float)value;
}
WARPLINE_BOTH int __half2int_rn(warpline_half value)
{
	return (int)rintf((float)value);
}
WARPLINE_BOTH warpline_half __uint2half_rn(unsigned int value)
{
	return warpline_half(value);
}
WARPLINE_BOTH unsigned int __half2uint_rz(warpline_half value)
{
	return (unsigned int)(float)value;
}
WARPLINE_BOTH unsigned int __half2uint_rn(warpline_half value)
{
	return (unsigned int)rintf((float)value);
}
WARPLINE_BOTH warpline_half __short2half_rn(short value)
{
	return warpline_half(value);
}
WARPLINE_BOTH short __half2short_rz(warpline_half value)
{
	return (short)(float)value;
}
WARPLINE_BOTH short __half2short_rn(warpline_half value)
{
	return (short)rintf((float)value);
}
WARPLINE_BOTH warpline_half __ushort2half_rn(unsigned short value)
{
	return warpline_half(value);
}
WARPLINE_BOTH unsigned short __half2ushort_rz(warpline_half value)
{
	return (unsigned short)(float)value;
}
WARPLINE_BOTH unsigned short __half2ushort_rn(warpline_half value)
{
	return (unsigned short)rintf((float)value);
}
WARPLINE_BOTH warpline_half __ll2half_rn(long long value)
{
	return warpline_half(value);
}
WARPLINE_BOTH long long __half2ll_rz(warpline_half value)
{
	return (long long)(float)value;
}
WARPLINE_BOTH long long __half2ll_rn(warpline_half value)
{
	return (long long)rintf((float)value);
}
WARPLINE_BOTH warpline_half __ull2half_rn(unsigned long long value)
{
	return warpline_half(value);
}
WARPLINE_BOTH unsigned long long __half2ull_rz(warpline_half value)
{
	return (unsigned long long)(float)value;
}
WARPLINE_BOTH unsigned long long __half2ull_rn(warpline_half value)
{
	return (unsigned long long)rintf((float)value);
}
WARPLINE_BOTH unsigned short __half_as_ushort(warpline_half value)
{
	return value.bits;
}
WARPLINE_BOTH short __half_as_short(warpline_half value)
{
	return (short)value.bits;
}
WARPLINE_BOTH warpline_half __ushort_as_half(unsigned short bits)
{
	return warpline_half::of_bits(bits);
}
WARPLINE_BOTH warpline_half __short_as_half(short bits)
{
	return warpline_half::of_bits((unsigned short)bits);
}
WARPLINE_BOTH warpline_half2 __floats2half2_rn(float x, float y)
{
	return warpline_half2(warpline_half(x), warpline_half(y));
}
WARPLINE_BOTH warpline_half2 __float2half2_rn(float value)
{
	return warpline_half2(warpline_half(value), warpline_half(value));
}
WARPLINE_BOTH warpline_half2 __float22half2_rn(float2 value)
{
	return warpline_half2(warpline_half(value.x), warpline_half(value.y));
}
WARPLINE_BOTH float2 __half22float2(warpline_half2 value)
{
	return make_float2((float)value.x, (float)value.y);
}
WARPLINE_BOTH warpline_half2 __half2half2(warpline_half value)
{
	return warpline_half2(value, value);
}
WARPLINE_BOTH warpline_half2 __halves2half2(warpline_half x, warpline_half y)
{
	return warpline_half2(x, y);
}
WARPLINE_BOTH warpline_half2 make_half2(warpline_half x, warpline_half y)
{
	return warpline_half2(x, y);
}
WARPLINE_BOTH warpline_half __low2half(warpline_half2 value)
{
	return value.x;
}
WARPLINE_BOTH warpline_half __high2half(warpline_half2 value)
{
	return value.y;
}
WARPLINE_BOTH float __low2float(warpline_half2 value)
{
	return (float)value.x;
}
WARPLINE_BOTH float __high2float(warpline_half2 value)
{
	return (float)value.y;
}
WARPLINE_BOTH warpline_half2 __low2half2(warpline_half2 value)
{
	return warpline_half2(value.x, value.x);
}
WARPLINE_BOTH warpline_half2 __high2half2(warpline_half2 value)
{
	return warpline_half2(value.y, value.y);
}
WARPLINE_BOTH warpline_half2 __lowhigh2highlow(warpline_half2 value)
{
	return warpline_half2(value.y, value.x);
}

#endif
