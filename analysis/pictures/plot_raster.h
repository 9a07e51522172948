/*
 * plot_raster - any number of points on a grid of cells, in bounded memory, without leaving a point
 * out.
 *
 * A cell is drawn if it has at least one point, so that an empty area of the picture is really
 * empty. It has the number of its points and the value of one of them, the point whose order has
 * the least hash, so that all are equally likely and no pattern in time favours one. (Drawing every
 * n-th point instead would alias with periods that share a factor with n.)
 */
#ifndef PLOT_RASTER_H
#define PLOT_RASTER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/*
 * A range of integers divided into cells of 2^shift numbers, which begin at multiples of their
 * size. Cells of unequal size would get unequal shares of a regular pattern, which would show as a
 * second pattern.
 */
struct plot_axis {
	uint64_t first; /* cell i holds the numbers n with n >> shift == first + i */
	uint32_t count; /* cells, >= 1 */
	uint32_t shift; /* 0..63 */
};

/* Returns an axis for low..high with the smallest cells, of at least 2^least numbers, of which
 * there are at most `limit` (>= 2). */
static inline struct plot_axis plot_axis_fit(uint64_t low, uint64_t high, uint32_t least,
                                             uint32_t limit)
{
	uint32_t shift = least;

	while ((high >> shift) - (low >> shift) >= limit)
		shift++;
	return (struct plot_axis){ .first = low >> shift,
		                   .count = (uint32_t)((high >> shift) - (low >> shift)) + 1,
		                   .shift = shift };
}

/* Returns the cell of a number; >= count for a number outside. */
static inline uint64_t plot_axis_cell(const struct plot_axis *a, uint64_t number)
{
	return (number >> a->shift) - a->first;
}

/* Returns the first number of a cell. */
static inline uint64_t plot_axis_number(const struct plot_axis *a, uint32_t cell)
{
	return (a->first + cell) << a->shift;
}

struct plot_cell {
	uint64_t count;
	uint64_t value; /* of one of the points */
	uint64_t hash;  /* of that point's order */
};

struct plot_raster {
	struct plot_axis x, y;
	struct plot_cell *cells; /* y.count rows of x.count */
};

/* Begin. Returns 0 or ERR_NOMEM. Release in every case. */
int plot_raster_init(struct plot_raster *r, struct plot_axis x, struct plot_axis y,
                     struct err *err);
void plot_raster_release(struct plot_raster *r);

/* Add a point, whose x is also its order. A point outside the axes is ignored. */
void plot_raster_add(struct plot_raster *r, uint64_t x, uint64_t y, uint64_t value);

static inline const struct plot_cell *plot_raster_cell(const struct plot_raster *r, uint32_t column,
                                                       uint32_t row)
{
	return &r->cells[(size_t)row * r->x.count + column];
}

#endif
