/* SPDX-License-Identifier: Apache-2.0 */
#include "hot_lines.h"

#include "request.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Whether L1 could not serve it whatever its size. */
static bool is_of_interest(enum l1_event event)
{
	return event == L1_COHERENCE || event == L1_WRITE || event == L1_WRITE_HIT ||
	       event == L1_ATOMIC;
}

static void join(struct hot_line *to, const struct hot_line *more)
{
	to->requests += more->requests;
	to->atomics += more->atomics;
	to->lanes += more->lanes;
}

/* Take so much from a row; what is left of its parts is in proportion. */
static void reduce(struct hot_line *l, uint64_t less)
{
	uint64_t left = l->requests > less ? l->requests - less : 0;
	double share = l->requests ? (double)left / (double)l->requests : 0;

	l->atomics = (uint64_t)((double)l->atomics * share);
	l->lanes = (uint64_t)((double)l->lanes * share);
	l->requests = left;
}

static void add_line(struct hot_lines *h, const struct hot_line *line)
{
	struct hot_line *least = h->lines, rest = *line;
	uint64_t less;

	for (size_t i = 0; i < HOT_LINES; i++) {
		if (h->lines[i].requests && h->lines[i].line == line->line) {
			join(&h->lines[i], line);
			return;
		}
		if (h->lines[i].requests < least->requests)
			least = &h->lines[i];
	}
	less = least->requests < line->requests ? least->requests : line->requests;
	for (size_t i = 0; less && i < HOT_LINES; i++)
		reduce(&h->lines[i], less);
	reduce(&rest, less);
	if (rest.requests)
		*least = rest;
}

void hot_lines_served(struct hot_lines *h, const struct request *r, const struct l1_outcome *o)
{
	bool is_atomic = o->event == L1_ATOMIC;
	const struct hot_line line = { .line = r->line,
		                       .requests = 1,
		                       .atomics = is_atomic,
		                       .lanes = is_atomic ? r->lanes : 0,
		                       .site = r->site,
		                       .buffer = r->buffer };

	if (!is_of_interest(o->event))
		return;
	h->total++;
	h->atomics += line.atomics;
	h->atomic_lanes += line.lanes;
	add_line(h, &line);
}

static int compare(const void *a, const void *b)
{
	const struct hot_line *x = a, *y = b;

	if (x->requests != y->requests)
		return x->requests > y->requests ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

void hot_lines_add(struct hot_lines *sum, const struct hot_lines *more)
{
	struct hot_line all[2 * HOT_LINES] = { 0 };
	size_t count = HOT_LINES;
	uint64_t less;

	sum->total += more->total;
	sum->atomics += more->atomics;
	sum->atomic_lanes += more->atomic_lanes;
	memcpy(all, sum->lines, sizeof(sum->lines));
	for (size_t i = 0; i < HOT_LINES; i++) {
		size_t k = 0;

		if (!more->lines[i].requests)
			continue;
		while (k < count && (!all[k].requests || all[k].line != more->lines[i].line))
			k++;
		if (k == count)
			all[count++] = more->lines[i];
		else
			join(&all[k], &more->lines[i]);
	}
	qsort(all, count, sizeof(*all), compare);
	less = all[HOT_LINES].requests;
	for (size_t i = 0; i < HOT_LINES; i++) {
		sum->lines[i] = all[i];
		if (less)
			reduce(&sum->lines[i], less);
	}
}

void hot_lines_sort(struct hot_lines *h)
{
	qsort(h->lines, HOT_LINES, sizeof(*h->lines), compare);
}
