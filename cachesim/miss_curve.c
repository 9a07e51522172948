/* SPDX-License-Identifier: Apache-2.0 */
#include "miss_curve.h"

#include "array.h"
#include "err.h"
#include "gpu.h"
#include "reuse_order.h"
#include "reuse_window.h"

#include <assert.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

/*
 * reuse_sample - reuse distances of the reads of a sample of lines, fully associative (private to
 * this room), for distances that a reuse_window does not know.
 *
 * It is SHARDS (Waldspurger and others 2015) of fixed size: the sample has the lines whose hash
 * ends in `bits` zeros. So a read of one of them, with d others of the sample used since, has a
 * distance of d * 2^bits on average, and stands for 2^bits reads. A line is in the sample for the
 * whole launch or not at all. When more than `limit` lines are, `bits` grows by one and half of
 * them are forgotten. Memory: about 50 bytes for each line of the limit.
 */

struct reuse_window;

enum { REUSE_SAMPLE_BITS = 4 };

/* Zeroed: not begun. */
struct reuse_sample {
	struct line_names names; /* whose words are the places in the order */
	struct reuse_order order;
	uint32_t limit;
	uint32_t bits;
	uint64_t salt; /* of the hash: different for each SM */
	bool is_begun;
	bool is_failed; /* memory ran out */
};

/* The final mix of splitmix64: every bit of the line affects the hash. */
static inline uint64_t reuse_sample_hash(const struct reuse_sample *s, uint64_t line)
{
	line ^= s->salt;
	line = (line ^ line >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	line = (line ^ line >> 27) * UINT64_C(0x94d049bb133111eb);
	return line ^ line >> 31;
}

/* Whether a line of this hash is in the sample. */
static inline bool reuse_sample_has(const struct reuse_sample *s, uint64_t hash)
{
	return !(hash & ((UINT64_C(1) << s->bits) - 1));
}

/* Free what it owns; it is then not begun. */
static void reuse_sample_release(struct reuse_sample *s)
{
	line_names_release(&s->names);
	reuse_order_release(&s->order);
	*s = (struct reuse_sample){ 0 };
}

/* Forget everything but keep the memory; it is then not begun. */
static void reuse_sample_clear(struct reuse_sample *s)
{
	if (!s->is_begun)
		return;
	line_names_clear(&s->names);
	reuse_order_clear(&s->order);
	s->is_begun = false;
}

static bool reuse_sample_has_failed(const struct reuse_sample *s)
{
	return s->is_failed || s->names.is_failed || s->order.is_failed;
}

/* Forget half of the lines and half of the holes, until there is room. */
static void thin_out(struct reuse_sample *s)
{
	while (s->names.count > s->limit && s->bits < 40) {
		s->bits++;
		for (uint32_t i = 0; i < s->names.limit; i++) {
			if (!line_names_is_used(&s->names, i) ||
			    reuse_sample_has(s,
			                     reuse_sample_hash(s, line_names_line(&s->names, i))))
				continue;
			reuse_order_remove(&s->order, reuse_window_places(&s->names), i);
			line_names_remove(&s->names, i);
		}
		reuse_order_thin_holes(&s->order);
	}
}

static uint32_t *places_of(const struct reuse_sample *s)
{
	return reuse_window_places(&s->names);
}

/* Returns the number of a line, adding the line if needed, with its place. */
static uint32_t number_of(struct reuse_sample *s, uint64_t line)
{
	uint32_t number = line_names_find(&s->names, line);

	if (number != LINE_NAMES_NONE)
		return number;
	number = line_names_add(&s->names, line);
	if (number != LINE_NAMES_NONE)
		s->names.names[number].word = REUSE_NEVER;
	return number;
}

/* Record a use of a line of the sample. Returns its estimated distance, or REUSE_NEVER or
 * REUSE_TAKEN. */
static uint32_t reuse_sample_use(struct reuse_sample *s, uint64_t line)
{
	uint32_t number = number_of(s, line), bits = s->bits, distance;

	if (number == LINE_NAMES_NONE)
		return REUSE_NEVER;
	distance = reuse_order_use(&s->order, places_of(s), number);
	if (s->names.count > s->limit)
		thin_out(s);
	if (distance >= REUSE_BEYOND)
		return distance;
	return distance < (REUSE_BEYOND - 1) >> bits ? distance << bits : REUSE_BEYOND - 1;
}

/* Record that a write or an atomic removes a line of the sample. */
static void reuse_sample_take(struct reuse_sample *s, uint64_t line)
{
	uint32_t number = line_names_find(&s->names, line);

	if (number != LINE_NAMES_NONE && s->names.names[number].word < REUSE_BEYOND)
		reuse_order_take(&s->order, places_of(s), number);
}

/* Copy a slot of the window's order, oldest first. */
static void copy_slot(struct reuse_sample *s, const struct reuse_window *w, uint32_t owner,
                      uint32_t *holes)
{
	uint64_t line;
	uint32_t number;

	if (owner == REUSE_NEVER) {
		if (!((*holes)++ % (1u << REUSE_SAMPLE_BITS)))
			reuse_order_append(&s->order, places_of(s), REUSE_NEVER);
		return;
	}
	line = line_names_line(&w->names, owner);
	if (!reuse_sample_has(s, reuse_sample_hash(s, line)))
		return;
	number = number_of(s, line);
	if (number != LINE_NAMES_NONE)
		reuse_order_append(&s->order, places_of(s), number);
}

/* Copy the removed lines. */
static void copy_taken(struct reuse_sample *s, const struct reuse_window *w)
{
	for (uint32_t i = 0; i < w->names.limit; i++) {
		uint64_t line;
		uint32_t number;

		if (!line_names_is_used(&w->names, i) || w->names.names[i].word != REUSE_TAKEN)
			continue;
		line = line_names_line(&w->names, i);
		if (!reuse_sample_has(s, reuse_sample_hash(s, line)))
			continue;
		number = number_of(s, line);
		if (number != LINE_NAMES_NONE)
			s->names.names[number].word = REUSE_TAKEN;
	}
}

/* Begin with the contents of a window, which must have forgotten nothing. */
static void reuse_sample_begin(struct reuse_sample *s, const struct reuse_window *w, uint32_t limit,
                               uint64_t salt)
{
	const struct reuse_order *o = &w->sets[0].orders[0];
	uint32_t owner, holes = 0;

	s->limit = limit;
	s->salt = salt;
	s->bits = REUSE_SAMPLE_BITS;
	s->order.shift = REUSE_WINDOW_SHIFT;
	s->is_begun = true;
	for (uint32_t at = 0; (at = reuse_order_next(o, at, &owner)) != REUSE_NEVER; at++)
		copy_slot(s, w, owner, &holes);
	copy_taken(s, w);
	thin_out(s);
}

enum { SAMPLE_LEAST = 512, LINES_MOST = 1 << 30 };

/* The reads of a site. `weights` are those of the sampled reads among `beyond`. */
struct site_reuse {
	struct reuse_bins bins[MISS_CURVE_MAX];
	struct reuse_bins weights;
};

/* The caches of an SM. */
struct sm {
	struct reuse_window window;
	struct reuse_sample sample;
	struct reuse_counts counts[MISS_CURVE_MAX];
	struct site_reuse *sites; /* site_count of them, or NULL */
	bool is_playing;          /* this launch has a request here */
	bool is_failed;
};

struct miss_curve {
	struct set_index indices[MISS_CURVE_MAX];
	size_t count; /* organisations */
	uint32_t line_shift;
	uint32_t lines;     /* of a window; 0: all */
	uint32_t sample;    /* lines of an SM's sample */
	bool is_evicting;   /* a write removes its line */
	bool is_allocating; /* a write brings its line in */
	struct sm *sms;
	size_t sm_count;
	size_t site_count;
	struct reuse_counts sums[MISS_CURVE_MAX];
	struct site_reuse *launch_sites; /* of the launch that ends */
	struct reuse_bins *site_sums;    /* site_count for each organisation */
};

static int take_indices(struct miss_curve *c, const struct miss_curve_setup *setup, struct err *err)
{
	struct gpu full = *setup->gpu;
	int ret;

	full.l1_sets = 1;
	full.l1_index.kind = GPU_L1_INDEX_MODULO;
	ret = set_index_init(&c->indices[0], &full, err);
	for (size_t i = 1; i < c->count && !ret; i++)
		ret = set_index_init(&c->indices[i], &setup->sets[i - 1], err);
	return ret;
}

/* The lines of a window: a power of two, twice those of every L1 or more. */
static uint32_t lines_of(const struct miss_curve_setup *setup)
{
	uint64_t most = (uint64_t)setup->gpu->l1_sets * setup->gpu->l1_ways;
	uint32_t lines = MISS_CURVE_LINES;

	for (size_t i = 0; i < setup->set_count; i++) {
		const struct gpu *gpu = &setup->sets[i];
		uint64_t own = (uint64_t)gpu->l1_sets * gpu->l1_ways;

		most = own > most ? own : most;
	}
	while (lines < LINES_MOST && lines < 2 * most)
		lines *= 2;
	return setup->is_exact ? 0 : lines;
}

static void take_sizes(struct miss_curve *c, const struct miss_curve_setup *setup)
{
	const struct gpu *gpu = setup->gpu;

	c->count = setup->set_count + 1;
	c->lines = lines_of(setup);
	c->sm_count = gpu->sm_count;
	c->sample = MISS_CURVE_SAMPLE / gpu->sm_count;
	if (c->sample < SAMPLE_LEAST)
		c->sample = SAMPLE_LEAST;
	c->line_shift = (uint32_t)__builtin_ctz(gpu->l1_line_bytes);
	c->is_evicting = gpu->l1_write == GPU_L1_WRITE_THROUGH_EVICT;
	c->is_allocating = gpu->l1_write == GPU_L1_WRITE_THROUGH_ALLOCATE ||
	                   gpu->l1_write == GPU_L1_WRITE_BACK_ALLOCATE;
}

int miss_curve_create(struct miss_curve **out, const struct miss_curve_setup *setup,
                      struct err *err)
{
	struct miss_curve *c = array_alloc(1, sizeof(*c), "miss-ratio curves", err);
	int ret;

	assert(setup->set_count < MISS_CURVE_MAX);
	if (!c)
		return ERR_NOMEM;
	take_sizes(c, setup);
	ret = take_indices(c, setup, err);
	if (!ret)
		c->sms = array_alloc(c->sm_count, sizeof(*c->sms), "SMs", err);
	if (!ret && !c->sms)
		ret = ERR_NOMEM;
	if (ret)
		miss_curve_free(c);
	else
		*out = c;
	return ret;
}

static void sm_release(struct sm *sm)
{
	reuse_window_release(&sm->window);
	reuse_sample_release(&sm->sample);
	for (size_t i = 0; i < MISS_CURVE_MAX; i++)
		reuse_counts_release(&sm->counts[i]);
	free(sm->sites);
}

void miss_curve_free(struct miss_curve *c)
{
	if (!c)
		return;
	for (size_t s = 0; c->sms && s < c->sm_count; s++)
		sm_release(&c->sms[s]);
	for (size_t i = 0; i < MISS_CURVE_MAX; i++)
		reuse_counts_release(&c->sums[i]);
	free(c->launch_sites);
	free(c->site_sums);
	free(c->sms);
	free(c);
}

size_t miss_curve_count(const struct miss_curve *c)
{
	return c->count;
}

int miss_curve_sites(struct miss_curve *c, size_t site_count, struct err *err)
{
	c->site_count = site_count;
	free(c->site_sums);
	free(c->launch_sites);
	c->site_sums = NULL;
	c->launch_sites = NULL;
	for (size_t s = 0; s < c->sm_count; s++) {
		free(c->sms[s].sites);
		c->sms[s].sites = NULL;
	}
	if (!site_count)
		return 0;
	c->launch_sites =
		array_alloc(site_count, sizeof(*c->launch_sites), "reuse distances of sites", err);
	c->site_sums = array_alloc(site_count, c->count * sizeof(*c->site_sums),
	                           "reuse distances of sites", err);
	return c->launch_sites && c->site_sums ? 0 : ERR_NOMEM;
}

/* Begin a launch on an SM, at its first request. */
static void sm_begin(const struct miss_curve *c, struct sm *sm)
{
	for (size_t i = 0; sm->window.count < c->count && !sm->is_failed; i++) {
		sm->is_failed = !reuse_window_add(&sm->window, &c->indices[i], c->lines);
		sm->counts[i].limit = c->lines ? sm->window.sets[i].limit : 0;
	}
	if (c->site_count && !sm->sites) {
		sm->sites = array_alloc(c->site_count, sizeof(*sm->sites),
		                        "reuse distances of sites", NULL);
		sm->is_failed = sm->is_failed || !sm->sites;
	}
	sm->is_playing = true;
}

/* Begin the sample before the window forgets a line. */
static void watch_window(const struct miss_curve *c, struct sm *sm)
{
	if (!sm->sample.is_begun && reuse_window_is_full(&sm->window))
		reuse_sample_begin(&sm->sample, &sm->window, c->sample,
		                   (uint64_t)(sm - c->sms) * UINT64_C(0x9e3779b97f4a7c15));
}

/* Count a read in the sample, if its line is in it and the window does not know its distance. */
static void read_sample(struct sm *sm, uint64_t line, uint32_t site, bool is_beyond)
{
	uint64_t hash = reuse_sample_hash(&sm->sample, line), weight = UINT64_C(1)
	                                                               << sm->sample.bits;
	uint32_t distance;

	if (!reuse_sample_has(&sm->sample, hash))
		return;
	distance = reuse_sample_use(&sm->sample, line);
	if (!is_beyond)
		return;
	if (distance < sm->counts[0].limit)
		distance = (uint32_t)sm->counts[0].limit;
	if (reuse_counts_sample(&sm->counts[0], distance, (uint32_t)(hash >> 40), weight))
		sm->is_failed = true;
	if (!sm->sites)
		return;
	if (distance < REUSE_BEYOND)
		sm->sites[site].weights.bins[reuse_bin(distance)] += weight;
	else if (distance == REUSE_TAKEN)
		sm->sites[site].weights.taken += weight;
	else
		sm->sites[site].weights.cold += weight;
}

static void sm_read(const struct miss_curve *c, struct sm *sm, uint64_t line, uint32_t site)
{
	uint32_t distances[REUSE_WINDOW_MAX] = { 0 };

	watch_window(c, sm);
	reuse_window_use(&sm->window, line, distances);
	for (size_t i = 0; i < c->count; i++) {
		if (reuse_counts_add(&sm->counts[i], distances[i]))
			sm->is_failed = true;
		if (sm->sites)
			reuse_bins_add(&sm->sites[site].bins[i], distances[i]);
	}
	if (sm->sample.is_begun)
		read_sample(sm, line, site, distances[0] == REUSE_BEYOND);
}

/* Bring the line in as a read does, without counting a read. */
static void sm_write(const struct miss_curve *c, struct sm *sm, uint64_t line)
{
	uint32_t distances[REUSE_WINDOW_MAX];

	watch_window(c, sm);
	reuse_window_use(&sm->window, line, distances);
	if (sm->sample.is_begun)
		read_sample(sm, line, 0, false);
}

static void sm_take(const struct miss_curve *c, struct sm *sm, uint64_t line)
{
	watch_window(c, sm);
	reuse_window_take(&sm->window, line);
	if (sm->sample.is_begun &&
	    reuse_sample_has(&sm->sample, reuse_sample_hash(&sm->sample, line)))
		reuse_sample_take(&sm->sample, line);
}

void miss_curve_request(void *curve, uint32_t sm_id, const struct request *r, uint64_t now_cycles)
{
	const struct miss_curve *c = curve;
	struct sm *sm = &c->sms[sm_id];
	uint64_t line = r->line >> c->line_shift;

	assert(sm_id < c->sm_count && (!c->site_count || r->site < c->site_count));
	if (!sm->is_playing)
		sm_begin(c, sm);
	if (sm->is_failed)
		return;
	if (r->kind == SITE_READ)
		sm_read(c, sm, line, r->site);
	else if (c->is_allocating && r->kind == SITE_WRITE)
		sm_write(c, sm, line);
	else if (c->is_evicting || r->kind == SITE_ATOMIC)
		sm_take(c, sm, line);
}

static bool has_failed(const struct sm *sm)
{
	return sm->is_failed || reuse_window_has_failed(&sm->window) ||
	       reuse_sample_has_failed(&sm->sample);
}

/* Move the counts of an SM to the sums, and empty it. */
static int add_sm(struct miss_curve *c, struct sm *sm, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < c->count && !ret; i++) {
		ret = reuse_counts_sum(&c->sums[i], &sm->counts[i], err);
		reuse_counts_release(&sm->counts[i]);
	}
	for (size_t s = 0; sm->sites && s < c->site_count; s++) {
		for (size_t i = 0; i < c->count; i++)
			reuse_bins_sum(&c->launch_sites[s].bins[i], &sm->sites[s].bins[i]);
		reuse_bins_sum(&c->launch_sites[s].weights, &sm->sites[s].weights);
		sm->sites[s] = (struct site_reuse){ 0 };
	}
	reuse_window_clear(&sm->window);
	reuse_sample_clear(&sm->sample);
	sm->is_playing = false;
	return ret;
}

/* Distribute a site's reads beyond the window as the sample shows; if none of its reads was
 * sampled, as for all sites. */
static void divide(struct site_reuse *site, size_t count, const struct reuse_bins *all)
{
	struct reuse_bins *whole = &site->bins[0];
	uint64_t cold = whole->cold, taken = whole->taken, beyond = whole->beyond;

	reuse_bins_divide(whole, &site->weights, beyond);
	reuse_bins_divide(whole, all, whole->beyond);
	cold = whole->cold - cold;
	taken = whole->taken - taken;
	/* Cold and taken reads do not depend on the sets. */
	for (size_t i = 1; i < count; i++) {
		struct reuse_bins *bins = &site->bins[i];

		if (bins->beyond < cold + taken)
			continue;
		bins->cold += cold;
		bins->taken += taken;
		bins->beyond -= cold + taken;
	}
}

/* Add the launch's sites to the sums. */
static void end_sites(struct miss_curve *c)
{
	struct reuse_bins all = { 0 };

	for (size_t s = 0; s < c->site_count; s++)
		reuse_bins_sum(&all, &c->launch_sites[s].weights);
	for (size_t s = 0; s < c->site_count; s++) {
		divide(&c->launch_sites[s], c->count, &all);
		for (size_t i = 0; i < c->count; i++)
			reuse_bins_sum(&c->site_sums[i * c->site_count + s],
			               &c->launch_sites[s].bins[i]);
		c->launch_sites[s] = (struct site_reuse){ 0 };
	}
}

int miss_curve_end(struct miss_curve *c, struct err *err)
{
	int ret = 0;

	for (size_t s = 0; s < c->sm_count && !ret; s++) {
		struct sm *sm = &c->sms[s];

		if (!sm->is_playing)
			continue;
		if (has_failed(sm))
			ret = err_set(err, ERR_NOMEM, "out of memory for reuse distances");
		else
			ret = add_sm(c, sm, err);
	}
	if (!ret && c->site_count)
		end_sites(c);
	return ret;
}

const struct reuse_counts *miss_curve_counts(const struct miss_curve *c, size_t organisation)
{
	assert(organisation < c->count);
	return &c->sums[organisation];
}

const struct reuse_bins *miss_curve_site_bins(const struct miss_curve *c, size_t organisation)
{
	assert(organisation < c->count);
	return c->site_sums ? c->site_sums + organisation * c->site_count : NULL;
}
