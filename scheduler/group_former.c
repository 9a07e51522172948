/* SPDX-License-Identifier: Apache-2.0 */
#include "group_former.h"

#include "access_pattern.h"
#include "array.h"
#include "err.h"
#include "group_stream.h"
#include "schedule.h"

#include <assert.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

int stream_pool_init(struct stream_pool *p, size_t limit, uint32_t mask_words, struct err *err)
{
	*p = (struct stream_pool){ .limit = limit, .mask_words = mask_words };
	p->all = array_alloc(limit, sizeof(struct group_stream *), "streams of groups", err);
	p->idle = array_alloc(limit, sizeof(struct group_stream *), "streams of groups", err);
	return p->all && p->idle ? 0 : ERR_NOMEM;
}

void stream_pool_release(struct stream_pool *p)
{
	for (size_t i = 0; i < p->made; i++) {
		group_stream_release(p->all[i]);
		free(p->all[i]);
	}
	free(p->all);
	free(p->idle);
	*p = (struct stream_pool){ 0 };
}

struct group_stream *stream_pool_take(struct stream_pool *p, struct err *err)
{
	struct group_stream *s;

	if (p->idle_count)
		return p->idle[--p->idle_count];
	assert(p->made < p->limit);
	s = array_alloc(1, sizeof(*s), "a group's stream", err);
	if (!s)
		return NULL;
	group_stream_init(s, p->mask_words);
	p->all[p->made++] = s;
	return s;
}

void stream_pool_give(struct stream_pool *p, struct group_stream *s)
{
	assert(p->idle_count < p->made);
	p->idle[p->idle_count++] = s;
}

int group_tickets_init(struct group_tickets *t, size_t count, struct err *err)
{
	*t = (struct group_tickets){ .all = array_alloc(count, sizeof(*t->all), "groups", err) };
	if (!t->all)
		return ERR_NOMEM;
	for (size_t i = 0; i + 1 < count; i++)
		t->all[i].next = &t->all[i + 1];
	t->unused = t->all;
	return 0;
}

void group_tickets_release(struct group_tickets *t)
{
	free(t->all);
	*t = (struct group_tickets){ 0 };
}

struct group_ticket *group_tickets_take(struct group_tickets *t, uint64_t group)
{
	struct group_ticket *ticket = t->unused;

	assert(ticket);
	t->unused = ticket->next;
	*ticket = (struct group_ticket){ .group = group };
	return ticket;
}

void group_tickets_give(struct group_tickets *t, struct group_ticket *ticket)
{
	ticket->next = t->unused;
	t->unused = ticket;
}

bool group_tickets_should_form(struct group_tickets *t, uint32_t max)
{
	if (t->ahead.count <= max / 2)
		t->is_filling = true;
	if (t->ahead.count >= max)
		t->is_filling = false;
	return t->is_filling;
}

void ticket_list_add(struct ticket_list *l, struct group_ticket *t)
{
	t->next = NULL;
	if (l->first)
		l->last->next = t;
	else
		l->first = t;
	l->last = t;
	l->count++;
}

struct group_ticket *ticket_list_take(struct ticket_list *l)
{
	struct group_ticket *t = l->first;

	if (!t)
		return NULL;
	l->first = t->next;
	l->count--;
	return t;
}

int group_former_init(struct group_former *f, const struct gpu *gpu,
                      const struct schedule_input *input, bool keeps_lanes, struct err *err)
{
	int rc;

	*f = (struct group_former){ .input = input };
	array_init(&f->first, sizeof(uint64_t), SIZE_MAX, "work-items of a group");
	array_init(&f->copy, sizeof(struct event), SIZE_MAX, "events of a group");
	array_init(&f->copied, sizeof(struct copied_group), SIZE_MAX, "groups");
	f->sides =
		array_alloc(input->table->site_count, sizeof(*f->sides), "counters of sites", err);
	if (!f->sides)
		return ERR_NOMEM;
	rc = stream_maker_init(&f->maker, gpu, input->table, input->map, f->sides, err);
	f->maker.keeps_lanes = keeps_lanes;
	stream_maker_set_order(&f->maker, &input->order);
	f->maker.reorder = input->reorder;
	if (!rc && input->has_patterns)
		rc = access_patterns_create(&f->patterns, gpu, input->table, input->shape, err);
	f->maker.patterns = f->patterns;
	return rc;
}

void group_former_release(struct group_former *f)
{
	if (f->input)
		stream_maker_release(&f->maker);
	group_former_forget(f);
	group_items_release(&f->items);
	array_release(&f->first);
	array_release(&f->copy);
	array_release(&f->copied);
	access_patterns_free(f->patterns);
	free(f->sides);
	*f = (struct group_former){ 0 };
}

int group_former_read(struct group_former *f, uint64_t group, struct err *err)
{
	const struct schedule_input *input = f->input;
	uint32_t size[3], items = launch_shape_group_size(input->shape, group, size);
	int rc;

	group_items_release(&f->items);
	rc = input->groups.read(input->groups.context, group, &f->items, err);
	if (rc)
		return rc;
	if (f->items.events.item_count != items)
		return err_set(err, ERR_FORMAT,
		               "group %" PRIu64 ": has events of %" PRIu32
		               " work-items: expected %" PRIu32,
		               group, f->items.events.item_count, items);
	return 0;
}

static uint64_t local_turns(const struct group_former *f)
{
	uint64_t turns = 0;

	for (size_t i = 0; i < f->input->table->site_count; i++)
		turns += side_counts_turns(&f->sides[i]);
	return turns;
}

/* Make the stream of a group. If local memory was recorded for a sample of groups only, count the
 * group. */
static int form(struct group_former *f, uint64_t group, const struct group_items *items,
                struct group_stream *stream, struct err *err)
{
	bool is_whole = local_sample_is_whole(&f->input->sample);
	bool is_counted = local_sample_has(&f->input->sample, group);
	uint64_t before = is_whole ? 0 : local_turns(f), turns;
	int rc = group_stream_form(stream, &f->maker, group, items, err);

	f->sample.of_groups++;
	f->sample.groups += is_counted;
	if (rc || is_whole)
		return rc;
	turns = local_turns(f) - before;
	if (turns && !is_counted)
		return err_set(err, ERR_FORMAT,
		               "group %" PRIu64 ": has accesses to local memory, but is not in the "
		               "sample of groups in which they are recorded",
		               group);
	f->sample.turns += turns;
	f->sample.squares += (side_wide)turns * turns;
	return 0;
}

int group_former_form(struct group_former *f, uint64_t group, struct group_stream *stream,
                      struct err *err)
{
	return form(f, group, &f->items, stream, err);
}

/* Take ownership of a long group that was read. */
static int keep_store(struct group_former *f, struct err *err)
{
	struct copied_group *copied = array_append(&f->copied, 1, err);

	if (!copied)
		return err ? err->code : ERR_NOMEM;
	*copied = (struct copied_group){ .item_count = f->items.events.item_count,
		                         .store = f->items.store };
	f->items.store = NULL;
	return 0;
}

int group_former_copy(struct group_former *f, uint64_t group, struct err *err)
{
	int rc = group_former_read(f, group, err);
	const struct group_events *e = &f->items.events;
	size_t firsts = (size_t)e->item_count + 1, count;
	struct copied_group *copied;
	struct event *events;
	uint64_t *first;

	if (rc || f->items.store)
		return rc ? rc : keep_store(f, err);
	count = e->first[e->item_count];
	copied = array_append(&f->copied, 1, err);
	first = copied ? array_append(&f->first, firsts, err) : NULL;
	events = first ? array_append(&f->copy, count + 1, err) : NULL; /* never none */
	if (!events)
		return err ? err->code : ERR_NOMEM;
	*copied = (struct copied_group){ e->item_count, f->first.count - firsts,
		                         f->copy.count - count - 1, NULL };
	memcpy(first, e->first, firsts * sizeof(*first));
	if (count)
		memcpy(events, e->events, count * sizeof(*events));
	return 0;
}

void group_former_forget(struct group_former *f)
{
	struct copied_group *copied = f->copied.data;

	for (size_t i = 0; i < f->copied.count; i++)
		item_store_free(copied[i].store);
	array_clear(&f->copied);
	array_clear(&f->first);
	array_clear(&f->copy);
}

int group_former_form_copy(struct group_former *f, size_t i, uint64_t group,
                           struct group_stream *stream, struct err *err)
{
	struct copied_group *c = (struct copied_group *)f->copied.data + i;
	struct group_items items = { .events = { .item_count = c->item_count }, .store = c->store };
	int rc;

	if (!c->store) {
		items.events.first = (const uint64_t *)f->first.data + c->first;
		items.events.events = (const struct event *)f->copy.data + c->event;
	}
	rc = form(f, group, &items, stream, err);

	item_store_free(c->store);
	c->store = NULL;
	return rc;
}

void group_former_count(const struct group_former *f, struct schedule_result *out)
{
	for (size_t i = 0; i < f->input->table->site_count; i++)
		side_counts_add(&out->sides[i], &f->sides[i]);
	side_sample_add(&out->side_sample, &f->sample);
	if (f->patterns && out->patterns)
		access_patterns_sum(f->patterns, out->patterns);
	out->unmapped_lanes += f->maker.coalescer.unmapped_lanes;
}
