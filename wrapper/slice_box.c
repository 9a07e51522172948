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
