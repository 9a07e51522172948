/* SPDX-License-Identifier: Apache-2.0 */
#include "plot_raster.h"

#include "array.h"
#include "err.h"

#include <stdlib.h>

int plot_raster_init(struct plot_raster *r, struct plot_axis x, struct plot_axis y, struct err *err)
{
	*r = (struct plot_raster){ .x = x, .y = y };
	r->cells =
		array_alloc((size_t)x.count * y.count, sizeof(*r->cells), "dots of a picture", err);
	return r->cells ? 0 : ERR_NOMEM;
}

void plot_raster_release(struct plot_raster *r)
{
	free(r->cells);
	*r = (struct plot_raster){ 0 };
}

/* The finalizer of splitmix64: a bijection, so that no two orders tie. */
static uint64_t hash(uint64_t order)
{
	uint64_t z = order + UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

void plot_raster_add(struct plot_raster *r, uint64_t x, uint64_t y, uint64_t value)
{
	uint64_t column = plot_axis_cell(&r->x, x), row = plot_axis_cell(&r->y, y);
	struct plot_cell *cell;
	uint64_t mine;

	if (column >= r->x.count || row >= r->y.count)
		return;
	cell = &r->cells[row * r->x.count + column];
	mine = hash(x);
	if (!cell->count++ || mine < cell->hash) {
		cell->value = value;
		cell->hash = mine;
	}
}
