/* SPDX-License-Identifier: Apache-2.0 */
#include "hot_lines.h"

#include "request.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum { SITES_AT_FIRST = 4 };

/* Whether L1 could not serve the request, whatever its size. */
static bool is_of_interest(enum l1_event event)
{
	return event == L1_COHERENCE || event == L1_WRITE || event == L1_WRITE_HIT ||
	       event == L1_ATOMIC;
}

/* Returns the place of a line, or the free place for it. */
static unsigned char *place_of(struct hot_lines *h, uint64_t line)
{
	uint32_t at = (uint32_t)(line * UINT64_C(0x9e3779b97f4a7c15) >> 56);

	while (h->places[at] && h->lines[h->places[at] - 1].line != line)
		at = (at + 1) % HOT_PLACES;
	return &h->places[at];
}

/* Drop the lines whose requests no longer count. */
static void give_up(struct hot_lines *h)
{
	uint32_t kept = 0;

	h->least = UINT64_MAX;
	memset(h->places, 0, sizeof(h->places));
	for (uint32_t i = 0; i < h->count; i++) {
		if (h->lines[i].level <= h->level) {
			free(h->lines[i].sites);
			continue;
		}
		h->lines[kept] = h->lines[i];
		if (h->lines[kept].level < h->least)
			h->least = h->lines[kept].level;
		*place_of(h, h->lines[kept].line) = (unsigned char)(kept + 1);
		kept++;
	}
	h->count = kept;
}

/* Returns a row for a line that has none. NULL: none is free, and the request reduces all lines
 * instead. */
static struct hot_line *take_row(struct hot_lines *h, uint64_t line)
{
	if (h->count == HOT_LINES && h->level >= h->least)
		give_up(h);
	if (h->count == HOT_LINES) {
		h->level++;
		return NULL;
	}
	*place_of(h, line) = (unsigned char)(h->count + 1);
	h->lines[h->count] = (struct hot_line){ .line = line, .level = h->level };
	if (h->least > h->level + 1)
		h->least = h->level + 1;
	return &h->lines[h->count++];
}

/* Reduce all sites and *site by the least of their requests. Returns a row that this frees, or
 * NULL. */
static struct hot_site *reduce_sites(struct hot_line *l, struct hot_site *site)
{
	struct hot_site *least = l->sites;
	uint64_t less;

	for (uint32_t i = 1; i < l->site_count; i++)
		if (l->sites[i].requests < least->requests)
			least = &l->sites[i];
	less = least->requests < site->requests ? least->requests : site->requests;
	for (uint32_t i = 0; i <= l->site_count; i++) {
		struct hot_site *s = i < l->site_count ? &l->sites[i] : site;
		double share = s->requests ? (double)(s->requests - less) / (double)s->requests : 0;

		s->turns = (uint64_t)((double)s->turns * share);
		s->requests -= less;
	}
	return site->requests ? least : NULL;
}

/* Append a row for a site that has none. */
static struct hot_site *push_site(struct hot_lines *h, struct hot_line *l)
{
	uint32_t capacity = l->site_capacity ? 2 * l->site_capacity : SITES_AT_FIRST;
	struct hot_site *sites = l->sites;

	if (l->site_count == l->site_capacity) {
		sites = realloc(l->sites, capacity * sizeof(*sites));
		if (!sites) {
			h->is_failed = true;
			return NULL;
		}
		l->sites = sites;
		l->site_capacity = capacity;
	}
	return &sites[l->site_count++];
}

static void add_site(struct hot_lines *h, struct hot_line *l, const struct hot_site *site)
{
	struct hot_site rest = *site, *row = NULL;

	for (uint32_t i = 0; i < l->site_count; i++)
		if (l->sites[i].site == site->site) {
			l->sites[i].requests += site->requests;
			l->sites[i].turns += site->turns;
			return;
		}
	if (l->site_count < HOT_SITES)
		row = push_site(h, l);
	else
		row = reduce_sites(l, &rest);
	if (row)
		*row = rest;
}

uint64_t hot_lines_atomic_turns(const struct request *r, uint64_t bytes)
{
	uint64_t asked = r->lanes * bytes;

	return asked > r->bytes_used && r->bytes_used ? (asked - 1) / r->bytes_used + 1 : 1;
}

void hot_lines_served(struct hot_lines *h, const struct request *r, const struct l1_outcome *o,
                      uint64_t bytes)
{
	bool is_atomic = o->event == L1_ATOMIC;
	const struct hot_site site = { .site = r->site,
		                       .requests = 1,
		                       .turns = is_atomic ? hot_lines_atomic_turns(r, bytes) : 1 };
	unsigned char place;
	struct hot_line *l;

	if (!is_of_interest(o->event))
		return;
	h->total++;
	h->atomics += is_atomic;
	h->atomic_lanes += is_atomic ? r->lanes : 0;
	h->atomic_turns += is_atomic ? site.turns : 0;
	place = *place_of(h, r->line);
	l = place ? &h->lines[place - 1] : take_row(h, r->line);
	if (!l)
		return;
	l->level = (l->level > h->level ? l->level : h->level) + 1;
	l->requests++;
	l->atomics += is_atomic;
	l->lanes += is_atomic ? r->lanes : 0;
	l->turns += site.turns;
	add_site(h, l, &site);
}

/* The requests of a line that still count. */
static uint64_t weight_of(const struct hot_lines *h, const struct hot_line *l)
{
	return l->level > h->level ? l->level - h->level : 0;
}

static void join(struct hot_lines *sum, struct hot_line *to, const struct hot_line *more)
{
	to->requests += more->requests;
	to->atomics += more->atomics;
	to->lanes += more->lanes;
	to->turns += more->turns;
	for (uint32_t i = 0; i < more->site_count; i++)
		add_site(sum, to, &more->sites[i]);
}

static int compare_levels(const void *a, const void *b)
{
	const struct hot_line *x = a, *y = b;

	if (x->level != y->level)
		return x->level > y->level ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

/* Keep the HOT_LINES largest of `count` lines, whose levels are their requests that still count. */
static void keep_most(struct hot_lines *sum, struct hot_line *all, uint32_t count)
{
	uint64_t less;

	qsort(all, count, sizeof(*all), compare_levels);
	less = count > HOT_LINES ? all[HOT_LINES].level : 0;
	memset(sum->lines, 0, sizeof(sum->lines));
	sum->count = 0;
	sum->level = 0;
	for (uint32_t i = 0; i < count; i++) {
		if (i >= HOT_LINES || all[i].level <= less) {
			free(all[i].sites);
			continue;
		}
		all[i].level -= less;
		sum->lines[sum->count++] = all[i];
	}
}

void hot_lines_add(struct hot_lines *sum, const struct hot_lines *more)
{
	struct hot_line all[2 * HOT_LINES] = { 0 };
	uint32_t count = sum->count;

	sum->total += more->total;
	sum->atomics += more->atomics;
	sum->atomic_lanes += more->atomic_lanes;
	sum->atomic_turns += more->atomic_turns;
	sum->is_failed = sum->is_failed || more->is_failed;
	memcpy(all, sum->lines, count * sizeof(*all));
	for (uint32_t i = 0; i < count; i++)
		all[i].level = weight_of(sum, &all[i]);
	for (uint32_t i = 0; i < more->count; i++) {
		uint32_t k = 0;

		while (k < count && all[k].line != more->lines[i].line)
			k++;
		if (k == count)
			all[count++].line = more->lines[i].line;
		all[k].level += weight_of(more, &more->lines[i]);
		join(sum, &all[k], &more->lines[i]);
	}
	keep_most(sum, all, count);
}

static int compare(const void *a, const void *b)
{
	const struct hot_line *x = a, *y = b;

	if (x->requests != y->requests)
		return x->requests > y->requests ? -1 : 1;
	return x->line < y->line ? -1 : x->line > y->line;
}

void hot_lines_sort(struct hot_lines *h)
{
	qsort(h->lines, h->count, sizeof(*h->lines), compare);
}

void hot_lines_release(struct hot_lines *h)
{
	for (uint32_t i = 0; i < h->count; i++)
		free(h->lines[i].sites);
	*h = (struct hot_lines){ 0 };
}
