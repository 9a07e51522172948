/* SPDX-License-Identifier: Apache-2.0 */
/*
 * warpline/cuda_textures.cuh - textures and surfaces are not recorded: using one in device code, or
 * declaring a texture reference, ends the compilation with a sentence that says so. Their host
 * types and calls are there. Included by cuda_device.cuh.
 */
#ifndef WARPLINE_CUDA_TEXTURES_CUH
#define WARPLINE_CUDA_TEXTURES_CUH

template <typename T> struct warpline_never {
	static const bool value = false;
};

#if __cplusplus >= 201103L
#define WARPLINE_REFUSE(T, what)                                                                   \
	static_assert(warpline_never<T>::value,                                                    \
	              what " is not supported: Warpline records loads and stores of global "       \
	                   "memory, not textures and surfaces; read the array by a pointer")
#else
#define WARPLINE_REFUSE(T, what)                                                                   \
	typedef char textures_are_not_supported[warpline_never<T>::value ? 1 : -1]
#endif

template <typename T, int dimensions = 1, int mode = 0> struct texture {
	WARPLINE_REFUSE(T, "texture<>");
};
template <typename T, int dimensions = 1> struct surface {
	WARPLINE_REFUSE(T, "surface<>");
};

#define WARPLINE_FETCH(name)                                                                       \
	template <typename T, typename... A>                                                       \
	static __device__ T name(unsigned long long object, A... where)                            \
	{                                                                                          \
		WARPLINE_REFUSE(T, #name "()");                                                    \
		return T();                                                                        \
	}                                                                                          \
	template <typename T, typename... A>                                                       \
	static __device__ void name(T *result, unsigned long long object, A... where)              \
	{                                                                                          \
		WARPLINE_REFUSE(T, #name "()");                                                    \
	}
#if __cplusplus >= 201103L
WARPLINE_FETCH(tex1Dfetch)
WARPLINE_FETCH(tex1D)
WARPLINE_FETCH(tex2D)
WARPLINE_FETCH(tex3D)
WARPLINE_FETCH(tex1DLod)
WARPLINE_FETCH(tex2DLod)
WARPLINE_FETCH(tex3DLod)
WARPLINE_FETCH(tex1DLayered)
WARPLINE_FETCH(tex2DLayered)
WARPLINE_FETCH(texCubemap)
WARPLINE_FETCH(tex2Dgather)
WARPLINE_FETCH(surf1Dread)
WARPLINE_FETCH(surf2Dread)
WARPLINE_FETCH(surf3Dread)

#define WARPLINE_SURFACE_WRITE(name)                                                               \
	template <typename T, typename... A>                                                       \
	static __device__ void name(T value, unsigned long long object, A... where)                \
	{                                                                                          \
		WARPLINE_REFUSE(T, #name "()");                                                    \
	}
WARPLINE_SURFACE_WRITE(surf1Dwrite)
WARPLINE_SURFACE_WRITE(surf2Dwrite)
WARPLINE_SURFACE_WRITE(surf3Dwrite)
#undef WARPLINE_SURFACE_WRITE
#endif
#undef WARPLINE_FETCH

#endif
