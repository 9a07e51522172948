/* SPDX-License-Identifier: Apache-2.0 */
/* warpline/cuda_quiet_end.h - ends what cuda_quiet_begin.h begins. Included many times. */
#ifdef WARPLINE_CUDA_COMPILER
#pragma pop_macro("__device__")
#endif
