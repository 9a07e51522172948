/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_writer.h"

#include "array.h"
#include "chunk_builder.h"
#include "err.h"
#include "kernel_table.h"
#include "launch_format.h"
#include "launch_index.h"
#include "own_file.h"
#include "packed_run.h"
#include "str.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Compared at once: a few vectors. */
#define EVENTS_AT_ONCE 64u

/* Counts while the events of a group are checked. */
struct tally {
	const struct kernel_table *table;
	uint64_t group;                  /* for messages */
	uint64_t kinds[SITE_KIND_COUNT]; /* accesses, barriers, ... */
	bool has_others;                 /* there were events other than of sites */
};

static int check_counts(const struct group_events *g, uint64_t group, struct err *err)
{
	uint64_t all = 0;

	if (g->first[0] != 0)
		return err_set(err, ERR_FORMAT, "group %" PRIu64 ": its events do not begin at 0",
		               group);
	/* A vector at a time: no group has 2^63 events. */
	for (uint32_t i = 0; i < g->item_count; i++)
		all |= g->first[i + 1] - g->first[i];
	for (uint32_t i = 0; all >> 63 && i < g->item_count; i++)
		if (g->first[i + 1] < g->first[i])
			return err_set(err, ERR_FORMAT,
			               "group %" PRIu64 ": work-item %" PRIu32
			               " ends before it begins",
			               group, i);
	return 0;
}

/* Count a run or grid at event i of the group. Returns how many events it has, or a negative ERR_*.
 */
static int tally_run(struct tally *t, const struct event *e, uint64_t i, uint64_t left,
                     struct err *err)
{
	struct packed_run run;
	uint32_t count = packed_run_get(&run, e, left);
	const char *fault =
		count ? packed_run_fault(&run, t->table) : "it is not a record with all its parts";
	uint64_t *sum;

	if (fault)
		return err_set(err, ERR_FORMAT,
		               "group %" PRIu64 ": event %" PRIu64
		               ": a run or grid of site %" PRIu32 ": %s",
		               t->group, i, e->point & EVENT_ID_MASK, fault);
	sum = &t->kinds[t->table->sites[run.site].kind];
	if (__builtin_add_overflow(*sum, packed_run_accesses(&run), sum))
		return err_set(err, ERR_LIMIT, "group %" PRIu64 ": more than 2^64 - 1 accesses",
		               t->group);
	return (int)count;
}

/* Count anything but the event of a site. Returns how many events it has, or a negative ERR_*. */
static int tally_other(struct tally *t, const struct event *e, uint64_t i, uint64_t left,
                       struct err *err)
{
	uint32_t id = e->point & EVENT_ID_MASK, kind = e->point & EVENT_KIND_MASK;
	bool is_site = kind == EVENT_SITE || kind == EVENT_SIZE;

	t->has_others = true;
	if (kind > EVENT_SIZE)
		return tally_run(t, e, i, left, err);
	if (id >= (is_site ? t->table->site_count : t->table->loop_count))
		return err_set(err, ERR_FORMAT,
		               "group %" PRIu64 ": event %" PRIu64 ": kernel %s has no %s %" PRIu32,
		               t->group, i, t->table->name, is_site ? "site" : "loop", id);
	return 1;
}

/* Count the events of one work-item, which begin at event `base` of the group. */
static int tally_item(struct tally *t, const struct event *events, uint64_t base, uint64_t count,
                      struct err *err)
{
	const struct site *sites = t->table->sites;
	size_t site_count = t->table->site_count;

	for (uint64_t i = 0; i < count;) {
		int step = 1;

		if (events[i].point < site_count) /* EVENT_SITE is 0 */
			t->kinds[sites[events[i].point].kind]++;
		else
			step = tally_other(t, &events[i], base + i, count - i, err);
		if (step < 0)
			return step;
		i += (uint64_t)step;
	}
	return 0;
}

/* Returns how many work-items from `item` on have as many events as that one. */
static uint32_t even_items(const struct group_events *g, uint32_t item)
{
	uint64_t count = g->first[item + 1] - g->first[item];
	uint32_t end = item + 1;

	while (end < g->item_count && g->first[end + 1] - g->first[end] == count)
		end++;
	return end - item;
}

/* Returns how many of `items` work-items of `count` events each, from the first on, have its
 * points. */
static uint32_t same_items(const struct event *events, uint64_t count, uint32_t items)
{
	uint64_t i = count, end = count * items;
	uint32_t other = 0;

	while (i < end && !other) {
		uint64_t part = end - i < EVENTS_AT_ONCE ? end - i : EVENTS_AT_ONCE;
		const struct event *now = events + i, *before = now - count;

		for (uint64_t k = 0; k < part; k++)
			other |= now[k].point ^ before[k].point;
		i += other ? 0 : part;
	}
	while (i < end && events[i].point == events[i - count].point)
		i++;
	return i == end ? items : (uint32_t)(i / count);
}

static int add_kinds(struct tally *all, const struct tally *one, uint32_t times, struct err *err)
{
	for (size_t k = 0; k < SITE_KIND_COUNT; k++) {
		uint64_t sum;

		if (__builtin_mul_overflow(one->kinds[k], times, &sum) ||
		    __builtin_add_overflow(all->kinds[k], sum, &all->kinds[k]))
			return err_set(err, ERR_LIMIT,
			               "group %" PRIu64 ": more than 2^64 - 1 accesses",
			               all->group);
	}
	return 0;
}

/* Count all work-items. Those with the sites of the previous one are not examined again. */
static int tally_items(struct tally *all, const struct group_events *g, struct err *err)
{
	uint32_t even_end = 0, same;
	int ret = 0;

	for (uint32_t i = 0; !ret && i < g->item_count; i += same) {
		uint64_t base = g->first[i], count = g->first[i + 1] - base;
		struct tally one = { .table = all->table, .group = all->group };

		if (i >= even_end)
			even_end = i + even_items(g, i);
		ret = tally_item(&one, g->events + base, base, count, err);
		same = one.has_others ? 1 : same_items(g->events + base, count, even_end - i);
		if (!ret)
			ret = add_kinds(all, &one, same, err);
	}
	return ret;
}

/*
 * Check g against the table and count its events into *totals (set, not added to). `group` is
 * for messages. Returns 0, ERR_FORMAT, or ERR_LIMIT for more than 2^64 - 1 accesses.
 */
static int group_check(const struct group_events *g, uint64_t group, const struct kernel_table *t,
                       struct launch_totals *totals, struct err *err)
{
	struct tally tally = { .table = t, .group = group };
	int ret = check_counts(g, group, err);
	uint64_t *kinds = tally.kinds;

	if (!ret)
		ret = tally_items(&tally, g, err);
	if (ret)
		return ret;
	*totals = (struct launch_totals){ .events = g->first[g->item_count],
		                          .reads = kinds[SITE_READ],
		                          .writes = kinds[SITE_WRITE],
		                          .atomics = kinds[SITE_ATOMIC],
		                          .barriers = kinds[SITE_BARRIER],
		                          .groups = 1 };
	if (__builtin_add_overflow(totals->reads, totals->writes, &totals->accesses) ||
	    __builtin_add_overflow(totals->accesses, totals->atomics, &totals->accesses))
		return err_set(err, ERR_LIMIT, "group %" PRIu64 ": more than 2^64 - 1 accesses",
		               group);
	return 0;
}

#define NO_GROUP UINT64_MAX

struct launch_writer {
	struct own_file file;
	char *path;
	const struct launch_shape *shape;
	const struct kernel_table *table;
	struct launch_header header;
	uint64_t group_count;
	unsigned char *seen; /* one bit for each group */
	struct chunk_builder chunk;
	struct launch_index index;
	struct launch_totals totals;
	uint64_t open;             /* the group whose last part is missing, or NO_GROUP */
	struct launch_totals sent; /* of the chunks in the file */
	struct launch_totals
		stored; /* of those up to the last complete group, with the file's length */
	bool is_partial;
	bool has_header;    /* the header was written */
	bool is_unordered;  /* groups were not added in ascending order */
	struct err failure; /* of a write; nothing is added after it */
};

static void destroy(struct launch_writer *w)
{
	(void)own_file_close(&w->file, NULL);
	chunk_builder_release(&w->chunk);
	launch_index_release(&w->index);
	free(w->seen);
	free(w->path);
	free(w);
}

/* Record a failure that ends the writing, with the file's name. */
static int fail(struct launch_writer *w, const struct err *cause, struct err *err)
{
	if (!w->failure.code)
		err_set(&w->failure, cause->code, "%s: %s", w->path, cause->msg);
	return err_set(err, w->failure.code, "%s", w->failure.msg);
}

static int write_header(struct launch_writer *w, struct err *err)
{
	unsigned char bytes[LAUNCH_HEADER_BYTES];

	w->header = (struct launch_header){ .version = LAUNCH_VERSION,
		                            .shape = *w->shape,
		                            .site_count = (uint32_t)w->table->site_count,
		                            .loop_count = (uint32_t)w->table->loop_count,
		                            .table_checksum = launch_table_checksum(w->table) };
	launch_header_put(bytes, &w->header);
	return own_file_write(&w->file, bytes, sizeof(bytes), err);
}

static int create(struct launch_writer *w, const char *path, struct err *err)
{
	launch_index_init(&w->index);
	chunk_builder_init(&w->chunk, w->table);
	w->group_count = launch_shape_group_count(w->shape);
	w->path = str_copy(path, err);
	w->seen = array_alloc(w->group_count / 8 + 1, 1, "groups seen", err);
	return w->path && w->seen ? 0 : ERR_NOMEM;
}

/* Create the file if it does not exist yet. */
static int need_file(struct launch_writer *w, struct err *err)
{
	int ret = w->file.path ? 0 : own_file_create(&w->file, w->path, err);

	if (!ret && !w->has_header)
		ret = write_header(w, err);
	if (!ret && !w->has_header) {
		w->has_header = true;
		w->stored.file_bytes = LAUNCH_HEADER_BYTES;
	}
	return ret;
}

int launch_writer_open(struct launch_writer **out, const char *path,
                       const struct launch_shape *shape, const struct kernel_table *table,
                       struct err *err)
{
	struct launch_writer *w;
	int ret = launch_shape_check(shape, err);

	if (ret)
		return ret;
	if (launch_shape_group_count(shape) > LAUNCH_GROUPS_MAX)
		return err_set(err, ERR_FORMAT, "%s: more than 2^32 groups", path);
	ret = kernel_table_check(table, err);
	if (ret)
		return ret;
	w = array_alloc(1, sizeof(*w), "launch writer", err);
	if (!w)
		return ERR_NOMEM;
	w->shape = shape;
	w->table = table;
	w->open = NO_GROUP;
	ret = create(w, path, err);
	if (ret) {
		destroy(w);
		return ret;
	}
	*out = w;
	return 0;
}

/* Write the chunk, unless it is empty, and begin the next. */
static int flush(struct launch_writer *w, struct err *err)
{
	struct launch_totals sent = w->sent;
	bool goes_on = w->chunk.header.goes_on;
	unsigned char *bytes = NULL;
	size_t length = 0;
	int ret;

	if (!w->chunk.header.groups)
		return 0;
	ret = need_file(w, err);
	if (!ret)
		ret = chunk_builder_pack(&w->chunk, &bytes, &length, err);
	if (!ret)
		ret = own_file_write(&w->file, bytes, length, err);
	free(bytes);
	if (!ret)
		ret = launch_index_add(&w->index, length, w->chunk.header.checksum,
		                       w->chunk.groups.data, w->chunk.header.groups, err);
	if (!ret && launch_totals_add(&sent, &w->chunk.header.totals))
		w->sent = sent;
	if (!ret && !goes_on) {
		w->stored = w->sent;
		w->stored.file_bytes = launch_index_end(&w->index);
	}
	chunk_builder_clear(&w->chunk);
	return ret;
}

uint64_t launch_writer_bytes(const struct launch_writer *w)
{
	return launch_index_end(&w->index);
}

static int check_group(struct launch_writer *w, uint64_t group, const struct group_events *g,
                       struct launch_totals *totals, struct err *err)
{
	uint32_t size[3], items;

	if (group >= w->group_count)
		return err_set(err, ERR_FORMAT,
		               "%s: group %" PRIu64 " is outside the launch's %" PRIu64 " groups",
		               w->path, group, w->group_count);
	if (w->open != NO_GROUP && w->open != group)
		return err_set(err, ERR_FORMAT,
		               "%s: group %" PRIu64 " comes before the last part of group %" PRIu64,
		               w->path, group, w->open);
	if (w->seen[group / 8] & 1u << group % 8)
		return err_set(err, ERR_FORMAT, "%s: group %" PRIu64 " is added twice", w->path,
		               group);
	items = launch_shape_group_size(w->shape, group, size);
	if (g->item_count != items)
		return err_set(err, ERR_FORMAT,
		               "%s: group %" PRIu64 ": %" PRIu32 " work-items, expected %" PRIu32,
		               w->path, group, g->item_count, items);
	return group_check(g, group, w->table, totals, err);
}

/* Add a checked group to the chunk, and write full chunks to the file. */
static int add_group(struct launch_writer *w, uint32_t group, const struct group_events *g,
                     const struct launch_totals *totals, struct err *err)
{
	const uint32_t *numbers = w->chunk.groups.data;
	size_t count = w->chunk.groups.count;
	int ret = 0;

	w->is_unordered = w->is_unordered || (count && group < numbers[count - 1]);
	if (!chunk_builder_has_room(&w->chunk, g->item_count, totals->events))
		ret = flush(w, err);
	if (!ret)
		ret = chunk_builder_add(&w->chunk, group, g, totals, err);
	if (!ret && !chunk_builder_has_room(&w->chunk, 1, 1))
		ret = flush(w, err);
	return ret;
}

/* Add a part of a group as a separate chunk. */
static int add_chunk(struct launch_writer *w, uint32_t group, const struct group_events *part,
                     bool goes_on, struct err *err)
{
	struct launch_totals totals;
	int ret = flush(w, err);

	if (!ret)
		ret = group_check(part, group, w->table, &totals, err);
	totals.groups = !goes_on;
	if (!ret)
		ret = chunk_builder_add(&w->chunk, group, part, &totals, err);
	w->chunk.header.goes_on = goes_on;
	return ret ? ret : flush(w, err);
}

uint64_t launch_writer_cut(const struct event *events, uint64_t from, uint64_t count)
{
	uint64_t to = from + LAUNCH_CHUNK_EVENTS_MAX;

	if (to >= count)
		return count;
	while ((events[to].point & EVENT_KIND_MASK) == EVENT_PART ||
	       (events[to - 1].point & EVENT_KIND_MASK) == EVENT_SIZE)
		to--;
	return to;
}

static uint64_t clamp(uint64_t at, uint64_t from, uint64_t to)
{
	return at < from ? from : at > to ? to : at;
}

/* Add a checked part of a group in as many chunks as it takes, one work-item after another. */
static int add_long(struct launch_writer *w, uint32_t group, const struct group_events *g,
                    bool goes_on, struct err *err)
{
	uint64_t count = g->first[g->item_count], from = 0, to;
	uint64_t *first = array_alloc(g->item_count + (size_t)1, sizeof(*first), "a part", err);
	int ret = first ? 0 : ERR_NOMEM;

	do {
		struct group_events part = { g->item_count, first, g->events + from };

		to = launch_writer_cut(g->events, from, count);
		for (uint32_t i = 0; !ret && i <= g->item_count; i++)
			first[i] = clamp(g->first[i], from, to) - from;
		if (!ret)
			ret = add_chunk(w, group, &part, goes_on || to < count, err);
		from = to;
	} while (!ret && from < count);
	free(first);
	return ret;
}

int launch_writer_add_part(struct launch_writer *w, uint64_t group, const struct group_events *part,
                           bool is_last, struct err *err)
{
	struct launch_totals totals = { 0 }, sum = w->totals;
	struct err inner = { 0 };
	bool is_whole = is_last && w->open == NO_GROUP;
	int ret;

	if (w->failure.code)
		return err_set(err, w->failure.code, "%s", w->failure.msg);
	ret = check_group(w, group, part, &totals, err);
	if (ret)
		return ret;
	totals.groups = is_last;
	if (!launch_totals_add(&sum, &totals))
		return err_set(err, ERR_LIMIT,
		               "%s: group %" PRIu64 ": with it the launch has more than 2^64 - 1 "
		               "accesses",
		               w->path, group);
	if (is_whole && totals.events <= LAUNCH_CHUNK_EVENTS_MAX)
		ret = add_group(w, (uint32_t)group, part, &totals, &inner);
	else
		ret = add_long(w, (uint32_t)group, part, !is_last, &inner);
	if (ret)
		return fail(w, &inner, err);
	w->open = is_last ? NO_GROUP : group;
	if (is_last)
		w->seen[group / 8] |= (unsigned char)(1u << group % 8);
	w->totals = sum;
	return 0;
}

int launch_writer_add(struct launch_writer *w, uint64_t group, const struct group_events *g,
                      struct err *err)
{
	if (w->open != NO_GROUP)
		return err_set(err, ERR_FORMAT,
		               "%s: group %" PRIu64 " comes before the last part of group %" PRIu64,
		               w->path, group, w->open);
	return launch_writer_add_part(w, group, g, true, err);
}

/* End a group whose last part is missing. */
static int end_group(struct launch_writer *w, struct err *err)
{
	uint32_t size[3], items;
	uint64_t *first;
	int ret;

	if (w->open == NO_GROUP)
		return 0;
	items = launch_shape_group_size(w->shape, w->open, size);
	first = array_alloc(items + (size_t)1, sizeof(*first), "a part", err);
	if (!first)
		return ERR_NOMEM;
	ret = add_chunk(w, (uint32_t)w->open,
	                &(const struct group_events){ items, first, &(const struct event){ 0 } },
	                false, err);
	free(first);
	w->seen[w->open / 8] |= (unsigned char)(1u << w->open % 8);
	w->open = NO_GROUP;
	w->totals.groups++;
	return ret;
}

int launch_writer_end_group(struct launch_writer *w, struct err *err)
{
	struct err inner = { 0 };

	if (w->failure.code)
		return err_set(err, w->failure.code, "%s", w->failure.msg);
	return end_group(w, &inner) ? fail(w, &inner, err) : 0;
}

const struct held_groups *launch_writer_held(const struct launch_writer *w,
                                             const uint32_t **numbers)
{
	*numbers = w->chunk.groups.data;
	return w->file.path || w->failure.code || w->chunk.is_chosen || w->is_unordered
	               ? NULL
	               : &w->chunk.held;
}

const struct launch_totals *launch_writer_totals(const struct launch_writer *w)
{
	return &w->totals;
}

bool launch_writer_is_whole(const struct launch_writer *w)
{
	return w->is_partial || w->totals.groups == w->group_count;
}

bool launch_writer_is_partial(const struct launch_writer *w)
{
	return w->is_partial;
}

void launch_writer_discard(struct launch_writer *w)
{
	if (w)
		destroy(w);
}

void launch_writer_select(struct launch_writer *w)
{
	w->is_partial = true;
}

/* Write the index and the trailer. */
static int finish(struct launch_writer *w, bool is_whole, struct err *err)
{
	struct launch_trailer t = { .is_whole = is_whole,
		                    .is_partial = w->is_partial,
		                    .index_offset = launch_index_end(&w->index) };
	unsigned char trailer[LAUNCH_TRAILER_BYTES], *index = NULL;
	int ret = need_file(w, err);

	if (!ret)
		ret = launch_index_pack(&w->index, &index, &t, err);
	if (ret)
		return ret;
	w->totals.file_bytes = t.index_offset + t.index_bytes + LAUNCH_TRAILER_BYTES;
	t.totals = w->totals;
	launch_trailer_put(trailer, &t, &w->header);
	w->totals.file_sum = t.totals.file_sum;
	ret = own_file_write(&w->file, index, t.index_bytes, err);
	if (!ret)
		ret = own_file_write(&w->file, trailer, sizeof(trailer), err);
	free(index);
	return ret;
}

/* After a failure: make the totals those of the groups that the file has. */
static void give_up(struct launch_writer *w)
{
	w->totals = w->stored;
	if (w->file.path)
		(void)own_file_cut(&w->file, w->totals.file_bytes, NULL);
}

int launch_writer_close(struct launch_writer *w, bool is_whole, struct launch_totals *totals,
                        struct err *err)
{
	struct err inner = { 0 };

	if (!w)
		return 0;
	is_whole = is_whole && w->open == NO_GROUP;
	if (!w->failure.code &&
	    (end_group(w, &inner) || flush(w, &inner) || finish(w, is_whole, &inner)))
		fail(w, &inner, NULL);
	if (w->failure.code)
		give_up(w);
	if (own_file_close(&w->file, &inner) && !w->failure.code)
		fail(w, &inner, NULL);
	inner = w->failure;
	if (totals)
		*totals = w->totals;
	destroy(w);
	return inner.code ? err_set(err, (enum err_code)inner.code, "%s", inner.msg) : 0;
}
