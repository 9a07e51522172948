/* SPDX-License-Identifier: Apache-2.0 */
/* The rules about lines: why they leave L1, which groups share them, and which lines many accesses
 * hit. */
#include "array.h"
#include "err.h"
#include "finding_spot.h"
#include "gpu.h"
#include "l1_stats.h"
#include "recording.h"
#include "shape_text.h"
#include "str.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

static uint64_t own_lines(const struct finding_scene *s)
{
	return (uint64_t)s->gpu->l1_sets * s->gpu->l1_ways;
}

/* Returns the reads of a spot at distances from `least` on, below `most`; bins count in proportion.
 */
static double reads_between(const struct reuse_bins *b, double least, double most)
{
	double sum = 0;

	for (uint32_t i = 0; i < REUSE_BINS; i++) {
		double first = reuse_bin_first(i);
		double end = i + 1 < REUSE_BINS ? reuse_bin_first(i + 1) : 2 * first;
		double low = first > least ? first : least, high = end < most ? end : most;

		if (high > low)
			sum += (double)b->bins[i] * (high - low) / (end - first);
	}
	return sum;
}

/* Returns the distance below which half of the reads beyond L1's size are: the end of its bin. */
static uint64_t median_beyond(const struct reuse_bins *b, uint64_t lines)
{
	double all = reads_between(b, (double)lines, 1e18), sum = 0;

	for (uint32_t i = 0; i < REUSE_BINS; i++) {
		double end = i + 1 < REUSE_BINS ? reuse_bin_first(i + 1) : 1e18;

		sum = all - reads_between(b, end > (double)lines ? end : (double)lines, 1e18);
		if (all > 0 && 2 * sum >= all)
			return reuse_bin_first(i) > lines ? reuse_bin_first(i) : lines;
	}
	return 0;
}

/* Returns the misses of a spot that would hit if a share of the lines between its reads were
 * absent. */
static double saved_without(const struct finding_scene *s, const struct finding_spot *p,
                            double share)
{
	double lines = (double)own_lines(s),
	       most = (double)(p->sums.l1.capacity + p->sums.l1.conflict);
	double reads = reads_between(&p->sums.distances, lines, lines / (1 - share));

	return reads < most ? reads : most;
}

/* Returns the misses of a spot that the worst stream of the kernel causes. */
static double saved_without_stream(const struct finding_scene *s, const struct finding_spot *p)
{
	const struct finding_spot *worst = s->streams[s->streams[0] == p];

	return worst ? saved_without(s, p, worst->stream_share) : 0;
}

static bool is_thrashing(const struct finding_scene *s, const struct finding_spot *p)
{
	(void)s;
	return p->sums.l1.read_misses && !p->is_uncoalesced &&
	       finding_ratio(p->sums.l1.capacity, p->sums.l1.read_misses) >=
	               finding_limit(FINDING_LIMIT_CAPACITY) &&
	       finding_ratio(p->sums.l1.read_misses, p->sums.l1.reads) >=
	               finding_limit(FINDING_LIMIT_MISS_RATE);
}

static uint64_t capacity_turns(const struct finding_scene *s, const struct finding_spot *p)
{
	return (uint64_t)finding_miss_turns(s, p, (double)p->sums.l1.capacity);
}

static void claim_thrashing(const struct finding_scene *s, const struct finding_cause *cause,
                            struct finding_claim *c)
{
	const struct finding_spot *p = cause->spots[0];
	const struct l1_stats_row *l = &p->sums.l1;
	uint64_t distance = median_beyond(&p->sums.distances, own_lines(s));
	uint64_t exact = p->kernel->curve.exact_lines;
	bool is_sampled = exact && distance >= exact;
	double blamed = saved_without_stream(s, p);
	char what[FINDING_WORDS_BYTES], misses[FINDING_WORDS_BYTES], after[FINDING_WORDS_BYTES];
	char lines[SHAPE_TEXT_BYTES], holds[COUNT_TEXT_BYTES];

	if (blamed > (double)l->capacity)
		blamed = (double)l->capacity;
	c->is_found = true;
	finding_save(c, p, FINDING_BYTES, finding_miss_turns(s, p, (double)l->capacity - blamed));
	finding_show_limit(&c->f, "capacity_of_misses", finding_ratio(l->capacity, l->read_misses),
	                   FINDING_LIMIT_CAPACITY, false);
	finding_show_limit(&c->f, "miss_rate", finding_ratio(l->read_misses, l->reads),
	                   FINDING_LIMIT_MISS_RATE, false);
	finding_show(&c->f, "lines_between", "lines", (double)distance);
	finding_show(&c->f, "lines_of_l1", "lines", (double)own_lines(s));
	snprintf(after, sizeof(after), "after %s%s or more", is_sampled ? "about " : "",
	         amount_text(lines, distance, "other line"));
	c->said =
		str_format(NULL, "%s %s again %s, and L1 holds %s%s", finding_verb(p),
	                   finding_object(what, s, p), distance ? after : "too late",
	                   count_text(holds, own_lines(s)), finding_misses(misses, s, &p->sums.l1));
}

const struct finder finding_thrashing = { is_thrashing, finding_each_alone, capacity_turns,
	                                  claim_thrashing };

static bool is_rewritten(const struct finding_scene *s, const struct finding_spot *p)
{
	(void)s;
	return p->sums.l1.read_misses &&
	       finding_ratio(p->sums.l1.coherence, p->sums.l1.read_misses) >=
	               finding_limit(FINDING_LIMIT_COHERENCE) &&
	       finding_ratio(p->sums.l1.read_misses, p->sums.l1.reads) >=
	               finding_limit(FINDING_LIMIT_MISS_RATE);
}

static uint64_t coherence_turns(const struct finding_scene *s, const struct finding_spot *p)
{
	return (uint64_t)finding_miss_turns(s, p, (double)p->sums.l1.coherence);
}

static void claim_rewritten(const struct finding_scene *s, const struct finding_cause *cause,
                            struct finding_claim *c)
{
	const struct finding_spot *p = cause->spots[0];
	const struct l1_stats_row *l = &p->sums.l1;
	double share = finding_ratio(l->coherence, l->read_misses);
	double rate = finding_ratio(l->read_misses, l->reads);
	char what[FINDING_WORDS_BYTES], misses[FINDING_WORDS_BYTES];

	c->is_found = true;
	finding_save(c, p, FINDING_BYTES, finding_miss_turns(s, p, (double)l->coherence));
	finding_show_limit(&c->f, "coherence_of_misses", share, FINDING_LIMIT_COHERENCE, false);
	finding_show_limit(&c->f, "miss_rate", rate, FINDING_LIMIT_MISS_RATE, false);
	c->said = str_format(
		NULL, "%s %s again after a write or an atomic removed the line from L1%s",
		finding_verb(p), finding_object(what, s, p), finding_misses(misses, s, l));
}

const struct finder finding_rewritten = { is_rewritten, finding_each_alone, coherence_turns,
	                                  claim_rewritten };

/*
 * Whether a stream can cost enough for a finding. Without its share s of the lines, reads at
 * distances from L1's lines L to L / (1 - s) are hits. These are at most 2s / (1 - s) of the reads
 * of a bin, which is as wide as its first distance, and no more than that share of all reads. Each
 * of them costs a turn and would save a line.
 */
static bool is_stream(const struct finding_scene *s, const struct finding_spot *p)
{
	double share = p->stream_share;
	double lines = 2 * share / (1 - share) * (double)s->data->total.l1.reads;

	return share > 0 && lines * (double)s->gpu->l1_line_bytes / (double)s->fill_bytes >=
	                            finding_limit(FINDING_LIMIT_COST) * s->whole[FINDING_OF_GLOBAL];
}

static uint64_t lines_brought(const struct finding_scene *s, const struct finding_spot *p)
{
	(void)s;
	return p->sums.l1.lines;
}

static void claim_streaming(const struct finding_scene *s, const struct finding_cause *cause,
                            struct finding_claim *c)
{
	const struct finding_spot *p = cause->spots[0];
	const struct l1_stats_row *l = &p->sums.l1;
	double share = p->stream_share, saved = 0;
	char what[FINDING_WORDS_BYTES], hits[SHAPE_TEXT_BYTES];

	for (size_t i = 0; i < s->spot_count; i++) {
		const struct finding_spot *other = &s->spots[i];
		double misses = other == p ? 0 : saved_without(s, other, share);

		finding_save(c, other, FINDING_BYTES, finding_miss_turns(s, other, misses));
		saved += misses;
	}
	c->is_found = saved >= 1;
	if (!c->is_found)
		return;
	finding_show_limit(&c->f, "lines_read_once", finding_ratio(l->lines_unused, l->lines),
	                   FINDING_LIMIT_READ_ONCE, false);
	finding_show_limit(&c->f, "cold_of_misses", finding_ratio(l->cold, l->read_misses),
	                   FINDING_LIMIT_READ_ONCE, false);
	finding_show(&c->f, "share_of_lines", "share", share);
	finding_show(&c->f, "misses_of_others", "misses", saved);
	c->said = str_format(NULL,
	                     "%s %s once, which takes %.0f%% of the lines of L1: without it some "
	                     "%s of other reads would be hits",
	                     finding_verb(p), finding_object(what, s, p), 100 * share,
	                     amount_text(hits, (uint64_t)saved, "miss"));
}

const struct finder finding_streaming = { is_stream, finding_each_alone, lines_brought,
	                                  claim_streaming };

static int compare_conflicts(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x > y ? -1 : x < y;
}

/* Returns the number of sets that have half of the conflict misses of a kernel; 0: not counted. */
static uint32_t sets_of_half(const struct finding_scene *s)
{
	uint32_t sets = s->gpu->l1_sets, i = 0;
	uint64_t *misses = s->kernel->sets ? calloc(sets, sizeof(*misses)) : NULL, sum = 0;

	for (uint32_t k = 0; misses && k < sets; k++)
		misses[k] = s->kernel->sets[k].conflict;
	if (misses)
		qsort(misses, sets, sizeof(*misses), compare_conflicts);
	while (misses && i < sets && 2 * sum < s->kernel->counts.l1.conflict)
		sum += misses[i++];
	free(misses);
	return i;
}

/* If lanes are far apart, their lines are lost because there are too many of them, not by
 * conflicts. */
static bool has_conflicts(const struct finding_scene *s, const struct finding_spot *p)
{
	(void)s;
	return p->sums.l1.conflict && !p->is_uncoalesced;
}

static uint64_t conflicts(const struct finding_scene *s, const struct finding_spot *p)
{
	(void)s;
	return p->sums.l1.conflict;
}

static void claim_set_conflict(const struct finding_scene *s, const struct finding_cause *cause,
                               struct finding_claim *c)
{
	const struct finding_spot *p = cause->spots[0];
	const struct l1_stats_row *all = &s->kernel->counts.l1;
	double share = finding_ratio(all->conflict, all->read_misses);
	char what[FINDING_WORDS_BYTES], in[FINDING_WORDS_BYTES];
	uint32_t sets;

	if (share < finding_limit(FINDING_LIMIT_CONFLICT))
		return;
	c->is_found = true;
	for (size_t i = 0; i < cause->count; i++)
		finding_save(c, cause->spots[i], FINDING_BYTES,
		             finding_miss_turns(s, cause->spots[i],
		                                (double)cause->spots[i]->sums.l1.conflict));
	sets = sets_of_half(s);
	finding_show_limit(&c->f, "conflict_of_misses", share, FINDING_LIMIT_CONFLICT, false);
	finding_show(&c->f, "sets_with_half_of_them", "sets", sets);
	finding_show(&c->f, "sets", "sets", s->gpu->l1_sets);
	snprintf(in, sizeof(in), ", half of them in %u of %u sets", sets, s->gpu->l1_sets);
	c->said = str_format(
		NULL,
		"%s %s in lines that evict each other from their set: %.0f%% of the kernel's "
		"misses are conflicts%s",
		finding_verb(p), finding_object(what, s, p), 100 * share, sets ? in : "");
}

const struct finder finding_set_conflict = { has_conflicts, finding_all_alike, conflicts,
	                                     claim_set_conflict };

static bool is_at_hot_lines(const struct finding_scene *s, const struct finding_spot *p)
{
	(void)s;
	return p->hot_turns;
}

static uint64_t hot_turns(const struct finding_scene *s, const struct finding_spot *p)
{
	(void)s;
	return p->hot_turns;
}

static void show_heat(struct finding *f, const struct finding_scene *s, double share,
                      const struct finding_spot *p)
{
	const struct finding_heat *heat = &s->heat;

	finding_show_limit(f, "turns_at_the_lines", share,
	                   heat->lines == 1 ? FINDING_LIMIT_HOT_LINE : FINDING_LIMIT_HOT_SHARE,
	                   false);
	finding_show(f, "lines", "lines", (double)heat->lines);
	finding_show_limit(f, "bytes_of_lines", finding_hot_bytes(s), FINDING_LIMIT_HOT_BYTES,
	                   true);
	finding_show(f, "requests", "requests", (double)heat->requests);
	finding_show(f, "atomic_lanes", "lanes", (double)heat->lanes);
	finding_show(f, "of_this_access", "share", finding_ratio(p->hot_turns, heat->turns));
}

/* Whether each warp accesses the lines once and does not wait, as after summing within the warp. */
static bool is_once_a_warp(const struct finding_scene *s)
{
	uint64_t lanes = s->gpu->warp_lanes;
	uint64_t warps = s->kernel->counts.groups * ((finding_group_items(s) + lanes - 1) / lanes);

	return s->heat.turns <= warps;
}

static void claim_hot_line(const struct finding_scene *s, const struct finding_cause *cause,
                           struct finding_claim *c)
{
	const struct finding_spot *p = cause->spots[0];
	const struct finding_heat *heat = &s->heat;
	double share = finding_ratio(heat->requests, s->kernel->hot.total);
	double turns = finding_hot_share(s, heat->turns);
	char what[FINDING_WORDS_BYTES], requests[SHAPE_TEXT_BYTES], lines[SHAPE_TEXT_BYTES];
	char lanes[FINDING_WORDS_BYTES] = "", count[COUNT_TEXT_BYTES];

	if (!finding_is_hot(s))
		return;
	c->is_found = true;
	c->is_minor = is_once_a_warp(s);
	for (size_t i = 0; i < cause->count; i++) {
		const struct finding_spot *q = cause->spots[i];

		finding_save(c, q, FINDING_REQUESTS, (double)q->hot_requests);
		finding_save(c, q, FINDING_LANES, finding_hot_waits(q));
	}
	show_heat(&c->f, s, turns, p);
	if (heat->lanes)
		snprintf(lanes, sizeof(lanes), " with %s atomics", count_text(count, heat->lanes));
	c->said = str_format(NULL,
	                     "%s %s again and again: %s%s, %.0f%% of all writes and atomics, "
	                     "meet on %s%s",
	                     finding_verb(p), finding_object(what, s, p),
	                     amount_text(requests, heat->requests, "request"), lanes, 100 * share,
	                     amount_text(lines, heat->lines, "line"),
	                     c->is_minor ? "; each warp comes there once at most, on average" : "");
}

const struct finder finding_hot_line = { is_at_hot_lines, finding_all_alike, hot_turns,
	                                 claim_hot_line };
