/* SPDX-License-Identifier: Apache-2.0 */
#include "line_sharing.h"

#include "array.h"
#include "bits.h"
#include "err.h"
#include "gpu.h"
#include "kernel_table.h"
#include "request.h"

#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>

/* A flag of a place's group: its atomics are counted as reads, but apart from its reads. */
#define OF_ATOMICS (UINT64_C(1) << 63)

enum { SLOTS_AT_FIRST = 64, SLOTS = 2 * LINE_SHARING_PLACES, PARTS = 64, LAST = 64 };

/* An SM: an open hash table of the lines whose hash is at most `threshold`. */
struct sharing_sm {
	uint64_t threshold;
	uint32_t count, capacity;      /* slots in use, and all slots: a power of two */
	struct line_place *last[LAST]; /* the last lookups, by hash; they serve most requests */
	struct line_place *slots;
};

struct line_sharing {
	uint32_t sm_count, line_bytes;
	const struct kernel_table *table;
	uint32_t sector_parts; /* of a sector */
	struct sharing_sm **sms;
	bool has_writes;
	atomic_bool is_failed; /* memory ran out */
};

int line_sharing_create(struct line_sharing **out, const struct gpu *gpu,
                        const struct kernel_table *table, struct err *err)
{
	struct line_sharing *s = array_alloc(1, sizeof(*s), "shared lines", err);
	uint32_t line_bytes = gpu->l1_line_bytes, sector_bytes = gpu->l1_sector_bytes;

	if (!s)
		return ERR_NOMEM;
	s->sm_count = gpu->sm_count;
	s->line_bytes = line_bytes;
	s->table = table;
	s->sector_parts =
		sector_bytes ? (uint32_t)((uint64_t)PARTS * sector_bytes / line_bytes) : PARTS;
	if (line_bytes < PARTS)
		s->sector_parts = sector_bytes ? sector_bytes : PARTS;
	if (!s->sector_parts)
		s->sector_parts = 1;
	s->sms = array_alloc(gpu->sm_count, sizeof(struct sharing_sm *), "shared lines", err);
	if (!s->sms) {
		free(s);
		return ERR_NOMEM;
	}
	*out = s;
	return 0;
}

void line_sharing_watch_writes(struct line_sharing *s)
{
	s->has_writes = true;
}

void line_sharing_free(struct line_sharing *s)
{
	if (!s)
		return;
	for (uint32_t i = 0; i < s->sm_count; i++) {
		if (s->sms[i])
			free(s->sms[i]->slots);
		free(s->sms[i]);
	}
	free(s->sms);
	free(s);
}

/* The final mix of splitmix64: every bit of the line affects the hash. */
uint64_t line_sharing_hash(uint64_t line)
{
	line = (line ^ line >> 30) * 0xbf58476d1ce4e5b9u;
	line = (line ^ line >> 27) * 0x94d049bb133111ebu;
	return line ^ line >> 31;
}

static struct line_place *find(struct sharing_sm *sm, uint64_t hash, uint64_t line, uint64_t group)
{
	size_t mask = sm->capacity - 1, at = (size_t)line_sharing_hash(hash + group) & mask;

	while (sm->slots[at].is_taken &&
	       (sm->slots[at].line != line || sm->slots[at].group != group))
		at = (at + 1) & mask;
	return &sm->slots[at];
}

/* Move the lines up to the threshold to new slots; false if out of memory. */
static bool move(struct sharing_sm *sm, uint32_t capacity)
{
	struct line_place *old = sm->slots;
	uint32_t count = sm->capacity;

	sm->slots = array_alloc(capacity, sizeof(*sm->slots), "shared lines", NULL);
	if (!sm->slots) {
		sm->slots = old;
		return false;
	}
	sm->capacity = capacity;
	sm->count = 0;
	memset(sm->last, 0, sizeof(sm->last));
	for (uint32_t i = 0; i < count; i++) {
		uint64_t hash = old[i].is_taken ? line_sharing_hash(old[i].line) : UINT64_MAX;

		if (!old[i].is_taken || hash > sm->threshold)
			continue;
		*find(sm, hash, old[i].line, old[i].group) = old[i];
		sm->count++;
	}
	free(old);
	return true;
}

/* Make room: double the slots, or else halve the threshold until there is room. */
static bool make_room(struct sharing_sm *sm)
{
	bool has_memory = true;

	if (sm->count >= sm->capacity / 2 && sm->capacity < SLOTS)
		has_memory = move(sm, 2 * sm->capacity);
	while (has_memory && sm->count >= LINE_SHARING_PLACES && sm->threshold) {
		sm->threshold /= 2;
		has_memory = move(sm, sm->capacity);
	}
	return has_memory;
}

/* Joins each pair of bits to one. */
static uint64_t halve(uint64_t word)
{
	word = (word | word >> 1) & UINT64_C(0x5555555555555555);
	word = (word | word >> 1) & UINT64_C(0x3333333333333333);
	word = (word | word >> 2) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	word = (word | word >> 4) & UINT64_C(0x00ff00ff00ff00ff);
	word = (word | word >> 8) & UINT64_C(0x0000ffff0000ffff);
	return (word | word >> 16) & UINT64_C(0x00000000ffffffff);
}

/* Returns the parts of the line with a requested byte. */
static uint64_t parts_of(const struct line_sharing *s, const uint64_t *used)
{
	uint32_t part = s->line_bytes > PARTS ? s->line_bytes / PARTS : 1;
	uint64_t parts = 0;

	if (s->line_bytes <= PARTS)
		return used[0];
	if (part == 2)
		return halve(used[0]) | halve(used[1]) << 32;

	for (uint32_t from = 0; from < s->line_bytes; from += 64)
		for (uint64_t word = used[from / 64]; word; word &= word - 1)
			parts |= UINT64_C(1) << (from + (uint32_t)__builtin_ctzll(word)) / part;
	return parts;
}

static struct sharing_sm *sm_of(struct line_sharing *s, uint32_t number)
{
	struct sharing_sm *sm = s->sms[number];

	if (sm)
		return sm;
	sm = array_alloc(1, sizeof(*sm), "shared lines", NULL);
	if (sm) {
		sm->threshold = UINT64_MAX;
		sm->capacity = SLOTS_AT_FIRST;
		sm->slots = array_alloc(sm->capacity, sizeof(*sm->slots), "shared lines", NULL);
	}
	if (!sm || !sm->slots) {
		free(sm);
		s->is_failed = true;
		return NULL;
	}
	return s->sms[number] = sm;
}

/* Returns the place of the line and `group`, which is the request's, perhaps with OF_ATOMICS; added
 * if it is new. */
static struct line_place *take_place(struct line_sharing *s, uint32_t number,
                                     const struct request *r, uint64_t group)
{
	struct sharing_sm *sm = s->sms[number];
	uint64_t hash = line_sharing_hash(r->line);
	struct line_place *place = find(sm, hash, r->line, group);

	if (place->is_taken)
		return place;
	*place = (struct line_place){
		.line = r->line, .group = group, .sm = number, .is_taken = true
	};
	if (++sm->count < sm->capacity / 2)
		return place;
	if (!make_room(sm)) {
		s->is_failed = true;
		return NULL;
	}
	return hash <= sm->threshold ? find(sm, hash, r->line, group) : NULL;
}

static void count_read(const struct line_sharing *s, struct line_place *place,
                       const struct request *r, uint64_t parts)
{
	uint32_t bytes = s->table->sites[r->site].bytes;

	if (!place->requests)
		place->site = r->site;
	place->requests++;
	place->site_requests += r->site == place->site;
	place->request_bytes += r->bytes_used;
	place->lane_bytes += bytes ? (uint64_t)r->lanes * bytes : r->bytes_used;
	place->parts |= parts;
	place->parts_fetched |= parts & ~place->parts_written;
}

/* Count a write. An atomic reads and writes here, but is neither elsewhere. */
static void count_write(struct line_place *place, const struct request *r, uint64_t parts)
{
	if (!place->parts_written)
		place->write_site = r->site;
	if (r->kind == SITE_ATOMIC)
		place->parts_fetched |= parts & ~place->parts_written;
	place->parts_written |= parts;
}

static uint64_t parts_asked(const struct line_sharing *s, const struct line_place *place,
                            const struct request *r)
{
	if (r->bytes_used == s->line_bytes)
		return s->line_bytes < PARTS ? (UINT64_C(1) << s->line_bytes) - 1 : UINT64_MAX;
	if (r->kind == SITE_READ && place->parts == UINT64_MAX)
		return UINT64_MAX;
	return parts_of(s, r->used);
}

/* Count a request at the place of `group`, as a read or a write. */
static void count_request(struct line_sharing *s, uint32_t number, const struct request *r,
                          uint64_t group, bool is_read)
{
	uint64_t hash = line_sharing_hash(r->line);
	struct sharing_sm *sm = sm_of(s, number);
	struct line_place **last, *place;
	uint64_t parts;

	if (!sm || hash > sm->threshold || s->is_failed)
		return;
	last = &sm->last[(hash + group) % LAST];
	place = *last;
	if (!place || place->line != r->line || place->group != group)
		place = *last = take_place(s, number, r, group);
	if (!place)
		return;
	parts = parts_asked(s, place, r);
	if (is_read)
		count_read(s, place, r, parts);
	else
		count_write(place, r, parts);
}

void line_sharing_request(struct line_sharing *s, uint32_t number, const struct request *r)
{
	if (r->kind == SITE_READ)
		count_request(s, number, r, r->group, true);
	if (r->kind == SITE_ATOMIC)
		count_request(s, number, r, r->group | OF_ATOMICS, true);
	if (r->kind != SITE_READ && s->has_writes)
		count_request(s, number, r, r->group, false);
}

static int compare(const void *a, const void *b)
{
	const struct line_place *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	if (x->sm != y->sm)
		return x->sm < y->sm ? -1 : 1;
	return x->group < y->group ? -1 : x->group > y->group;
}

static uint64_t sectors_of(const struct line_sharing *s, uint64_t parts)
{
	uint64_t one = s->sector_parts < PARTS ? (UINT64_C(1) << s->sector_parts) - 1 : UINT64_MAX;
	uint64_t count = 0;

	for (uint32_t at = 0; at < PARTS; at += s->sector_parts)
		count += (parts & one << at) != 0;
	return count;
}

/* Add the places of one line, by SM, to the row of the lowest group's site. */
static void add_line(const struct line_sharing *s, const struct line_place *places, size_t count,
                     struct line_share *sites, size_t site_count)
{
	const struct line_place *lowest = places;
	uint64_t seen = 0, of_sm = 0, sm_sectors = 0;
	bool is_apart = count > 1;
	struct line_share *row;

	for (size_t i = 0; i < count; i++) {
		is_apart = is_apart && !(seen & places[i].parts);
		seen |= places[i].parts;
		of_sm |= places[i].parts;
		if (i + 1 == count || places[i].sm != places[i + 1].sm) {
			sm_sectors += sectors_of(s, of_sm);
			of_sm = 0;
		}
		if (places[i].group < lowest->group)
			lowest = &places[i];
	}
	if (lowest->site >= site_count)
		return;
	row = &sites[lowest->site];
	row->lines++;
	row->apart += is_apart;
	row->apart_groups += is_apart ? count : 0;
	row->sectors += sectors_of(s, seen);
	row->sm_sectors += is_apart ? sectors_of(s, seen) : sm_sectors;
}

/* Add the group's own accesses to its line to the row of the site that read it first. */
static void add_place(const struct line_sharing *s, const struct line_place *place,
                      struct line_share *sites, size_t site_count)
{
	uint32_t part_bytes = s->line_bytes > PARTS ? s->line_bytes / PARTS : 1;
	struct line_share *row;

	if (!place->requests || place->site >= site_count)
		return;
	row = &sites[place->site];
	row->group_lines++;
	row->group_sectors += sectors_of(s, place->parts);
	row->group_bytes += (uint64_t)bits_count(place->parts) * part_bytes;
	row->requests += place->requests;
	row->request_bytes += place->request_bytes;
	row->lane_bytes += place->lane_bytes;
}

/* Gather the places of all SMs up to the least threshold. */
static int gather(const struct line_sharing *s, bool has_writes, struct line_places *out,
                  struct err *err)
{
	uint64_t threshold = UINT64_MAX;
	struct line_place *all;
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
		for (size_t k = 0; s->sms[i] && k < s->sms[i]->capacity; k++) {
			const struct line_place *place = &s->sms[i]->slots[k];

			if (place->is_taken &&
			    (has_writes ? !(place->group & OF_ATOMICS) : place->requests > 0) &&
			    line_sharing_hash(place->line) <= threshold)
				all[out->count++] = *place;
		}
	out->items = all;
	out->threshold = threshold;
	return all ? 0 : ERR_NOMEM;
}

/* Drop the places of atomics. Returns the number left. */
static size_t keep_reads(struct line_place *places, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (!(places[i].group & OF_ATOMICS))
			places[kept++] = places[i];
	return kept;
}

int line_sharing_end(struct line_sharing *s, struct line_share *sites, size_t site_count,
                     struct err *err)
{
	struct line_places all = { 0 };
	int ret;

	if (s->is_failed)
		return err_set(err, ERR_NOMEM, "out of memory for shared lines");
	ret = gather(s, false, &all, err);
	for (size_t i = 0; i < all.count; i++)
		add_place(s, &all.items[i], sites, site_count);
	all.count = keep_reads(all.items, all.count);
	if (all.count)
		qsort(all.items, all.count, sizeof(*all.items), compare);
	for (size_t i = 0, next; i < all.count; i = next) {
		for (next = i + 1; next < all.count && all.items[next].line == all.items[i].line;)
			next++;
		add_line(s, &all.items[i], next - i, sites, site_count);
	}
	free(all.items);
	return ret;
}

static int compare_groups(const void *a, const void *b)
{
	const struct line_place *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->group < y->group ? -1 : x->group > y->group;
}

int line_sharing_places(const struct line_sharing *s, struct line_places *out, struct err *err)
{
	int ret;

	*out = (struct line_places){ 0 };
	ret = gather(s, true, out, err);
	if (out->count)
		qsort(out->items, out->count, sizeof(*out->items), compare_groups);
	return ret;
}

void line_share_add(struct line_share *sum, const struct line_share *more)
{
	sum->lines += more->lines;
	sum->apart += more->apart;
	sum->apart_groups += more->apart_groups;
	sum->sectors += more->sectors;
	sum->sm_sectors += more->sm_sectors;
	sum->group_lines += more->group_lines;
	sum->group_sectors += more->group_sectors;
	sum->group_bytes += more->group_bytes;
	sum->requests += more->requests;
	sum->request_bytes += more->request_bytes;
	sum->lane_bytes += more->lane_bytes;
}
