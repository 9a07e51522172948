/* SPDX-License-Identifier: Apache-2.0 */
#include "address_ranges.h"

#include "array.h"

#include <string.h>

/* The first range that ends behind `address`. */
static size_t first_behind(const struct array *ranges, uint64_t address)
{
	const struct address_range *r = ranges->data;
	size_t low = 0, high = ranges->count;

	while (low < high) {
		size_t middle = low + (high - low) / 2;

		if (r[middle].address + (r[middle].bytes - 1) < address)
			low = middle + 1;
		else
			high = middle;
	}
	return low;
}

static void take_out(struct array *ranges, size_t from, size_t count)
{
	struct address_range *r = ranges->data;

	if (!count)
		return;
	memmove(r + from, r + from + count, (ranges->count - from - count) * sizeof(*r));
	ranges->count -= count;
}

void address_ranges_put(struct array *ranges, const struct address_range *range)
{
	const uint64_t last = range->address + (range->bytes - 1);
	size_t at = first_behind(ranges, range->address), end = at;
	struct address_range *r = ranges->data;

	while (end < ranges->count && r[end].address <= last)
		end++;
	take_out(ranges, at, end - at);
	if (!array_push(ranges, 1, NULL))
		return;
	r = ranges->data;
	memmove(r + at + 1, r + at, (ranges->count - 1 - at) * sizeof(*r));
	r[at] = *range;
}

void address_ranges_end(struct array *ranges, uint64_t address)
{
	const struct address_range *r = ranges->data;
	size_t at = first_behind(ranges, address);

	if (at < ranges->count && r[at].address == address)
		take_out(ranges, at, 1);
}

bool address_ranges_find(const struct array *ranges, uint64_t address, struct address_range *out)
{
	const struct address_range *r = ranges->data;
	size_t at = first_behind(ranges, address);

	if (at == ranges->count || r[at].address > address)
		return false;
	*out = r[at];
	return true;
}
