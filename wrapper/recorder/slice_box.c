/* SPDX-License-Identifier: Apache-2.0 */
#include "slice_box.h"

static uint64_t smaller(uint64_t a, uint64_t b)
{
	return a < b ? a : b;
}

struct slice_box slice_box_at(const struct launch_shape *shape, uint64_t begin, uint64_t most)
{
	uint64_t nx = launch_shape_groups(shape, 0), ny = launch_shape_groups(shape, 1);
	uint64_t nz = launch_shape_groups(shape, 2);
	struct slice_box box = { .begin = begin,
		                 .first = { begin % nx, begin / nx % ny, begin / nx / ny },
		                 .count = { nx, ny, 1 } };

	if (box.first[0] || most < nx) {
		box.count[0] = smaller(nx - box.first[0], most);
		box.count[1] = 1;
	} else if (box.first[1] || most / nx < ny) {
		box.count[1] = smaller(ny - box.first[1], most / nx);
	} else {
		box.count[2] = smaller(nz - box.first[2], most / nx / ny);
	}
	box.end = begin + box.count[0] * box.count[1] * box.count[2];
	return box;
}

void slice_box_range(const struct slice_box *box, const struct launch_shape *shape,
                     uint64_t offset[3], uint64_t global[3])
{
	for (int d = 0; d < 3; d++) {
		uint64_t origin = box->first[d] * shape->local[d];

		offset[d] = shape->offset[d] + origin;
		/* The number of groups times local may be beyond 64 bits in the last one. */
		if (box->first[d] + box->count[d] == launch_shape_groups(shape, d))
			global[d] = shape->global[d] - origin;
		else
			global[d] = box->count[d] * shape->local[d];
	}
}

uint64_t slice_box_items_before(const struct slice_box *box, const struct launch_shape *shape,
                                uint64_t g)
{
	uint64_t nx = launch_shape_groups(shape, 0), ny = launch_shape_groups(shape, 1);
	uint64_t at[3] = { g % nx, g / nx % ny, g / nx / ny }, offset[3], global[3], before[3];
	uint32_t size[3];

	(void)launch_shape_group_size(shape, g, size);
	slice_box_range(box, shape, offset, global);
	for (int d = 0; d < 3; d++)
		before[d] = (at[d] - box->first[d]) * shape->local[d];
	/* Planes before; rows before in the planes of the group; what is before in its rows. */
	return before[2] * global[0] * global[1] + size[2] * before[1] * global[0] +
	       (uint64_t)size[2] * size[1] * before[0];
}
