/* SPDX-License-Identifier: Apache-2.0 */
#include "l2.h"

#include "array.h"
#include "err.h"
#include "gpu.h"

#include <stdlib.h>

enum { SMS_OF_A_WORD = 64 };

/* log2, rounded up. */
static uint32_t bits_of(uint32_t count)
{
	return count > 1 ? 32 - (uint32_t)__builtin_clz(count - 1) : 0;
}

/* Lines of a set that may be dirty. */
static uint32_t max_dirty(const struct gpu *gpu)
{
	uint32_t lines = gpu->l2_ways * gpu->l2_dirty_percent / 100;

	return lines ? lines : 1;
}

static void take_shape(struct l2 *l2, const struct gpu *gpu)
{
	uint32_t sector = gpu->l2_sector_bytes ? gpu->l2_sector_bytes : gpu->l2_line_bytes;

	l2->shape = (struct l2_shape){
		.line_bytes = gpu->l2_line_bytes,
		.line_shift = (uint32_t)__builtin_ctz(gpu->l2_line_bytes),
		.sector_bytes = sector,
		.sectors = gpu->l2_line_bytes / sector,
		.dram_cycles = gpu->latency == GPU_LATENCY_OFF ? 0 : gpu->dram_cycles,
		.is_write_back = gpu->l2_write == GPU_L2_WRITE_BACK_ALLOCATE,
		.is_exclusive = gpu->l2_inclusion == GPU_L2_INCLUSION_EXCLUSIVE,
		.keeps_parts = gpu->l2_partial_write == GPU_L2_PARTIAL_WRITE_MASK,
	};
	if (gpu->l2_dirty_percent && gpu->l2_dirty_percent < 100)
		l2->shape.max_dirty = max_dirty(gpu);
	if (gpu->l2_inclusion == GPU_L2_INCLUSION_INCLUSIVE)
		l2->shape.sharer_words = (gpu->sm_count + SMS_OF_A_WORD - 1) / SMS_OF_A_WORD;
	l2->is_by_address = gpu->l2_index.kind == GPU_L1_INDEX_BITS;
	if (gpu->l2_slice_index == GPU_SLICE_INDEX_XOR)
		l2->fold_bits = bits_of(gpu->l2_slices);
}

static int create_slices(struct l2 *l2, const struct gpu *gpu, struct err *err)
{
	int ret = 0;

	l2->slices = array_alloc(gpu->l2_slices, sizeof(*l2->slices), "L2 slices", err);
	l2->sites = array_alloc(l2->site_count, sizeof(*l2->sites), "L2 counters of sites", err);
	if (!l2->slices || !l2->sites)
		return ERR_NOMEM;
	l2->slice_count = gpu->l2_slices;
	for (uint32_t i = 0; i < l2->slice_count && !ret; i++) {
		struct l2_slice *slice = &l2->slices[i];

		slice->shape = &l2->shape;
		slice->dram = &l2->dram;
		slice->sites = l2->sites;
		ret = l2_slice_init(slice, gpu, i, err);
	}
	return ret;
}

int l2_init(struct l2 *l2, const struct gpu *gpu, size_t site_count, struct err *err)
{
	int ret;

	*l2 = (struct l2){ .site_count = site_count };
	ret = gpu_check(gpu, err);
	if (ret)
		return ret;
	take_shape(l2, gpu);
	ret = set_index_init_for(&l2->set_index, &gpu->l2_index, gpu->l2_sets, gpu->l2_line_bytes,
	                         "l2", err);
	if (!ret)
		ret = dram_init(&l2->dram, gpu->dram_channels, gpu->dram_interleave_bytes, err);
	if (!ret)
		ret = create_slices(l2, gpu, err);
	return ret;
}

void l2_release(struct l2 *l2)
{
	for (uint32_t i = 0; i < l2->slice_count; i++)
		l2_slice_release(&l2->slices[i]);
	free(l2->slices);
	free(l2->sites);
	dram_release(&l2->dram);
	*l2 = (struct l2){ 0 };
}

/* The line XOR itself shifted by one, two, three ... times the bits: in the ring of polynomials the
 * sum of all powers of the shift is the product of one plus its 1st, 2nd, 4th, 8th ... power. */
static uint64_t fold(uint64_t line, uint32_t bits)
{
	for (; bits < 64; bits *= 2)
		line ^= line >> bits;
	return line;
}

static uint64_t modulo(uint64_t n, uint32_t count)
{
	return count & (count - 1) ? n % count : n & (count - 1);
}

struct l2_place l2_find(const struct l2 *l2, uint64_t line)
{
	uint64_t folded = l2->fold_bits ? fold(line, l2->fold_bits) : line;
	uint64_t inside = l2->is_by_address ? line : line / l2->slice_count;

	return (struct l2_place){ &l2->slices[modulo(folded, l2->slice_count)],
		                  set_index_find(&l2->set_index, inside) };
}

void l2_flush(struct l2 *l2)
{
	for (uint32_t i = 0; i < l2->slice_count; i++)
		l2_slice_flush(&l2->slices[i]);
}
