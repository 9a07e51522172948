/* SPDX-License-Identifier: Apache-2.0 */
#include "set_index.h"

#include "err.h"

#include <stdbool.h>

/* Convert the list's address bits to bits of line numbers. Returns 0 or ERR_CONFIG. */
static int take_bits(struct set_index *index, const struct gpu_spec *function, uint32_t line_bytes,
                     const char *keys, struct err *err)
{
	uint32_t line_shift = (uint32_t)__builtin_ctz(line_bytes);

	if (index->shift > SET_INDEX_BITS)
		return err_set(err, ERR_CONFIG, "%s_index = bits: %u sets are more than %u", keys,
		               index->sets, 1u << SET_INDEX_BITS);
	if (function->count != index->shift)
		return err_set(err, ERR_CONFIG,
		               "%s_index = bits needs %u entries for %u sets, it has %u", keys,
		               index->shift, index->sets, function->count);
	for (uint32_t i = 0; i < function->count; i++) {
		if (function->list[i] & (line_bytes - 1))
			return err_set(err, ERR_CONFIG,
			               "%s_index: bit %d lies within a line of %u bytes", keys,
			               __builtin_ctzll(function->list[i]), line_bytes);
		index->bits[i] = function->list[i] >> line_shift;
	}
	return 0;
}

int set_index_init_for(struct set_index *index, const struct gpu_spec *function, uint32_t sets,
                       uint32_t line_bytes, const char *keys, struct err *err)
{
	bool is_power_of_two = sets && !(sets & (sets - 1));
	bool is_bits = function->kind == GPU_L1_INDEX_BITS;

	if (!sets)
		return err_set(err, ERR_CONFIG, "%s_sets is 0, it must be at least 1", keys);
	if (function->kind == GPU_L1_INDEX_FERMI && sets != 32 && sets != 64)
		return err_set(err, ERR_CONFIG, "%s_index = fermi needs %s_sets = 32 or 64, not %u",
		               keys, keys, sets);
	if ((is_bits || function->kind == GPU_L1_INDEX_XOR) && !is_power_of_two)
		return err_set(err, ERR_CONFIG,
		               "%s_index = %s needs a power of two as %s_sets, not %u", keys,
		               is_bits ? "bits" : "xor", keys, sets);
	*index = (struct set_index){
		.kind = (enum gpu_l1_index)function->kind,
		.sets = sets,
		.mask = is_power_of_two ? sets - 1 : 0,
		.shift = is_power_of_two ? (uint32_t)__builtin_ctz(sets) : 0,
	};
	return is_bits ? take_bits(index, function, line_bytes, keys, err) : 0;
}

int set_index_init(struct set_index *index, const struct gpu *gpu, struct err *err)
{
	return set_index_init_for(index, &gpu->l1_index, gpu->l1_sets, gpu->l1_line_bytes, "l1",
	                          err);
}
