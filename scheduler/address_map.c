/* SPDX-License-Identifier: Apache-2.0 */
#include "address_map.h"

#include "array.h"
#include "err.h"
#include "recording.h"

#include <inttypes.h>
#include <stdlib.h>

/* Ascending, disjoint ranges that belong to a buffer; the addresses between them belong to none. */
struct address_map {
	struct address_range *ranges;
	size_t count;
	bool is_identity;
};

static const uint64_t FIRST_BASE = 0x10000000, ALIGNMENT_BYTES = 256;

/* A buffer as the kernel saw it. Buffers may overlap: a part and its whole, two parts. */
struct sight {
	struct address_range range;
	bool is_argument; /* else SVM, which any kernel may access, and which may have been freed */
};

struct builder {
	const struct recording *recording;
	uint64_t *bases;     /* of each buffer */
	struct array sights; /* struct sight */
	struct array ranges; /* struct address_range, the result */
	struct array active; /* const struct sight *: those that contain the current address */
};

static bool is_inside(const struct recorded_buffer *part, const struct recorded_buffer *whole)
{
	return part->origin_bytes <= whole->bytes &&
	       part->bytes <= whole->bytes - part->origin_bytes;
}

static int lay_out(struct builder *b, struct err *err)
{
	uint64_t next = FIRST_BASE, end;

	for (size_t i = 0; i < b->recording->buffer_count; i++) {
		const struct recorded_buffer *buffer = &b->recording->buffers[i];
		bool is_part = buffer->parent >= 0;

		if (is_part && (uint64_t)buffer->parent >= i)
			return err_set(err, ERR_FORMAT,
			               "buffer %zu: its parent %" PRId64
			               " is not an earlier buffer",
			               i, buffer->parent);
		if (is_part && !is_inside(buffer, &b->recording->buffers[buffer->parent]))
			return err_set(err, ERR_FORMAT, "buffer %zu: is not inside its parent", i);
		b->bases[i] = is_part ? b->bases[buffer->parent] + buffer->origin_bytes : next;
		if (is_part)
			continue;
		if (__builtin_add_overflow(next, buffer->bytes, &end) ||
		    __builtin_add_overflow(end, ALIGNMENT_BYTES, &end))
			return err_set(err, ERR_FORMAT, "buffer %zu: leaves the address space", i);
		next = (end - (buffer->bytes ? 1 : 0)) & ~(ALIGNMENT_BYTES - 1);
	}
	return 0;
}

static int add_sight(struct builder *b, size_t buffer, uint64_t address, bool is_argument,
                     struct err *err)
{
	uint64_t bytes = b->recording->buffers[buffer].bytes, last;
	struct sight *s;

	if (!bytes)
		return 0;
	if (__builtin_add_overflow(address, bytes - 1, &last))
		return err_set(err, ERR_FORMAT,
		               "buffer %zu: %" PRIu64 " bytes at 0x%" PRIx64
		               " leave the address space",
		               buffer, bytes, address);
	s = array_push(&b->sights, 1, err);
	if (!s)
		return ERR_NOMEM;
	*s = (struct sight){ { address, last, b->bases[buffer] - address, (int32_t)buffer },
		             is_argument };
	return 0;
}

static int collect(struct builder *b, const struct recorded_launch *launch, struct err *err)
{
	const struct recording *r = b->recording;
	int rc = 0;

	for (size_t i = 0; !rc && i < launch->argument_count; i++) {
		const struct recorded_argument *a = &launch->arguments[i];

		if (a->buffer < 0 || !a->address)
			continue;
		if ((uint64_t)a->buffer >= r->buffer_count)
			return err_set(err, ERR_FORMAT,
			               "argument %" PRIu32 ": there is no buffer "
			               "%" PRId64,
			               a->index, a->buffer);
		rc = add_sight(b, (size_t)a->buffer, a->address, true, err);
	}
	for (size_t i = 0; !rc && i < r->buffer_count; i++)
		if (r->buffers[i].svm_address)
			rc = add_sight(b, i, r->buffers[i].svm_address, false, err);
	return rc;
}

static int by_begin(const void *left, const void *right)
{
	const struct sight *a = left, *b = right;

	if (a->range.begin != b->range.begin)
		return a->range.begin < b->range.begin ? -1 : 1;
	return a->range.buffer < b->range.buffer ? -1 : a->range.buffer > b->range.buffer;
}

/* Whether an address in both buffers belongs to `a` rather than to `b`. */
static bool is_better(const struct sight *a, const struct sight *b)
{
	uint64_t span_a = a->range.last - a->range.begin, span_b = b->range.last - b->range.begin;

	if (a->is_argument != b->is_argument)
		return a->is_argument;
	if (a->is_argument && span_a != span_b)
		return span_a < span_b;           /* prefer a part to its whole */
	return a->range.buffer > b->range.buffer; /* prefer the later SVM allocation */
}

static const struct sight *active(const struct builder *b, size_t i)
{
	return ((const struct sight *const *)b->active.data)[i];
}

/* Choose the best of the active buffers. ERR_FORMAT if two arguments give the bytes different
 * addresses. */
static int choose(const struct builder *b, const struct sight **best, struct err *err)
{
	*best = NULL;
	for (size_t i = 0; i < b->active.count; i++) {
		const struct sight *s = active(b, i);

		if (*best && (*best)->is_argument && s->is_argument &&
		    (*best)->range.delta != s->range.delta)
			return err_set(err, ERR_FORMAT,
			               "buffers %" PRId32 " and %" PRId32 " overlap at 0x%" PRIx64
			               " in the launch",
			               (*best)->range.buffer, s->range.buffer, s->range.begin);
		if (!*best || is_better(s, *best))
			*best = s;
	}
	return 0;
}

/* Assign begin..last to the best active buffer. */
static int close_range(struct builder *b, uint64_t begin, uint64_t last, struct err *err)
{
	const struct sight *best;
	struct address_range *r;

	if (choose(b, &best, err))
		return ERR_FORMAT;
	if (!best)
		return 0;
	r = array_push(&b->ranges, 1, err);
	if (!r)
		return ERR_NOMEM;
	*r = (struct address_range){ begin, last, best->range.delta, best->range.buffer };
	return 0;
}

/* The last address before something changes: an active buffer ends, or `next` begins. */
static uint64_t piece_last(const struct builder *b, const struct sight *next)
{
	uint64_t last = next ? next->range.begin - 1 : UINT64_MAX;

	for (size_t i = 0; i < b->active.count; i++)
		if (active(b, i)->range.last < last)
			last = active(b, i)->range.last;
	return last;
}

static void drop_ended(struct builder *b, uint64_t last)
{
	const struct sight **data = b->active.data;
	size_t kept = 0;

	for (size_t i = 0; i < b->active.count; i++)
		if (data[i]->range.last > last)
			data[kept++] = data[i];
	b->active.count = kept;
}

/* Activate the sorted sights from number `at` on that begin at `begin`. */
static int add_begun(struct builder *b, uint64_t begin, size_t *at, struct err *err)
{
	const struct sight *sights = b->sights.data, **slot;

	for (; *at < b->sights.count && sights[*at].range.begin == begin; ++*at) {
		slot = array_push(&b->active, 1, err);
		if (!slot)
			return ERR_NOMEM;
		*slot = &sights[*at];
	}
	return 0;
}

/* Visit the addresses in order, from one change of the active buffers to the next. */
static int sweep(struct builder *b, struct err *err)
{
	const struct sight *sights = b->sights.data;
	uint64_t begin = 0;
	size_t at = 0;
	int rc = 0;

	while (!rc && (at < b->sights.count || b->active.count)) {
		uint64_t last;

		if (!b->active.count)
			begin = sights[at].range.begin;
		rc = add_begun(b, begin, &at, err);
		if (rc)
			return rc;
		last = piece_last(b, at < b->sights.count ? &sights[at] : NULL);
		rc = close_range(b, begin, last, err);
		drop_ended(b, last);
		begin = last + 1;
	}
	return rc;
}

static int build(struct builder *b, const struct recorded_launch *launch, struct err *err)
{
	int rc = lay_out(b, err);

	if (!rc)
		rc = collect(b, launch, err);
	if (rc)
		return rc;
	if (b->sights.count)
		qsort(b->sights.data, b->sights.count, sizeof(struct sight), by_begin);
	return sweep(b, err);
}

int address_map_create(struct address_map **out, const struct recording *r, size_t launch,
                       struct err *err)
{
	struct builder b = { .recording = r };
	struct address_map *map = NULL;
	int rc = ERR_NOMEM;

	if (launch >= r->launch_count)
		return err_set(err, ERR_USAGE, "no launch %zu: the recording has %zu", launch,
		               r->launch_count);
	if (r->buffer_count > INT32_MAX)
		return err_set(err, ERR_FORMAT, "more than %" PRId32 " buffers", INT32_MAX);
	array_init(&b.sights, sizeof(struct sight), SIZE_MAX, "buffers of a launch");
	array_init(&b.active, sizeof(const struct sight *), SIZE_MAX, "buffers of a launch");
	array_init(&b.ranges, sizeof(struct address_range), SIZE_MAX, "address ranges");
	b.bases = array_alloc(r->buffer_count, sizeof(*b.bases), "buffer addresses", err);
	map = array_alloc(1, sizeof(*map), "address map", err);
	if (!b.bases || !map)
		goto out;
	rc = build(&b, &r->launches[launch], err);
	if (rc)
		goto out;
	map->count = b.ranges.count;
	map->is_identity = !r->buffer_count;
	map->ranges = array_take(&b.ranges);
	*out = map;
	map = NULL;
out:
	address_map_free(map);
	free(b.bases);
	array_release(&b.active);
	array_release(&b.sights);
	array_release(&b.ranges);
	return rc;
}

void address_map_free(struct address_map *map)
{
	if (!map)
		return;
	free(map->ranges);
	free(map);
}

bool address_map_is_identity(const struct address_map *map)
{
	return !map || map->is_identity;
}

struct address_range address_map_range(const struct address_map *map, uint64_t address)
{
	struct address_range gap = { 0, UINT64_MAX, 0, -1 };
	size_t low = 0, high = map ? map->count : 0;

	while (low < high) { /* ranges below `low` end before the address */
		size_t middle = low + (high - low) / 2;

		if (map->ranges[middle].last < address)
			low = middle + 1;
		else
			high = middle;
	}
	if (map && low < map->count && map->ranges[low].begin <= address)
		return map->ranges[low];
	if (low > 0)
		gap.begin = map->ranges[low - 1].last + 1;
	if (map && low < map->count)
		gap.last = map->ranges[low].begin - 1;
	return gap;
}
