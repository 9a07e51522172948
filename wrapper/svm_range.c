/* SPDX-License-Identifier: Apache-2.0 */
/* Kept in order of address; no two overlap, since a newer one ends those whose place it takes. */
#include "svm_range.h"

#include "recorder.h"
#include "session.h"

#include <string.h>

/* The first range that ends behind `address`. */
static size_t first_behind(const struct array *ranges, uint64_t address)
{
	const struct svm_range *r = ranges->data;
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
	struct svm_range *r = ranges->data;

	if (!count)
		return;
	memmove(r + from, r + from + count, (ranges->count - from - count) * sizeof(*r));
	ranges->count -= count;
}

/* Out of memory: the range is not known. */
static void put(struct array *ranges, const struct svm_range *range)
{
	const uint64_t last = range->address + (range->bytes - 1);
	size_t at = first_behind(ranges, range->address), end = at;
	struct svm_range *r = ranges->data;

	while (end < ranges->count && r[end].address <= last)
		end++;
	take_out(ranges, at, end - at);
	if (!array_push(ranges, 1, NULL))
		return;
	r = ranges->data;
	memmove(r + at + 1, r + at, (ranges->count - 1 - at) * sizeof(*r));
	r[at] = *range;
}

void svm_range_add(struct session *s, const void *memory, size_t bytes, uint64_t flags,
                   bool is_of_the_device)
{
	struct svm_range range = { .address = (uint64_t)(uintptr_t)memory,
		                   .bytes = bytes,
		                   .is_of_the_device = is_of_the_device };
	const struct recorded_buffer line = {
		.bytes = bytes, .flags = flags, .parent = -1, .svm_address = range.address
	};

	if (!bytes || !recorder_buffer(s->recorder, &line, &range.buffer_id))
		return;
	session_lock(s);
	put(&s->svm, &range);
	session_unlock(s);
}

void svm_range_end(struct session *s, const void *memory)
{
	const uint64_t address = (uint64_t)(uintptr_t)memory;
	const struct svm_range *r;
	size_t at;

	session_lock(s);
	r = s->svm.data;
	at = first_behind(&s->svm, address);
	if (at < s->svm.count && r[at].address == address)
		take_out(&s->svm, at, 1);
	session_unlock(s);
}

int svm_range_find(const struct session *s, uint64_t address, struct svm_range *out)
{
	const struct svm_range *r = s->svm.data;
	size_t at = first_behind(&s->svm, address);

	if (at == s->svm.count || r[at].address > address)
		return 0;
	*out = r[at];
	return 1;
}
