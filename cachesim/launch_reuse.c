/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_reuse.h"

#include "array.h"
#include "bits.h"
#include "err.h"
#include "kernel_table.h"
#include "l1_stats.h"
#include "launch_shape.h"
#include "line_sharing.h"

#include <stdlib.h>
#include <string.h>

enum { HELD_MAX = 1 << 17, BUCKETS = 1 << 14 };

/* The accesses of a group of a launch to a line, or of all groups if they are a crowd. */
struct held {
	uint64_t line, group, launch;
	uint64_t read, written;    /* parts */
	uint64_t kept, lost, over; /* written: read in the chain, read beyond it, overwritten */
	struct launch_saving cost; /* cost of all these writes */
	uint32_t read_site, write_site, reader;
	uint32_t next; /* in its bucket, or of the free ones: place + 1 */
	bool is_crowd;
};

struct launch_reuse {
	struct array held;
	uint32_t free, buckets[BUCKETS]; /* place + 1 of the first */
	size_t used;
	uint64_t threshold; /* lines with a higher hash are dropped */
	double scale;       /* of costs: lines that a line stands for, relative to the start */
	uint64_t launch, chain_first;
	uint64_t identities[LAUNCH_CHAIN_MAX];
	struct launch_shape shapes[LAUNCH_CHAIN_MAX];
	struct array *links; /* struct launch_link, for each kernel */
	size_t kernel_count;
	bool is_failed; /* memory ran out */
};

int launch_reuse_create(struct launch_reuse **out, size_t kernel_count, struct err *err)
{
	struct launch_reuse *r = array_alloc(1, sizeof(*r), "launches", err);

	if (!r)
		return ERR_NOMEM;
	array_init(&r->held, sizeof(struct held), HELD_MAX, "launches");
	r->threshold = UINT64_MAX;
	r->scale = 1;
	r->kernel_count = kernel_count;
	r->links = array_alloc(kernel_count, sizeof(*r->links), "launches", err);
	if (!r->links) {
		launch_reuse_free(r);
		return ERR_NOMEM;
	}
	for (size_t i = 0; i < kernel_count; i++)
		array_init(&r->links[i], sizeof(struct launch_link), SIZE_MAX, "launches");
	*out = r;
	return 0;
}

void launch_reuse_free(struct launch_reuse *r)
{
	if (!r)
		return;
	for (size_t i = 0; r->links && i < r->kernel_count; i++)
		array_release(&r->links[i]);
	free(r->links);
	array_release(&r->held);
	free(r);
}

static struct held *held_at(const struct launch_reuse *r, uint32_t place)
{
	return place ? (struct held *)r->held.data + (place - 1) : NULL;
}

static uint32_t *bucket_of(struct launch_reuse *r, uint64_t line)
{
	return &r->buckets[line_sharing_hash(line) % BUCKETS];
}

/* Returns the first entry of a line, from `place` on. */
static struct held *find(const struct launch_reuse *r, uint32_t place, uint64_t line)
{
	struct held *h = held_at(r, place);

	while (h && h->line != line)
		h = held_at(r, h->next);
	return h;
}

static struct held *first_of(struct launch_reuse *r, uint64_t line)
{
	return find(r, *bucket_of(r, line), line);
}

static struct held *next_of(const struct launch_reuse *r, const struct held *h)
{
	return find(r, h->next, h->line);
}

static struct launch_link *link_of(struct launch_reuse *r, uint32_t kernel, uint32_t site)
{
	struct array *links = &r->links[kernel];
	struct launch_link *link = links->data;

	for (size_t i = 0; i < links->count; i++)
		if (link[i].site == site)
			return &link[i];
	link = array_push(links, 1, NULL);
	r->is_failed = r->is_failed || !link;
	if (link)
		link->site = site;
	return link;
}

static bool is_in_chain(const struct launch_reuse *r, const struct held *h)
{
	return h->launch >= r->chain_first;
}

/* The parts that could still be read beyond the chain. */
static uint64_t pending(const struct held *h)
{
	return h->kept & ~h->lost & ~h->over;
}

/* Credit the saving of parts that only the chain reads. */
static void credit(struct launch_reuse *r, const struct held *h)
{
	uint64_t parts = h->kept & ~h->lost;
	struct launch_link *link = parts ? link_of(r, h->reader, h->write_site) : NULL;
	double share = parts ? (double)bits_count(parts) / (double)bits_count(h->written) : 0;

	if (!link)
		return;
	link->writes.requests += share * h->cost.requests;
	link->writes.bytes += share * h->cost.bytes;
}

/* Remove the entry at *at. */
static void remove_held(struct launch_reuse *r, uint32_t *at)
{
	struct held *h = held_at(r, *at);
	uint32_t place = *at;

	*at = h->next;
	h->next = r->free;
	r->free = place;
	r->used--;
}

/* Remove the entries that are complete, or whose lines are above the threshold; scale the costs. */
static void purge(struct launch_reuse *r, double scale)
{
	for (size_t i = 0; i < BUCKETS; i++)
		for (uint32_t *at = &r->buckets[i]; *at;) {
			struct held *h = held_at(r, *at);

			h->cost.requests *= scale;
			h->cost.bytes *= scale;
			if (line_sharing_hash(h->line) <= r->threshold &&
			    (is_in_chain(r, h) || pending(h))) {
				at = &h->next;
				continue;
			}
			if (line_sharing_hash(h->line) <= r->threshold)
				credit(r, h);
			remove_held(r, at);
		}
}

static void lower_threshold(struct launch_reuse *r, uint64_t threshold)
{
	double scale = (double)r->threshold / (double)threshold;

	if (threshold >= r->threshold)
		return;
	r->threshold = threshold;
	r->scale *= scale;
	purge(r, scale);
}

static void make_room(struct launch_reuse *r)
{
	purge(r, 1);
	while (r->used >= HELD_MAX / 2 && r->threshold > 1)
		lower_threshold(r, r->threshold / 2);
}

/* Returns a new entry for a line; NULL if the line is above the threshold, or out of memory. */
static struct held *hold(struct launch_reuse *r, uint64_t line)
{
	uint32_t place, *bucket = bucket_of(r, line);
	struct held *h;

	if (r->used >= HELD_MAX / 4 * 3)
		make_room(r);
	if (line_sharing_hash(line) > r->threshold)
		return NULL;
	if (!r->free) {
		h = array_push(&r->held, 1, NULL);
		r->is_failed = r->is_failed || !h;
		if (!h)
			return NULL;
		place = (uint32_t)r->held.count;
	} else {
		place = r->free;
		h = held_at(r, place);
		r->free = h->next;
	}
	*h = (struct held){ .line = line, .launch = r->launch, .next = *bucket };
	*bucket = place;
	r->used++;
	return h;
}

/* Record that an unknown launch may have read everything that is not overwritten. */
static void lose_all(struct launch_reuse *r)
{
	struct held *all = r->held.data;

	for (size_t i = 0; i < r->held.count; i++)
		all[i].lost |= all[i].written & ~all[i].over;
}

static void begin_chain(struct launch_reuse *r, bool is_after_unknown)
{
	r->chain_first = r->launch;
	if (!is_after_unknown)
		return;
	lose_all(r);
	purge(r, 1);
}

static bool is_line_of_groups(const struct launch_shape *s)
{
	return launch_shape_groups(s, 1) == 1 && launch_shape_groups(s, 2) == 1 &&
	       s->local[1] == 1 && s->local[2] == 1;
}

static bool has_shape(const struct launch_shape *a, const struct launch_shape *b)
{
	for (int i = 0; i < 3; i++)
		if (a->local[i] != b->local[i] ||
		    launch_shape_groups(a, i) != launch_shape_groups(b, i))
			return false;
	return true;
}

/* Whether a group of this launch is the same group as that of an entry. */
static bool is_same_group(const struct launch_reuse *r, const struct held *h, uint64_t group)
{
	const struct launch_shape *own = &r->shapes[r->launch - r->chain_first];
	const struct launch_shape *other = &r->shapes[h->launch - r->chain_first];

	if (has_shape(own, other))
		return h->group == group;
	return is_line_of_groups(own) && is_line_of_groups(other) &&
	       group * own->local[0] < (h->group + 1) * other->local[0] &&
	       h->group * other->local[0] < (group + 1) * own->local[0];
}

/* The places of one line. */
struct run {
	const struct line_place *places;
	size_t count;
	bool is_crowd;
};

static bool next_run(const struct line_places *all, struct run *run)
{
	size_t at = run->places ? (size_t)(run->places - all->items) + run->count : 0, end = at;

	while (end < all->count && all->items[end].line == all->items[at].line)
		end++;
	*run = (struct run){ all->items + at, end - at, end - at > LAUNCH_LINE_GROUPS };
	return end > at;
}

static bool is_own(const struct launch_reuse *r, const struct run *run, const struct held *h,
                   const struct line_place *p)
{
	return is_in_chain(r, h) && !run->is_crowd && !h->is_crowd && is_same_group(r, h, p->group);
}

/* Whether a group needs what another one has written, or writes what another one has accessed. */
static bool needs_others(struct launch_reuse *r, const struct line_places *all)
{
	struct run run = { 0 };

	while (next_run(all, &run))
		for (struct held *h = first_of(r, run.places->line); h; h = next_of(r, h))
			for (size_t i = 0; is_in_chain(r, h) && i < run.count; i++) {
				const struct line_place *p = &run.places[i];

				if (((h->written & p->parts_fetched) ||
				     (p->parts_written & (h->read | h->written))) &&
				    !is_own(r, &run, h, p))
					return true;
			}
	return false;
}

/* Put the launch into the chain, or begin a new one. */
static void place_launch(struct launch_reuse *r, const struct launch_step *step,
                         const struct line_places *all)
{
	uint64_t length = r->launch - r->chain_first;
	bool is_first = step->is_apart || step->is_after_unknown || length == LAUNCH_CHAIN_MAX;

	for (size_t i = 0; i < length; i++)
		is_first = is_first || r->identities[i] == step->identity;
	if (!is_first)
		r->shapes[length] = *step->shape;
	if (is_first || needs_others(r, all))
		begin_chain(r, step->is_after_unknown);
	length = r->launch - r->chain_first;
	r->identities[length] = step->identity;
	r->shapes[length] = *step->shape;
}

/* The parts and requests of a site, summed over places. */
struct sums {
	double fetched, again, requests, requests_again, written;
};

/* The parts of a place that the same group has already had in the chain. */
static uint64_t again_parts(struct launch_reuse *r, const struct run *run,
                            const struct line_place *p)
{
	uint64_t had = 0;

	for (struct held *h = first_of(r, p->line); h; h = next_of(r, h))
		if (is_own(r, run, h, p))
			had |= h->read | h->written;
	return had & p->parts_fetched;
}

static void add_place(struct launch_reuse *r, const struct run *run, const struct line_place *p,
                      struct sums *sites)
{
	double fetched = (double)bits_count(p->parts_fetched), again;

	if (p->parts_written)
		sites[p->write_site].written += (double)bits_count(p->parts_written);
	if (!p->requests || fetched <= 0)
		return;
	again = (double)bits_count(again_parts(r, run, p));
	sites[p->site].fetched += fetched;
	sites[p->site].again += again;
	sites[p->site].requests += (double)p->site_requests;
	sites[p->site].requests_again += again / fetched;
}

/* Link the launch to the sites whose data it reads again. */
static void link_place(struct launch_reuse *r, const struct launch_step *step,
                       const struct run *run, const struct line_place *p, double bytes_of_part)
{
	uint64_t left = p->requests ? p->parts_fetched : 0;

	for (struct held *h = first_of(r, p->line); h && left; h = next_of(r, h)) {
		uint64_t had = left & (h->read | h->written);
		bool is_written = (had & h->written) != 0;
		struct launch_link *link;

		if (!had || !is_own(r, run, h, p))
			continue;
		link = link_of(r, step->kernel, is_written ? h->write_site : h->read_site);
		if (link)
			link->bytes_read += bytes_of_part * (double)bits_count(had);
		left &= ~had;
	}
}

/* Mark the written parts that the launch reads as needed, by the chain or beyond it. */
static void read_place(struct launch_reuse *r, const struct launch_step *step,
                       const struct run *run, const struct line_place *p)
{
	for (struct held *h = first_of(r, p->line); h; h = next_of(r, h)) {
		uint64_t parts = p->parts_fetched & h->written & ~h->over;

		if (!parts)
			continue;
		if (is_own(r, run, h, p)) {
			h->kept |= parts;
			h->reader = step->kernel;
		} else {
			h->lost |= parts;
		}
	}
}

static void write_place(struct launch_reuse *r, const struct line_place *p)
{
	for (struct held *h = first_of(r, p->line); h; h = next_of(r, h))
		h->over |= p->parts_written & h->written;
}

/* Remove the complete entries of a line. */
static void tidy(struct launch_reuse *r, uint64_t line)
{
	for (uint32_t *at = bucket_of(r, line); *at;) {
		struct held *h = held_at(r, *at);

		if (h->line != line || is_in_chain(r, h) || pending(h)) {
			at = &h->next;
			continue;
		}
		credit(r, h);
		remove_held(r, at);
	}
}

/* The bytes that writes of a site send to L2, and its requests; an atomic cannot be saved. */
static struct launch_saving cost_of(const struct launch_step *step, uint32_t site, double share)
{
	const struct l1_stats_row *row = &step->rows[site];

	if (step->table->sites[site].kind != SITE_WRITE)
		return (struct launch_saving){ 0 };
	return (struct launch_saving){ share * (double)l1_stats_requests(row),
		                       share * (double)row->bytes_asked };
}

static void hold_place(struct launch_reuse *r, const struct launch_step *step,
                       const struct line_place *p, const struct sums *sites, double scale)
{
	double parts = (double)bits_count(p->parts_written);
	struct held *h = hold(r, p->line);

	if (!h)
		return;
	h->group = p->group;
	h->read = p->parts;
	h->written = p->parts_written;
	h->read_site = step->first_site + p->site;
	h->write_site = step->first_site + p->write_site;
	if (h->written)
		h->cost = cost_of(step, p->write_site,
		                  r->scale / scale * parts / sites[p->write_site].written);
}

static void hold_crowd(struct launch_reuse *r, const struct run *run)
{
	struct held *h = hold(r, run->places->line);

	if (!h)
		return;
	h->is_crowd = true;
	for (size_t i = 0; i < run->count; i++) {
		h->read |= run->places[i].parts;
		h->written |= run->places[i].parts_written;
	}
}

static void take_lines(struct launch_reuse *r, const struct launch_step *step,
                       const struct line_places *all, const struct sums *sites)
{
	double scale = r->scale;
	struct run run = { 0 };

	while (next_run(all, &run)) {
		for (size_t i = 0; i < run.count; i++) {
			const struct line_place *p = &run.places[i];
			const struct sums *s = &sites[p->site];

			if (p->requests && s->fetched > 0)
				link_place(r, step, &run, p,
				           (double)step->rows[p->site].bytes_from_l2 / s->fetched);
			read_place(r, step, &run, p);
		}
		for (size_t i = 0; i < run.count; i++)
			write_place(r, &run.places[i]);
		tidy(r, run.places->line);
		for (size_t i = 0; !run.is_crowd && i < run.count; i++)
			hold_place(r, step, &run.places[i], sites, scale);
		if (run.is_crowd)
			hold_crowd(r, &run);
	}
}

/* Scale the savings of the sample to all accesses of the sites. */
static void add_savings(const struct launch_step *step, const struct sums *sums,
                        struct launch_saving *sites)
{
	for (size_t i = 0; i < step->table->site_count; i++) {
		const struct sums *s = &sums[i];
		const struct l1_stats_row *row = &step->rows[i];

		if (s->requests > 0)
			sites[i].requests +=
				(double)l1_stats_requests(row) * s->requests_again / s->requests;
		if (s->fetched > 0)
			sites[i].bytes += (double)row->bytes_from_l2 * s->again / s->fetched;
	}
}

/* Copy the places of the lines below the threshold; `all` has room for them. */
static void keep_sample(const struct launch_reuse *r, const struct line_places *places,
                        struct line_places *all)
{
	for (size_t i = 0; i < places->count; i++)
		if (line_sharing_hash(places->items[i].line) <= r->threshold)
			all->items[all->count++] = places->items[i];
}

int launch_reuse_launch(struct launch_reuse *r, const struct launch_step *step,
                        const struct line_places *places, struct launch_saving *sites,
                        struct err *err)
{
	size_t count = step->table->site_count;
	struct sums *sums = array_alloc(count, sizeof(*sums), "launches", err);
	struct line_places all = { .items = array_alloc(places->count, sizeof(*all.items),
		                                        "launches", err) };
	struct run run = { 0 };

	if (sums && all.items) {
		lower_threshold(r, places->threshold);
		keep_sample(r, places, &all);
		place_launch(r, step, &all);
		while (next_run(&all, &run))
			for (size_t i = 0; i < run.count; i++)
				add_place(r, &run, &run.places[i], sums);
		take_lines(r, step, &all, sums);
		add_savings(step, sums, sites);
		r->launch++;
	}
	r->is_failed = r->is_failed || !sums || !all.items;
	free(sums);
	free(all.items);
	return r->is_failed ? err_set(err, ERR_NOMEM, "out of memory for launches") : 0;
}

int launch_reuse_end(struct launch_reuse *r, bool is_before_unknown, struct err *err)
{
	struct held *all = r->held.data;

	if (is_before_unknown)
		lose_all(r);
	for (size_t i = 0; i < r->held.count; i++)
		all[i].over = all[i].written;
	r->chain_first = r->launch;
	purge(r, 1);
	return r->is_failed ? err_set(err, ERR_NOMEM, "out of memory for launches") : 0;
}

const struct launch_link *launch_reuse_links(const struct launch_reuse *r, uint32_t kernel,
                                             size_t *count)
{
	*count = r->links[kernel].count;
	return r->links[kernel].data;
}
