/*
 * plot_heat - the counts of a heat map, by row and time.
 *
 * A column is a span of 2^n times `unit` of time, as short as possible with at most `limit`
 * columns: when time exceeds them, neighbouring columns are added up. So memory does not grow with
 * the length of a launch, no event is left out, and the counts do not depend on the order of
 * events. A heat map has several planes of counts over the same rows and columns.
 */
#ifndef PLOT_HEAT_H
#define PLOT_HEAT_H

#include <stddef.h>
#include <stdint.h>

struct err;

struct plot_heat {
	uint64_t *cells; /* planes x limit columns x rows */
	uint32_t planes, rows, limit;
	uint32_t used; /* columns up to the last one with an event */
	uint64_t unit; /* present length of a column in time */
};

/* Begin with sizes >= 1 and `limit` >= 2. Returns 0 or ERR_NOMEM. Release in every case. */
int plot_heat_init(struct plot_heat *h, uint32_t planes, uint32_t rows, uint32_t limit,
                   uint64_t unit, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void plot_heat_release(struct plot_heat *h);

/* Add `count`. plane < planes, row < rows. */
void plot_heat_add(struct plot_heat *h, uint32_t plane, uint32_t row, uint64_t time,
                   uint64_t count);

static inline uint64_t plot_heat_cell(const struct plot_heat *h, uint32_t plane, uint32_t row,
                                      uint32_t column)
{
	return h->cells[((size_t)plane * h->limit + column) * h->rows + row];
}

/* Return the sum over all columns, over all rows of a column, and over a plane. */
uint64_t plot_heat_row(const struct plot_heat *h, uint32_t plane, uint32_t row);
uint64_t plot_heat_column(const struct plot_heat *h, uint32_t plane, uint32_t column);
uint64_t plot_heat_sum(const struct plot_heat *h, uint32_t plane);

/* Returns the share of the plane's count that is in the fullest row of each column: 1 when one row
 * has all at each time, 1 / rows when all rows are equal. 0 for an empty plane. */
double plot_heat_focus(const struct plot_heat *h, uint32_t plane);

/* Get the columns with the largest sums > 0, at most `limit`, in ascending order; of equal ones the
 * first. Returns their number. */
uint32_t plot_heat_fullest(const struct plot_heat *h, uint32_t plane, uint32_t *columns,
                           uint32_t limit);

#endif
