/* SPDX-License-Identifier: Apache-2.0 */
#include "large_warp.h"

#include <assert.h>
#include <string.h>

void large_warp_cut(struct large_warp *l, const struct warp_step *step, uint32_t columns)
{
	assert(step->lane_count && columns && columns <= WARP_LANES_MAX);
	l->step = step;
	l->columns = columns;
	l->sub_warps = 0;
	memset(l->depth, 0, columns * sizeof(*l->depth));
	for (uint32_t i = 0; i < step->lane_count; i++) {
		uint32_t column = step->lane[i] % columns, k = l->depth[column]++;

		l->active[k * columns + column] = (uint16_t)i;
		if (l->depth[column] > l->sub_warps)
			l->sub_warps = l->depth[column];
	}
}

/* The widths are those of the lanes taken: `is_mixed` and `bytes` are theirs too. */
static void take_size(struct warp_step *out, uint32_t lane, uint64_t size)
{
	out->sizes[lane] = size;
	out->is_mixed |= size != out->sizes[0];
	if (size > out->bytes)
		out->bytes = (uint32_t)size;
}

void large_warp_take(const struct large_warp *l, uint32_t k, struct warp_step *out,
                     uint16_t *large_lane)
{
	const struct warp_step *step = l->step;

	assert(k < l->sub_warps);
	out->site = step->site;
	out->lane_count = 0;
	out->bytes = step->is_mixed ? 0 : step->bytes;
	out->is_mixed = false;
	for (uint32_t column = 0; column < l->columns; column++) {
		uint32_t lane = out->lane_count, i;

		if (l->depth[column] <= k)
			continue;
		i = l->active[k * l->columns + column];
		out->lane[lane] = (uint16_t)column;
		large_lane[lane] = step->lane[i];
		out->address[lane] = step->address[i];
		if (step->is_mixed)
			take_size(out, lane, step->sizes[i]);
		out->lane_count++;
	}
}
