/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cuda_library - what CUDA has and OpenCL C lacks, written in OpenCL C.
 *
 * Compiled to IR when Warpline is built, and linked last (cuda_calls.h): what happens in here is
 * not an access of the program. Functions have the names of libdevice with "__nv_" replaced by
 * "warpline_cuda_". Nothing is contracted: a product is rounded before it is added.
 */
#pragma OPENCL EXTENSION cl_khr_fp64 : enable
#pragma OPENCL EXTENSION cl_khr_int64_base_atomics : enable
#pragma OPENCL EXTENSION cl_khr_int64_extended_atomics : enable
#pragma OPENCL FP_CONTRACT OFF

#define CUDA(name) __attribute__((always_inline)) warpline_cuda_##name
#define INLINE     static __attribute__((always_inline))
#define WARP       32u

/* ---- Lanes and warps: 32 work-items in the order of their linear index. ---- */

INLINE uint linear_item(void)
{
	return (uint)(get_local_id(0) +
	              get_local_size(0) * (get_local_id(1) + get_local_size(1) * get_local_id(2)));
}

uint CUDA(laneid)(void)
{
	return linear_item() % WARP;
}

uint CUDA(warpid)(void)
{
	return linear_item() / WARP;
}

uint CUDA(nwarpid)(void)
{
	return (uint)((get_local_size(0) * get_local_size(1) * get_local_size(2) + WARP - 1) / WARP);
}

uint CUDA(lanemask_eq)(void)
{
	return 1u << linear_item() % WARP;
}

uint CUDA(lanemask_lt)(void)
{
	return (1u << linear_item() % WARP) - 1;
}

uint CUDA(lanemask_le)(void)
{
	return (2u << linear_item() % WARP) - 1;
}

uint CUDA(lanemask_ge)(void)
{
	return ~((1u << linear_item() % WARP) - 1);
}

uint CUDA(lanemask_gt)(void)
{
	return ~((2u << linear_item() % WARP) - 1);
}

/* Grows by the same amount at each call of any work-item, so a loop that waits for it ends. */
ulong CUDA(clock)(volatile __global ulong *clock)
{
	return atom_add(clock, 256ul);
}

/* The first reason is kept. */
void CUDA(trap)(volatile __global uint *trap, uint why)
{
	atomic_cmpxchg(trap, 0u, why);
}

void CUDA(fence)(void)
{
	mem_fence(CLK_LOCAL_MEM_FENCE | CLK_GLOBAL_MEM_FENCE);
}

/* There is nothing to prefetch into; a mark stands for it (builtin.c). */
void CUDA(prefetch)(__global uchar *from, ulong bytes)
{
}

/* ---- Integers. ---- */

int CUDA(clzll)(ulong x)
{
	return (int)clz(x);
}

int CUDA(popcll)(ulong x)
{
	return (int)popcount(x);
}

uint CUDA(brev)(uint x)
{
	x = (x & 0x55555555u) << 1 | (x >> 1 & 0x55555555u);
	x = (x & 0x33333333u) << 2 | (x >> 2 & 0x33333333u);
	x = (x & 0x0f0f0f0fu) << 4 | (x >> 4 & 0x0f0f0f0fu);
	x = (x & 0x00ff00ffu) << 8 | (x >> 8 & 0x00ff00ffu);
	return x << 16 | x >> 16;
}

ulong CUDA(brevll)(ulong x)
{
	return (ulong)warpline_cuda_brev((uint)x) << 32 | warpline_cuda_brev((uint)(x >> 32));
}

/* The number of the lowest set bit, counting from 1; 0 when there is none. */
int CUDA(ffs)(uint x)
{
	return x ? 32 - (int)clz(x & (0u - x)) : 0;
}

int CUDA(ffsll)(ulong x)
{
	return x ? 64 - (int)clz(x & (0ul - x)) : 0;
}

/* Selects bytes of the eight of a and b, lowest first: selector bits 0-2 choose the byte, bit 3
 * replicates its sign. */
uint CUDA(prmt)(uint a, uint b, uint selector)
{
	ulong bytes = (ulong)b << 32 | a;
	uint result = 0;

	for (uint i = 0; i < 4; i++) {
		uint s = selector >> 4 * i & 15u;
		uint byte = (uint)(bytes >> 8 * (s & 7u)) & 255u;

		if (s & 8u)
			byte = byte & 128u ? 255u : 0u;
		result |= byte << 8 * i;
	}
	return result;
}

/* Without signs. */
uint CUDA(byte_perm)(uint a, uint b, uint selector)
{
	return warpline_cuda_prmt(a, b, selector & 0x7777u);
}

uint CUDA(rotate)(uint x, uint by)
{
	return rotate(x, by);
}

ulong CUDA(rotate_64)(ulong x, uint by)
{
	return rotate(x, (ulong)by);
}

ulong CUDA(rotate_right_64)(ulong x, uint by)
{
	return rotate(x, (ulong)(64 - (by & 63)));
}

ulong CUDA(swap_halves)(ulong x)
{
	return x << 32 | x >> 32;
}

/*
 * The position of the n-th set bit at or above `base`; at or below for negative n; bit `base`
 * itself for n = 0. ~0: there is none.
 */
uint CUDA(fns)(uint mask, uint base, int n)
{
	uint left = abs(n);

	base &= 31;
	if (left == 0)
		return mask >> base & 1 ? base : ~0u;
	for (int i = (int)base; i >= 0 && i < 32; i += n < 0 ? -1 : 1)
		if ((mask >> i & 1) && --left == 0)
			return (uint)i;
	return ~0u;
}

uint CUDA(sad)(int x, int y, uint z)
{
	return abs_diff(x, y) + z;
}

uint CUDA(usad)(uint x, uint y, uint z)
{
	return abs_diff(x, y) + z;
}

int CUDA(abs)(int x)
{
	return (int)abs(x);
}

long CUDA(llabs)(long x)
{
	return (long)abs(x);
}

/* The low 32 bits of the product of the low 24. */
int CUDA(mul24)(int x, int y)
{
	return (int)((uint)(x << 8 >> 8) * (uint)(y << 8 >> 8));
}

uint CUDA(umul24)(uint x, uint y)
{
	return (x & 0xffffffu) * (y & 0xffffffu);
}

/* ---- Classes of numbers. ---- */

int CUDA(isnanf)(float x)
{
	return isnan(x);
}

int CUDA(isinff)(float x)
{
	return isinf(x);
}

int CUDA(finitef)(float x)
{
	return isfinite(x);
}

int CUDA(signbitf)(float x)
{
	return as_int(x) < 0;
}

int CUDA(isnand)(double x)
{
	return isnan(x);
}

int CUDA(isinfd)(double x)
{
	return isinf(x);
}

int CUDA(isfinited)(double x)
{
	return isfinite(x);
}

int CUDA(signbitd)(double x)
{
	return as_long(x) < 0;
}

/* Clamp to [0, 1]; NaN becomes 0. */
float CUDA(saturatef)(float x)
{
	return x > 0.0f ? (x < 1.0f ? x : 1.0f) : 0.0f;
}

double CUDA(saturated)(double x)
{
	return x > 0.0 ? (x < 1.0 ? x : 1.0) : 0.0;
}

/*
 * NaN counts as missing, and -0 is less than +0 (PTX ISA, min and max): the signs of equal numbers,
 * which differ only for zeros, are joined.
 */
#define ENDS(type, f, bits)                                                                        \
	type CUDA(fmin##f)(type x, type y)                                                         \
	{                                                                                          \
		if (isnan(x) || isnan(y))                                                          \
			return isnan(x) ? y : x;                                                   \
		return x < y ? x : y < x ? y : as_##type(as_##bits(x) | as_##bits(y));             \
	}                                                                                          \
	type CUDA(fmax##f)(type x, type y)                                                         \
	{                                                                                          \
		if (isnan(x) || isnan(y))                                                          \
			return isnan(x) ? y : x;                                                   \
		return x > y ? x : y > x ? y : as_##type(as_##bits(x) & as_##bits(y));             \
	}

ENDS(float, f, uint)
ENDS(double, , ulong)

/* As in C: the limits of int for 0, infinity and NaN. */
int CUDA(ilogbf)(float x)
{
	return x == 0.0f || isnan(x) ? (int)0x80000000 : isinf(x) ? 0x7fffffff : ilogb(x);
}

int CUDA(ilogbd)(double x)
{
	return x == 0.0 || isnan(x) ? (int)0x80000000 : isinf(x) ? 0x7fffffff : ilogb(x);
}

#include "cuda_rounding.cl"
#include "cuda_math.cl"

/* ---- Parts of numbers. ---- */

double CUDA(hiloint2double)(uint high, uint low)
{
	return as_double((ulong)high << 32 | low);
}

double CUDA(lohi2double)(uint low, uint high)
{
	return as_double((ulong)high << 32 | low);
}

uint CUDA(double2loint)(double x)
{
	return (uint)as_ulong(x);
}

uint CUDA(double2hiint)(double x)
{
	return (uint)(as_ulong(x) >> 32);
}

/* 1 / x in the high word only. */
double CUDA(rcp64h)(double x)
{
	return as_double(as_ulong(1.0 / x) & 0xffffffff00000000ul);
}

long CUDA(llrint)(double x)
{
	return warpline_cuda_double2ll_rn(x);
}

long CUDA(llrintf)(float x)
{
	return warpline_cuda_float2ll_rn(x);
}

long CUDA(llround)(double x)
{
	return warpline_cuda_double2ll_rz(round(x));
}

long CUDA(llroundf)(float x)
{
	return warpline_cuda_float2ll_rz(round(x));
}

/* The fractional part has the sign of the whole, even if it is zero. */
float CUDA(modff)(float x)
{
	return copysign(isinf(x) ? 0.0f : x - trunc(x), x);
}

double CUDA(modf)(double x)
{
	return copysign(isinf(x) ? 0.0 : x - trunc(x), x);
}

float CUDA(frexpf)(float x)
{
	int exponent;

	return frexp(x, &exponent);
}

int CUDA(frexpf_exponent)(float x)
{
	int exponent;

	(void)frexp(x, &exponent);
	return isnan(x) || isinf(x) ? 0 : exponent;
}

double CUDA(frexp)(double x)
{
	int exponent;

	return frexp(x, &exponent);
}

int CUDA(frexp_exponent)(double x)
{
	int exponent;

	(void)frexp(x, &exponent);
	return isnan(x) || isinf(x) ? 0 : exponent;
}

int CUDA(remquof_quotient)(float x, float y)
{
	int quotient = 0;

	(void)remquo(x, y, &quotient);
	return quotient;
}

int CUDA(remquo_quotient)(double x, double y)
{
	int quotient = 0;

	(void)remquo(x, y, &quotient);
	return quotient;
}

/* ---- Half precision: 16 bits of an integer; rounded to nearest. ---- */

float CUDA(half2float)(ushort h)
{
	uint sign = (uint)(h & 0x8000) << 16, rest = h & 0x7fff;

	if (rest >= 0x7c00)
		return as_float(sign | 0x7f800000u | rest << 13);
	if (rest >= 0x400)
		return as_float(sign | ((rest << 13) + 0x38000000u));
	return as_float(sign | as_uint((float)rest * 0x1p-24f));
}

ushort CUDA(float2half_rn)(float x)
{
	uint bits = as_uint(x), sign = bits >> 16 & 0x8000u, rest = bits & 0x7fffffffu;

	if (rest > 0x7f800000u)
		return 0x7fff;
	if (rest >= 0x477ff000u) /* 65520 and more */
		return (ushort)(sign | 0x7c00u);
	if (rest < 0x38800000u) /* less than 2^-14: a multiple of 2^-24 */
		return (ushort)(sign | (uint)rint(as_float(rest) * 0x1p24f));
	rest += 0xfffu + (rest >> 13 & 1u);
	return (ushort)(sign | ((rest - 0x38000000u) >> 13));
}

/* ---- Atomics that OpenCL lacks: try until no other access came between. ---- */

#define ATOMIC_LOOP(space, number, name, type, bits, cas, as_type, as_bits, new)                   \
	type CUDA(atomic_##name##_##number)(volatile space type *at, type value)                   \
	{                                                                                          \
		volatile space bits *cell = (volatile space bits *)at;                             \
		bits before = *cell, seen;                                                         \
                                                                                                   \
		for (;; before = seen) {                                                           \
			type old = as_type(before);                                                \
                                                                                                   \
			seen = cas(cell, before, as_bits(new));                                    \
			if (seen == before)                                                        \
				return old;                                                        \
		}                                                                                  \
	}

#define FLOAT_LOOP(space, number, name, new)                                                       \
	ATOMIC_LOOP(space, number, name##_f32, float, uint, atomic_cmpxchg, as_float, as_uint, new)
#define DOUBLE_LOOP(space, number, name, new)                                                      \
	ATOMIC_LOOP(space, number, name##_f64, double, ulong, atom_cmpxchg, as_double, as_ulong, new)
#define INT_LOOP(space, number, name, new)                                                         \
	ATOMIC_LOOP(space, number, name##_i32, uint, uint, atomic_cmpxchg, as_uint, as_uint, new)
#define LONG_LOOP(space, number, name, new)                                                        \
	ATOMIC_LOOP(space, number, name##_i64, ulong, ulong, atom_cmpxchg, as_ulong, as_ulong, new)

#define ATOMICS(space, number)                                                                     \
	FLOAT_LOOP(space, number, fadd, old + value)                                               \
	FLOAT_LOOP(space, number, fsub, old - value)                                               \
	FLOAT_LOOP(space, number, fmin, fmin(old, value))                                          \
	FLOAT_LOOP(space, number, fmax, fmax(old, value))                                          \
	DOUBLE_LOOP(space, number, fadd, old + value)                                              \
	DOUBLE_LOOP(space, number, fsub, old - value)                                              \
	DOUBLE_LOOP(space, number, fmin, fmin(old, value))                                         \
	DOUBLE_LOOP(space, number, fmax, fmax(old, value))                                         \
	INT_LOOP(space, number, nand, ~(old & value))                                              \
	LONG_LOOP(space, number, nand, ~(old & value))                                             \
	INT_LOOP(space, number, inc, old >= value ? 0u : old + 1)                                  \
	INT_LOOP(space, number, dec, old == 0 || old > value ? value : old - 1)                    \
	LONG_LOOP(space, number, inc, old >= value ? 0ul : old + 1)                                \
	LONG_LOOP(space, number, dec, old == 0 || old > value ? value : old - 1)                   \
	SHORT_CAS(space, number)

/* 16 bits wide: compare and swap the word that contains them. */
#define SHORT_CAS(space, number)                                                                   \
	ushort CUDA(atomic_cas_i16_##number)(volatile space ushort *at, ushort expected,           \
	                                     ushort value)                                         \
	{                                                                                          \
		size_t address = (size_t)at;                                                       \
		volatile space uint *cell = (volatile space uint *)(address & ~(size_t)3);         \
		uint shift = (uint)(address & 2) * 8, mask = 0xffffu << shift;                     \
		uint before = *cell, seen;                                                         \
                                                                                                   \
		for (;; before = seen) {                                                           \
			ushort old = (ushort)(before >> shift);                                    \
                                                                                                   \
			if (old != expected)                                                       \
				return old;                                                        \
			seen = atomic_cmpxchg(cell, before,                                        \
			                      (before & ~mask) | (uint)value << shift);            \
			if (seen == before)                                                        \
				return old;                                                        \
		}                                                                                  \
	}

ATOMICS(__global, 1)
ATOMICS(__local, 3)
