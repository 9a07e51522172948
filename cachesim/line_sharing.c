/* SPDX-License-Identifier: Apache-2.0 */
#include "line_sharing.h"

#include "array.h"
#include "err.h"
#include "request.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

enum { SLOTS = 2 * LINE_SHARING_PLACES, PARTS = 64 };

/* What a group read of a line. */
struct place_read {
	uint64_t line, group, parts;
	uint32_t site; /* of the first read */
	uint32_t sm;
	bool is_taken;
};

/* Of one SM: an open hash table, of the lines whose hash is at most `threshold`. */
struct sharing_sm {
	struct place_read slots[SLOTS];
	uint64_t threshold;
	uint32_t count;
};

struct line_sharing {
	uint32_t sm_count, line_bytes;
	struct sharing_sm **sms;
	atomic_bool is_failed; /* memory ran out */
};

int line_sharing_create(struct line_sharing **out, uint32_t sm_count, uint32_t line_bytes,
                        struct err *err)
{
	struct line_sharing *s = array_alloc(1, sizeof(*s), "shared lines", err);

	if (!s)
		return ERR_NOMEM;
	s->sm_count = sm_count;
	s->line_bytes = line_bytes;
	s->sms = array_alloc(sm_count, sizeof(struct sharing_sm *), "shared lines", err);
	if (!s->sms) {
		free(s);
		return ERR_NOMEM;
	}
	*out = s;
	return 0;
}

void line_sharing_free(struct line_sharing *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->sm_count; i++)
		free(s->sms[i]);
	free(s->sms);
	free(s);
}

/* splitmix64's finish: every bit of the line counts. */
static uint64_t hash_of(uint64_t line)
{
	line = (line ^ line >> 30) * 0xbf58476d1ce4e5b9u;
	line = (line ^ line >> 27) * 0x94d049bb133111ebu;
	return line ^ line >> 31;
}

static struct place_read *find(struct sharing_sm *sm, uint64_t hash, uint64_t line, uint64_t group)
{
	size_t at = (size_t)(hash_of(hash + group) % SLOTS);

	while (sm->slots[at].is_taken &&
	       (sm->slots[at].line != line || sm->slots[at].group != group))
		at = (at + 1) % SLOTS;
	return &sm->slots[at];
}

/* Keep half of the lines, until there is room. */
static void thin_out(struct sharing_sm *sm)
{
	while (sm->count >= LINE_SHARING_PLACES && sm->threshold) {
		struct place_read kept[LINE_SHARING_PLACES];
		size_t count = 0;

		sm->threshold /= 2;
		for (size_t i = 0; i < SLOTS; i++)
			if (sm->slots[i].is_taken && hash_of(sm->slots[i].line) <= sm->threshold)
				kept[count++] = sm->slots[i];
		memset(sm->slots, 0, sizeof(sm->slots));
		for (size_t i = 0; i < count; i++)
			*find(sm, hash_of(kept[i].line), kept[i].line, kept[i].group) = kept[i];
		sm->count = (uint32_t)count;
	}
}

/* The parts of the line with a byte that is asked for. */
static uint64_t parts_of(const struct line_sharing *s, const uint64_t *used)
{
	uint32_t part = s->line_bytes > PARTS ? s->line_bytes / PARTS : 1;
	uint64_t parts = 0;

	for (uint32_t from = 0; from < s->line_bytes; from += 64)
		for (uint64_t word = used[from / 64]; word; word &= word - 1)
			parts |= UINT64_C(1) << (from + (uint32_t)__builtin_ctzll(word)) / part;
	return parts;
}

static struct sharing_sm *sm_of(struct line_sharing *s, uint32_t number)
{
	if (!s->sms[number]) {
		s->sms[number] = array_alloc(1, sizeof(struct sharing_sm), "shared lines", NULL);
		if (s->sms[number])
			s->sms[number]->threshold = UINT64_MAX;
		else
			s->is_failed = true;
	}
	return s->sms[number];
}

void line_sharing_request(struct line_sharing *s, uint32_t number, const struct request *r)
{
	uint64_t hash = hash_of(r->line);
	struct sharing_sm *sm = sm_of(s, number);
	struct place_read *place;

	if (!sm || r->kind != SITE_READ || hash > sm->threshold)
		return;
	place = find(sm, hash, r->line, r->group);
	if (!place->is_taken) {
		*place = (struct place_read){ r->line, r->group, 0, r->site, number, true };
		sm->count++;
	}
	if (r->bytes_used == s->line_bytes)
		place->parts = UINT64_MAX;
	else if (place->parts != UINT64_MAX)
		place->parts |= parts_of(s, r->used);
	thin_out(sm);
}

static int compare(const void *a, const void *b)
{
	const struct place_read *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->sm != y->sm)
		return x->sm < y->sm ? -1 : 1;
	return x->group < y->group ? -1 : x->group > y->group;
}

/* Add the places of one line, by SM, to the row of the lowest group's site. */
static void add_line(const struct place_read *places, size_t count, struct line_share *sites,
                     size_t site_count)
{
	const struct place_read *lowest = places;
	uint64_t seen = 0, sms = 0;
	bool is_apart = count > 1;
	struct line_share *row;

	for (size_t i = 0; i < count; i++) {
		is_apart = is_apart && !(seen & places[i].parts);
		seen |= places[i].parts;
		sms += !i || places[i].sm != places[i - 1].sm;
		if (places[i].group < lowest->group)
			lowest = &places[i];
	}
	if (lowest->site >= site_count)
		return;
	row = &sites[lowest->site];
	row->lines++;
	row->apart += is_apart;
	row->apart_groups += is_apart ? count : 0;
	row->shared += count > 1 && !is_apart;
	row->shared_sms += count > 1 && !is_apart ? sms : 0;
}

/* The places of all SMs that lie below the least threshold; *count of them. */
static struct place_read *gather(const struct line_sharing *s, size_t *count, struct err *err)
{
	uint64_t threshold = UINT64_MAX;
	struct place_read *all;
	size_t limit = 0;

	for (uint32_t i = 0; i < s->sm_count; i++) {
		if (!s->sms[i])
			continue;
		limit += s->sms[i]->count;
		if (s->sms[i]->threshold < threshold)
			threshold = s->sms[i]->threshold;
	}
	all = array_alloc(limit, sizeof(*all), "shared lines", err);
	for (uint32_t i = 0; all && i < s->sm_count; i++)
		for (size_t k = 0; s->sms[i] && k < SLOTS; k++) {
			const struct place_read *place = &s->sms[i]->slots[k];

			if (place->is_taken && hash_of(place->line) <= threshold)
				all[(*count)++] = *place;
		}
	return all;
}

int line_sharing_end(struct line_sharing *s, struct line_share *sites, size_t site_count,
                     struct err *err)
{
	size_t count = 0;
	struct place_read *all;

	if (s->is_failed)
		return err_set(err, ERR_NOMEM, "out of memory for shared lines");
	all = gather(s, &count, err);
	if (!all)
		return ERR_NOMEM;
	qsort(all, count, sizeof(*all), compare);
	for (size_t i = 0, next; i < count; i = next) {
		for (next = i + 1; next < count && all[next].line == all[i].line;)
			next++;
		add_line(&all[i], next - i, sites, site_count);
	}
	free(all);
	return 0;
}

void line_share_add(struct line_share *sum, const struct line_share *more)
{
	sum->lines += more->lines;
	sum->apart += more->apart;
	sum->apart_groups += more->apart_groups;
	sum->shared += more->shared;
	sum->shared_sms += more->shared_sms;
}
