/* SPDX-License-Identifier: Apache-2.0 */
/*
 * ptx_functions - libdevice functions that are one or a few PTX instructions, for PTX output.
 * Compiled for nvptx64 when Warpline is built. Written in C because in OpenCL C long long has 128
 * bits, which breaks NVPTX's built-in functions. A name warpline_approx_NAME is what the PTX reader
 * means by NAME.
 */
#define INLINE __attribute__((always_inline))

typedef unsigned short ushort;
typedef unsigned int uint;
typedef unsigned long ulong;

#define UNARY(type, name, result, instruction)                                                     \
	INLINE result __nv_##name(type x)                                                          \
	{                                                                                          \
		return (result)__nvvm_##instruction(x);                                            \
	}
#define BINARY(type, name, instruction)                                                            \
	INLINE type __nv_##name(type x, type y)                                                    \
	{                                                                                          \
		return (type)__nvvm_##instruction(x, y);                                           \
	}
#define TERNARY(type, name, instruction)                                                           \
	INLINE type __nv_##name(type x, type y, type z)                                            \
	{                                                                                          \
		return __nvvm_##instruction(x, y, z);                                              \
	}

/* ---- Each rounding mode: r in CUDA's names, m in PTX's. ---- */

#define ROUNDED(r, m)                                                                              \
	BINARY(float, fadd_##r, add_##m##_f)                                                       \
	BINARY(float, fmul_##r, mul_##m##_f)                                                       \
	BINARY(float, fdiv_##r, div_##m##_f)                                                       \
	BINARY(double, dadd_##r, add_##m##_d)                                                      \
	BINARY(double, dmul_##r, mul_##m##_d)                                                      \
	BINARY(double, ddiv_##r, div_##m##_d)                                                      \
	TERNARY(float, fmaf_##r, fma_##m##_f)                                                      \
	TERNARY(double, fma_##r, fma_##m##_d)                                                      \
	UNARY(float, frcp_##r, float, rcp_##m##_f)                                                 \
	UNARY(double, drcp_##r, double, rcp_##m##_d)                                               \
	UNARY(float, fsqrt_##r, float, sqrt_##m##_f)                                               \
	UNARY(double, dsqrt_##r, double, sqrt_##m##_d)                                             \
	UNARY(int, int2float_##r, float, i2f_##m)                                                  \
	UNARY(uint, uint2float_##r, float, ui2f_##m)                                               \
	UNARY(long, ll2float_##r, float, ll2f_##m)                                                 \
	UNARY(ulong, ull2float_##r, float, ull2f_##m)                                              \
	UNARY(int, int2double_##r, double, i2d_##m)                                                \
	UNARY(uint, uint2double_##r, double, ui2d_##m)                                             \
	UNARY(long, ll2double_##r, double, ll2d_##m)                                               \
	UNARY(ulong, ull2double_##r, double, ull2d_##m)                                            \
	UNARY(double, double2float_##r, float, d2f_##m)                                            \
	UNARY(float, float2int_##r, int, f2i_##m)                                                  \
	UNARY(float, float2uint_##r, uint, f2ui_##m)                                               \
	UNARY(float, float2ll_##r, long, f2ll_##m)                                                 \
	UNARY(float, float2ull_##r, ulong, f2ull_##m)                                              \
	UNARY(double, double2int_##r, int, d2i_##m)                                                \
	UNARY(double, double2uint_##r, uint, d2ui_##m)                                             \
	UNARY(double, double2ll_##r, long, d2ll_##m)                                               \
	UNARY(double, double2ull_##r, ulong, d2ull_##m)                                            \
	INLINE float __nv_fsub_##r(float x, float y)                                               \
	{                                                                                          \
		return __nvvm_add_##m##_f(x, -y);                                                  \
	}                                                                                          \
	INLINE double __nv_dsub_##r(double x, double y)                                            \
	{                                                                                          \
		return __nvvm_add_##m##_d(x, -y);                                                  \
	}

ROUNDED(rn, rn)
ROUNDED(rz, rz)
ROUNDED(rd, rm)
ROUNDED(ru, rp)

/* ---- Other arithmetic. ---- */

UNARY(float, fabsf, float, fabs_f)
UNARY(double, fabs, double, fabs_d)
UNARY(float, sqrtf, float, sqrt_rn_f)
UNARY(double, sqrt, double, sqrt_rn_d)
UNARY(float, rsqrtf, float, rsqrt_approx_f)
UNARY(float, floorf, float, floor_f)
UNARY(double, floor, double, floor_d)
UNARY(float, ceilf, float, ceil_f)
UNARY(double, ceil, double, ceil_d)
UNARY(float, truncf, float, trunc_f)
UNARY(double, trunc, double, trunc_d)
UNARY(float, saturatef, float, saturate_f)
UNARY(float, fast_sinf, float, sin_approx_f)
UNARY(float, fast_cosf, float, cos_approx_f)
UNARY(float, fast_log2f, float, lg2_approx_f)
BINARY(float, fast_fdividef, div_approx_f)
BINARY(float, fmaxf, fmax_f)
BINARY(float, fminf, fmin_f)
BINARY(double, fmax, fmax_d)
BINARY(double, fmin, fmin_d)
TERNARY(float, fmaf, fma_rn_f)
TERNARY(double, fma, fma_rn_d)

INLINE float __nv_rintf(float x)
{
	return __builtin_rintf(x);
}

INLINE double __nv_rint(double x)
{
	return __builtin_rint(x);
}

INLINE float __nv_nearbyintf(float x)
{
	return __builtin_rintf(x);
}

INLINE double __nv_nearbyint(double x)
{
	return __builtin_rint(x);
}

INLINE float __nv_copysignf(float x, float y)
{
	return __builtin_copysignf(x, y);
}

INLINE double __nv_copysign(double x, double y)
{
	return __builtin_copysign(x, y);
}

/* ---- Integers and bits. ---- */

#define LESSER(type, least, most)                                                                  \
	INLINE type __nv_##least(type x, type y)                                                   \
	{                                                                                          \
		return x < y ? x : y;                                                              \
	}                                                                                          \
	INLINE type __nv_##most(type x, type y)                                                    \
	{                                                                                          \
		return x > y ? x : y;                                                              \
	}

/* The same bits as another type. */
#define BITS(type, name, result)                                                                   \
	INLINE result __nv_##name(type x)                                                          \
	{                                                                                          \
		union {                                                                            \
			type from;                                                                 \
			result to;                                                                 \
		} bits = { x };                                                                    \
                                                                                                   \
		return bits.to;                                                                    \
	}

LESSER(int, min, max)
LESSER(uint, umin, umax)
LESSER(long, llmin, llmax)
LESSER(ulong, ullmin, ullmax)
BINARY(int, mulhi, mulhi_i)
BINARY(uint, umulhi, mulhi_ui)
BINARY(long, mul64hi, mulhi_ll)
BINARY(ulong, umul64hi, mulhi_ull)
BINARY(int, mul24, mul24_i)
BINARY(uint, umul24, mul24_ui)
BITS(float, float_as_int, int)
BITS(float, float_as_uint, uint)
BITS(int, int_as_float, float)
BITS(uint, uint_as_float, float)
BITS(double, double_as_longlong, long)
BITS(long, longlong_as_double, double)
UNARY(double, double2hiint, int, d2i_hi)
UNARY(double, double2loint, int, d2i_lo)

INLINE double __nv_hiloint2double(int high, int low)
{
	return __nvvm_lohi_i2d(low, high);
}

INLINE int __nv_abs(int x)
{
	return x < 0 ? -x : x;
}

INLINE long __nv_llabs(long x)
{
	return x < 0 ? -x : x;
}

INLINE int __nv_popc(int x)
{
	return __builtin_popcount((uint)x);
}

INLINE int __nv_popcll(long x)
{
	return __builtin_popcountl((ulong)x);
}

INLINE int __nv_clz(int x)
{
	return x ? __builtin_clz((uint)x) : 32;
}

INLINE int __nv_clzll(long x)
{
	return x ? __builtin_clzl((ulong)x) : 64;
}

INLINE int __nv_ffs(int x)
{
	return __builtin_ffs(x);
}

INLINE int __nv_ffsll(long x)
{
	return __builtin_ffsl(x);
}

INLINE uint __nv_brev(uint x)
{
	return __builtin_bitreverse32(x);
}

INLINE ulong __nv_brevll(ulong x)
{
	return __builtin_bitreverse64(x);
}

INLINE uint __nv_byte_perm(uint x, uint y, uint selector)
{
	return (uint)__nvvm_prmt((int)x, (int)y, (int)selector);
}

/* ---- Classes of numbers. ---- */

INLINE int __nv_isnanf(float x)
{
	return __builtin_isnan(x);
}

INLINE int __nv_isnand(double x)
{
	return __builtin_isnan(x);
}

INLINE int __nv_isinff(float x)
{
	return __builtin_isinf(x);
}

INLINE int __nv_isinfd(double x)
{
	return __builtin_isinf(x);
}

INLINE int __nv_finitef(float x)
{
	return __builtin_isfinite(x);
}

INLINE int __nv_isfinited(double x)
{
	return __builtin_isfinite(x);
}

INLINE int __nv_signbitf(float x)
{
	return __nv_float_as_int(x) < 0;
}

INLINE int __nv_signbitd(double x)
{
	return __nv_double_as_longlong(x) < 0;
}

/* ---- Half precision. ---- */

INLINE float __nv_half2float(ushort x)
{
	float y;

	__asm__("cvt.f32.f16 %0, %1;" : "=f"(y) : "h"(x));
	return y;
}

INLINE ushort __nv_float2half_rn(float x)
{
	ushort y;

	__asm__("cvt.rn.f16.f32 %0, %1;" : "=h"(y) : "f"(x));
	return y;
}

/* ---- Limited-precision instructions of the PTX reader. ---- */

INLINE float warpline_approx_sinf(float x)
{
	return __nvvm_sin_approx_f(x);
}

INLINE float warpline_approx_cosf(float x)
{
	return __nvvm_cos_approx_f(x);
}

INLINE float warpline_approx_exp2f(float x)
{
	return __nvvm_ex2_approx_f(x);
}

INLINE float warpline_approx_log2f(float x)
{
	return __nvvm_lg2_approx_f(x);
}

INLINE float warpline_approx_tanhf(float x)
{
	float y;

	__asm__("tanh.approx.f32 %0, %1;" : "=f"(y) : "f"(x));
	return y;
}

INLINE double warpline_approx_rsqrt(double x)
{
	return __nvvm_rsqrt_approx_d(x);
}
