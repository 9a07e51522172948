/* SPDX-License-Identifier: Apache-2.0 */
/*
 * warpline/cuda_half.cuh - floats of 16 bits, IEEE half and bfloat16, and pairs of them:
 * conversions by integer arithmetic (the same on every side), operators by float. Included by
 * cuda_fp16.h and cuda_bf16.h.
 */
#ifndef WARPLINE_CUDA_HALF_CUH
#define WARPLINE_CUDA_HALF_CUH

#define WARPLINE_BOTH static __host__ __device__ __forceinline__

WARPLINE_BOTH unsigned int warpline_float_bits(float value)
{
	unsigned int bits;
	__builtin_memcpy(&bits, &value, sizeof(bits));
	return bits;
}

WARPLINE_BOTH float warpline_bits_float(unsigned int bits)
{
	float value;
	__builtin_memcpy(&value, &bits, sizeof(value));
	return value;
}

/* IEEE 754: 1 sign, 5 exponent and 10 fraction bits; ties go to even. */
struct warpline_half_code {
	static __host__ __device__ __forceinline__ unsigned short encode(float value)
	{
		unsigned int bits = warpline_float_bits(value), sign = (bits >> 16) & 0x8000u;
		unsigned int magnitude = bits & 0x7fffffffu, shift, rest, half;

		if (magnitude > 0x7f800000u)
			return 0x7fffu;
		if (magnitude >= 0x47800000u) /* 65536 */
			return (unsigned short)(sign | 0x7c00u);
		if (magnitude < 0x33000000u) /* under half of the least, 2^-24 */
			return (unsigned short)sign;
		shift = 13;
		if (magnitude < 0x38800000u) { /* 2^-14: the result is subnormal */
			shift = 126 - (magnitude >> 23);
			magnitude = (magnitude & 0x7fffffu) | 0x800000u;
		} else {
			magnitude -= 0x38000000u;
		}
		half = magnitude >> shift;
		rest = magnitude & ((1u << shift) - 1);
		half += rest > (1u << (shift - 1)) || (rest == (1u << (shift - 1)) && (half & 1));
		return (unsigned short)(sign | half);
	}
	static __host__ __device__ __forceinline__ float decode(unsigned short half)
	{
		unsigned int sign = (unsigned int)(half & 0x8000u) << 16, rest = half & 0x7fffu;

		if (rest >= 0x7c00u)
			return warpline_bits_float(sign | 0x7f800000u | ((rest & 0x3ffu) << 13));
		if (rest >= 0x400u)
			return warpline_bits_float(sign | ((rest << 13) + 0x38000000u));
		return (sign ? -1.0f : 1.0f) * ((float)rest * 5.9604644775390625e-8f); /* 2^-24 */
	}
};

/* The upper half of a float; ties go to even. */
struct warpline_bfloat_code {
	static __host__ __device__ __forceinline__ unsigned short encode(float value)
	{
		unsigned int bits = warpline_float_bits(value);

		if ((bits & 0x7fffffffu) > 0x7f800000u)
			return 0x7fffu;
		return (unsigned short)((bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16);
	}
	static __host__ __device__ __forceinline__ float decode(unsigned short bits)
	{
		return warpline_bits_float((unsigned int)bits << 16);
	}
};

template <typename Code> struct __attribute__((aligned(2))) warpline_small {
	unsigned short bits;

#if __cplusplus >= 201103L
	warpline_small() = default;
#else
	__host__ __device__ warpline_small()
	{
	}
#endif
#define WARPLINE_FROM(type)                                                                        \
	__host__ __device__ warpline_small(type value) : bits(Code::encode((float)value))          \
	{                                                                                          \
	}
	WARPLINE_FROM(float)
	WARPLINE_FROM(double)
	WARPLINE_FROM(int)
	WARPLINE_FROM(unsigned int)
	WARPLINE_FROM(short)
	WARPLINE_FROM(unsigned short)
	WARPLINE_FROM(long)
	WARPLINE_FROM(unsigned long)
	WARPLINE_FROM(long long)
	WARPLINE_FROM(unsigned long long)
#undef WARPLINE_FROM
	__host__ __device__ operator float() const
	{
		return Code::decode(bits);
	}
	static __host__ __device__ warpline_small of_bits(unsigned short bits)
	{
		warpline_small value;
		value.bits = bits;
		return value;
	}
};

template <typename Small> struct __attribute__((aligned(4))) warpline_small_pair {
	Small x, y;

#if __cplusplus >= 201103L
	warpline_small_pair() = default;
#else
	__host__ __device__ warpline_small_pair()
	{
	}
#endif
	__host__ __device__ warpline_small_pair(Small first, Small second) : x(first), y(second)
	{
	}
};

#define WARPLINE_SMALL_OPERATOR(op)                                                                \
	template <typename C>                                                                      \
	WARPLINE_BOTH warpline_small<C> operator op(warpline_small<C> a, warpline_small<C> b)      \
	{                                                                                          \
		return warpline_small<C>((float)a op(float) b);                                    \
	}                                                                                          \
	template <typename C>                                                                      \
	WARPLINE_BOTH warpline_small<C> &operator op##=(warpline_small<C> &a, warpline_small<C> b) \
	{                                                                                          \
		return a = a op b;                                                                 \
	}                                                                                          \
	template <typename S>                                                                      \
	WARPLINE_BOTH warpline_small_pair<S> operator op(warpline_small_pair<S> a,                 \
	                                                 warpline_small_pair<S> b)                 \
	{                                                                                          \
		return warpline_small_pair<S>(a.x op b.x, a.y op b.y);                             \
	}                                                                                          \
	template <typename S>                                                                      \
	WARPLINE_BOTH warpline_small_pair<S> &operator op##=(warpline_small_pair<S> &a,            \
	                                                     warpline_small_pair<S> b)             \
	{                                                                                          \
		return a = a op b;                                                                 \
	}
WARPLINE_SMALL_OPERATOR(+)
WARPLINE_SMALL_OPERATOR(-)
WARPLINE_SMALL_OPERATOR(*)
WARPLINE_SMALL_OPERATOR(/)
#undef WARPLINE_SMALL_OPERATOR

#define WARPLINE_SMALL_COMPARISON(op)                                                              \
	template <typename C>                                                                      \
	WARPLINE_BOTH bool operator op(warpline_small<C> a, warpline_small<C> b)                   \
	{                                                                                          \
		return (float)a op(float) b;                                                       \
	}
WARPLINE_SMALL_COMPARISON(==)
WARPLINE_SMALL_COMPARISON(!=)
WARPLINE_SMALL_COMPARISON(<)
WARPLINE_SMALL_COMPARISON(<=)
WARPLINE_SMALL_COMPARISON(>)
WARPLINE_SMALL_COMPARISON(>=)
#undef WARPLINE_SMALL_COMPARISON

template <typename C> WARPLINE_BOTH warpline_small<C> operator-(warpline_small<C> a)
{
	return warpline_small<C>::of_bits((unsigned short)(a.bits ^ 0x8000u));
}

typedef warpline_small<warpline_half_code> warpline_half;
typedef warpline_small<warpline_bfloat_code> warpline_bfloat16;
typedef warpline_small_pair<warpline_half> warpline_half2;
typedef warpline_small_pair<warpline_bfloat16> warpline_bfloat162;

#endif
