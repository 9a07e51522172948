/* SPDX-License-Identifier: Apache-2.0 */
#include "activation.h"

#include "err.h"
#include "loop_places.h"

#include <inttypes.h>

/* Drop the strands that have ended before the current iteration. */
static void retire(struct activation *a)
{
	size_t left = 0;

	for (size_t i = 0; i < a->active_count; i++)
		if (a->active[i].last >= a->at)
			a->active[left++] = a->active[i];
	a->active_count = left;
}

/* Merge the strands that begin in the current iteration into the active ones. */
static int admit(struct activation *a, struct err *err)
{
	size_t count = 0, old = a->active_count, to, left;

	while (count < a->pending_count && a->pending[count].first == a->at)
		count++;
	a->active_count += count;
	to = a->active_count;
	for (left = count; left > 0; to--) {
		const struct strand *s = &a->pending[left - 1];

		if ((old && a->active[old - 1].site == s->site) ||
		    (left > 1 && a->pending[left - 2].site == s->site))
			return err_set(err, ERR_FORMAT,
			               "site %" PRIu32 " has two records for iteration %" PRIu64,
			               s->site, a->at);
		if (old && a->active[old - 1].site > s->site) {
			a->active[to - 1] = a->active[--old];
		} else {
			a->active[to - 1] = *s;
			left--;
		}
	}
	a->pending += count;
	a->pending_count -= count;
	return 0;
}

/* The active strands of the current iteration, where they change. */
static int refresh(struct activation *a, struct err *err)
{
	int ret;

	retire(a);
	ret = admit(a, err);
	a->grids = 0;
	a->until = a->pending_count ? a->pending[0].first - 1 : UINT64_MAX;
	for (size_t i = 0; i < a->active_count; i++) {
		a->grids += a->active[i].child != STRAND_NO_CHILD;
		if (a->active[i].last < a->until)
			a->until = a->active[i].last;
	}
	return ret;
}

int activation_begin(struct activation *a, uint32_t loop, struct strand *strands, size_t count,
                     struct err *err)
{
	*a = (struct activation){ .loop = loop,
		                  .pending = strands,
		                  .pending_count = count,
		                  .active = strands + count,
		                  .row = strands + 2 * count };
	strands_sort(strands, count);
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

size_t activation_take_rows(struct activation *a, uint32_t child, struct strand *rows)
{
	size_t count = 0;

	while (a->done < a->active_count && a->active[a->done].child == child)
		rows[count++] = strand_take_row(&a->active[a->done++]);
	return count;
}

/* The next active strand, or the activation of the loop inside that its row is part of. */
static int put_next(struct activation *a, struct event_sink *to, struct err *err)
{
	struct strand *s = &a->active[a->done];
	uint32_t child = s->child;
	int ret = child == STRAND_NO_CHILD ? activation_epoch(a, to, a->at, err) : 0;

	if (!ret)
		ret = event_sink_reserve(to, 1, err);
	if (ret)
		return ret;
	if (child != STRAND_NO_CHILD) {
		event_sink_put(to, a->at, EVENT_LOOP | child, 0);
		return strands_put_row(to, a->row, activation_take_rows(a, child, a->row), err);
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

	for (uint64_t at = a->at, end; !ret; at = end + 1) {
		end = at | UINT32_MAX;
		if (end > last)
			end = last;
		ret = activation_epoch(a, to, at, err);
		if (!ret)
			ret = strands_put(to, a->active, a->active_count, at, end - at + 1, err);
		if (end == last)
			break;
	}
	return ret;
}

/* What is left of the current iteration and those up to `last`. */
static int put_iterations(struct activation *a, struct event_sink *to, uint64_t last,
                          struct err *err)
{
	int ret = 0;

	while (a->at <= last && !ret && (a->grids || a->done)) {
		while (a->done < a->active_count && !ret)
			ret = put_next(a, to, err);
		a->done = 0;
		a->at++;
	}
	if (a->at <= last && !ret) {
		ret = put_plain(a, to, last, err);
		a->at = last + 1;
	}
	return ret;
}

/* Go on to the beginning of `iteration`. */
static int go_to(struct activation *a, struct event_sink *to, uint64_t iteration, struct err *err)
{
	int ret = 0;

	while (a->at < iteration && !ret) {
		uint64_t last = a->until < iteration ? a->until : iteration - 1;

		if (!a->active_count)
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
	while (!ret && a->done < a->active_count &&
	       loop_places_of_site(a->active[a->done].site) < position)
		ret = put_next(a, to, err);
	return ret;
}

int activation_finish(struct activation *a, struct event_sink *to, struct err *err)
{
	int ret = 0;

	while (!ret && (a->active_count || a->pending_count)) {
		uint64_t last = a->until;

		if (!a->active_count)
			a->at = last + 1;
		else
			ret = put_iterations(a, to, last, err);
		if (!ret)
			ret = refresh(a, err);
	}
	return ret;
}
