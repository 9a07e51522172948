/* SPDX-License-Identifier: Apache-2.0 */
#include "naive_places.h"

#include <stdbool.h>

uint32_t naive_sector_bytes(const struct gpu *gpu)
{
	return gpu->l2_sector_bytes ? gpu->l2_sector_bytes : gpu->l2_line_bytes;
}

uint32_t naive_sector_count(const struct gpu *gpu)
{
	return gpu->l2_line_bytes / naive_sector_bytes(gpu);
}

uint64_t naive_horizon(const struct gpu *gpu)
{
	bool is_off = gpu->latency == GPU_LATENCY_OFF;

	return is_off ? 1024 : gpu->l1_hit_cycles + gpu->l2_hit_cycles;
}

uint64_t naive_dram_cycles(const struct gpu *gpu)
{
	return gpu->latency == GPU_LATENCY_OFF ? 0 : gpu->dram_cycles;
}

static uint32_t bits_of(uint32_t count)
{
	uint32_t bits = 0;

	while (1u << bits < count)
		bits++;
	return bits;
}

/* xor: bit i of what is taken modulo the slices is the XOR of the bits i, i + b, i + 2 b ... */
uint32_t naive_slice_of(const struct gpu *gpu, uint64_t line)
{
	uint32_t b = bits_of(gpu->l2_slices);
	uint64_t folded = 0;

	if (gpu->l2_slice_index == GPU_SLICE_INDEX_MODULO || !b)
		return (uint32_t)(line % gpu->l2_slices);
	for (uint32_t i = 0; i < 64; i++)
		for (uint32_t from = i; from < 64; from += b)
			folded ^= (line >> from & 1) << i;
	return (uint32_t)(folded % gpu->l2_slices);
}

uint64_t naive_set_of(const struct gpu *gpu, uint64_t line)
{
	uint64_t inside = line / gpu->l2_slices;

	if (gpu->l2_index.kind == GPU_L1_INDEX_XOR)
		inside ^= inside / gpu->l2_sets;
	return inside % gpu->l2_sets;
}
