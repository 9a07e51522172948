/* SPDX-License-Identifier: Apache-2.0 */
#include "read_only.h"

#include "bypass_list.h"
#include "err.h"
#include "gpu.h"

int read_only_list_parse(struct bypass_list *list, const char *text, struct err *err)
{
	return bypass_list_parse_kinds(list, text,
	                               1u << BYPASS_SITE | 1u << BYPASS_LINE |
	                                       1u << BYPASS_ARGUMENT | 1u << BYPASS_BUFFER,
	                               err);
}

int read_only_gpu(struct gpu *out, const struct gpu *gpu, struct err *err)
{
	uint32_t miss_cycles = gpu->l1_hit_cycles + gpu->l2_cycles;

	if (!gpu->read_only_sets || !gpu->read_only_ways || !gpu->read_only_hit_cycles)
		return err_set(
			err, ERR_CONFIG,
			"%s: no read-only cache is known; read_only_sets, read_only_ways and "
			"read_only_hit_cycles say it",
			gpu->name);
	if (gpu->read_only_hit_cycles >= miss_cycles)
		return err_set(
			err, ERR_CONFIG,
			"%s: read_only_hit_cycles = %u is not less than %u, which a miss takes",
			gpu->name, gpu->read_only_hit_cycles, miss_cycles);
	*out = *gpu;
	out->l1_sets = gpu->read_only_sets;
	out->l1_ways = gpu->read_only_ways;
	out->l1_bytes = 0;
	out->l1_index = gpu->read_only_index;
	out->l1_policy = gpu->read_only_policy;
	out->l1_sector_bytes = gpu->read_only_sector_bytes;
	out->l1_hit_cycles = gpu->read_only_hit_cycles;
	out->l2_cycles = miss_cycles - gpu->read_only_hit_cycles;
	out->l1_write = GPU_L1_WRITE_THROUGH_UPDATE;
	out->l1_allocation = GPU_L1_ALLOCATION_AT_MISS;
	out->l1_mshr_entries = out->l1_mshr_merge = 0;
	return gpu_check(out, err);
}
