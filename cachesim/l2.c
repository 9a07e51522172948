/* SPDX-License-Identifier: Apache-2.0 */
#include "l2.h"

#include "array.h"
#include "err.h"
#include "gpu.h"

#include <stdlib.h>

enum { MOST_SECTORS = 64, SMS_OF_A_WORD = 64 };

static const uint64_t MOST_LINES = 1u << 26;

static bool is_power_of_two(uint32_t number)
{
	return number && !(number & (number - 1));
}

static int check_size(const struct gpu *gpu, struct err *err)
{
	uint64_t lines = (uint64_t)gpu->l2_sets * gpu->l2_ways;

	if (!lines || !gpu->l2_slices || !gpu->l2_line_bytes || !gpu->l2_hit_cycles)
		return err_set(err, ERR_CONFIG,
		               "%s: l2 = on needs l2_slices, l2_sets, l2_ways, l2_line_bytes and "
		               "l2_hit_cycles",
		               gpu->name);
	if (lines > MOST_LINES || lines * gpu->l2_slices > MOST_LINES)
		return err_set(err, ERR_CONFIG,
		               "%s: l2_slices * l2_sets * l2_ways is more than 2^26 lines",
		               gpu->name);
	return 0;
}

static int check_lines(const struct gpu *gpu, struct err *err)
{
	uint32_t line = gpu->l2_line_bytes, sector = gpu->l2_sector_bytes;

	if (!is_power_of_two(line) || line < gpu->l1_line_bytes)
		return err_set(err, ERR_CONFIG,
		               "%s: l2_line_bytes = %u is not a power of two of at least "
		               "l1_line_bytes = %u",
		               gpu->name, line, gpu->l1_line_bytes);
	if (sector && (!is_power_of_two(sector) || sector > line || line / sector > MOST_SECTORS ||
	               sector < outbox_sector_bytes(gpu->l1_line_bytes)))
		return err_set(err, ERR_CONFIG,
		               "%s: l2_sector_bytes = %u is not a power of two that cuts lines of "
		               "L2 (%u bytes) and of L1 (%u bytes) into at most %d sectors",
		               gpu->name, sector, line, gpu->l1_line_bytes, MOST_SECTORS);
	return 0;
}

static int check_slices(const struct gpu *gpu, struct err *err)
{
	if (gpu->l2_slice_index == GPU_SLICE_INDEX_XOR && !is_power_of_two(gpu->l2_slices))
		return err_set(err, ERR_CONFIG,
		               "%s: l2_slice_index = xor needs a power of two of l2_slices, not %u",
		               gpu->name, gpu->l2_slices);
	if (!gpu->dram_channels || !gpu->dram_interleave_bytes)
		return err_set(err, ERR_CONFIG,
		               "%s: l2 = on needs dram_channels and dram_interleave_bytes",
		               gpu->name);
	return 0;
}

/* What comes into L1, and what leaves it, must be known to L2. */
static int check_inclusion(const struct gpu *gpu, struct err *err)
{
	static const char *const words[] = { "non_inclusive", "inclusive", "exclusive" };
	uint32_t l1_sector = gpu->l1_sector_bytes ? gpu->l1_sector_bytes : gpu->l1_line_bytes;
	uint32_t sector = gpu->l2_sector_bytes ? gpu->l2_sector_bytes : gpu->l2_line_bytes;

	if (gpu->l2_inclusion == GPU_L2_INCLUSION_NON_INCLUSIVE)
		return 0;
	if (gpu->l1_write != GPU_L1_WRITE_THROUGH_EVICT &&
	    gpu->l1_write != GPU_L1_WRITE_THROUGH_UPDATE)
		return err_set(err, ERR_CONFIG,
		               "%s: l2_inclusion = %s needs an l1_write that brings no line in: "
		               "through_evict or through_update",
		               gpu->name, words[gpu->l2_inclusion]);
	if (gpu->l2_inclusion == GPU_L2_INCLUSION_EXCLUSIVE &&
	    (gpu->l2_line_bytes != gpu->l1_line_bytes || sector > l1_sector))
		return err_set(err, ERR_CONFIG,
		               "%s: l2_inclusion = exclusive needs lines of L1's size (%u bytes) "
		               "in L2, not %u, and sectors of L1's (%u bytes) or smaller ones, "
		               "not %u",
		               gpu->name, gpu->l1_line_bytes, gpu->l2_line_bytes, l1_sector,
		               sector);
	return 0;
}

static void take_shape(struct l2 *l2, const struct gpu *gpu)
{
	uint32_t sector = gpu->l2_sector_bytes ? gpu->l2_sector_bytes : gpu->l2_line_bytes;

	l2->shape = (struct l2_shape){
		.line_bytes = gpu->l2_line_bytes,
		.sector_bytes = sector,
		.sectors = gpu->l2_line_bytes / sector,
		.dram_cycles = gpu->latency == GPU_LATENCY_OFF ? 0 : gpu->dram_cycles,
		.is_write_back = gpu->l2_write == GPU_L2_WRITE_BACK_ALLOCATE,
		.is_exclusive = gpu->l2_inclusion == GPU_L2_INCLUSION_EXCLUSIVE,
	};
	if (gpu->l2_inclusion == GPU_L2_INCLUSION_INCLUSIVE)
		l2->shape.sharer_words = (gpu->sm_count + SMS_OF_A_WORD - 1) / SMS_OF_A_WORD;
	l2->is_by_address = gpu->l2_index.kind == GPU_L1_INDEX_BITS;
	if (gpu->l2_slice_index == GPU_SLICE_INDEX_XOR)
		l2->fold_bits = (uint32_t)__builtin_ctz(gpu->l2_slices);
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
	ret = check_size(gpu, err);
	if (!ret)
		ret = check_lines(gpu, err);
	if (!ret)
		ret = check_slices(gpu, err);
	if (!ret)
		ret = check_inclusion(gpu, err);
	if (ret)
		return ret;
	take_shape(l2, gpu);
	ret = set_index_init(&l2->set_index, &gpu->l2_index, gpu->l2_sets, gpu->l2_line_bytes, "l2", err);
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

static uint32_t fold(uint64_t line, uint32_t bits)
{
	uint64_t folded = 0;

	for (; line; line >>= bits)
		folded ^= line;
	return (uint32_t)(folded & (((uint64_t)1 << bits) - 1));
}

struct l2_slice *l2_serve(struct l2 *l2, struct l2_request *r, struct l2_reply *reply)
{
	uint64_t inside = r->line / l2->slice_count;
	uint32_t number = l2->fold_bits ? fold(r->line, l2->fold_bits)
	                                : (uint32_t)(r->line - inside * l2->slice_count);
	struct l2_slice *slice = &l2->slices[number];

	r->set = set_index_find(&l2->set_index, l2->is_by_address ? r->line : inside);
	l2_slice_serve(slice, r, reply);
	return slice;
}

void l2_flush(struct l2 *l2)
{
	for (uint32_t i = 0; i < l2->slice_count; i++)
		l2_slice_flush(&l2->slices[i]);
}
