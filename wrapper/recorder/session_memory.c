/* SPDX-License-Identifier: Apache-2.0 */
#include "session_memory.h"

#include "array.h"
#include "recorder.h"
#include "session.h"

#include <string.h>

/* The first range that ends after `address`. */
static size_t first_ending_after(const struct array *ranges, uint64_t address)
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

/* Add a range. Out of memory: it stays unknown. */
static void address_ranges_put(struct array *ranges, const struct address_range *range)
{
	const uint64_t last = range->address + (range->bytes - 1);
	size_t at = first_ending_after(ranges, range->address), end = at;
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

/* Forget the range that begins at `address`, if there is one. */
static void address_ranges_end(struct array *ranges, uint64_t address)
{
	const struct address_range *r = ranges->data;
	size_t at = first_ending_after(ranges, address);

	if (at < ranges->count && r[at].address == address)
		take_out(ranges, at, 1);
}

/* Fill *out with the range that contains `address`; false if there is none. */
static bool address_ranges_find(const struct array *ranges, uint64_t address,
                                struct address_range *out)
{
	const struct address_range *r = ranges->data;
	size_t at = first_ending_after(ranges, address);

	if (at == ranges->count || r[at].address > address)
		return false;
	*out = r[at];
	return true;
}

void session_memory_add(struct session *s, uint64_t address, uint64_t bytes, uint64_t flags,
                        bool is_of_the_device)
{
	struct address_range range = { .address = address,
		                       .bytes = bytes,
		                       .is_of_the_device = is_of_the_device };
	const struct recorded_buffer line = {
		.bytes = bytes, .flags = flags, .parent = -1, .svm_address = address
	};

	if (!bytes || !recorder_buffer(s->recorder, &line, &range.buffer_id))
		return;
	session_lock(s);
	address_ranges_put(&s->ranges, &range);
	session_unlock(s);
}

void session_memory_end(struct session *s, uint64_t address)
{
	session_lock(s);
	address_ranges_end(&s->ranges, address);
	session_unlock(s);
}

bool session_memory_find(const struct session *s, uint64_t address, struct address_range *out)
{
	return address_ranges_find(&s->ranges, address, out);
}

void session_memory_identify(const struct session *s, uint64_t address, struct job_argument *a)
{
	struct address_range range;

	*a = (struct job_argument){ .buffer_id = -1, .has_pointer = address };
	if (!session_memory_find(s, address, &range))
		return;
	a->buffer_id = range.buffer_id;
	a->memory_address = range.address;
	a->buffer_bytes = range.is_of_the_device ? range.bytes : 0;
}
