/*
 * naive_places - where a line lies in L2 and how long things take, bit by bit from the definitions
 * of l2.h and hierarchy.h (for tests). Index functions: modulo and xor.
 */
#ifndef NAIVE_PLACES_H
#define NAIVE_PLACES_H

#include "gpu.h"

/* Of L2; a line without sectors is one. */
uint32_t naive_sector_bytes(const struct gpu *gpu);
uint32_t naive_sector_count(const struct gpu *gpu);

/* Of an L2 line by its number; the set is one of its slice. */
uint32_t naive_slice_of(const struct gpu *gpu, uint64_t line);
uint64_t naive_set_of(const struct gpu *gpu, uint64_t line);

/* From L1 to L2 and back; what DRAM adds. */
uint64_t naive_horizon(const struct gpu *gpu);
uint64_t naive_dram_cycles(const struct gpu *gpu);

#endif
