/* SPDX-License-Identifier: Apache-2.0 */
/*
 * crt/sm_70_rt.hpp - __match_any_sync and __match_all_sync for each type, where clang's headers
 * look for them.
 */
#ifndef WARPLINE_SM_70_RT_HPP
#define WARPLINE_SM_70_RT_HPP

#define WARPLINE_MATCH(type, bits, word)                                                           \
	static __device__ __forceinline__ unsigned int __match_any_sync(unsigned int mask,         \
	                                                                type value)                \
	{                                                                                          \
		word image;                                                                        \
		__builtin_memcpy(&image, &value, sizeof(image));                                   \
		return (unsigned int)__match##bits##_any_sync(mask, image);                        \
	}                                                                                          \
	static __device__ __forceinline__ unsigned int __match_all_sync(unsigned int mask,         \
	                                                                type value, int *same)     \
	{                                                                                          \
		word image;                                                                        \
		__builtin_memcpy(&image, &value, sizeof(image));                                   \
		return (unsigned int)__match##bits##_all_sync(mask, image, same);                  \
	}
WARPLINE_MATCH(int, 32, unsigned int)
WARPLINE_MATCH(unsigned int, 32, unsigned int)
WARPLINE_MATCH(float, 32, unsigned int)
WARPLINE_MATCH(long, 64, unsigned long long)
WARPLINE_MATCH(unsigned long, 64, unsigned long long)
WARPLINE_MATCH(long long, 64, unsigned long long)
WARPLINE_MATCH(unsigned long long, 64, unsigned long long)
WARPLINE_MATCH(double, 64, unsigned long long)
#undef WARPLINE_MATCH

#endif
