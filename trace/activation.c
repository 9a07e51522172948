/* SPDX-License-Identifier: Apache-2.0 */
#include "activation.h"

#include "err.h"
#include "kernel_table.h"
#include "outline.h"

#include <inttypes.h>
#include <stdlib.h>

/* Make room for `more` more events. */
static int make_room(struct event_sink *s, uint64_t more, struct err *err)
{
	uint64_t capacity = s->capacity ? s->capacity : 64;
	struct event *grown;

	while (capacity - s->count < more)
		capacity *= 2; /* the request is bounded by data already in memory */
	grown = realloc(s->events, capacity * sizeof(*grown));
	if (!grown)
		return err_set(err, ERR_NOMEM, "out of memory for %" PRIu64 " events", capacity);
	s->events = grown;
	s->capacity = capacity;
	return 0;
}

int event_sink_grow(struct event_sink *s, uint64_t more, struct err *err)
{
	if (s->is_outline && more > EVENT_SINK_OUTLINE_MAX - s->count)
		return err_set(err, ERR_LIMIT, "an outline of more than %" PRIu64 " events",
		               EVENT_SINK_OUTLINE_MAX);
	if (!s->is_outline && s->count && s->count + more > s->room)
		return EVENT_SINK_FULL;
	return more <= s->capacity - s->count ? 0 : make_room(s, more, err);
}

void event_sink_release(struct event_sink *s)
{
	free(s->events);
	*s = (struct event_sink){ 0 };
}

#define TILE_EVENTS                                                                                \
	512u /* written while they are near: each strand goes through them on its own              \
	      */

struct strand strand_make(const struct packed_run *r, uint32_t child)
{
	return (struct strand){ .address = r->address,
		                .stride = r->is_grid ? r->row_stride : r->stride,
		                .first = r->first,
		                .last = r->first + ((r->is_grid ? r->rows : r->count) - 1),
		                .site = r->site,
		                .child = r->is_grid ? child : STRAND_NO_CHILD,
		                .count = r->count,
		                .inner_stride = r->stride };
}

/* Take the row of a grid's strand in its next iteration, as a strand of the loop inside; advances
 * the grid. */
static struct strand strand_take_row(struct strand *grid)
{
	struct strand row = { .address = grid->address,
		              .stride = grid->inner_stride,
		              .last = grid->count - 1,
		              .site = grid->site,
		              .child = STRAND_NO_CHILD };

	grid->address += grid->stride;
	return row;
}

static int compare(const struct strand *a, const struct strand *b)
{
	if (a->first != b->first)
		return a->first < b->first ? -1 : 1;
	return (a->site > b->site) - (a->site < b->site);
}

static int compare_void(const void *a, const void *b)
{
	return compare(a, b);
}

/* Sort by first iteration, then by site. */
static void strands_sort(struct strand *strands, size_t count)
{
	if (count > 16) {
		qsort(strands, count, sizeof(*strands), compare_void);
		return;
	}
	for (size_t i = 1; i < count; i++) {
		struct strand s = strands[i];
		size_t k = i;

		for (; k > 0 && compare(&strands[k - 1], &s) > 0; k--)
			strands[k] = strands[k - 1];
		strands[k] = s;
	}
}

/* Write a strand to every step-th event from `to` on. */
static void put_one(struct event *to, size_t step, struct strand *s, uint32_t iteration,
                    size_t length)
{
	uint64_t address = s->address, stride = s->stride;
	uint32_t site = s->site;

	for (size_t i = 0; i < length; i++) {
		to[i * step] = (struct event){ address, site, iteration + (uint32_t)i };
		address += stride;
	}
	s->address = address;
}

/* Append two or more iterations as a bundle (outline.h). */
static int put_bundle(struct event_sink *to, struct strand *strands, size_t count, uint64_t first,
                      uint64_t length, struct err *err)
{
	int ret = event_sink_reserve(to, count + 1, err);

	if (ret)
		return ret;
	event_sink_put(to, length, OUTLINE_BUNDLE | (uint32_t)count, (uint32_t)first);
	for (size_t i = 0; i < count; i++) {
		event_sink_put(to, strands[i].address, EVENT_RUN | strands[i].site, 0);
		strands[i].address += strands[i].stride * length;
	}
	return 0;
}

/* Returns how many iterations of `count` events fit, at least one. */
static uint64_t fitting(const struct event_sink *to, size_t count, uint64_t length)
{
	uint64_t room = to->room > to->count ? (to->room - to->count) / count : 0;

	room = room ? room : 1;
	return length < room ? length : room;
}

/*
 * Append the accesses of `count` strands, none of them grids, in iterations from `first` on, whose
 * high halves are equal: iteration by iteration, in the order of the array, or as one bundle if the
 * sink is an outline. At most *length iterations; *length becomes the number that fitted, and the
 * strands advance by these. Returns 0; EVENT_SINK_FULL if not all fitted; ERR_NOMEM or ERR_LIMIT.
 */
static int strands_put(struct event_sink *to, struct strand *strands, size_t count, uint64_t first,
                       uint64_t *length, struct err *err)
{
	size_t tile = count < TILE_EVENTS ? TILE_EVENTS / count : 1;
	uint64_t wanted = *length, left;
	int ret;

	if (to->is_outline && wanted > 1)
		return put_bundle(to, strands, count, first, wanted, err);
	*length = 0;
	left = fitting(to, count, wanted);
	ret = event_sink_reserve(to, left * count, err);
	if (ret)
		return ret;
	*length = left;
	while (left) {
		size_t part = left < tile ? (size_t)left : tile;

		for (size_t i = 0; i < count; i++)
			put_one(to->events + to->count + i, count, &strands[i], (uint32_t)first,
			        part);
		to->count += part * count;
		first += part;
		left -= part;
	}
	return *length < wanted ? EVENT_SINK_FULL : 0;
}

struct strand *strand_list_push(struct strand_list *l, struct err *err)
{
	if (l->count == l->capacity) {
		size_t capacity = l->capacity ? 2 * l->capacity : 4;
		struct strand *grown = realloc(l->at, capacity * sizeof(*grown));

		if (!grown) {
			err_set(err, ERR_NOMEM, "out of memory for %zu runs", capacity);
			return NULL;
		}
		l->at = grown;
		l->capacity = capacity;
	}
	return &l->at[l->count++];
}

void activation_start(struct activation *a, uint32_t loop)
{
	a->pending.count = a->active.count = a->row.count = 0;
	a->begun = a->done = a->grids = 0;
	a->loop = loop;
	a->high = 0;
	a->at = a->row_at = 0;
}

void activation_release(struct activation *a)
{
	free(a->pending.at);
	free(a->active.at);
	free(a->row.at);
	*a = (struct activation){ 0 };
}

/* Drop the strands that have ended before the current iteration. */
static void retire(struct activation *a)
{
	size_t left = 0;

	for (size_t i = 0; i < a->active.count; i++)
		if (a->active.at[i].last >= a->at)
			a->active.at[left++] = a->active.at[i];
	a->active.count = left;
}

static const struct strand *next_pending(const struct activation *a)
{
	return a->begun < a->pending.count ? &a->pending.at[a->begun] : NULL;
}

/* Merge the strands that begin in the current iteration into the active ones. */
static int admit(struct activation *a, struct err *err)
{
	const struct strand *first = next_pending(a);
	size_t old = a->active.count, left = 0, to;
	struct strand *active;

	for (const struct strand *s; (s = next_pending(a)) && s->first == a->at; a->begun++) {
		left++;
		if (!strand_list_push(&a->active, err))
			return ERR_NOMEM;
	}
	active = a->active.at;
	for (to = a->active.count; left > 0; to--) {
		const struct strand *s = &first[left - 1];

		if ((old && active[old - 1].site == s->site) ||
		    (left > 1 && first[left - 2].site == s->site))
			return err_set(err, ERR_FORMAT,
			               "site %" PRIu32 " has two records for iteration %" PRIu64,
			               s->site, a->at);
		if (old && active[old - 1].site > s->site) {
			active[to - 1] = active[--old];
		} else {
			active[to - 1] = *s;
			left--;
		}
	}
	return 0;
}

/* Update the active strands if they change in the current iteration. */
static int refresh(struct activation *a, struct err *err)
{
	const struct strand *next;
	int ret;

	retire(a);
	ret = admit(a, err);
	next = next_pending(a);
	a->grids = 0;
	a->until = next ? next->first - 1 : UINT64_MAX;
	for (size_t i = 0; i < a->active.count; i++) {
		a->grids += a->active.at[i].child != STRAND_NO_CHILD;
		if (a->active.at[i].last < a->until)
			a->until = a->active.at[i].last;
	}
	return ret;
}

int activation_begin(struct activation *a, struct err *err)
{
	strands_sort(a->pending.at, a->pending.count);
	return refresh(a, err);
}

int activation_epoch(struct activation *a, struct event_sink *to, uint64_t iteration,
                     struct err *err)
{
	uint32_t high = (uint32_t)(iteration >> 32);
	int ret;

	if (high == a->high)
		return 0;
	ret = event_sink_reserve(to, 1, err);
	if (ret)
		return ret;
	event_sink_put(to, (uint64_t)high << 32, EVENT_EPOCH | a->loop, 0);
	a->high = high;
	return 0;
}

int activation_take_rows(struct activation *a, uint32_t child, struct strand_list *rows,
                         struct err *err)
{
	while (a->done < a->active.count && a->active.at[a->done].child == child) {
		struct strand *row = strand_list_push(rows, err);

		if (!row)
			return ERR_NOMEM;
		*row = strand_take_row(&a->active.at[a->done++]);
	}
	return 0;
}

/* Append the rest of the current row, whose strands all begin at iteration 0. */
static int put_row(struct activation *a, struct event_sink *to, struct err *err)
{
	struct strand *row = a->row.at;
	int ret = 0;

	while (a->row.count && !ret) {
		uint64_t last = row[0].last, length;
		size_t left = 0;

		for (size_t i = 1; i < a->row.count; i++)
			if (row[i].last < last)
				last = row[i].last;
		length = last - a->row_at + 1;
		ret = strands_put(to, row, a->row.count, a->row_at, &length, err);
		a->row_at += length;
		if (ret)
			break;
		for (size_t i = 0; i < a->row.count; i++)
			if (row[i].last > last)
				row[left++] = row[i];
		a->row.count = left;
	}
	return ret;
}

/* Append the next active strand, or the activation of the inner loop that its row is part of. */
static int put_next(struct activation *a, struct event_sink *to, struct err *err)
{
	struct strand *s = &a->active.at[a->done];
	uint32_t child = s->child;
	int ret = child == STRAND_NO_CHILD ? activation_epoch(a, to, a->at, err) : 0;

	if (!ret)
		ret = event_sink_reserve(to, 1, err);
	if (ret)
		return ret;
	if (child != STRAND_NO_CHILD) {
		event_sink_put(to, a->at, EVENT_LOOP | child, 0);
		a->row_at = 0;
		ret = activation_take_rows(a, child, &a->row, err);
		return ret ? ret : put_row(a, to, err);
	}
	event_sink_put(to, s->address, s->site, (uint32_t)a->at);
	s->address += s->stride;
	a->done++;
	return 0;
}

/* Append iterations at..last, in which all active strands have an access and none is a grid. */
static int put_plain(struct activation *a, struct event_sink *to, uint64_t last, struct err *err)
{
	int ret = 0;

	while (a->at <= last && !ret) {
		uint64_t end = a->at | UINT32_MAX, length;

		if (end > last)
			end = last;
		length = end - a->at + 1;
		ret = activation_epoch(a, to, a->at, err);
		if (ret)
			break;
		ret = strands_put(to, a->active.at, a->active.count, a->at, &length, err);
		a->at += length;
	}
	return ret;
}

/* Append the rest of the current iteration, and those up to `last`. */
static int put_iterations(struct activation *a, struct event_sink *to, uint64_t last,
                          struct err *err)
{
	int ret = put_row(a, to, err);

	while (!ret && a->at <= last && (a->grids || a->done)) {
		while (a->done < a->active.count && !ret)
			ret = put_next(a, to, err);
		if (ret)
			return ret;
		a->done = 0;
		a->at++;
	}
	return ret ? ret : put_plain(a, to, last, err);
}

/* Advance to the beginning of `iteration`. */
static int go_to(struct activation *a, struct event_sink *to, uint64_t iteration, struct err *err)
{
	int ret = 0;

	while (a->at < iteration && !ret) {
		uint64_t last = a->until < iteration ? a->until : iteration - 1;

		if (!a->active.count)
			a->at = last + 1;
		else
			ret = put_iterations(a, to, last, err);
		if (!ret && a->at > a->until)
			ret = refresh(a, err);
	}
	return ret;
}

int activation_advance(struct activation *a, struct event_sink *to, uint64_t iteration,
                       uint32_t position, struct err *err)
{
	int ret = 0;

	if (iteration < a->at)
		return err_set(err, ERR_FORMAT,
		               "loop %" PRIu32 " goes back from iteration %" PRIu64 " to %" PRIu64,
		               a->loop, a->at, iteration);
	if (iteration > a->at)
		ret = go_to(a, to, iteration, err);
	if (!ret)
		ret = put_row(a, to, err);
	while (!ret && a->done < a->active.count &&
	       loop_places_of_site(a->active.at[a->done].site) < position)
		ret = put_next(a, to, err);
	return ret;
}

int activation_finish(struct activation *a, struct event_sink *to, struct err *err)
{
	int ret = 0;

	while (!ret && (a->active.count || next_pending(a))) {
		uint64_t last = a->until;

		if (!a->active.count)
			a->at = last + 1;
		else
			ret = put_iterations(a, to, last, err);
		if (!ret)
			ret = refresh(a, err);
	}
	return ret;
}
