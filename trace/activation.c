/* SPDX-License-Identifier: Apache-2.0 */
#include "activation.h"

#include "err.h"
#include "loop_places.h"

#include <inttypes.h>
#include <stdlib.h>

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

/* The active strands of the current iteration, where they change. */
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

/* What is left of the row that is being appended, all of whose strands begin at iteration 0. */
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

/* The next active strand, or the activation of the loop inside that its row is part of. */
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

/* Iterations at..last in which all active strands have an access and none is a grid. */
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

/* What is left of the current iteration and those up to `last`. */
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

/* Go on to the beginning of `iteration`. */
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
