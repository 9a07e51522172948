/* SPDX-License-Identifier: Apache-2.0 */
#include "access_pattern.h"

#include <stdbool.h>
#include <stddef.h>

static uint64_t amount(int64_t bytes)
{
	return bytes < 0 ? 0 - (uint64_t)bytes : (uint64_t)bytes;
}

/* Which amount is the smaller: different strides are never equal. */
static bool is_smaller(const struct access_stride *x, const struct access_stride *y)
{
	uint64_t of_x = amount(x->bytes), of_y = amount(y->bytes);

	return of_x != of_y ? of_x < of_y : x->bytes < y->bytes;
}

/* Move a row up to where it belongs: the most frequent first, then the smallest. */
static void move_up(struct access_stride *rows, size_t at)
{
	const struct access_stride row = rows[at];

	while (at && (rows[at - 1].pairs < row.pairs ||
	              (rows[at - 1].pairs == row.pairs && is_smaller(&row, &rows[at - 1])))) {
		rows[at] = rows[at - 1];
		at--;
	}
	rows[at] = row;
}

/* Take out the row of the largest amount, if that is larger than a stride's; whether it was. */
static bool make_room(struct access_stride *rows, const struct access_stride *for_row)
{
	size_t largest = 0;

	for (size_t i = 1; i < ACCESS_STRIDES; i++)
		if (is_smaller(&rows[largest], &rows[i]))
			largest = i;
	if (is_smaller(&rows[largest], for_row))
		return false;
	for (size_t i = largest; i + 1 < ACCESS_STRIDES; i++)
		rows[i] = rows[i + 1];
	return true;
}

void access_pattern_add_stride(struct access_pattern *sum, int64_t bytes, uint64_t pairs)
{
	const struct access_stride row = { bytes, pairs };
	struct access_stride *rows = sum->strides;
	size_t at = 0;

	while (at < ACCESS_STRIDES && rows[at].pairs && rows[at].bytes != bytes)
		at++;
	if (!pairs || (at == ACCESS_STRIDES && !make_room(rows, &row)))
		return;
	if (at < ACCESS_STRIDES && rows[at].pairs)
		rows[at].pairs += pairs;
	else
		rows[at < ACCESS_STRIDES ? at : --at] = row;
	move_up(rows, at);
}

void access_pattern_add(struct access_pattern *sum, const struct access_pattern *more)
{
	sum->instructions += more->instructions;
	sum->lanes += more->lanes;
	sum->lanes_possible += more->lanes_possible;
	sum->idle_lanes += more->idle_lanes;
	sum->requests += more->requests;
	sum->requests_least += more->requests_least;
	sum->misaligned_requests += more->misaligned_requests;
	sum->sectors += more->sectors;
	sum->sectors_least += more->sectors_least;
	sum->close_sectors += more->close_sectors;
	sum->steps += more->steps;
	sum->slides += more->slides;
	sum->pairs += more->pairs;
	sum->items.accesses += more->items.accesses;
	sum->items.rereads += more->items.rereads;
	sum->items.overwritten += more->items.overwritten;
	for (size_t i = 0; i < ACCESS_STRIDES && more->strides[i].pairs; i++)
		access_pattern_add_stride(sum, more->strides[i].bytes, more->strides[i].pairs);
}
