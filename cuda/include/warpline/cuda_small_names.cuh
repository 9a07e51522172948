/* SPDX-License-Identifier: Apache-2.0 */
/*
 * warpline/cuda_small_names.cuh - the conversions of a float of 16 bits by their names. Included by
 * cuda_fp16.h and by cuda_bf16.h, which define the types WARPLINE_SMALL_FLOAT and
 * WARPLINE_SMALL_PAIR, WARPLINE_SMALL_NAME(before, after) for a name with the type's in it, and
 * WARPLINE_SMALL_SPREAD, the name with it twice.
 */

#define WARPLINE_SMALL_INTEGER(type, name)                                                         \
	WARPLINE_BOTH WARPLINE_SMALL_FLOAT WARPLINE_SMALL_NAME(__##name##2, _rn)(type value)       \
	{                                                                                          \
		return WARPLINE_SMALL_FLOAT(value);                                                \
	}                                                                                          \
	WARPLINE_BOTH type WARPLINE_SMALL_NAME(__, 2##name##_rz)(WARPLINE_SMALL_FLOAT value)       \
	{                                                                                          \
		return (type)(float)value;                                                         \
	}                                                                                          \
	WARPLINE_BOTH type WARPLINE_SMALL_NAME(__, 2##name##_rn)(WARPLINE_SMALL_FLOAT value)       \
	{                                                                                          \
		return (type)rintf((float)value);                                                  \
	}
WARPLINE_SMALL_INTEGER(int, int)
WARPLINE_SMALL_INTEGER(unsigned int, uint)
WARPLINE_SMALL_INTEGER(short, short)
WARPLINE_SMALL_INTEGER(unsigned short, ushort)
WARPLINE_SMALL_INTEGER(long long, ll)
WARPLINE_SMALL_INTEGER(unsigned long long, ull)
#undef WARPLINE_SMALL_INTEGER

WARPLINE_BOTH WARPLINE_SMALL_FLOAT WARPLINE_SMALL_NAME(__float2, )(float value)
{
	return WARPLINE_SMALL_FLOAT(value);
}
WARPLINE_BOTH WARPLINE_SMALL_FLOAT WARPLINE_SMALL_NAME(__float2, _rn)(float value)
{
	return WARPLINE_SMALL_FLOAT(value);
}
WARPLINE_BOTH WARPLINE_SMALL_FLOAT WARPLINE_SMALL_NAME(__double2, )(double value)
{
	return WARPLINE_SMALL_FLOAT(value);
}
WARPLINE_BOTH float WARPLINE_SMALL_NAME(__, 2float)(WARPLINE_SMALL_FLOAT value)
{
	return (float)value;
}
WARPLINE_BOTH unsigned short WARPLINE_SMALL_NAME(__, _as_ushort)(WARPLINE_SMALL_FLOAT value)
{
	return value.bits;
}
WARPLINE_BOTH short WARPLINE_SMALL_NAME(__, _as_short)(WARPLINE_SMALL_FLOAT value)
{
	return (short)value.bits;
}
WARPLINE_BOTH WARPLINE_SMALL_FLOAT WARPLINE_SMALL_NAME(__ushort_as_, )(unsigned short bits)
{
	return WARPLINE_SMALL_FLOAT::of_bits(bits);
}
WARPLINE_BOTH WARPLINE_SMALL_FLOAT WARPLINE_SMALL_NAME(__short_as_, )(short bits)
{
	return WARPLINE_SMALL_FLOAT::of_bits((unsigned short)bits);
}
WARPLINE_BOTH WARPLINE_SMALL_PAIR WARPLINE_SMALL_NAME(__floats2, 2_rn)(float x, float y)
{
	return WARPLINE_SMALL_PAIR(WARPLINE_SMALL_FLOAT(x), WARPLINE_SMALL_FLOAT(y));
}
WARPLINE_BOTH WARPLINE_SMALL_PAIR WARPLINE_SMALL_NAME(__float2, 2_rn)(float value)
{
	return WARPLINE_SMALL_PAIR(WARPLINE_SMALL_FLOAT(value), WARPLINE_SMALL_FLOAT(value));
}
WARPLINE_BOTH WARPLINE_SMALL_PAIR WARPLINE_SMALL_NAME(__float22, 2_rn)(float2 value)
{
	return WARPLINE_SMALL_PAIR(WARPLINE_SMALL_FLOAT(value.x), WARPLINE_SMALL_FLOAT(value.y));
}
WARPLINE_BOTH float2 WARPLINE_SMALL_NAME(__, 22float2)(WARPLINE_SMALL_PAIR value)
{
	return make_float2((float)value.x, (float)value.y);
}
WARPLINE_BOTH WARPLINE_SMALL_PAIR WARPLINE_SMALL_SPREAD(WARPLINE_SMALL_FLOAT value)
{
	return WARPLINE_SMALL_PAIR(value, value);
}
WARPLINE_BOTH WARPLINE_SMALL_PAIR WARPLINE_SMALL_NAME(__halves2, 2)(WARPLINE_SMALL_FLOAT x,
                                                                    WARPLINE_SMALL_FLOAT y)
{
	return WARPLINE_SMALL_PAIR(x, y);
}
WARPLINE_BOTH WARPLINE_SMALL_PAIR WARPLINE_SMALL_NAME(make_, 2)(WARPLINE_SMALL_FLOAT x,
                                                                WARPLINE_SMALL_FLOAT y)
{
	return WARPLINE_SMALL_PAIR(x, y);
}
WARPLINE_BOTH WARPLINE_SMALL_FLOAT WARPLINE_SMALL_NAME(__low2, )(WARPLINE_SMALL_PAIR value)
{
	return value.x;
}
WARPLINE_BOTH WARPLINE_SMALL_FLOAT WARPLINE_SMALL_NAME(__high2, )(WARPLINE_SMALL_PAIR value)
{
	return value.y;
}
WARPLINE_BOTH float __low2float(WARPLINE_SMALL_PAIR value)
{
	return (float)value.x;
}
WARPLINE_BOTH float __high2float(WARPLINE_SMALL_PAIR value)
{
	return (float)value.y;
}
WARPLINE_BOTH WARPLINE_SMALL_PAIR WARPLINE_SMALL_NAME(__low2, 2)(WARPLINE_SMALL_PAIR value)
{
	return WARPLINE_SMALL_PAIR(value.x, value.x);
}
WARPLINE_BOTH WARPLINE_SMALL_PAIR WARPLINE_SMALL_NAME(__high2, 2)(WARPLINE_SMALL_PAIR value)
{
	return WARPLINE_SMALL_PAIR(value.y, value.y);
}
WARPLINE_BOTH WARPLINE_SMALL_PAIR __lowhigh2highlow(WARPLINE_SMALL_PAIR value)
{
	return WARPLINE_SMALL_PAIR(value.y, value.x);
}
