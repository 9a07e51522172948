/* SPDX-License-Identifier: Apache-2.0 */
#include "access_pattern.h"

#include <stdlib.h>
#include <string.h>

static uint64_t amount(int64_t bytes)
{
	return bytes < 0 ? 0 - (uint64_t)bytes : (uint64_t)bytes;
}

/* Rows without pairs last. */
static int compare_amounts(const void *a, const void *b)
{
	const struct access_stride *x = a, *y = b;

	if (!x->pairs != !y->pairs)
		return !x->pairs - !y->pairs;
	if (amount(x->bytes) != amount(y->bytes))
		return amount(x->bytes) < amount(y->bytes) ? -1 : 1;
	return x->bytes < y->bytes ? -1 : x->bytes > y->bytes;
}

static int compare_pairs(const void *a, const void *b)
{
	const struct access_stride *x = a, *y = b;

	if (x->pairs != y->pairs)
		return x->pairs > y->pairs ? -1 : 1;
	return compare_amounts(a, b);
}

/* Add rows: of all that there are then, those of the smallest amounts are kept. */
static void add_strides(struct access_pattern *sum, const struct access_stride *more, size_t count)
{
	struct access_stride all[2 * ACCESS_STRIDES] = { 0 };
	size_t all_count = ACCESS_STRIDES;

	memcpy(all, sum->strides, sizeof(sum->strides));
	for (size_t i = 0; i < count && more[i].pairs; i++) {
		size_t k = 0;

		while (k < all_count && (!all[k].pairs || all[k].bytes != more[i].bytes))
			k++;
		if (k == all_count)
			all[all_count++].bytes = more[i].bytes;
		all[k].pairs += more[i].pairs;
	}
	if (all_count > ACCESS_STRIDES)
		qsort(all, all_count, sizeof(*all), compare_amounts);
	qsort(all, ACCESS_STRIDES, sizeof(*all), compare_pairs);
	memcpy(sum->strides, all, sizeof(sum->strides));
}

void access_pattern_add_stride(struct access_pattern *sum, int64_t bytes, uint64_t pairs)
{
	const struct access_stride row = { bytes, pairs };

	add_strides(sum, &row, 1);
}

void access_pattern_add(struct access_pattern *sum, const struct access_pattern *more)
{
	sum->instructions += more->instructions;
	sum->lanes += more->lanes;
	sum->lanes_possible += more->lanes_possible;
	sum->requests += more->requests;
	sum->requests_least += more->requests_least;
	sum->misaligned_requests += more->misaligned_requests;
	sum->steps += more->steps;
	sum->slides += more->slides;
	sum->pairs += more->pairs;
	add_strides(sum, more->strides, ACCESS_STRIDES);
}
