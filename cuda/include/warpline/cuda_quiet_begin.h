/* SPDX-License-Identifier: Apache-2.0 */
/*
 * warpline/cuda_quiet_begin.h - from here to cuda_quiet_end.h device functions have no debug
 * information, so that what they do is put down to the line of the program that calls them.
 * Included many times.
 */
#ifdef WARPLINE_CUDA_COMPILER
#pragma push_macro("__device__")
#undef __device__
#define __device__ __attribute__((device)) __attribute__((nodebug))
#endif
