/*
 * plot_axis - a range of whole numbers cut into equal cells of 2^shift numbers.
 *
 * Cells are of one size, and begin at multiples of it: cells of unequal size would hold unequal
 * shares of a regular pattern and draw a second one over it.
 */
#ifndef PLOT_AXIS_H
#define PLOT_AXIS_H

#include <stdbool.h>
#include <stdint.h>

struct plot_axis {
	uint64_t first; /* cell i holds the numbers n with n >> shift == first + i */
	uint32_t count; /* cells, >= 1 */
	uint32_t shift; /* 0..63 */
};

/* The smallest cells, of at least 2^least numbers, of which `limit` (>= 2) or fewer hold
 * low..high. */
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

/* The cell of a number, or one that is >= count for a number outside. */
static inline uint64_t plot_axis_cell(const struct plot_axis *a, uint64_t number)
{
	return (number >> a->shift) - a->first;
}

/* The first number of a cell. */
static inline uint64_t plot_axis_number(const struct plot_axis *a, uint32_t cell)
{
	return (a->first + cell) << a->shift;
}

#endif
