/* SPDX-License-Identifier: Apache-2.0 */
#include "err.h"
#include "gpu.h"

#include <inttypes.h>
#include <stdbool.h>

/* The keys that L1 and L2 both have. */
struct level {
	const char *name; /* what the keys begin with */
	uint32_t parts;   /* slices */
	uint32_t sets, ways, line_bytes, sector_bytes;
	uint32_t bytes; /* 0: not given */
	const struct gpu_spec *index, *policy;
};

enum { LINES_LIMIT = 1 << 26, SECTORS_LIMIT = 32 };

static bool is_power_of_two(uint32_t n)
{
	return n && !(n & (n - 1));
}

static int check_lines(const struct level *l, struct err *err)
{
	uint64_t lines = (uint64_t)l->parts * l->sets * l->ways;

	if (!is_power_of_two(l->line_bytes))
		return err_set(err, ERR_CONFIG, "%s_line_bytes: %" PRIu32 " is not a power of two",
		               l->name, l->line_bytes);
	if (l->sector_bytes && !is_power_of_two(l->sector_bytes))
		return err_set(err, ERR_CONFIG,
		               "%s_sector_bytes: %" PRIu32 " is not a power of two", l->name,
		               l->sector_bytes);
	if (l->sector_bytes > l->line_bytes)
		return err_set(err, ERR_CONFIG,
		               "%s_sector_bytes: %" PRIu32 " does not divide %s_line_bytes = "
		               "%" PRIu32,
		               l->name, l->sector_bytes, l->name, l->line_bytes);
	if (l->sector_bytes && l->line_bytes / l->sector_bytes > SECTORS_LIMIT)
		return err_set(err, ERR_CONFIG,
		               "%s_sector_bytes: %" PRIu32 " cuts a line of %" PRIu32
		               " bytes into more than %d sectors",
		               l->name, l->sector_bytes, l->line_bytes, SECTORS_LIMIT);
	if (lines > LINES_LIMIT)
		return err_set(err, ERR_CONFIG, "%s_sets: %s has %" PRIu64 " lines, more than %d",
		               l->name, l->name, lines, LINES_LIMIT);
	if (l->bytes && lines * l->line_bytes != l->bytes)
		return err_set(err, ERR_CONFIG,
		               "%s_bytes: %" PRIu32 " is not what %" PRIu64 " lines of %" PRIu32
		               " bytes make, %" PRIu64,
		               l->name, l->bytes, lines, l->line_bytes, lines * l->line_bytes);
	return 0;
}

static int check_fermi(const struct level *l, struct err *err)
{
	if (l->sets != 32 && l->sets != 64)
		return err_set(err, ERR_CONFIG,
		               "%s_sets: %s_index = fermi needs 32 or 64, not %" PRIu32, l->name,
		               l->name, l->sets);
	if (l->line_bytes != 128)
		return err_set(err, ERR_CONFIG,
		               "%s_line_bytes: %s_index = fermi needs 128, not %" PRIu32, l->name,
		               l->name, l->line_bytes);
	return 0;
}

/* bits:LIST has an entry for each bit of a set's number, none of them within a line. */
static int check_bits(const struct level *l, struct err *err)
{
	uint32_t bits = (uint32_t)__builtin_ctz(l->sets);

	if (l->index->count != bits)
		return err_set(err, ERR_CONFIG,
		               "%s_index: bits has %" PRIu32 " entries, %" PRIu32
		               " sets need %" PRIu32,
		               l->name, l->index->count, l->sets, bits);
	for (uint32_t i = 0; i < bits; i++)
		if (l->index->list[i] & (l->line_bytes - 1))
			return err_set(err, ERR_CONFIG,
			               "%s_index: bit %d lies within a line of %" PRIu32 " bytes",
			               l->name, __builtin_ctzll(l->index->list[i]), l->line_bytes);
	return 0;
}

static int check_index(const struct level *l, struct err *err)
{
	bool is_bits = l->index->kind == GPU_L1_INDEX_BITS;

	if (l->index->kind == GPU_L1_INDEX_FERMI)
		return check_fermi(l, err);
	if (!is_bits && l->index->kind != GPU_L1_INDEX_XOR)
		return 0;
	if (!is_power_of_two(l->sets))
		return err_set(err, ERR_CONFIG,
		               "%s_sets: %" PRIu32 " is not a power of two, as %s_index = %s needs",
		               l->name, l->sets, l->name, is_bits ? "bits" : "xor");
	return is_bits ? check_bits(l, err) : 0;
}

static int check_policy(const struct level *l, struct err *err)
{
	uint64_t sum = 0;

	if (l->policy->kind != GPU_POLICY_WAYS)
		return 0;
	if (l->policy->count != l->ways)
		return err_set(err, ERR_CONFIG,
		               "%s_policy: ways has %" PRIu32 " entries, %s_ways is %" PRIu32,
		               l->name, l->policy->count, l->name, l->ways);
	for (uint32_t i = 0; i < l->policy->count; i++)
		sum += l->policy->list[i];
	if (!sum)
		return err_set(err, ERR_CONFIG, "%s_policy: ways replaces none: all entries are 0",
		               l->name);
	return 0;
}

static int check_level(const struct level *l, struct err *err)
{
	int ret = check_lines(l, err);

	if (!ret)
		ret = check_index(l, err);
	return ret ? ret : check_policy(l, err);
}

static int check_l1(const struct gpu *gpu, struct err *err)
{
	const struct level l1 = {
		.name = "l1",
		.parts = 1,
		.sets = gpu->l1_sets,
		.ways = gpu->l1_ways,
		.line_bytes = gpu->l1_line_bytes,
		.sector_bytes = gpu->l1_sector_bytes,
		.bytes = gpu->l1_bytes,
		.index = &gpu->l1_index,
		.policy = &gpu->l1_policy,
	};

	if (gpu->coalescing != GPU_COALESCING_FERMI && is_power_of_two(gpu->l1_line_bytes) &&
	    gpu->l1_line_bytes < 32)
		return err_set(err, ERR_CONFIG,
		               "l1_line_bytes: %" PRIu32 " holds no sector of 32 bytes",
		               gpu->l1_line_bytes);
	if (gpu->l1_promotion_bytes && !is_power_of_two(gpu->l1_promotion_bytes))
		return err_set(err, ERR_CONFIG,
		               "l1_promotion_bytes: %" PRIu32 " is not a power of two",
		               gpu->l1_promotion_bytes);
	return check_level(&l1, err);
}

/* What L2 has been told must fit together also while it is off. */
static int check_l2(const struct gpu *gpu, struct err *err)
{
	const struct level l2 = {
		.name = "l2",
		.parts = gpu->l2_slices,
		.sets = gpu->l2_sets,
		.ways = gpu->l2_ways,
		.line_bytes = gpu->l2_line_bytes,
		.sector_bytes = gpu->l2_sector_bytes,
		.bytes = gpu->l2_bytes,
		.index = &gpu->l2_index,
		.policy = &gpu->l2_policy,
	};

	if (!gpu->l2_slices && !gpu->l2_sets && !gpu->l2_ways)
		return 0;
	if (!gpu->l2_slices || !gpu->l2_sets || !gpu->l2_ways)
		return err_set(err, ERR_CONFIG,
		               "l2_slices, l2_sets and l2_ways: all are needed, one is not given");
	return check_level(&l2, err);
}

static int check_l2_sectors(const struct gpu *gpu, struct err *err)
{
	uint32_t least = gpu->l1_line_bytes < 32 ? gpu->l1_line_bytes : 32;

	if (gpu->l1_line_bytes > 64 * least)
		least = gpu->l1_line_bytes / 64;
	if (gpu->l2_sector_bytes && gpu->l2_sector_bytes < least)
		return err_set(err, ERR_CONFIG,
		               "l2_sector_bytes: %" PRIu32 " is less than %" PRIu32
		               ", what an L1 with lines of %" PRIu32 " bytes asks for",
		               gpu->l2_sector_bytes, least, gpu->l1_line_bytes);
	return 0;
}

/* Inclusive and exclusive: L2 must know what comes into L1 and what leaves it. */
static int check_inclusion(const struct gpu *gpu, struct err *err)
{
	bool is_exclusive = gpu->l2_inclusion == GPU_L2_INCLUSION_EXCLUSIVE;
	uint32_t l1 = gpu->l1_sector_bytes ? gpu->l1_sector_bytes : gpu->l1_line_bytes;
	uint32_t l2 = gpu->l2_sector_bytes ? gpu->l2_sector_bytes : gpu->l2_line_bytes;

	if (gpu->l2_inclusion == GPU_L2_INCLUSION_NON_INCLUSIVE)
		return 0;
	if (gpu->l1_write != GPU_L1_WRITE_THROUGH_EVICT &&
	    gpu->l1_write != GPU_L1_WRITE_THROUGH_UPDATE)
		return err_set(err, ERR_CONFIG,
		               "l2_inclusion: %s needs an l1_write that brings no line into L1, "
		               "through_evict or through_update",
		               is_exclusive ? "exclusive" : "inclusive");
	if (is_exclusive && gpu->l2_line_bytes != gpu->l1_line_bytes)
		return err_set(err, ERR_CONFIG,
		               "l2_line_bytes: %" PRIu32 " is not l1_line_bytes = %" PRIu32
		               ", as l2_inclusion = exclusive needs",
		               gpu->l2_line_bytes, gpu->l1_line_bytes);
	if (is_exclusive && l2 > l1)
		return err_set(err, ERR_CONFIG,
		               "l2_sector_bytes: what L2 fetches, %" PRIu32 " bytes, is more than "
		               "what L1 does, %" PRIu32 ", which l2_inclusion = exclusive forbids",
		               l2, l1);
	return 0;
}

static int check_l2_on(const struct gpu *gpu, struct err *err)
{
	if (!gpu->l2_slices)
		return err_set(err, ERR_CONFIG,
		               "l2: on needs l2_slices, l2_sets and l2_ways, which are not given");
	if (gpu->l2_line_bytes < gpu->l1_line_bytes)
		return err_set(err, ERR_CONFIG,
		               "l2_line_bytes: %" PRIu32 " is less than l1_line_bytes = %" PRIu32,
		               gpu->l2_line_bytes, gpu->l1_line_bytes);
	if (gpu->latency == GPU_LATENCY_ON && (!gpu->l2_hit_cycles || !gpu->dram_cycles))
		return err_set(err, ERR_CONFIG,
		               "l2: on needs l2_hit_cycles and dram_cycles, which are not given");
	return check_l2_sectors(gpu, err) || check_inclusion(gpu, err) ? ERR_CONFIG : 0;
}

static int check_dram(const struct gpu *gpu, struct err *err)
{
	if (gpu->dram_interleave_bytes && !is_power_of_two(gpu->dram_interleave_bytes))
		return err_set(err, ERR_CONFIG,
		               "dram_interleave_bytes: %" PRIu32 " is not a power of two",
		               gpu->dram_interleave_bytes);
	if (gpu->l2_slices && gpu->dram_interleave_bytes < gpu->l2_line_bytes)
		return err_set(err, ERR_CONFIG,
		               "dram_interleave_bytes: %" PRIu32
		               " is less than a line of L2, %" PRIu32 " bytes",
		               gpu->dram_interleave_bytes, gpu->l2_line_bytes);
	return 0;
}

int gpu_check(const struct gpu *gpu, struct err *err)
{
	int ret;

	if (!is_power_of_two(gpu->warp_lanes))
		return err_set(err, ERR_CONFIG, "warp_lanes: %" PRIu32 " is not a power of two",
		               gpu->warp_lanes);
	ret = check_l1(gpu, err);
	if (!ret)
		ret = check_l2(gpu, err);
	if (!ret && gpu->l2 == GPU_L2_ON)
		ret = check_l2_on(gpu, err);
	return ret ? ret : check_dram(gpu, err);
}
