/* SPDX-License-Identifier: Apache-2.0 */
#include "ancestor_events.h"

#include "err.h"

#include <inttypes.h>

enum { EVENT_LIMIT = 1 << 30, ITEM_LIMIT = 1 << 21 };

void ancestor_events_init(struct ancestor_events *e, const struct ancestor_trace *trace,
                          const struct ancestor_kernel *kernel)
{
	*e = (struct ancestor_events){ .trace = trace, .kernel = kernel };
	array_init(&e->events, sizeof(struct event), EVENT_LIMIT, "events of a group");
	array_init(&e->first, sizeof(uint64_t), ITEM_LIMIT, "work-items of a group");
}

void ancestor_events_release(struct ancestor_events *e)
{
	array_release(&e->events);
	array_release(&e->first);
}

static int push_event(struct ancestor_events *e, uint64_t value, uint32_t point, uint32_t iteration,
                      struct err *err)
{
	struct event *event = array_push(&e->events, 1, err);

	if (!event)
		return err->code;
	*event = (struct event){ value, point, iteration };
	return 0;
}

/* The outermost level at which a and b are in different loops or iterations. */
static int first_difference(const struct ancestor_line *a, const struct ancestor_line *b)
{
	int level = 0;

	while (level < a->loop_count && level < b->loop_count &&
	       a->loops[level] == b->loops[level] && a->iterations[level] == b->iterations[level])
		level++;
	return level;
}

/* Whether `now` can follow `before` in a work-item: forward in the loops they share. */
static bool follows(const struct ancestor_line *before, const struct ancestor_line *now, int level)
{
	bool is_shared = level < before->loop_count && level < now->loop_count &&
	                 before->loops[level] == now->loops[level];

	if (is_shared)
		return now->iterations[level] > before->iterations[level];
	return now->number > before->number;
}

/* Events of the loops that the work-item enters between two accesses, then the access. */
static int add_access(struct ancestor_events *e, const struct ancestor_entry *before,
                      const struct ancestor_entry *now, struct err *err)
{
	static const struct ancestor_line nowhere = { .kind = ANCESTOR_READ };
	const struct ancestor_line *line = &now->line, *last = before ? &before->line : &nowhere;
	int level = first_difference(last, line), ret = 0;
	uint32_t iteration;

	if (before && !follows(last, line, level))
		return err_set(
			err, ERR_FORMAT,
			"%s:%" PRIu64 ": M%u: expected a later instruction or iteration than "
			"M%u of the same work-item in line %" PRIu64,
			e->trace->file, now->at_line, line->number, last->number, before->at_line);
	/* The loop at which they differ was entered already when only its iteration differs. */
	if (level < last->loop_count && level < line->loop_count &&
	    last->loops[level] == line->loops[level])
		level++;
	for (int i = level ? level : 1; !ret && i < line->loop_count; i++)
		ret = push_event(e, (uint64_t)line->iterations[i - 1] - 1,
		                 EVENT_LOOP | line->loops[i], 0, err);
	if (ret)
		return ret;
	iteration = line->loop_count ? (uint32_t)line->iterations[line->loop_count - 1] - 1 : 0;
	return push_event(e, line->address, EVENT_SITE | e->kernel->sites[line->number], iteration,
	                  err);
}

static int add_barrier(struct ancestor_events *e, const struct ancestor_entry *before, uint32_t k,
                       const struct ancestor_entry *now, struct err *err)
{
	const struct ancestor_line *last = before ? &before->line : NULL;
	uint64_t key = ancestor_barrier_key(last ? last->number : 0, k, now->line.kind);
	uint32_t iteration =
		last && last->loop_count ? (uint32_t)last->iterations[last->loop_count - 1] - 1 : 0;

	return push_event(e, 0, EVENT_SITE | ancestor_kernel_barrier(e->kernel, key), iteration,
	                  err);
}

static int add_item(struct ancestor_events *e, const struct ancestor_entry *entries, size_t count,
                    struct err *err)
{
	const struct ancestor_entry *before = NULL;
	uint32_t barriers = 0;
	int ret = 0;

	for (size_t i = 0; !ret && i < count; i++) {
		if (!entries[i].line.number) {
			ret = add_barrier(e, before, barriers++, &entries[i], err);
			continue;
		}
		ret = add_access(e, before, &entries[i], err);
		before = &entries[i];
		barriers = 0;
	}
	return ret;
}

int ancestor_events_group(struct ancestor_events *e, const struct ancestor_execution *x,
                          uint64_t group, size_t *next, struct group_events *out, struct err *err)
{
	const struct ancestor_entry *entries = e->trace->entries.data;
	uint32_t size[3], count = launch_shape_group_size(&x->shape, group, size);
	size_t end = x->first + x->count, from;
	uint64_t *first;
	int ret = 0;

	array_clear(&e->events);
	array_clear(&e->first);
	if (!array_push(&e->first, (size_t)count + 1, err))
		return err->code;
	for (uint32_t item = 0; !ret && item < count; item++) {
		for (from = *next;
		     *next < end && entries[*next].group == group && entries[*next].item == item;)
			++*next;
		ret = add_item(e, entries + from, *next - from, err);
		first = e->first.data;
		first[item + 1] = e->events.count;
	}
	*out = (struct group_events){ count, e->first.data, e->events.data };
	return ret;
}
