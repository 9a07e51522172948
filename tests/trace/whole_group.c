/* SPDX-License-Identifier: Apache-2.0 */
#include "whole_group.h"

#include "err.h"
#include "expander.h"
#include "launch_reader.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* Memory that grows and is used again. */
static struct {
	uint64_t *first;
	struct event *events;
	uint64_t count;
} stored, plain;

/* Events that there is memory for when there are `count`: a power of two. */
static uint64_t room_of(uint64_t count)
{
	uint64_t room = 64;

	while (room <= count)
		room *= 2;
	return room;
}

static int append(struct event **to, uint64_t *count, const struct event *events, uint64_t more)
{
	uint64_t room = room_of(*count + more);
	struct event *grown = *to;

	if (!grown || room > room_of(*count))
		grown = realloc(grown, room * sizeof(*grown));
	if (!grown)
		return ERR_NOMEM;
	if (more)
		memcpy(grown + *count, events, more * sizeof(*grown));
	*to = grown;
	*count += more;
	return 0;
}

static int begin(uint64_t **first, uint64_t *count, uint32_t items)
{
	free(*first);
	*first = calloc((size_t)items + 1, sizeof(**first));
	*count = 0;
	return *first ? 0 : ERR_NOMEM;
}

/* The events of one work-item of a long group. */
static int gather(const struct item_events *from)
{
	struct item_cursor c = { 0 };
	int ret;

	item_cursor_start(&c, from);
	do {
		ret = item_cursor_fill(&c, NULL);
		if (!ret)
			ret = append(&stored.events, &stored.count, c.window, c.count);
	} while (!ret && c.count);
	item_cursor_release(&c);
	return ret;
}

int whole_group_stored(struct launch_reader *r, uint64_t g, struct group_events *out,
                       struct err *err)
{
	struct group_items items;
	int ret = launch_reader_load(r, g, &items, err);

	*out = items.events;
	if (ret || !items.store) {
		group_items_release(&items);
		return ret;
	}
	ret = begin(&stored.first, &stored.count, items.events.item_count);
	for (uint32_t i = 0; !ret && i < items.events.item_count; i++) {
		const struct item_events from = group_items_at(&items, i);

		ret = gather(&from);
		stored.first[i + 1] = stored.count;
	}
	*out = (struct group_events){ items.events.item_count, stored.first, stored.events };
	group_items_release(&items);
	return ret;
}

static int expand_item(struct expander *x, const struct item_events *from, struct err *err)
{
	const struct event *events;
	uint64_t count;
	int ret = expander_start(x, from, err);

	while (!ret && !(ret = expander_next(x, &events, &count, err)) && count)
		ret = append(&plain.events, &plain.count, events, count);
	return ret;
}

int whole_group_expand(const struct kernel_table *t, const struct group_events *in, uint64_t number,
                       struct group_events *out, struct err *err)
{
	struct expander *x = NULL;
	int ret = expander_create(&x, t, err);

	if (!ret)
		ret = begin(&plain.first, &plain.count, in->item_count);
	for (uint32_t i = 0; !ret && i < in->item_count; i++) {
		const struct item_events from = { .events = in->events + in->first[i],
			                          .count = in->first[i + 1] - in->first[i] };
		struct err why = { 0 };

		ret = expand_item(x, &from, &why);
		plain.first[i + 1] = plain.count;
		if (ret)
			err_set(err, (enum err_code)ret,
			        "group %" PRIu64 ": work-item %" PRIu32 ": %s", number, i, why.msg);
	}
	expander_free(x);
	if (!ret && !plain.events)
		ret = append(&plain.events, &plain.count, NULL, 0);
	*out = (struct group_events){ in->item_count, plain.first, plain.events };
	return ret;
}

int whole_group_plain(struct launch_reader *r, const struct kernel_table *t, uint64_t g,
                      struct group_events *out, struct err *err)
{
	struct group_events in;
	int ret = whole_group_stored(r, g, &in, err);

	return ret ? ret : whole_group_expand(t, &in, g, out, err);
}
