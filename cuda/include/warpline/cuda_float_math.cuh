/* SPDX-License-Identifier: Apache-2.0 */
/*
 * warpline/cuda_float_math.cuh - <cmath>'s overloads for float on the device, which clang declares
 * and leaves to the toolkit. Included by cuda_device.cuh.
 */
#ifndef WARPLINE_CUDA_FLOAT_MATH_CUH
#define WARPLINE_CUDA_FLOAT_MATH_CUH

#define WARPLINE_FLOAT(type, name, parameters, arguments)                                          \
	static __device__ __forceinline__ type name parameters                                     \
	{                                                                                          \
		return name##f arguments;                                                          \
	}
WARPLINE_FLOAT(float, acosh, (float x), (x))
WARPLINE_FLOAT(float, asinh, (float x), (x))
WARPLINE_FLOAT(float, atanh, (float x), (x))
WARPLINE_FLOAT(float, cbrt, (float x), (x))
WARPLINE_FLOAT(float, erfc, (float x), (x))
WARPLINE_FLOAT(float, erf, (float x), (x))
WARPLINE_FLOAT(float, exp2, (float x), (x))
WARPLINE_FLOAT(float, expm1, (float x), (x))
WARPLINE_FLOAT(float, lgamma, (float x), (x))
WARPLINE_FLOAT(float, log1p, (float x), (x))
WARPLINE_FLOAT(float, log2, (float x), (x))
WARPLINE_FLOAT(float, logb, (float x), (x))
WARPLINE_FLOAT(float, nearbyint, (float x), (x))
WARPLINE_FLOAT(float, rint, (float x), (x))
WARPLINE_FLOAT(float, round, (float x), (x))
WARPLINE_FLOAT(float, tgamma, (float x), (x))
WARPLINE_FLOAT(float, trunc, (float x), (x))
WARPLINE_FLOAT(float, copysign, (float x, float y), (x, y))
WARPLINE_FLOAT(float, fdim, (float x, float y), (x, y))
WARPLINE_FLOAT(float, fmax, (float x, float y), (x, y))
WARPLINE_FLOAT(float, fmin, (float x, float y), (x, y))
WARPLINE_FLOAT(float, hypot, (float x, float y), (x, y))
WARPLINE_FLOAT(float, nextafter, (float x, float y), (x, y))
WARPLINE_FLOAT(float, remainder, (float x, float y), (x, y))
WARPLINE_FLOAT(int, ilogb, (float x), (x))
WARPLINE_FLOAT(long long, llrint, (float x), (x))
WARPLINE_FLOAT(long, lrint, (float x), (x))
WARPLINE_FLOAT(long, lround, (float x), (x))
WARPLINE_FLOAT(long long, llround, (float x), (x))
WARPLINE_FLOAT(float, fma, (float x, float y, float z), (x, y, z))
WARPLINE_FLOAT(float, remquo, (float x, float y, int *quotient), (x, y, quotient))
WARPLINE_FLOAT(float, scalbn, (float x, int n), (x, n))
WARPLINE_FLOAT(float, scalbln, (float x, long n), (x, n))
#undef WARPLINE_FLOAT

static __device__ __forceinline__ double nan(const char *)
{
	return __longlong_as_double(0x7ff8000000000000ll);
}

static __device__ __forceinline__ float nanf(const char *)
{
	return __int_as_float(0x7fffffff);
}

#endif
