/* SPDX-License-Identifier: Apache-2.0 */
#include "curve_set.h"

#include "err.h"
#include "sweep_axes.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Points for each power of two. */
enum { WALK_STEPS = 32 };

static bool is_same_index(const struct gpu_spec *a, const struct gpu_spec *b)
{
	return a->kind == b->kind && a->count == b->count &&
	       !memcmp(a->list, b->list, sizeof(a->list));
}

/* Returns the curve of an L1's sets, added if it is new; 0: there is no room. */
static size_t find_curve(struct curve_set *c, const struct gpu *gpu)
{
	size_t at = 1;

	while (at < c->curve_count && (c->curves[at].sets != gpu->l1_sets ||
	                               !is_same_index(&c->curves[at].index, &gpu->l1_index)))
		at++;
	if (at == MISS_CURVE_MAX)
		return 0;
	if (at == c->curve_count) {
		c->curves[at] = (struct curve_sets){ gpu->l1_sets, gpu->l1_index };
		c->curve_count++;
	}
	return at;
}

static void add_mark(struct curve_set *c, const struct gpu *gpu, const char *what)
{
	struct curve_mark *mark = &c->marks[c->mark_count];
	bool has_line = gpu->l1_line_bytes == c->gpu.l1_line_bytes;
	size_t curve = has_line && c->mark_count < CURVE_MARKS_MAX ? find_curve(c, gpu) : 0;

	if (!curve) {
		c->left_out++;
		return;
	}
	*mark = (struct curve_mark){ .curve = curve, .ways = gpu->l1_ways };
	mark->bytes = curve_set_bytes(c, curve, mark->ways);
	(void)snprintf(mark->name, sizeof(mark->name), "L1%s%s%s", *gpu->l1 ? " " : "", gpu->l1,
	               what);
	c->mark_count++;
}

static bool is_same_cache(const struct gpu *a, const struct gpu *b)
{
	return a->l1_sets == b->l1_sets && a->l1_ways == b->l1_ways &&
	       is_same_index(&a->l1_index, &b->l1_index) && a->l1_line_bytes == b->l1_line_bytes;
}

/* Add the marks: the L1 of the replay, then the other L1s of the description. */
static void find_marks(struct curve_set *c, const struct curve_gpu *gpu)
{
	add_mark(c, &c->gpu, is_same_cache(gpu->described, &c->gpu) ? "" : " changed");
	for (size_t i = 0; i < gpu->l1_count; i++)
		if (strcmp(gpu->l1s[i].l1, c->gpu.l1) != 0 || !is_same_cache(&gpu->l1s[i], &c->gpu))
			add_mark(c, &gpu->l1s[i], "");
}

/* Returns the marked L1 of a curve with the most ways. */
static struct gpu gpu_of(const struct curve_set *c, size_t curve)
{
	struct gpu gpu = c->gpu;

	gpu.l1_sets = c->curves[curve].sets;
	gpu.l1_index = c->curves[curve].index;
	gpu.l1_ways = 1;
	for (size_t i = 0; i < c->mark_count; i++)
		if (c->marks[i].curve == curve && c->marks[i].ways > gpu.l1_ways)
			gpu.l1_ways = c->marks[i].ways;
	return gpu;
}

int curve_set_init(struct curve_set *c, const struct curve_gpu *gpu, bool is_exact, struct err *err)
{
	struct gpu gpus[MISS_CURVE_MAX];
	struct miss_curve_setup setup = { .gpu = &c->gpu, .sets = gpus + 1, .is_exact = is_exact };

	*c = (struct curve_set){ .gpu = *gpu->played, .curve_count = 1 };
	c->curves[0].sets = 1;
	find_marks(c, gpu);
	for (size_t i = 1; i < c->curve_count; i++)
		gpus[i] = gpu_of(c, i);
	setup.set_count = c->curve_count - 1;
	return miss_curve_create(&c->counts, &setup, err);
}

void curve_set_release(struct curve_set *c)
{
	miss_curve_free(c->counts);
	c->counts = NULL;
}

/* Returns the properties of an L1 that the caches of curves lack, as words; "" if there are none.
 */
static const char *differences(char words[CURVE_OTHER_BYTES], const struct gpu *g)
{
	const struct {
		const char *name;
		bool is_other;
	} all[] = {
		{ "sectors", g->l1_sector_bytes != 0 },
		{ "policy", g->l1_policy.kind != GPU_POLICY_LRU },
		{ "writes", g->l1_write != GPU_L1_WRITE_THROUGH_EVICT &&
		                    g->l1_write != GPU_L1_WRITE_THROUGH_UPDATE },
		{ "allocation", g->l1_allocation != GPU_L1_ALLOCATION_AT_MISS },
		{ "MSHRs", g->l1_mshr_entries || g->l1_mshr_merge },
		{ "L2", g->l2 != GPU_L2_OFF && g->l2_inclusion == GPU_L2_INCLUSION_INCLUSIVE },
	};
	size_t used = 0;

	words[0] = '\0';
	for (size_t i = 0; i < sizeof(all) / sizeof(all[0]); i++)
		if (all[i].is_other)
			used += (size_t)snprintf(words + used, CURVE_OTHER_BYTES - used, "%s%s",
			                         used ? ", " : "", all[i].name);
	return words;
}

bool curve_set_is_exact_for(const struct gpu *g)
{
	char words[CURVE_OTHER_BYTES];

	return !*differences(words, g);
}

const char *curve_set_other_cache(char text[CURVE_OTHER_BYTES], const struct gpu *gpu,
                                  double replay_rate, double mark_rate)
{
	char words[CURVE_OTHER_BYTES];

	text[0] = '\0';
	if (!curve_set_is_exact_for(gpu))
		(void)snprintf(
			text, CURVE_OTHER_BYTES,
			"caches that are not this L1, which differs in %.64s (%.2f%% of reads "
			"miss in replay, %.2f%% in such a cache of its size)",
			differences(words, gpu), 100 * replay_rate, 100 * mark_rate);
	return text;
}

double curve_set_own_rate(const struct curve_set *c)
{
	struct curve_walk walk = curve_walk_begin(c, c->marks[0].curve);

	curve_walk_to(&walk, c->marks[0].ways);
	return curve_walk_ratio(&walk);
}

bool curve_set_is_exact(const struct curve_set *c)
{
	return curve_set_is_exact_for(&c->gpu);
}

uint64_t curve_set_bytes(const struct curve_set *c, size_t curve, uint64_t ways)
{
	return c->curves[curve].sets * ways * c->gpu.l1_line_bytes;
}

const char *curve_set_name(const struct curve_set *c, size_t curve, char text[CURVE_NAME_BYTES])
{
	const struct curve_sets *sets = &c->curves[curve];
	char index[SWEEP_INDEX_BYTES];

	if (!curve)
		(void)snprintf(text, CURVE_NAME_BYTES, "fully associative");
	else
		(void)snprintf(text, CURVE_NAME_BYTES, "%" PRIu32 " set%s, %s", sets->sets,
		               sets->sets == 1 ? "" : "s",
		               sweep_axes_index(index, sets->index.kind));
	return text;
}

const struct curve_mark *curve_set_mark(const struct curve_set *c, size_t curve, uint64_t ways)
{
	for (size_t i = 0; i < c->mark_count; i++)
		if (c->marks[i].curve == curve && c->marks[i].ways == ways)
			return &c->marks[i];
	return NULL;
}

struct curve_walk curve_walk_begin(const struct curve_set *c, size_t curve)
{
	uint64_t reads = reuse_counts_reads(miss_curve_counts(c->counts, curve));

	return (struct curve_walk){ .set = c,
		                    .curve = curve,
		                    .left = reads,
		                    .misses = reads,
		                    .reads = reads,
		                    .is_known = true };
}

void curve_walk_to(struct curve_walk *w, uint64_t ways)
{
	const struct reuse_counts *counts = miss_curve_counts(w->set->counts, w->curve);

	for (; w->ways < ways && w->ways < counts->count; w->ways++)
		w->left -= counts->exact[w->ways];
	w->ways = ways;
	w->is_estimate = reuse_counts_is_estimate(counts, ways);
	w->misses = w->is_estimate ? reuse_counts_misses(counts, ways) : w->left;
	w->is_known = w->misses != UINT64_MAX;
	w->error = w->is_known ? reuse_counts_error(counts, ways) : 0;
	w->ways_error = reuse_counts_ways_error(counts, ways);
}

/* Returns the next regular point. */
static uint64_t step_from(uint64_t ways)
{
	uint64_t step = 1;

	while (ways >= step * 2 * WALK_STEPS)
		step *= 2;
	return (ways / step + 1) * step;
}

bool curve_walk_next(struct curve_walk *w)
{
	uint64_t enough = reuse_counts_enough(miss_curve_counts(w->set->counts, w->curve));
	uint64_t next = step_from(w->ways), last = enough;

	for (size_t i = 0; i < w->set->mark_count; i++) {
		const struct curve_mark *mark = &w->set->marks[i];

		if (mark->curve == w->curve && mark->ways > w->ways && mark->ways < next)
			next = mark->ways;
		if (mark->curve == w->curve && mark->ways > last)
			last = mark->ways;
	}
	if (w->ways >= last)
		return false;
	curve_walk_to(w, next < last ? next : last);
	return true;
}

double curve_walk_ratio(const struct curve_walk *w)
{
	return w->reads ? (double)w->misses / (double)w->reads : 0;
}

struct curve_error curve_set_error(const struct curve_set *c)
{
	const struct reuse_counts *counts = miss_curve_counts(c->counts, 0);
	double cold = reuse_counts_cold_error(counts), taken = reuse_counts_taken_error(counts);
	struct curve_walk walk = curve_walk_begin(c, 0);
	struct curve_error worst = { .misses = cold > taken ? cold : taken };

	while (curve_walk_next(&walk)) {
		double ways = walk.ways_error / (double)walk.ways;

		worst.misses = walk.error > worst.misses ? walk.error : worst.misses;
		worst.ways = ways > worst.ways ? ways : worst.ways;
	}
	worst.misses /= walk.reads ? (double)walk.reads : 1;
	return worst;
}
