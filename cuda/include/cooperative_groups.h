/* SPDX-License-Identifier: Apache-2.0 */
/*
 * cooperative_groups.h - the basic groups of cooperative groups: the thread block, tiles of a warp,
 * coalesced threads, the grid's identity. sync() of a grid or of several devices is not there: a
 * call of it ends the compilation with a sentence.
 */
#ifndef WARPLINE_COOPERATIVE_GROUPS_H
#define WARPLINE_COOPERATIVE_GROUPS_H

#include "cuda_runtime.h"

#ifdef WARPLINE_CUDA_COMPILER
#include "warpline/cuda_quiet_begin.h"

#include "warpline/cuda_groups.cuh"
#include "warpline/cuda_tiles.cuh"

#include "warpline/cuda_quiet_end.h"
#endif

#endif
