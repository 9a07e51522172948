/* SPDX-License-Identifier: Apache-2.0 */
#include "guide_choice.h"

#include "array.h"
#include "err.h"
#include "event.h"
#include "kernel_table.h"
#include "launch_model.h"
#include "site_guide.h"

#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/*
 * guide_trial - a site's addresses in a sample, and what would have predicted them (private to
 * trace/). There are two passes over the sample: the first finds which sites are irregular, and
 * their mates; the second counts how large the differences to each guess are.
 */

#define GUIDE_NEAR 8 /* preceding accesses that may be its mate */

#define GUIDE_LENGTHS ((size_t)65) /* lengths of differences, in bits */

#define GUIDE_MATES 4 /* mates of a site that are counted */

struct kernel_table;

enum guide_guess { GUESS_OWN, GUESS_ANCHOR, GUESS_MATE, GUESS_COUNT };

struct guide_access {
	uint32_t site;
	uint64_t address;
};

/* A site whose address changed by a power of two times this one's, `hits` times. */
struct guide_mate {
	uint32_t site;
	int32_t shift;
	uint32_t hits;
};

struct guide_trial {
	struct model_track track;
	uint64_t address; /* the last one */
	uint64_t least;   /* least of all */
	uint32_t count, misses;
	bool is_irregular;
	struct guide_mate mates[GUIDE_MATES], mate; /* `mate` is the best one; hits 0: none */
	struct guide_access before[GUIDE_NEAR];     /* accesses before `address` */
	size_t before_count;
	uint64_t own, other; /* as in struct model_site */
	/* number of differences by sign and by length in bits */
	uint32_t differences[GUESS_COUNT][2][GUIDE_LENGTHS];
};

struct guide_trials {
	struct guide_trial *sites;
	const struct kernel_table *table;
	uint32_t item; /* of the sample, from 1 */
};

/* The last accesses of a work-item, newest first. */
struct near {
	struct guide_access accesses[GUIDE_NEAR];
	size_t count;
};

static void near_add(struct near *n, uint32_t site, uint64_t address)
{
	if (n->count < GUIDE_NEAR)
		n->count++;
	memmove(n->accesses + 1, n->accesses, (n->count - 1) * sizeof(n->accesses[0]));
	n->accesses[0] = (struct guide_access){ site, address };
}

static const struct guide_access *find(const struct guide_access *accesses, size_t count,
                                       uint32_t site)
{
	for (size_t i = 0; i < count; i++)
		if (accesses[i].site == site)
			return &accesses[i];
	return NULL;
}

static bool is_access(const struct guide_trials *all, const struct event *e)
{
	return (e->point & EVENT_KIND_MASK) == EVENT_SITE &&
	       site_kind_has_address(all->table->sites[e->point].kind);
}

static void guide_trials_begin(struct guide_trials *all)
{
	memset(all->sites, 0, all->table->site_count * sizeof(*all->sites));
	for (size_t s = 0; s < all->table->site_count; s++)
		all->sites[s].least = UINT64_MAX;
}

/* Count a correct prediction of the address by `site`. */
static void count_mate(struct guide_trial *trial, uint32_t site, int32_t shift)
{
	struct guide_mate *m = trial->mates;

	for (size_t i = 0; i < GUIDE_MATES; i++, m++) {
		if (!m->hits)
			*m = (struct guide_mate){ site, shift, 0 };
		if (m->site == site && m->shift == shift) {
			m->hits++;
			return;
		}
	}
}

/* Find which of the preceding accesses changed as the site's address did since its last access. */
static void find_mates(struct guide_trial *trial, uint32_t site, uint64_t address,
                       const struct near *near)
{
	uint64_t change = address - trial->address;

	for (size_t i = 0; i < near->count; i++) {
		const struct guide_access *now = &near->accesses[i];
		const struct guide_access *then;
		uint64_t moved;
		int32_t shift;

		if (now->site == site || find(near->accesses, i, now->site))
			continue;
		then = find(trial->before, trial->before_count, now->site);
		if (!then || then->address == now->address || !change)
			continue;
		moved = now->address - then->address;
		shift = __builtin_ctzll(change) - __builtin_ctzll(moved);
		if (shift >= -SITE_GUIDE_SHIFT_MAX && shift <= SITE_GUIDE_SHIFT_MAX &&
		    model_shifted(moved, shift) == change)
			count_mate(trial, now->site, shift);
	}
}

/* First pass over the events of a work-item. */
static void guide_trials_look(struct guide_trials *all, const struct event *events, uint64_t count)
{
	struct near near = { .count = 0 };

	for (uint64_t i = 0; i < count; i++) {
		const struct event *e = &events[i];
		struct guide_trial *trial;
		bool is_predicted;

		if (!is_access(all, e))
			continue;
		trial = &all->sites[e->point];
		is_predicted =
			model_track_predict(&trial->track, all->item, e->iteration) == e->value;
		if (!is_predicted)
			find_mates(trial, e->point, e->value, &near);
		trial->count++;
		trial->misses += !is_predicted;
		model_track_update(&trial->track, all->item, e->iteration, e->value, is_predicted);
		memcpy(trial->before, near.accesses, sizeof(near.accesses));
		trial->before_count = near.count;
		trial->address = e->value;
		trial->least = e->value < trial->least ? e->value : trial->least;
		near_add(&near, e->point, e->value);
	}
}

/* After the first pass: returns whether any site is irregular. */
static bool guide_trials_settle(struct guide_trials *all)
{
	bool any = false;

	for (size_t s = 0; s < all->table->site_count; s++) {
		struct guide_trial *trial = &all->sites[s];

		for (size_t i = 0; i < GUIDE_MATES; i++)
			if (trial->mates[i].hits > trial->mate.hits)
				trial->mate = trial->mates[i];
		trial->is_irregular = trial->misses > 16 && trial->misses > trial->count / 8;
		any |= trial->is_irregular;
		trial->track = (struct model_track){ 0 };
	}
	return any;
}

static void count_difference(struct guide_trial *trial, enum guide_guess guess, uint64_t difference)
{
	bool is_negative = difference >> 63;
	uint64_t size = is_negative ? 0 - difference : difference;

	trial->differences[guess][is_negative][size ? 64 - __builtin_clzll(size) : 0]++;
}

/* Count the differences of one access to each guess. */
static void guess(struct guide_trials *all, struct guide_trial *trial, const struct event *e)
{
	const struct model_track *mate = &all->sites[trial->mate.site].track;
	uint64_t own = e->value - model_track_predict(&trial->track, all->item, e->iteration);
	uint64_t other = own;

	if (trial->mate.hits && mate->seen == all->item) {
		uint64_t moved = mate->next.last - trial->other;

		other = e->value - (trial->own + model_shifted(moved, trial->mate.shift));
		if (other) {
			trial->own = e->value;
			trial->other = mate->next.last;
		}
	}
	count_difference(trial, GUESS_OWN, own);
	count_difference(trial, GUESS_ANCHOR, e->value - trial->least);
	count_difference(trial, GUESS_MATE, other);
	model_track_update(&trial->track, all->item, e->iteration, e->value, !own);
}

/* Second pass over the events of a work-item. */
static void guide_trials_guess(struct guide_trials *all, const struct event *events, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		if (is_access(all, &events[i]))
			guess(all, &all->sites[events[i].point], &events[i]);
}

/* log2 of a number that is not 0, with an error of at most 0.01: libm must not be loaded into the
 * application's process. */
static double log2_of(uint32_t number)
{
	int whole = 31 - __builtin_clz(number);
	double rest = (double)number / (double)(UINT32_C(1) << whole) - 1;

	return whole + rest * (1.3466 - 0.3466 * rest);
}

/* Returns the bits that the differences to a guess take: the entropy of their signs and lengths,
 * and their digits. */
static double guide_trial_bits(const struct guide_trial *trial, enum guide_guess guess)
{
	uint32_t all = 0;
	double bits = 0;

	for (size_t i = 0; i < 2 * GUIDE_LENGTHS; i++)
		all += trial->differences[guess][i / GUIDE_LENGTHS][i % GUIDE_LENGTHS];
	for (size_t i = 0; i < 2 * GUIDE_LENGTHS; i++) {
		uint32_t count = trial->differences[guess][i / GUIDE_LENGTHS][i % GUIDE_LENGTHS];
		size_t length = i % GUIDE_LENGTHS;

		if (count)
			bits += count *
			        (log2_of(all) - log2_of(count) + (double)(length ? length - 1 : 0));
	}
	return bits;
}

/*
 * Returns the code of the least width of differences to the anchor. If a few are shorter than most,
 * writing zeros costs less than saying where they are.
 */
static unsigned guide_trial_width(const struct guide_trial *trial)
{
	static const size_t digits[] = { 0, 7, 15, 31, 63 }; /* without zigzag's bit */
	const uint32_t *lengths = trial->differences[GUESS_ANCHOR][0];
	uint32_t shorter = 0, count = 0;
	unsigned least = 0;

	for (unsigned width = 1; width <= 4; width++) {
		count = 0;
		for (size_t length = digits[width - 1] + 1; length <= digits[width]; length++)
			count += lengths[length];
		if (count > 2 * shorter)
			least = width;
		shorter += count;
	}
	return least;
}

#define SITES_MAX 1024
#define SAMPLE_EVENTS                                                                              \
	2048 /* of a chunk of up to 2^20: about as long as it takes to pack as many                \
	      */
#define WINDOWS   8
#define GAIN_BITS 128 /* a smaller gain, below a bit for every 16 events, is not worth it */

struct guide_choice {
	const struct kernel_table *table; /* borrowed */
	struct guide_trial *trials;       /* by site */
};

int guide_choice_create(struct guide_choice **out, const struct kernel_table *t, struct err *err)
{
	struct guide_choice *c;

	*out = NULL;
	if (!t->site_count || t->site_count > SITES_MAX)
		return 0;
	c = array_alloc(1, sizeof(*c), "choice of guides", err);
	if (!c)
		return ERR_NOMEM;
	c->table = t;
	c->trials = array_alloc(t->site_count, sizeof(*c->trials), "trials of guides", err);
	if (!c->trials) {
		guide_choice_free(c);
		return ERR_NOMEM;
	}
	*out = c;
	return 0;
}

void guide_choice_free(struct guide_choice *c)
{
	if (!c)
		return;
	free(c->trials);
	free(c);
}

/* Called for each work-item of the sample. */
typedef void visit_item(struct guide_trials *all, const struct event *events, uint64_t count);

/* Whether the sample, which has `taken` events so far, takes the work-item that begins at event
 * `at` of `total`: WINDOWS times, as many consecutive ones as its share, so that strides from
 * work-item to work-item are seen. */
static bool is_in_sample(uint64_t taken, uint64_t at, uint64_t total)
{
	uint64_t share = total / WINDOWS + 1;

	return taken < (at / share + 1) * (SAMPLE_EVENTS / WINDOWS);
}

/* Visit whole work-items spread over the groups, SAMPLE_EVENTS events in all. */
static void visit_sample(struct guide_trials *all, const struct group_events *groups, size_t count,
                         visit_item *visit)
{
	uint64_t total = 0, at = 0, taken = 0;

	all->item = 0;
	for (size_t g = 0; g < count; g++)
		total += groups[g].first[groups[g].item_count];
	for (size_t g = 0; g < count; g++) {
		for (uint32_t i = 0; i < groups[g].item_count && taken < SAMPLE_EVENTS; i++) {
			uint64_t first = groups[g].first[i],
				 events = groups[g].first[i + 1] - first;

			all->item++;
			if (events && is_in_sample(taken, at, total)) {
				uint64_t most = SAMPLE_EVENTS - taken;

				visit(all, groups[g].events + first, events < most ? events : most);
				taken += events < most ? events : most;
			}
			at += events;
		}
	}
}

/* Choose the guide of a site that takes the fewest bits, if it takes clearly fewer than none. */
static bool choose(const struct guide_trial *trial, struct site_guide *guide)
{
	double own = guide_trial_bits(trial, GUESS_OWN);
	double anchor = guide_trial_bits(trial, GUESS_ANCHOR);
	double mate = guide_trial_bits(trial, GUESS_MATE);
	double least = 0.98 * own - GAIN_BITS;

	guide->anchor = trial->least;
	guide->mate = trial->mate.site;
	guide->shift = trial->mate.shift;
	guide->least_width = guide_trial_width(trial);
	guide->has_mate = trial->mate.hits && mate < 0.9 * own && mate < anchor;
	return guide->has_mate ? mate < least : anchor < least;
}

size_t guide_choice_make(struct guide_choice *c, const struct group_events *groups, size_t count,
                         struct site_guide *guides)
{
	struct guide_trials all = { .sites = c->trials, .table = c->table };
	size_t chosen = 0;

	guide_trials_begin(&all);
	visit_sample(&all, groups, count, guide_trials_look);
	if (!guide_trials_settle(&all))
		return 0;
	visit_sample(&all, groups, count, guide_trials_guess);
	for (uint32_t s = 0; s < c->table->site_count; s++) {
		guides[chosen] = (struct site_guide){ .site = s };
		if (c->trials[s].is_irregular && choose(&c->trials[s], &guides[chosen]))
			chosen++;
	}
	return chosen;
}
