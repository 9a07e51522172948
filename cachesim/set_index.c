/* SPDX-License-Identifier: Apache-2.0 */
#include "set_index.h"

#include "err.h"

#include <stdbool.h>

int set_index_init(struct set_index *index, const struct gpu *gpu, struct err *err)
{
	uint32_t sets = gpu->l1_sets;
	bool is_power_of_two = sets && !(sets & (sets - 1));

	if (!sets)
		return err_set(err, ERR_CONFIG, "%s: l1_sets is 0, it must be at least 1",
		               gpu->name);
	if (gpu->l1_index == GPU_L1_INDEX_FERMI && sets != 32 && sets != 64)
		return err_set(err, ERR_CONFIG,
		               "%s: l1_index = fermi needs l1_sets = 32 or 64, not %u", gpu->name,
		               sets);
	if (gpu->l1_index == GPU_L1_INDEX_XOR && !is_power_of_two)
		return err_set(err, ERR_CONFIG,
		               "%s: l1_index = xor needs a power of two as l1_sets, not %u",
		               gpu->name, sets);
	*index = (struct set_index){
		.kind = (enum gpu_l1_index)gpu->l1_index,
		.sets = sets,
		.mask = is_power_of_two ? sets - 1 : 0,
		.shift = is_power_of_two ? (uint32_t)__builtin_ctz(sets) : 0,
	};
	return 0;
}
