/* SPDX-License-Identifier: Apache-2.0 */
/*
 * repack - what packing and reading cost: each launch of a recording is read, packed again and read
 * again, the best of ROUNDS (5) for each.
 *
 *   repack RECORDING [ROUNDS]
 */
#include "array.h"
#include "err.h"
#include "launch_reader.h"
#include "recording.h"
#include "trace_source.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#define EVENTS_MAX (UINT64_C(1) << 28) /* held in memory: 4 GiB */

/* A launch in memory, as stored. */
struct held {
	uint64_t group_count, event_count;
	struct group_events *groups; /* events NULL: not in the file */
	char **copies;               /* where they lie */
};

static double now_ms(void)
{
	struct timespec t;

	clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
	return (double)t.tv_sec * 1e3 + (double)t.tv_nsec / 1e6;
}

/* A copy of a group on the heap, first[] and events in one piece. */
static int hold_group(struct held *h, uint64_t g, const struct group_events *from, struct err *err)
{
	uint64_t count = from->first[from->item_count];
	size_t first_bytes = ((size_t)from->item_count + 1) * sizeof(uint64_t);
	char *copy = malloc(first_bytes + count * sizeof(struct event));

	h->event_count += count;
	if (!copy || h->event_count > EVENTS_MAX) {
		free(copy);
		return err_set(err, ERR_NOMEM, "a launch of more events than fit in memory");
	}
	h->copies[g] = copy;
	memcpy(copy, from->first, first_bytes);
	memcpy(copy + first_bytes, from->events, count * sizeof(struct event));
	h->groups[g] = (struct group_events){ from->item_count, (const uint64_t *)(void *)copy,
		                              (const struct event *)(void *)(copy + first_bytes) };
	return 0;
}

static void held_release(struct held *h)
{
	for (uint64_t g = 0; h->copies && g < h->group_count; g++)
		free(h->copies[g]);
	free(h->groups);
	free(h->copies);
}

/* A group in memory. */
static int load(struct launch_reader *r, uint64_t g, struct group_events *out, struct err *err)
{
	struct group_items items;
	int ret = launch_reader_load(r, g, &items, err);

	if (!ret && items.store)
		ret = err_set(err, ERR_UNSUPPORTED, "group %" PRIu64 ": is too long", g);
	*out = items.events;
	group_items_release(&items);
	return ret;
}

static int hold(struct held *h, struct launch_reader *r, struct err *err)
{
	int ret = 0;

	*h = (struct held){ .group_count = launch_shape_group_count(launch_reader_shape(r)) };
	h->groups = array_alloc(h->group_count, sizeof(*h->groups), "groups", err);
	h->copies = array_alloc(h->group_count, sizeof(*h->copies), "copies of groups", err);
	if (!h->groups || !h->copies)
		return ERR_NOMEM;
	for (uint64_t g = 0; g < h->group_count && !ret; g++) {
		struct group_events group;

		if (!launch_reader_has(r, g))
			continue;
		ret = load(r, g, &group, err);
		if (!ret)
			ret = hold_group(h, g, &group, err);
	}
	return ret;
}

static int pack(const struct held *h, const char *path, const struct launch_shape *shape,
                const struct kernel_table *t, struct launch_totals *totals, struct err *err)
{
	struct launch_writer *w = NULL;
	int ret, closed;

	unlink(path);
	ret = launch_writer_open(&w, path, shape, t, err);
	for (uint64_t g = 0; g < h->group_count && !ret; g++)
		if (h->groups[g].events)
			ret = launch_writer_add(w, g, &h->groups[g], err);
	closed = launch_writer_close(w, !ret, totals, err);
	return ret ? ret : closed;
}

/* Read all of a file; with `h`, also compare. */
static int read_back(const struct held *h, const char *path, const struct kernel_table *t,
                     bool compare, struct err *err)
{
	struct trace_source *source = NULL;
	struct launch_reader *r = NULL;
	struct group_events got;
	int ret = trace_source_open(&source, path, err);

	if (!ret)
		ret = launch_reader_open(&r, source, t, err);
	for (uint64_t g = 0; g < h->group_count && !ret; g++) {
		const struct group_events *was = &h->groups[g];

		if (was->events)
			ret = load(r, g, &got, err);
		if (!ret && was->events && compare &&
		    memcmp(got.events, was->events,
		           was->first[was->item_count] * sizeof(struct event)) != 0)
			ret = err_set(err, ERR_FORMAT, "group %" PRIu64 " came back otherwise", g);
	}
	launch_reader_close(r);
	trace_source_close(source);
	return ret;
}

static int measure(const struct recording *rec, size_t launch, unsigned rounds, struct err *err)
{
	const char *path = "/tmp/warpline-repack.wll";
	const struct kernel_table *t = &rec->kernels[rec->launches[launch].kernel].table;
	double pack_ms = 1e30, read_ms = 1e30;
	struct trace_source *source = NULL;
	struct launch_reader *r = NULL;
	struct launch_totals totals = { 0 };
	struct held h = { 0 };
	int ret = recording_open_launch(rec, launch, &source, &r, err);

	if (!ret)
		ret = hold(&h, r, err);
	for (unsigned i = 0; i < rounds && !ret; i++) {
		double begin = now_ms(), packed, end;

		ret = pack(&h, path, launch_reader_shape(r), t, &totals, err);
		packed = now_ms();
		if (!ret)
			ret = read_back(&h, path, t, false, err);
		end = now_ms();
		pack_ms = packed - begin < pack_ms ? packed - begin : pack_ms;
		read_ms = end - packed < read_ms ? end - packed : read_ms;
	}
	if (!ret)
		ret = read_back(&h, path, t, true, err);
	if (!ret)
		printf("launch %zu %s: %" PRIu64 " events, %" PRIu64 " accesses, %.4f bytes an "
		       "access, pack %.2f ms %.2f ns an event, read %.2f ms %.2f ns an event\n",
		       launch, t->name, h.event_count, totals.accesses,
		       (double)totals.file_bytes / (double)totals.accesses, pack_ms,
		       pack_ms * 1e6 / (double)h.event_count, read_ms,
		       read_ms * 1e6 / (double)h.event_count);
	unlink(path);
	held_release(&h);
	launch_reader_close(r);
	trace_source_close(source);
	return ret;
}

int main(int argc, char **argv)
{
	unsigned rounds = argc > 2 ? (unsigned)strtoul(argv[2], NULL, 10) : 5;
	struct recording *rec = NULL;
	struct err err = { 0 };
	int ret;

	if (argc < 2 || !rounds) {
		fprintf(stderr, "usage: repack RECORDING [ROUNDS]\n");
		return 2;
	}
	ret = recording_open(&rec, argv[1], &err);
	for (size_t i = 0; !ret && i < rec->launch_count; i++)
		if (rec->launches[i].fate == LAUNCH_TRACED)
			ret = measure(rec, i, rounds, &err);
	recording_close(rec);
	if (ret)
		fprintf(stderr, "repack: %s\n", err.msg);
	return ret != 0;
}
