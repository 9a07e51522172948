/* SPDX-License-Identifier: Apache-2.0 */
#include "item_numbers.h"

#include <string.h>

/* Whether `count` bytes from `at` on are those that lie `distance` before them. */
static bool are_same(const unsigned char *at, size_t distance, size_t count)
{
	const unsigned char *earlier = at - distance;
	uint64_t word, before, differs = 0;
	size_t i = 0;

	for (; count - i >= sizeof(word) && !differs; i += sizeof(word)) {
		memcpy(&word, at + i, sizeof(word));
		memcpy(&before, earlier + i, sizeof(before));
		differs = word ^ before;
	}
	for (; i < count; i++)
		differs |= (uint64_t)(at[i] ^ earlier[i]);
	return !differs;
}

/* Whether all are 0. */
static bool are_zero(const unsigned char *at, size_t count)
{
	return !*at && are_same(at + 1, 1, count - 1);
}

bool item_numbers_has_iterations(const struct item_numbers *n)
{
	return (size_t)(n->end.iterations - n->begin.iterations) == n->count &&
	       are_zero(n->begin.iterations, n->count);
}

bool item_numbers_were_foreseen(const struct item_numbers *n)
{
	return (size_t)(n->end.widths - n->begin.widths) == n->count &&
	       are_zero(n->begin.widths, n->count) && item_numbers_has_iterations(n);
}

/* Whether points and iterations go on, behind `skipped` work-items more, with `items` that have the
 * same. */
static bool go_on(const struct item_numbers *n, size_t skipped, size_t items)
{
	size_t points = (size_t)(n->end.points - n->begin.points);
	size_t all = skipped + items;

	return all * points <= (size_t)(n->last.points - n->end.points) &&
	       all * n->count <= (size_t)(n->last.iterations - n->end.iterations) &&
	       are_same(n->end.points + skipped * points, points, items * points) &&
	       are_zero(n->end.iterations + skipped * n->count, items * n->count);
}

/* Whether all values of such were foreseen. */
static bool go_on_foreseen(const struct item_numbers *n, size_t skipped, size_t items)
{
	return (skipped + items) * n->count <= (size_t)(n->last.widths - n->end.widths) &&
	       are_zero(n->end.widths + skipped * n->count, items * n->count);
}

static bool have_same_counts(const uint64_t *first, uint64_t count, size_t items)
{
	for (size_t i = 0; i < items; i++)
		if (first[i + 1] - first[i] != count)
			return false;
	return true;
}

/* How many go on so, with or without their values. */
static size_t count(const struct item_numbers *n, const uint64_t *first, size_t items,
                    bool with_values)
{
	size_t found = 0, step = 1;

	while (step && found < items) {
		if (step > items - found)
			step = items - found;
		if (have_same_counts(first + found, n->count, step) && go_on(n, found, step) &&
		    (!with_values || go_on_foreseen(n, found, step))) {
			found += step;
			step *= 2;
		} else {
			step /= 2;
		}
	}
	return found;
}

size_t item_numbers_count_same(const struct item_numbers *n, const uint64_t *first, size_t items)
{
	return count(n, first, items, true);
}

size_t item_numbers_count_alike(const struct item_numbers *n, const uint64_t *first, size_t items)
{
	return count(n, first, items, false);
}
