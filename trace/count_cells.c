/* SPDX-License-Identifier: Apache-2.0 */
#include "count_cells.h"

static uint64_t saturated_sum(uint64_t a, uint64_t b)
{
	return a + b < a ? UINT64_MAX : a + b;
}

void count_cells_add(const struct kernel_table *t, const uint64_t *words, uint32_t items,
                     uint64_t *sums)
{
	const unsigned char *flags =
		(const unsigned char *)(words + (size_t)t->counter_count * items);

	for (uint32_t c = 0; c < t->counter_count; c++)
		for (uint32_t i = 0; i < items; i++)
			sums[c] = saturated_sum(sums[c], words[(size_t)c * items + i]);
	for (uint32_t c = t->counter_count; c < t->cell_count; c++, flags += items) {
		uint32_t sum = 0; /* a group has fewer than 2^24 work-items */

		for (uint32_t i = 0; i < items; i++)
			sum += flags[i];
		sums[c] = saturated_sum(sums[c], sum);
	}
}

void count_cells_tell(const struct kernel_table *t, const uint64_t *sums, uint64_t items,
                      uint64_t *counts)
{
	for (size_t s = 0; s < t->site_count; s++) {
		const struct site_count *c = &t->counts[s];
		uint64_t count = c->cell < 0 ? items : sums[c->cell];

		if (__builtin_mul_overflow(count, c->factor, &count))
			count = UINT64_MAX;
		counts[s] = saturated_sum(counts[s], count);
	}
}
