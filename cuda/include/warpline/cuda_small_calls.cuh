/* SPDX-License-Identifier: Apache-2.0 */
/*
 * warpline/cuda_small_calls.cuh - __hadd, __hfma2, hexp and their kind for one type of 16 bits,
 * named by WARPLINE_SMALL_FLOAT, and its pair, WARPLINE_SMALL_PAIR. Included once for each type.
 */

#define WARPLINE_OPERATION(name, expression)                                                       \
	WARPLINE_BOTH WARPLINE_SMALL_FLOAT __##name(WARPLINE_SMALL_FLOAT a,                        \
	                                            WARPLINE_SMALL_FLOAT b)                        \
	{                                                                                          \
		return WARPLINE_SMALL_FLOAT(expression);                                           \
	}                                                                                          \
	WARPLINE_BOTH WARPLINE_SMALL_PAIR __##name##2(WARPLINE_SMALL_PAIR a,                       \
	                                              WARPLINE_SMALL_PAIR b)                       \
	{                                                                                          \
		return WARPLINE_SMALL_PAIR(__##name(a.x, b.x), __##name(a.y, b.y));                \
	}
WARPLINE_OPERATION(hadd, (float)a + (float)b)
WARPLINE_OPERATION(hsub, (float)a - (float)b)
WARPLINE_OPERATION(hmul, (float)a *(float)b)
WARPLINE_OPERATION(hdiv, (float)a / (float)b)
WARPLINE_OPERATION(hmin, fminf((float)a, (float)b))
WARPLINE_OPERATION(hmax, fmaxf((float)a, (float)b))
WARPLINE_OPERATION(hadd_rn, (float)a + (float)b)
WARPLINE_OPERATION(hsub_rn, (float)a - (float)b)
WARPLINE_OPERATION(hmul_rn, (float)a *(float)b)
WARPLINE_OPERATION(hadd_sat, fminf(fmaxf((float)a + (float)b, 0.0f), 1.0f))
WARPLINE_OPERATION(hsub_sat, fminf(fmaxf((float)a - (float)b, 0.0f), 1.0f))
WARPLINE_OPERATION(hmul_sat, fminf(fmaxf((float)a *(float)b, 0.0f), 1.0f))
#undef WARPLINE_OPERATION

WARPLINE_BOTH WARPLINE_SMALL_FLOAT __hfma(WARPLINE_SMALL_FLOAT a, WARPLINE_SMALL_FLOAT b,
                                          WARPLINE_SMALL_FLOAT c)
{
	return WARPLINE_SMALL_FLOAT(fmaf((float)a, (float)b, (float)c));
}
WARPLINE_BOTH WARPLINE_SMALL_PAIR __hfma2(WARPLINE_SMALL_PAIR a, WARPLINE_SMALL_PAIR b,
                                          WARPLINE_SMALL_PAIR c)
{
	return WARPLINE_SMALL_PAIR(__hfma(a.x, b.x, c.x), __hfma(a.y, b.y, c.y));
}
WARPLINE_BOTH WARPLINE_SMALL_PAIR __h2div(WARPLINE_SMALL_PAIR a, WARPLINE_SMALL_PAIR b)
{
	return WARPLINE_SMALL_PAIR(__hdiv(a.x, b.x), __hdiv(a.y, b.y));
}
WARPLINE_BOTH WARPLINE_SMALL_FLOAT __hneg(WARPLINE_SMALL_FLOAT a)
{
	return -a;
}
WARPLINE_BOTH WARPLINE_SMALL_PAIR __hneg2(WARPLINE_SMALL_PAIR a)
{
	return WARPLINE_SMALL_PAIR(-a.x, -a.y);
}
WARPLINE_BOTH WARPLINE_SMALL_FLOAT __habs(WARPLINE_SMALL_FLOAT a)
{
	return WARPLINE_SMALL_FLOAT::of_bits((unsigned short)(a.bits & 0x7fffu));
}
WARPLINE_BOTH WARPLINE_SMALL_PAIR __habs2(WARPLINE_SMALL_PAIR a)
{
	return WARPLINE_SMALL_PAIR(__habs(a.x), __habs(a.y));
}
WARPLINE_BOTH bool __hisnan(WARPLINE_SMALL_FLOAT a)
{
	return (float)a != (float)a;
}
WARPLINE_BOTH int __hisinf(WARPLINE_SMALL_FLOAT a)
{
	return __habs(a).bits == WARPLINE_SMALL_FLOAT(__builtin_inff()).bits
	               ? (a.bits & 0x8000u ? -1 : 1)
	               : 0;
}

#define WARPLINE_COMPARISON(name, op)                                                              \
	WARPLINE_BOTH bool name(WARPLINE_SMALL_FLOAT a, WARPLINE_SMALL_FLOAT b)                    \
	{                                                                                          \
		return (float)a op(float) b;                                                       \
	}                                                                                          \
	WARPLINE_BOTH WARPLINE_SMALL_PAIR name##2(WARPLINE_SMALL_PAIR a, WARPLINE_SMALL_PAIR b)    \
	{                                                                                          \
		return WARPLINE_SMALL_PAIR(WARPLINE_SMALL_FLOAT(name(a.x, b.x) ? 1.0f : 0.0f),     \
		                           WARPLINE_SMALL_FLOAT(name(a.y, b.y) ? 1.0f : 0.0f));    \
	}
WARPLINE_COMPARISON(__heq, ==)
WARPLINE_COMPARISON(__hne, !=)
WARPLINE_COMPARISON(__hlt, <)
WARPLINE_COMPARISON(__hle, <=)
WARPLINE_COMPARISON(__hgt, >)
WARPLINE_COMPARISON(__hge, >=)
#undef WARPLINE_COMPARISON

#define WARPLINE_FUNCTION(name, expression)                                                        \
	WARPLINE_BOTH WARPLINE_SMALL_FLOAT h##name(WARPLINE_SMALL_FLOAT value)                     \
	{                                                                                          \
		float x = (float)value;                                                            \
		return WARPLINE_SMALL_FLOAT(expression);                                           \
	}                                                                                          \
	WARPLINE_BOTH WARPLINE_SMALL_PAIR h2##name(WARPLINE_SMALL_PAIR value)                      \
	{                                                                                          \
		return WARPLINE_SMALL_PAIR(h##name(value.x), h##name(value.y));                    \
	}
WARPLINE_FUNCTION(sqrt, sqrtf(x))
WARPLINE_FUNCTION(rsqrt, 1.0f / sqrtf(x))
WARPLINE_FUNCTION(rcp, 1.0f / x)
WARPLINE_FUNCTION(exp, expf(x))
WARPLINE_FUNCTION(exp2, exp2f(x))
WARPLINE_FUNCTION(log, logf(x))
WARPLINE_FUNCTION(log2, log2f(x))
WARPLINE_FUNCTION(log10, log10f(x))
WARPLINE_FUNCTION(sin, sinf(x))
WARPLINE_FUNCTION(cos, cosf(x))
WARPLINE_FUNCTION(floor, floorf(x))
WARPLINE_FUNCTION(ceil, ceilf(x))
WARPLINE_FUNCTION(trunc, truncf(x))
WARPLINE_FUNCTION(rint, rintf(x))
#undef WARPLINE_FUNCTION

#ifdef WARPLINE_CUDA_COMPILER
#define WARPLINE_SHUFFLE(name, other_type)                                                         \
	static __device__ __forceinline__ WARPLINE_SMALL_FLOAT name(                               \
		unsigned int mask, WARPLINE_SMALL_FLOAT value, other_type other, int width = 32)   \
	{                                                                                          \
		return WARPLINE_SMALL_FLOAT::of_bits(                                              \
			(unsigned short)::name(mask, (unsigned int)value.bits, other, width));     \
	}                                                                                          \
	static __device__ __forceinline__ WARPLINE_SMALL_PAIR name(                                \
		unsigned int mask, WARPLINE_SMALL_PAIR value, other_type other, int width = 32)    \
	{                                                                                          \
		unsigned int word = value.x.bits | (unsigned int)value.y.bits << 16;               \
		word = ::name(mask, word, other, width);                                           \
		return WARPLINE_SMALL_PAIR(                                                        \
			WARPLINE_SMALL_FLOAT::of_bits((unsigned short)word),                       \
			WARPLINE_SMALL_FLOAT::of_bits((unsigned short)(word >> 16)));              \
	}
WARPLINE_SHUFFLE(__shfl_sync, int)
WARPLINE_SHUFFLE(__shfl_up_sync, unsigned int)
WARPLINE_SHUFFLE(__shfl_down_sync, unsigned int)
WARPLINE_SHUFFLE(__shfl_xor_sync, int)
#undef WARPLINE_SHUFFLE

static __device__ __forceinline__ WARPLINE_SMALL_FLOAT __ldg(const WARPLINE_SMALL_FLOAT *p)
{
	return WARPLINE_SMALL_FLOAT::of_bits(__ldg(&p->bits));
}
#endif
