/* SPDX-License-Identifier: Apache-2.0 */
/* texture_fetch_functions.h - empty: clang includes a file that CUDA's toolkit has no more. */
#ifndef WARPLINE_TEXTURE_FETCH_FUNCTIONS_H
#define WARPLINE_TEXTURE_FETCH_FUNCTIONS_H
#endif
