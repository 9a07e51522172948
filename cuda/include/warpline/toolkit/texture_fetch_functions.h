/* SPDX-License-Identifier: Apache-2.0 */
/* texture_fetch_functions.h - empty: clang includes it, and current CUDA toolkits no longer have it. */
#ifndef WARPLINE_TEXTURE_FETCH_FUNCTIONS_H
#define WARPLINE_TEXTURE_FETCH_FUNCTIONS_H
#endif
