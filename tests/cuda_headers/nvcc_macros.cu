// SPDX-License-Identifier: Apache-2.0
// The macros by which a program knows nvcc, as its manual lists them ("NVCC Identification Macro" and
// "Virtual Architecture Macros"). WANTED says which of those that hang on options are to be there, by bits.
#if !defined(__NVCC__) || !defined(__CUDACC__) || !defined(__NVCC_DIAG_PRAGMA_SUPPORT__)
#error a macro of every compilation is missing
#endif
#if __CUDACC_VER_MAJOR__ < 11 || __CUDACC_VER_MINOR__ < 0 || __CUDACC_VER_BUILD__ < 0
#error the version is missing
#endif
#ifdef __CUDACC_RTC__
#error NVRTC is another compiler
#endif

#ifdef __CUDACC_RDC__
#define IS_RDC 1
#else
#define IS_RDC 0
#endif
#ifdef __CUDACC_EWP__
#define IS_EWP 2
#else
#define IS_EWP 0
#endif
#ifdef __CUDACC_DEBUG__
#define IS_DEBUG 4
#else
#define IS_DEBUG 0
#endif
#ifdef __CUDACC_RELAXED_CONSTEXPR__
#define IS_RELAXED 8
#else
#define IS_RELAXED 0
#endif
#ifdef __CUDACC_EXTENDED_LAMBDA__
#define IS_EXTENDED 16
#else
#define IS_EXTENDED 0
#endif
#ifdef CUDA_API_PER_THREAD_DEFAULT_STREAM
#define IS_PER_THREAD 32
#else
#define IS_PER_THREAD 0
#endif
static_assert(IS_RDC + IS_EWP + IS_DEBUG + IS_RELAXED + IS_EXTENDED + IS_PER_THREAD == WANTED, "");

// The list is a number in #if, if it has one entry only. On the host there is no architecture.
static_assert(__CUDA_ARCH_LIST__ == ARCH, "");
#ifdef __CUDA_ARCH__
static_assert(__CUDA_ARCH__ == ARCH, "");
#endif

__global__ void has_architecture(int *p)
{
#ifdef __CUDA_ARCH__
	*p = __CUDA_ARCH__;
#else
	(void)p;
#endif
}
