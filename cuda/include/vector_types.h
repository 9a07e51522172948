/* SPDX-License-Identifier: Apache-2.0 */
/*
 * vector_types.h - CUDA's vectors of one to four elements and dim3, with the alignments that the
 * programming guide lists. C and C++.
 */
#ifndef WARPLINE_VECTOR_TYPES_H
#define WARPLINE_VECTOR_TYPES_H
#define __VECTOR_TYPES_H__ /* programs look for it */

#include "host_defines.h"

/* clang-format off */
#define WARPLINE_VECTORS(name, type, align2, align4)                                       \
	struct name##1 { type x; };                                                                \
	struct __attribute__((aligned(align2))) name##2 { type x, y; };                            \
	struct name##3 { type x, y, z; };                                                          \
	struct __attribute__((aligned(align4))) name##4 { type x, y, z, w; };                      \
	typedef struct name##1 name##1;                                                            \
	typedef struct name##2 name##2;                                                            \
	typedef struct name##3 name##3;                                                            \
	typedef struct name##4 name##4
/* clang-format on */

WARPLINE_VECTORS(char, signed char, 2, 4);
WARPLINE_VECTORS(uchar, unsigned char, 2, 4);
WARPLINE_VECTORS(short, short, 4, 8);
WARPLINE_VECTORS(ushort, unsigned short, 4, 8);
WARPLINE_VECTORS(int, int, 8, 16);
WARPLINE_VECTORS(uint, unsigned int, 8, 16);
WARPLINE_VECTORS(long, long int, 16, 16);
WARPLINE_VECTORS(ulong, unsigned long int, 16, 16);
WARPLINE_VECTORS(longlong, long long int, 16, 16);
WARPLINE_VECTORS(ulonglong, unsigned long long int, 16, 16);
WARPLINE_VECTORS(float, float, 8, 16);
WARPLINE_VECTORS(double, double, 16, 16);
#undef WARPLINE_VECTORS

/* Sizes of a grid or of a work-group; what is not given is 1. */
struct dim3 {
	unsigned int x, y, z;
#ifdef __cplusplus
#if __cplusplus >= 201103L
#define WARPLINE_CONSTEXPR constexpr
#else
#define WARPLINE_CONSTEXPR
#endif
	__host__ __device__ WARPLINE_CONSTEXPR dim3(unsigned int vx = 1, unsigned int vy = 1,
	                                            unsigned int vz = 1)
	    : x(vx), y(vy), z(vz)
	{
	}
	__host__ __device__ WARPLINE_CONSTEXPR dim3(uint3 v) : x(v.x), y(v.y), z(v.z)
	{
	}
	__host__ __device__ operator uint3(void) const
	{
		uint3 v = { x, y, z };
		return v;
	}
#endif
};
typedef struct dim3 dim3;

#endif
