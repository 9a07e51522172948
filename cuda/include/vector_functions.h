/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vector_functions.h - make_int2(x, y) and its kind: a vector from its elements.
 */
#ifndef WARPLINE_VECTOR_FUNCTIONS_H
#define WARPLINE_VECTOR_FUNCTIONS_H

#include "vector_types.h"

/* clang-format off */
#define WARPLINE_MAKE(name, type)                                                                  \
	static __inline__ __host__ __device__ name##1 make_##name##1(type x)                       \
	{ name##1 v = { x }; return v; }                                                           \
	static __inline__ __host__ __device__ name##2 make_##name##2(type x, type y)               \
	{ name##2 v = { x, y }; return v; }                                                        \
	static __inline__ __host__ __device__ name##3 make_##name##3(type x, type y, type z)       \
	{ name##3 v = { x, y, z }; return v; }                                                     \
	static __inline__ __host__ __device__ name##4 make_##name##4(type x, type y, type z, type w) \
	{ name##4 v = { x, y, z, w }; return v; }
/* clang-format on */

WARPLINE_MAKE(char, signed char)
WARPLINE_MAKE(uchar, unsigned char)
WARPLINE_MAKE(short, short)
WARPLINE_MAKE(ushort, unsigned short)
WARPLINE_MAKE(int, int)
WARPLINE_MAKE(uint, unsigned int)
WARPLINE_MAKE(long, long int)
WARPLINE_MAKE(ulong, unsigned long int)
WARPLINE_MAKE(longlong, long long int)
WARPLINE_MAKE(ulonglong, unsigned long long int)
WARPLINE_MAKE(float, float)
WARPLINE_MAKE(double, double)
#undef WARPLINE_MAKE

#endif
