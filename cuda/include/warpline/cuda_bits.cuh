/* SPDX-License-Identifier: Apache-2.0 */
/*
 * warpline/cuda_bits.cuh - funnel shifts and dot products of bytes as plain code, and conversions
 * of generic addresses. Included by cuda_device.cuh.
 */
#ifndef WARPLINE_CUDA_BITS_CUH
#define WARPLINE_CUDA_BITS_CUH

#define WARPLINE_DEVICE static __device__ __forceinline__

/* The upper 32 bits of high:low << n, n modulo 32; _lc: n at most 32. */
WARPLINE_DEVICE unsigned int __funnelshift_l(unsigned int low, unsigned int high, unsigned int n)
{
	return (unsigned int)(((((unsigned long long)high << 32) | low) << (n & 31)) >> 32);
}

WARPLINE_DEVICE unsigned int __funnelshift_lc(unsigned int low, unsigned int high, unsigned int n)
{
	return n >= 32 ? low : __funnelshift_l(low, high, n);
}

/* The lower 32 bits of high:low >> n, n modulo 32; _rc: n at most 32. */
WARPLINE_DEVICE unsigned int __funnelshift_r(unsigned int low, unsigned int high, unsigned int n)
{
	return (unsigned int)((((unsigned long long)high << 32) | low) >> (n & 31));
}

WARPLINE_DEVICE unsigned int __funnelshift_rc(unsigned int low, unsigned int high, unsigned int n)
{
	return n >= 32 ? high : __funnelshift_r(low, high, n);
}

/* c + the sum of the products of the four bytes of a and b. */
WARPLINE_DEVICE int __dp4a(int a, int b, int c)
{
	for (int i = 0; i < 32; i += 8)
		c += (int)(signed char)(a >> i) * (int)(signed char)(b >> i);
	return c;
}

WARPLINE_DEVICE unsigned int __dp4a(unsigned int a, unsigned int b, unsigned int c)
{
	for (int i = 0; i < 32; i += 8)
		c += ((a >> i) & 255u) * ((b >> i) & 255u);
	return c;
}

WARPLINE_DEVICE size_t __cvta_generic_to_shared(const void *p)
{
	return (size_t)(__attribute__((address_space(3))) const void *)p;
}

WARPLINE_DEVICE size_t __cvta_generic_to_global(const void *p)
{
	return (size_t)(__attribute__((address_space(1))) const void *)p;
}

/* Predicates have no side effects, so that __builtin_assume() takes them. */
#define WARPLINE_IN_SPACE(name, builtin)                                                           \
	WARPLINE_DEVICE __attribute__((const)) unsigned int name(const void *p)                    \
	{                                                                                          \
		return builtin(p);                                                                 \
	}
WARPLINE_IN_SPACE(__isGlobal, __nvvm_isspacep_global)
WARPLINE_IN_SPACE(__isShared, __nvvm_isspacep_shared)
WARPLINE_IN_SPACE(__isConstant, __nvvm_isspacep_const)
WARPLINE_IN_SPACE(__isLocal, __nvvm_isspacep_local)
#undef WARPLINE_IN_SPACE
#undef WARPLINE_DEVICE

#endif
