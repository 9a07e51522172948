/* SPDX-License-Identifier: Apache-2.0 */
#include "plot_heat.h"

#include "array.h"
#include "err.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

int plot_heat_init(struct plot_heat *h, uint32_t planes, uint32_t rows, uint32_t limit,
                   uint64_t unit, struct err *err)
{
	*h = (struct plot_heat){ .planes = planes, .rows = rows, .limit = limit, .unit = unit };
	h->cells = array_alloc((size_t)planes * limit * rows, sizeof(*h->cells),
	                       "cells of a heat map", err);
	return h->cells ? 0 : ERR_NOMEM;
}

void plot_heat_release(struct plot_heat *h)
{
	free(h->cells);
	*h = (struct plot_heat){ 0 };
}

static uint64_t *column_of(struct plot_heat *h, uint32_t plane, uint32_t column)
{
	return &h->cells[((size_t)plane * h->limit + column) * h->rows];
}

/* Double the length of the columns. */
static void fold(struct plot_heat *h)
{
	for (uint32_t p = 0; p < h->planes; p++)
		for (uint32_t c = 0; c < h->used; c++) {
			uint64_t *from = column_of(h, p, c), *to = column_of(h, p, c / 2);

			for (uint32_t r = 0; c && r < h->rows; r++) {
				to[r] += from[r];
				from[r] = 0;
			}
		}
	h->used = (h->used + 1) / 2;
	h->unit *= 2;
}

void plot_heat_add(struct plot_heat *h, uint32_t plane, uint32_t row, uint64_t time, uint64_t count)
{
	uint32_t column;

	assert(plane < h->planes && row < h->rows);
	while (time / h->unit >= h->limit)
		fold(h);
	column = (uint32_t)(time / h->unit);
	column_of(h, plane, column)[row] += count;
	if (column >= h->used)
		h->used = column + 1;
}

uint64_t plot_heat_row(const struct plot_heat *h, uint32_t plane, uint32_t row)
{
	uint64_t sum = 0;

	for (uint32_t c = 0; c < h->used; c++)
		sum += plot_heat_cell(h, plane, row, c);
	return sum;
}

uint64_t plot_heat_column(const struct plot_heat *h, uint32_t plane, uint32_t column)
{
	uint64_t sum = 0;

	for (uint32_t r = 0; r < h->rows; r++)
		sum += plot_heat_cell(h, plane, r, column);
	return sum;
}

uint64_t plot_heat_sum(const struct plot_heat *h, uint32_t plane)
{
	uint64_t sum = 0;

	for (uint32_t c = 0; c < h->used; c++)
		sum += plot_heat_column(h, plane, c);
	return sum;
}

double plot_heat_focus(const struct plot_heat *h, uint32_t plane)
{
	uint64_t all = plot_heat_sum(h, plane), sum = 0;

	for (uint32_t c = 0; c < h->used; c++) {
		uint64_t most = 0;

		for (uint32_t r = 0; r < h->rows; r++)
			if (plot_heat_cell(h, plane, r, c) > most)
				most = plot_heat_cell(h, plane, r, c);
		sum += most;
	}
	return all ? (double)sum / (double)all : 0;
}

/* Whether a column comes before another: its sum is larger, or is equal and its number is smaller.
 */
static bool is_before(const struct plot_heat *h, uint32_t plane, uint32_t a, uint32_t b)
{
	uint64_t left = plot_heat_column(h, plane, a), right = plot_heat_column(h, plane, b);

	return left > right || (left == right && a < b);
}

uint32_t plot_heat_fullest(const struct plot_heat *h, uint32_t plane, uint32_t *columns,
                           uint32_t limit)
{
	uint32_t count = 0;

	for (uint32_t c = 0; c < h->used; c++) {
		uint32_t rank = 0;

		for (uint32_t other = 0; other < h->used; other++)
			rank += is_before(h, plane, other, c);
		if (rank < limit && plot_heat_column(h, plane, c))
			columns[count++] = c;
	}
	return count;
}
