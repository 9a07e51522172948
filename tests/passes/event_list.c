/* SPDX-License-Identifier: Apache-2.0 */
#include "event_list.h"

#include "array.h"

#include "cmocka_all.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define ARGUMENT_SHIFT 48

void event_list_init(struct event_list *l, size_t group_count, size_t item_count)
{
	*l = (struct event_list){ .group_count = group_count, .item_count = item_count };
	l->items = calloc(group_count * item_count, sizeof(*l->items));
	assert_non_null(l->items);
}

void event_list_release(struct event_list *l)
{
	for (size_t i = 0; i < l->group_count * l->item_count; i++)
		free(l->items[i].events);
	free(l->items);
	memset(l, 0, sizeof(*l));
}

struct item_events *event_list_item(struct event_list *l, size_t group, size_t item)
{
	assert_true(group < l->group_count && item < l->item_count);
	return &l->items[group * l->item_count + item];
}

static void add(struct item_events *to, struct event event)
{
	to->events = realloc(to->events, (to->count + 1) * sizeof(*to->events));
	assert_non_null(to->events);
	to->events[to->count++] = event;
}

void event_list_access(struct item_events *to, uint32_t site, uint64_t iteration, uint64_t argument,
                       uint64_t offset_bytes)
{
	add(to, (struct event){ .value = argument << ARGUMENT_SHIFT | offset_bytes,
	                        .point = EVENT_SITE | site,
	                        .iteration = (uint32_t)iteration });
}

void event_list_size(struct item_events *to, uint32_t site, uint64_t iteration, uint64_t bytes)
{
	add(to, (struct event){ .value = bytes,
	                        .point = EVENT_SIZE | site,
	                        .iteration = (uint32_t)iteration });
}

void event_list_sync(struct item_events *to, uint32_t site, uint64_t iteration)
{
	event_list_access(to, site, iteration, 0, 0);
}

void event_list_enter(struct item_events *to, uint32_t loop, uint64_t parent_iteration)
{
	add(to, (struct event){ .value = parent_iteration, .point = EVENT_LOOP | loop });
}

/* The event with its address made relative to the argument of its site. */
static struct event relative(struct event event, const uint64_t *arguments,
                             const struct kernel_table *table)
{
	uint32_t id = event.point & EVENT_ID_MASK, kind = event.point & EVENT_KIND_MASK;
	const struct site *site;

	if (kind != EVENT_SITE && kind != EVENT_RUN && kind != EVENT_GRID)
		return event;
	assert_true(id < table->site_count);
	site = &table->sites[id];
	if (!site_kind_has_address(site->kind) || site->space == SPACE_LOCAL)
		return event;
	assert_true(site->argument >= 0);
	event.value = (event.value - arguments[site->argument]) | (uint64_t)site->argument
	                                                                  << ARGUMENT_SHIFT;
	return event;
}

void event_list_append(struct item_events *to, const struct array *events,
                       const uint64_t *arguments, const struct kernel_table *table)
{
	const struct event *from = events->data;

	for (size_t i = 0; i < events->count; i++)
		add(to, relative(from[i], arguments, table));
}

size_t event_list_total(const struct event_list *l)
{
	size_t total = 0;

	for (size_t i = 0; i < l->group_count * l->item_count; i++)
		total += l->items[i].count;
	return total;
}

static void assert_same_item(const struct item_events *f, const struct item_events *e, size_t item)
{
	for (size_t i = 0; i < f->count && i < e->count; i++)
		if (memcmp(&f->events[i], &e->events[i], sizeof(f->events[i])) != 0)
			fail_msg("work-item %zu, event %zu: found %" PRIx64 " %" PRIx32 " %" PRIu32
			         ", expected %" PRIx64 " %" PRIx32 " %" PRIu32,
			         item, i, f->events[i].value, f->events[i].point,
			         f->events[i].iteration, e->events[i].value, e->events[i].point,
			         e->events[i].iteration);
	if (f->count != e->count)
		fail_msg("work-item %zu: found %zu events, expected %zu", item, f->count, e->count);
}

void event_list_assert_equal(const struct event_list *found, const struct event_list *expected)
{
	assert_int_equal(found->group_count, expected->group_count);
	assert_int_equal(found->item_count, expected->item_count);
	for (size_t i = 0; i < found->group_count * found->item_count; i++)
		assert_same_item(&found->items[i], &expected->items[i], i);
}
