/* SPDX-License-Identifier: Apache-2.0 */
/*
 * warpline/cuda_more_math.cuh - the overloads that clang's headers leave to the toolkit: min and
 * max of each pair of types, and functions that CUDA has and <cmath> has not, for the host too.
 * Included by cuda_device.cuh.
 */
#ifndef WARPLINE_CUDA_MORE_MATH_CUH
#define WARPLINE_CUDA_MORE_MATH_CUH

#define WARPLINE_BOTH static __host__ __device__ __forceinline__
#define WARPLINE_HOST static __host__ __forceinline__

/* The operands become `type` first, as C++'s usual conversions would have it. */
#define WARPLINE_MIN_MAX(side, type, left, right)                                                  \
	side type min(left a, right b)                                                             \
	{                                                                                          \
		return (type)a < (type)b ? (type)a : (type)b;                                      \
	}                                                                                          \
	side type max(left a, right b)                                                             \
	{                                                                                          \
		return (type)a > (type)b ? (type)a : (type)b;                                      \
	}
WARPLINE_MIN_MAX(WARPLINE_HOST, int, int, int) /* clang has the device's */
WARPLINE_MIN_MAX(WARPLINE_BOTH, unsigned int, unsigned int, unsigned int)
WARPLINE_MIN_MAX(WARPLINE_BOTH, unsigned int, int, unsigned int)
WARPLINE_MIN_MAX(WARPLINE_BOTH, unsigned int, unsigned int, int)
WARPLINE_MIN_MAX(WARPLINE_BOTH, long, long, long)
WARPLINE_MIN_MAX(WARPLINE_BOTH, unsigned long, unsigned long, unsigned long)
WARPLINE_MIN_MAX(WARPLINE_BOTH, unsigned long, long, unsigned long)
WARPLINE_MIN_MAX(WARPLINE_BOTH, unsigned long, unsigned long, long)
WARPLINE_MIN_MAX(WARPLINE_BOTH, long long, long long, long long)
WARPLINE_MIN_MAX(WARPLINE_BOTH, unsigned long long, unsigned long long, unsigned long long)
WARPLINE_MIN_MAX(WARPLINE_BOTH, unsigned long long, long long, unsigned long long)
WARPLINE_MIN_MAX(WARPLINE_BOTH, unsigned long long, unsigned long long, long long)
#undef WARPLINE_MIN_MAX

/* A NaN loses against a number, as in fmin and fmax. */
#define WARPLINE_FLOAT_MIN_MAX(type, left, right, least, greatest)                                 \
	WARPLINE_BOTH type min(left a, right b)                                                    \
	{                                                                                          \
		return least((type)a, (type)b);                                                    \
	}                                                                                          \
	WARPLINE_BOTH type max(left a, right b)                                                    \
	{                                                                                          \
		return greatest((type)a, (type)b);                                                 \
	}
WARPLINE_FLOAT_MIN_MAX(float, float, float, fminf, fmaxf)
WARPLINE_FLOAT_MIN_MAX(double, double, double, fmin, fmax)
WARPLINE_FLOAT_MIN_MAX(double, float, double, fmin, fmax)
WARPLINE_FLOAT_MIN_MAX(double, double, float, fmin, fmax)
#undef WARPLINE_FLOAT_MIN_MAX

/* clang has the device's functions of these names; here are the host's. */
#if !__GLIBC_PREREQ(2, 42)
WARPLINE_HOST double rsqrt(double x)
{
	return 1.0 / sqrt(x);
}
WARPLINE_HOST float rsqrtf(float x)
{
	return 1.0f / sqrtf(x);
}
#endif
WARPLINE_HOST double rcbrt(double x)
{
	return 1.0 / cbrt(x);
}
WARPLINE_HOST float rcbrtf(float x)
{
	return 1.0f / cbrtf(x);
}
#if !__GLIBC_PREREQ(2, 41) // which has those of C23
WARPLINE_HOST double sinpi(double x)
{
	return sin(M_PI * fmod(x, 2.0));
}
WARPLINE_HOST float sinpif(float x)
{
	return (float)sinpi((double)x);
}
WARPLINE_HOST double cospi(double x)
{
	return cos(M_PI * fmod(x, 2.0));
}
WARPLINE_HOST float cospif(float x)
{
	return (float)cospi((double)x);
}
#endif
WARPLINE_HOST void sincospi(double x, double *s, double *c)
{
	*s = sinpi(x);
	*c = cospi(x);
}
WARPLINE_HOST void sincospif(float x, float *s, float *c)
{
	*s = sinpif(x);
	*c = cospif(x);
}
WARPLINE_HOST double normcdf(double x)
{
	return 0.5 * erfc(-x * M_SQRT1_2);
}
WARPLINE_HOST float normcdff(float x)
{
	return (float)normcdf((double)x);
}
WARPLINE_HOST double rhypot(double x, double y)
{
	return 1.0 / hypot(x, y);
}
WARPLINE_HOST float rhypotf(float x, float y)
{
	return 1.0f / hypotf(x, y);
}

/* The float overloads of what C names with an f. */
#define WARPLINE_FLOAT_OF(name)                                                                    \
	WARPLINE_BOTH float name(float x)                                                          \
	{                                                                                          \
		return name##f(x);                                                                 \
	}
WARPLINE_FLOAT_OF(rsqrt)
WARPLINE_FLOAT_OF(rcbrt)
WARPLINE_FLOAT_OF(sinpi)
WARPLINE_FLOAT_OF(cospi)
WARPLINE_FLOAT_OF(normcdf)
#undef WARPLINE_FLOAT_OF

#define WARPLINE_DEVICE_FLOAT_OF(name)                                                             \
	static __device__ __forceinline__ float name(float x)                                      \
	{                                                                                          \
		return name##f(x);                                                                 \
	}
WARPLINE_DEVICE_FLOAT_OF(exp10)
WARPLINE_DEVICE_FLOAT_OF(erfinv)
WARPLINE_DEVICE_FLOAT_OF(erfcinv)
WARPLINE_DEVICE_FLOAT_OF(erfcx)
WARPLINE_DEVICE_FLOAT_OF(normcdfinv)
#undef WARPLINE_DEVICE_FLOAT_OF

/* The bits of one type as another, which CUDA's host has too. */
#define WARPLINE_BITS_AS(name, to, from)                                                           \
	WARPLINE_HOST to name(from value)                                                          \
	{                                                                                          \
		to image;                                                                          \
		__builtin_memcpy(&image, &value, sizeof(image));                                   \
		return image;                                                                      \
	}
WARPLINE_BITS_AS(__int_as_float, float, int)
WARPLINE_BITS_AS(__float_as_int, int, float)
WARPLINE_BITS_AS(__uint_as_float, float, unsigned int)
WARPLINE_BITS_AS(__float_as_uint, unsigned int, float)
WARPLINE_BITS_AS(__longlong_as_double, double, long long)
WARPLINE_BITS_AS(__double_as_longlong, long long, double)
#undef WARPLINE_BITS_AS
#undef WARPLINE_BOTH
#undef WARPLINE_HOST

#endif
