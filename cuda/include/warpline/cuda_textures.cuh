/* SPDX-License-Identifier: Apache-2.0 */
/*
 * warpline/cuda_textures.cuh - textures and surfaces are not recorded: fetches compile to a call of
 * a function that is nowhere, so that a kernel that has one is refused by name and the others of
 * the program run. Texture references, which CUDA 12 has no more, end the compilation with a
 * sentence. Included by cuda_device.cuh.
 */
#ifndef WARPLINE_CUDA_TEXTURES_CUH
#define WARPLINE_CUDA_TEXTURES_CUH

extern "C" __device__ void textures_and_surfaces_are_not_supported(void);

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

#if __cplusplus >= 201103L
#define WARPLINE_FETCH(name)                                                                       \
	template <typename T, typename... A>                                                       \
	static __device__ __forceinline__ T name(unsigned long long, A...)                         \
	{                                                                                          \
		textures_and_surfaces_are_not_supported();                                         \
		return T();                                                                        \
	}                                                                                          \
	template <typename T, typename... A>                                                       \
	static __device__ __forceinline__ void name(T *, unsigned long long, A...)                 \
	{                                                                                          \
		textures_and_surfaces_are_not_supported();                                         \
	}
WARPLINE_FETCH(tex1Dfetch)
WARPLINE_FETCH(tex1D)
WARPLINE_FETCH(tex2D)
WARPLINE_FETCH(tex3D)
WARPLINE_FETCH(tex1DLod)
WARPLINE_FETCH(tex2DLod)
WARPLINE_FETCH(tex3DLod)
WARPLINE_FETCH(tex1DGrad)
WARPLINE_FETCH(tex2DGrad)
WARPLINE_FETCH(tex3DGrad)
WARPLINE_FETCH(tex1DLayered)
WARPLINE_FETCH(tex2DLayered)
WARPLINE_FETCH(texCubemap)
WARPLINE_FETCH(texCubemapLayered)
WARPLINE_FETCH(tex2Dgather)
WARPLINE_FETCH(surf1Dread)
WARPLINE_FETCH(surf2Dread)
WARPLINE_FETCH(surf3Dread)
WARPLINE_FETCH(surf2DLayeredread)

#define WARPLINE_SURFACE_WRITE(name)                                                               \
	template <typename T, typename... A>                                                       \
	static __device__ __forceinline__ void name(T, unsigned long long, A...)                   \
	{                                                                                          \
		textures_and_surfaces_are_not_supported();                                         \
	}
WARPLINE_SURFACE_WRITE(surf1Dwrite)
WARPLINE_SURFACE_WRITE(surf2Dwrite)
WARPLINE_SURFACE_WRITE(surf3Dwrite)
WARPLINE_SURFACE_WRITE(surf2DLayeredwrite)
#undef WARPLINE_SURFACE_WRITE
#undef WARPLINE_FETCH
#endif

#endif
