/* SPDX-License-Identifier: Apache-2.0 */
/* The rules about lines: why they leave L1, who shares them, and on which many meet. */
#include "finding_spot.h"
#include "gpu.h"
#include "recording.h"
#include "shape_text.h"
#include "stats_row.h"
#include "str.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

/* Bytes that the misses of a spot fetched, for `misses` of them. */
static uint64_t miss_bytes(const struct finding_spot *p, uint64_t misses)
{
	return (uint64_t)((double)misses * finding_ratio(p->l1.bytes_from_l2, p->l1.read_misses));
}

static uint64_t own_lines(const struct finding_scene *s)
{
	return (uint64_t)s->gpu->l1_sets * s->gpu->l1_ways;
}

/* The reads of a spot at distances from `least` on, below `most`; bins in proportion. */
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

/* The distance that half of the reads beyond L1's size are below: the end of its bin. */
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

/* The share of all lines that come in which an access brings in to be read once; 0: it does not. */
static double stream_share(const struct finding_scene *s, const struct finding_spot *p)
{
	const struct l1_stats_row *l = &p->l1;
	double share = finding_ratio(l->lines, s->kernel->counts.l1.lines);

	if (!l->lines || share >= 1 ||
	    finding_ratio(l->lines_unused, l->lines) < finding_limit(FINDING_LIMIT_READ_ONCE) ||
	    finding_ratio(l->cold, l->read_misses) < finding_limit(FINDING_LIMIT_READ_ONCE))
		return 0;
	return share;
}

/* Misses of a spot that would be hits if a share of the lines between its reads were not there. */
static double saved_without(const struct finding_scene *s, const struct finding_spot *p,
                            double share)
{
	double lines = (double)own_lines(s), most = (double)(p->l1.capacity + p->l1.conflict);
	double reads = reads_between(&p->distances, lines, lines / (1 - share));

	return reads < most ? reads : most;
}

/* Those that the worst stream of the kernel is to blame for. */
static double saved_without_stream(const struct finding_scene *s, const struct finding_spot *p)
{
	double share = 0;

	for (size_t i = 0; i < s->spot_count; i++) {
		double more = &s->spots[i] == p ? 0 : stream_share(s, &s->spots[i]);

		share = more > share ? more : share;
	}
	return share > 0 ? saved_without(s, p, share) : 0;
}

void finding_thrashing(const struct finding_scene *s, size_t spot, struct finding_claim *c)
{
	const struct finding_spot *p = &s->spots[spot];
	const struct l1_stats_row *l = &p->l1;
	double share = finding_ratio(l->capacity, l->read_misses);
	double rate = finding_ratio(l->read_misses, l->reads);
	uint64_t distance = median_beyond(&p->distances, own_lines(s));
	double blamed = saved_without_stream(s, p);
	char what[FINDING_WORDS_BYTES], misses[FINDING_WORDS_BYTES], after[FINDING_WORDS_BYTES];
	char lines[SHAPE_TEXT_BYTES], holds[COUNT_TEXT_BYTES];

	if (!l->read_misses || share < finding_limit(FINDING_LIMIT_CAPACITY) ||
	    rate < finding_limit(FINDING_LIMIT_MISS_RATE) || p->is_uncoalesced)
		return;
	if (blamed > (double)l->capacity)
		blamed = (double)l->capacity;
	c->is_found = true;
	c->f.cost_turns = finding_turns(s, miss_bytes(p, l->capacity - (uint64_t)blamed));
	finding_show_limit(&c->f, "capacity_of_misses", share, FINDING_LIMIT_CAPACITY, false);
	finding_show_limit(&c->f, "miss_rate", rate, FINDING_LIMIT_MISS_RATE, false);
	finding_show(&c->f, "lines_between", "lines", (double)distance);
	finding_show(&c->f, "lines_of_l1", "lines", (double)own_lines(s));
	snprintf(after, sizeof(after), "after %s or more",
	         amount_text(lines, distance, "other line"));
	c->said = str_format(NULL, "%s %s again %s, and L1 holds %s%s", finding_verb(p),
	                     finding_object(what, s, p), distance ? after : "too late",
	                     count_text(holds, own_lines(s)), finding_misses(misses, s, &p->l1));
}

void finding_rewritten(const struct finding_scene *s, size_t spot, struct finding_claim *c)
{
	const struct finding_spot *p = &s->spots[spot];
	const struct l1_stats_row *l = &p->l1;
	double share = finding_ratio(l->coherence, l->read_misses);
	double rate = finding_ratio(l->read_misses, l->reads);
	char what[FINDING_WORDS_BYTES], misses[FINDING_WORDS_BYTES];

	if (!l->read_misses || share < finding_limit(FINDING_LIMIT_COHERENCE) ||
	    rate < finding_limit(FINDING_LIMIT_MISS_RATE))
		return;
	c->is_found = true;
	c->f.cost_turns = finding_turns(s, miss_bytes(p, l->coherence));
	finding_show_limit(&c->f, "coherence_of_misses", share, FINDING_LIMIT_COHERENCE, false);
	finding_show_limit(&c->f, "miss_rate", rate, FINDING_LIMIT_MISS_RATE, false);
	c->said = str_format(
		NULL, "%s %s again after a write or an atomic took the line out of L1%s",
		finding_verb(p), finding_object(what, s, p), finding_misses(misses, s, l));
}

void finding_streaming(const struct finding_scene *s, size_t spot, struct finding_claim *c)
{
	const struct finding_spot *p = &s->spots[spot];
	const struct l1_stats_row *l = &p->l1;
	double share = stream_share(s, p), saved = 0;
	char what[FINDING_WORDS_BYTES], hits[SHAPE_TEXT_BYTES];

	for (size_t i = 0; i < s->spot_count && share > 0; i++)
		saved += i == spot ? 0 : saved_without(s, &s->spots[i], share);
	if (saved < 1)
		return;
	c->is_found = true;
	c->f.cost_turns = finding_turns(s, (uint64_t)(saved * s->gpu->l1_line_bytes));
	finding_show_limit(&c->f, "lines_read_once", finding_ratio(l->lines_unused, l->lines),
	                   FINDING_LIMIT_READ_ONCE, false);
	finding_show_limit(&c->f, "cold_of_misses", finding_ratio(l->cold, l->read_misses),
	                   FINDING_LIMIT_READ_ONCE, false);
	finding_show(&c->f, "share_of_lines", "share", share);
	finding_show(&c->f, "misses_of_others", "misses", saved);
	c->said = str_format(NULL,
	                     "%s %s once, which takes %.0f%% of the lines of L1: some %s of other "
	                     "reads would be hits without",
	                     finding_verb(p), finding_object(what, s, p), 100 * share,
	                     amount_text(hits, (uint64_t)saved, "miss"));
}

static int compare_conflicts(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x > y ? -1 : x < y;
}

/* In how many sets half of the conflict misses of a kernel are; 0: not counted. */
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

/* Of the kernel: where most of its conflict misses are. */
void finding_set_conflict(const struct finding_scene *s, size_t spot, struct finding_claim *c)
{
	const struct finding_spot *p = &s->spots[spot];
	const struct l1_stats_row *all = &s->kernel->counts.l1;
	double share = finding_ratio(all->conflict, all->read_misses);
	char what[FINDING_WORDS_BYTES], in[FINDING_WORDS_BYTES];
	uint32_t sets;

	for (size_t i = 0; i < s->spot_count; i++)
		if (s->spots[i].l1.conflict > p->l1.conflict ||
		    (s->spots[i].l1.conflict == p->l1.conflict && i < spot))
			return;
	if (!p->l1.conflict || share < finding_limit(FINDING_LIMIT_CONFLICT))
		return;
	c->is_found = true;
	c->f.cost_turns = finding_turns(s, miss_bytes(p, all->conflict));
	sets = sets_of_half(s);
	finding_show_limit(&c->f, "conflict_of_misses", share, FINDING_LIMIT_CONFLICT, false);
	finding_show(&c->f, "sets_with_half_of_them", "sets", sets);
	finding_show(&c->f, "sets", "sets", s->gpu->l1_sets);
	snprintf(in, sizeof(in), ", half of them in %u of %u sets", sets, s->gpu->l1_sets);
	c->said = str_format(
		NULL,
		"%s %s in lines that push each other out of their set: %.0f%% of the kernel's "
		"misses are conflicts%s",
		finding_verb(p), finding_object(what, s, p), 100 * share, sets ? in : "");
}

/* The hottest lines of a kernel. */
struct heat {
	uint64_t lines; /* that take at least the share that is asked for */
	uint64_t requests, lanes;
	const struct hot_line *hottest;
};

static struct heat heat_of(const struct hot_lines *h)
{
	struct heat heat = { .hottest = h->lines };
	double enough = finding_limit(FINDING_LIMIT_HOT_SHARE);

	if (finding_ratio(h->lines[0].requests, h->total) >= finding_limit(FINDING_LIMIT_HOT_LINE))
		enough = finding_limit(FINDING_LIMIT_HOT_LINE);
	while (heat.lines < HOT_LINES && h->lines[heat.lines].requests &&
	       finding_ratio(heat.requests, h->total) < enough) {
		heat.requests += h->lines[heat.lines].requests;
		heat.lanes += h->lines[heat.lines++].lanes;
	}
	return heat;
}

/* Whether the site of the hottest line's first request is of this spot. */
static bool is_of_spot(const struct finding_scene *s, size_t spot, const struct hot_line *line)
{
	const struct report_site *site = &s->data->sites[s->kernel->first_site + line->site];

	return finding_spot_has(&s->spots[spot], site);
}

/* Of the kernel: where the first request to the hottest line came from. */
void finding_hot_line(const struct finding_scene *s, size_t spot, struct finding_claim *c)
{
	const struct finding_spot *p = &s->spots[spot];
	const struct hot_lines *h = &s->kernel->hot;
	const struct heat heat = heat_of(h);
	double share = finding_ratio(heat.requests, h->total);
	char what[FINDING_WORDS_BYTES], requests[SHAPE_TEXT_BYTES], lines[SHAPE_TEXT_BYTES];
	char lanes[FINDING_WORDS_BYTES] = "", count[COUNT_TEXT_BYTES];

	if (share < finding_limit(heat.lines == 1 ? FINDING_LIMIT_HOT_LINE
	                                          : FINDING_LIMIT_HOT_SHARE) ||
	    (double)heat.lines > finding_limit(FINDING_LIMIT_HOT_LINES) ||
	    finding_ratio(heat.requests, heat.lines) < finding_limit(FINDING_LIMIT_HOT_REQUESTS) ||
	    !is_of_spot(s, spot, heat.hottest))
		return;
	c->is_found = true;
	c->f.cost_turns = heat.lanes > heat.requests ? heat.lanes : heat.requests;
	finding_show_limit(&c->f, "requests_to_the_lines", share,
	                   heat.lines == 1 ? FINDING_LIMIT_HOT_LINE : FINDING_LIMIT_HOT_SHARE,
	                   false);
	finding_show_limit(&c->f, "lines", (double)heat.lines, FINDING_LIMIT_HOT_LINES, true);
	finding_show(&c->f, "requests", "requests", (double)heat.requests);
	finding_show(&c->f, "atomic_lanes", "lanes", (double)heat.lanes);
	if (heat.lanes)
		snprintf(lanes, sizeof(lanes), " with %s atomics", count_text(count, heat.lanes));
	c->said = str_format(NULL,
	                     "%s %s again and again: %s%s, %.0f%% of all writes and atomics, "
	                     "meet on %s",
	                     finding_verb(p), finding_object(what, s, p),
	                     amount_text(requests, heat.requests, "request"), lanes, 100 * share,
	                     amount_text(lines, heat.lines, "line"));
}
