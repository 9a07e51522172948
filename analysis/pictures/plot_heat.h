/*
 * plot_heat - what happened in each row at each time, counted: the numbers of a heat map.
 *
 * A column is a span of 2^n times `unit` of time, as short as it can be with no more than `limit`
 * columns: when time exceeds them, neighbours are added up. So memory does not grow with the
 * length of a launch, no event is left out, and the counts do not depend on the order of events. A
 * heat map has several planes of counts over the same rows and columns.
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
	uint64_t unit; /* of time, that a column is long */
};

/* All >= 1; `limit` >= 2. Returns 0 or ERR_NOMEM. Release in every case. */
int plot_heat_init(struct plot_heat *h, uint32_t planes, uint32_t rows, uint32_t limit,
                   uint64_t unit, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void plot_heat_release(struct plot_heat *h);

/* Count `count` more. plane < planes, row < rows. */
void plot_heat_add(struct plot_heat *h, uint32_t plane, uint32_t row, uint64_t time,
                   uint64_t count);

static inline uint64_t plot_heat_cell(const struct plot_heat *h, uint32_t plane, uint32_t row,
                                      uint32_t column)
{
	return h->cells[((size_t)plane * h->limit + column) * h->rows + row];
}

/* Sums over all columns, over all rows of a column, and over a plane. */
uint64_t plot_heat_row(const struct plot_heat *h, uint32_t plane, uint32_t row);
uint64_t plot_heat_column(const struct plot_heat *h, uint32_t plane, uint32_t column);
uint64_t plot_heat_sum(const struct plot_heat *h, uint32_t plane);

/* The share of the plane's count that lies in the fullest row of its column: 1 when one row has all
 * at each time, 1 / rows when all are alike. 0 of an empty plane. */
double plot_heat_focus(const struct plot_heat *h, uint32_t plane);

/* The columns with the largest sums, up to `limit` and none of sum 0, in ascending order; of equal
 * ones the first. Returns how many. */
uint32_t plot_heat_fullest(const struct plot_heat *h, uint32_t plane, uint32_t *columns,
                           uint32_t limit);

#endif
