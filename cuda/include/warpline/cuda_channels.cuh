/* SPDX-License-Identifier: Apache-2.0 */
/*
 * warpline/cuda_channels.cuh - cudaCreateChannelDesc<T>() for CUDA's vectors. Included by
 * cuda_runtime.h.
 */
#ifndef WARPLINE_CUDA_CHANNELS_CUH
#define WARPLINE_CUDA_CHANNELS_CUH

/* What a type is that no channel has: nothing. */
template <class T> static inline struct cudaChannelFormatDesc cudaCreateChannelDesc(void)
{
	return ::cudaCreateChannelDesc(0, 0, 0, 0, cudaChannelFormatKindNone);
}

#define WARPLINE_CHANNEL(type, x, y, z, w, kind)                                                   \
	template <> inline struct cudaChannelFormatDesc cudaCreateChannelDesc<type>(void) {        \
		return ::cudaCreateChannelDesc(x, y, z, w, cudaChannelFormatKind##kind);           \
	}
#define WARPLINE_CHANNELS(scalar, name, bits, kind)                                                \
	WARPLINE_CHANNEL(scalar, bits, 0, 0, 0, kind)                                              \
	WARPLINE_CHANNEL(name##1, bits, 0, 0, 0, kind)                                             \
	WARPLINE_CHANNEL(name##2, bits, bits, 0, 0, kind)                                          \
	WARPLINE_CHANNEL(name##4, bits, bits, bits, bits, kind)
WARPLINE_CHANNELS(signed char, char, 8, Signed)
WARPLINE_CHANNELS(unsigned char, uchar, 8, Unsigned)
WARPLINE_CHANNELS(short, short, 16, Signed)
WARPLINE_CHANNELS(unsigned short, ushort, 16, Unsigned)
WARPLINE_CHANNELS(int, int, 32, Signed)
WARPLINE_CHANNELS(unsigned int, uint, 32, Unsigned)
WARPLINE_CHANNELS(float, float, 32, Float)
WARPLINE_CHANNEL(char, 8, 0, 0, 0, Signed)
#undef WARPLINE_CHANNELS
#undef WARPLINE_CHANNEL

#endif
