/* SPDX-License-Identifier: Apache-2.0 */
#include "finding_spot.h"

#include "array.h"
#include "gpu.h"
#include "l1_stats.h"
#include "recording.h"

#include <stdlib.h>
#include <string.h>

static const double limits[] = {
#define FINDING_LIMIT(NAME, value, text) [FINDING_LIMIT_##NAME] = (value),
#include "findings.def"
#undef FINDING_LIMIT
};

double finding_limit(enum finding_limit limit)
{
	return limits[limit];
}

double finding_ratio(uint64_t a, uint64_t b)
{
	return b ? (double)a / (double)b : 0;
}

double finding_hot_waits(const struct finding_spot *p)
{
	return p->hot_turns > p->hot_requests ? (double)(p->hot_turns - p->hot_requests) : 0;
}

double finding_turns(const struct finding_scene *s, uint64_t bytes)
{
	return (double)bytes / (double)s->fill_bytes;
}

double finding_miss_turns(const struct finding_scene *s, const struct finding_spot *p,
                          double misses)
{
	return misses * finding_ratio(p->sums.l1.bytes_from_l2, p->sums.l1.read_misses) /
	       (double)s->fill_bytes;
}

uint64_t finding_spot_stride(const struct finding_spot *p)
{
	int64_t bytes = p->sums.pattern.strides[0].bytes;

	return bytes < 0 ? 0 - (uint64_t)bytes : (uint64_t)bytes;
}

double finding_spot_run_lanes(const struct finding_spot *p)
{
	const struct access_pattern *a = &p->sums.pattern;

	return finding_ratio(a->lanes, a->lanes - a->strides[0].pairs);
}

enum lane_shape finding_spot_shape(const struct finding_spot *p)
{
	double share = finding_ratio(p->sums.pattern.strides[0].pairs, p->sums.pattern.pairs);

	if (share < finding_limit(FINDING_LIMIT_STRIDE))
		return SCATTERED;
	if (finding_spot_stride(p) > p->facts->bytes)
		return STRIDE;
	return finding_spot_run_lanes(p) < finding_limit(FINDING_LIMIT_RUN) ? SCATTERED : RUNS;
}

double finding_spot_sectors(const struct finding_spot *p)
{
	return finding_ratio(p->sums.pattern.sectors - p->sums.pattern.close_sectors,
	                     p->sums.pattern.sectors_least);
}

/* Scattered addresses are normal for atomics: hot-line reports when they collide. */
bool finding_spot_is_uncoalesced(const struct finding_spot *p)
{
	if (!p->sums.pattern.requests_least ||
	    (p->facts->kind == SITE_ATOMIC && finding_spot_shape(p) == SCATTERED))
		return false;
	return finding_spot_sectors(p) >= finding_limit(FINDING_LIMIT_UNCOALESCED);
}

/* Returns the share of all fetched lines that an access brings in to be read once; 0: it is not a
 * stream. */
static double stream_share(const struct finding_spot *p)
{
	const struct l1_stats_row *l = &p->sums.l1;
	double share = finding_ratio(l->lines, p->kernel->counts.l1.lines);

	if (!l->lines || share >= 1 ||
	    finding_ratio(l->lines_unused, l->lines) < finding_limit(FINDING_LIMIT_READ_ONCE) ||
	    finding_ratio(l->cold, l->read_misses) < finding_limit(FINDING_LIMIT_READ_ONCE))
		return 0;
	return share;
}

/* Whether the kernel writes or updates what the argument points to. */
static bool is_written(const struct finding_scene *s, int64_t argument)
{
	for (size_t i = 0; i < s->spot_count; i++)
		if (s->spots[i].facts->argument == argument &&
		    s->spots[i].facts->kind != SITE_READ && l1_stats_requests(&s->spots[i].sums.l1))
			return true;
	return false;
}

bool finding_spot_is_uniform(const struct finding_scene *s, const struct finding_spot *p)
{
	const struct access_pattern *a = &p->sums.pattern;

	return p->facts->kind == SITE_READ && a->pairs && !a->strides[0].bytes &&
	       finding_ratio(a->strides[0].pairs, a->pairs) >=
	               finding_limit(FINDING_LIMIT_UNIFORM) &&
	       p->facts->argument >= 0 && !is_written(s, p->facts->argument);
}

double finding_hot_share(const struct finding_scene *s, uint64_t turns)
{
	const struct hot_lines *h = &s->kernel->hot;

	return finding_ratio(turns, h->total - h->atomics + h->atomic_turns);
}

static void add_heat(struct finding_heat *heat, const struct hot_line *l)
{
	heat->lines++;
	heat->requests += l->requests;
	heat->atomics += l->atomics;
	heat->lanes += l->lanes;
	heat->turns += l->turns;
	for (uint32_t i = 0; i < l->site_count; i++) {
		heat->sites[l->sites[i].site].requests += l->sites[i].requests;
		heat->sites[l->sites[i].site].turns += l->sites[i].turns;
	}
}

int finding_heat_find(struct finding_scene *s, struct err *err)
{
	const struct hot_lines *h = &s->kernel->hot;
	struct finding_heat *heat = &s->heat;
	double enough = finding_limit(FINDING_LIMIT_HOT_SHARE);

	*heat = (struct finding_heat){
		.sites = array_alloc(s->kernel->site_count, sizeof(*heat->sites), "hot lines", err)
	};
	if (!heat->sites)
		return ERR_NOMEM;
	if (finding_hot_share(s, h->lines[0].turns) >= finding_limit(FINDING_LIMIT_HOT_LINE))
		enough = finding_limit(FINDING_LIMIT_HOT_LINE);
	while (heat->lines < h->count &&
	       (2 * h->lines[heat->lines].requests >= h->lines[0].requests ||
	        finding_hot_share(s, heat->turns) < enough))
		add_heat(heat, &h->lines[heat->lines]);
	return 0;
}

double finding_hot_bytes(const struct finding_scene *s)
{
	return (double)(s->heat.lines * s->gpu->l1_line_bytes);
}

bool finding_is_hot(const struct finding_scene *s)
{
	const struct finding_heat *heat = &s->heat;

	return finding_hot_share(s, heat->turns) >=
	               finding_limit(heat->lines == 1 ? FINDING_LIMIT_HOT_LINE
	                                              : FINDING_LIMIT_HOT_SHARE) &&
	       finding_hot_bytes(s) <= finding_limit(FINDING_LIMIT_HOT_BYTES) &&
	       finding_ratio(heat->requests, heat->lines) >=
	               finding_limit(FINDING_LIMIT_HOT_REQUESTS);
}

static int compare_texts(const char *a, const char *b)
{
	return strcmp(a ? a : "", b ? b : "");
}

static int compare_numbers(int64_t x, int64_t y)
{
	return x < y ? -1 : x > y;
}

/* Orders sites so that those of one spot are adjacent; a site without a known line equals no other.
 */
static int compare_spots(const struct report_site *x, const struct report_site *y)
{
	const struct site *a = x->facts, *b = y->facts;
	bool has_a = a->place.file && a->place.line, has_b = b->place.file && b->place.line;
	int order = has_b - has_a;

	if (!order && !has_a)
		return compare_numbers(x->site, y->site);
	if (!order)
		order = compare_numbers(a->place.line, b->place.line);
	if (!order)
		order = compare_numbers(a->kind, b->kind);
	if (!order)
		order = compare_numbers(a->argument, b->argument);
	if (!order)
		order = compare_numbers(a->space, b->space);
	if (!order)
		order = strcmp(a->place.file, b->place.file);
	return order ? order : compare_texts(a->expression, b->expression);
}

static int compare_sites(const void *a, const void *b)
{
	const struct report_site *x = *(const struct report_site *const *)a;
	const struct report_site *y = *(const struct report_site *const *)b;
	int order = compare_spots(x, y);

	return order ? order : compare_numbers(x->site, y->site);
}

static int compare_firsts(const void *a, const void *b)
{
	const struct finding_spot *x = a, *y = b;

	return compare_numbers(x->sites[0]->site, y->sites[0]->site);
}

/* Returns the bytes sent to L2 for the writes of a spot (with write-back it is unknown for which
 * writes), or for its atomics. */
static uint64_t written_bytes(const struct finding_scene *s, const struct finding_spot *p)
{
	if (p->facts->kind == SITE_ATOMIC)
		return p->sums.l1.bytes_asked;
	return p->facts->kind == SITE_WRITE && s->gpu->l1_write != GPU_L1_WRITE_BACK_ALLOCATE
	               ? p->sums.l1.bytes_asked
	               : 0;
}

struct finding_spot finding_spot_sum(const struct finding_scene *s,
                                     const struct report_site *const *sites, size_t count)
{
	struct finding_spot p = {
		.kernel = s->kernel, .sites = sites, .site_count = count, .facts = sites[0]->facts
	};

	for (size_t i = 0; i < count; i++) {
		site_sums_add(&p.sums, &sites[i]->sums);
		p.hot_requests += s->heat.sites[sites[i]->site].requests;
		p.hot_turns += s->heat.sites[sites[i]->site].turns;
	}
	p.stock[FINDING_REQUESTS] = (double)l1_stats_requests(&p.sums.l1);
	p.stock[FINDING_BYTES] = finding_turns(s, p.sums.l1.bytes_from_l2 + written_bytes(s, &p));
	p.stock[FINDING_LANES] = (double)p.sums.atomic_waits;
	p.stock[FINDING_PASSES] = (double)side_counts_turns(&p.sums.side);
	p.is_uncoalesced = finding_spot_is_uncoalesced(&p);
	p.stream_share = stream_share(&p);
	return p;
}

/* Find the two largest streams: a stream's own misses are due to the other one. */
static void find_streams(struct finding_scene *s)
{
	s->streams[0] = s->streams[1] = NULL;
	for (size_t i = 0; i < s->spot_count; i++) {
		const struct finding_spot *p = &s->spots[i];

		if (p->stream_share <= 0)
			continue;
		if (!s->streams[0] || p->stream_share > s->streams[0]->stream_share) {
			s->streams[1] = s->streams[0];
			s->streams[0] = p;
		} else if (!s->streams[1] || p->stream_share > s->streams[1]->stream_share) {
			s->streams[1] = p;
		}
	}
}

void finding_spots_make(struct finding_scene *s, const struct report_site **sites)
{
	const struct report_kernel *k = s->kernel;

	for (size_t i = 0; i < k->site_count; i++)
		sites[i] = &s->data->sites[k->first_site + i];
	if (k->site_count)
		qsort(sites, k->site_count, sizeof(*sites), compare_sites);
	for (size_t i = 0, next; i < k->site_count; i = next) {
		for (next = i + 1; next < k->site_count;)
			if (compare_spots(sites[i], sites[next++])) {
				next--;
				break;
			}
		s->spots[s->spot_count++] = finding_spot_sum(s, &sites[i], next - i);
	}
	if (s->spot_count)
		qsort(s->spots, s->spot_count, sizeof(*s->spots), compare_firsts);
	for (size_t i = 0; i < s->spot_count; i++)
		for (size_t n = 0; n < s->spots[i].site_count; n++)
			s->spot_of[s->spots[i].sites[n] - s->data->sites] = &s->spots[i];
	find_streams(s);
}

int finding_each_alone(const struct finding_spot *p, const struct finding_spot *q)
{
	return p < q ? -1 : p > q;
}

int finding_all_alike(const struct finding_spot *p, const struct finding_spot *q)
{
	(void)p;
	(void)q;
	return 0;
}

int finding_by_argument(const struct finding_spot *p, const struct finding_spot *q)
{
	int order = compare_numbers(p->facts->argument, q->facts->argument);

	return order || p->facts->argument >= 0 ? order : finding_each_alone(p, q);
}

uint64_t finding_group_items(const struct finding_scene *s)
{
	uint32_t size[3];

	for (size_t i = 0; i < s->data->launch_count; i++) {
		const struct report_launch *l = &s->data->launches[i];

		if (l->kernel == s->kernel->kernel && l->is_played)
			return launch_shape_group_size(
				&s->data->recording->launches[l->launch].shape, 0, size);
	}
	return 1;
}
