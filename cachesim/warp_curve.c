/* SPDX-License-Identifier: Apache-2.0 */
#include "warp_curve.h"

#include "array.h"
#include "bypass_choice.h"
#include "bypass_list.h"
#include "err.h"

#include <assert.h>
#include <stdbool.h>
#include <stdlib.h>

/* --- classes -------------------------------------------------------------------------------------
 */

/* A curve with its tolerances. */
struct shape {
	const uint64_t *v;
	size_t count;
	size_t least; /* the first of the least points */
	uint64_t low, high, noise, slip;
};

static struct shape shape_of(const uint64_t *v, size_t count)
{
	struct shape s = { .v = v, .count = count, .low = v[0], .high = v[0] };

	for (size_t i = 1; i < count; i++) {
		if (v[i] < s.low) {
			s.low = v[i];
			s.least = i;
		}
		if (v[i] > s.high)
			s.high = v[i];
	}
	s.noise = bypass_measure_part(s.low, WARP_CURVE_NOISE_PPM);
	s.slip = (s.high - s.low) / 100 * WARP_CURVE_SLIP_PERCENT +
	         (s.high - s.low) % 100 * WARP_CURVE_SLIP_PERCENT / 100;
	if (s.slip < s.noise)
		s.slip = s.noise;
	return s;
}

/* Whether no point of [from, to] is more than the slip below an earlier one. */
static bool is_rising(const struct shape *s, size_t from, size_t to)
{
	uint64_t highest = 0;

	for (size_t i = from; i <= to; i++) {
		if (highest > s->v[i] && highest - s->v[i] > s->slip)
			return false;
		if (s->v[i] > highest)
			highest = s->v[i];
	}
	return true;
}

/* Whether no point of [from, to] is more than the slip above an earlier one. */
static bool is_falling(const struct shape *s, size_t from, size_t to)
{
	uint64_t lowest = UINT64_MAX;

	for (size_t i = from; i <= to; i++) {
		if (s->v[i] > lowest && s->v[i] - lowest > s->slip)
			return false;
		if (s->v[i] < lowest)
			lowest = s->v[i];
	}
	return true;
}

enum warp_class warp_curve_classify(const uint64_t *v, size_t count)
{
	const struct shape s = shape_of(v, count);
	bool is_first_best = v[0] - s.low <= s.noise;
	bool is_last_best = v[count - 1] - s.low <= s.noise;

	if (s.high - s.low <= s.noise)
		return WARP_INSENSITIVE;
	if (is_first_best && is_rising(&s, 0, count - 1))
		return WARP_BYPASS_FAVOURITE;
	if (is_last_best && is_falling(&s, 0, count - 1))
		return WARP_CACHE_FAVOURITE;
	if (!is_first_best && !is_last_best && is_falling(&s, 0, s.least) &&
	    is_rising(&s, s.least, count - 1))
		return WARP_CONGESTED;
	return WARP_IRREGULAR;
}

const char *warp_class_word(enum warp_class shape)
{
	static const char *const words[] = {
#define WARP_CLASS(name, word, text) word,
#include "warp_classes.def"
#undef WARP_CLASS
	};

	return words[shape];
}

const char *warp_class_text(enum warp_class shape)
{
	static const char *const texts[] = {
#define WARP_CLASS(name, word, text) text,
#include "warp_classes.def"
#undef WARP_CLASS
	};

	return texts[shape];
}

/* --- measuring -----------------------------------------------------------------------------------
 */

/* A list for each point, and its measure. */
struct lists {
	struct bypass_list *lists;
	const struct bypass_list **pointers;
	struct bypass_measure *measures;
	size_t count;
};

static int lists_init(struct lists *l, size_t count, struct err *err)
{
	*l = (struct lists){ .count = count };
	l->lists = array_alloc(count, sizeof(*l->lists), "lists", err);
	l->pointers = array_alloc(count, sizeof(const struct bypass_list *), "lists", err);
	l->measures = array_alloc(count, sizeof(*l->measures), "measures", err);
	return l->lists && l->pointers && l->measures ? 0 : ERR_NOMEM;
}

static void lists_release(struct lists *l)
{
	for (size_t i = 0; l->lists && i < l->count; i++)
		bypass_list_release(&l->lists[i]);
	free(l->lists);
	free(l->pointers);
	free(l->measures);
}

/* A threshold that leaves nothing to bypass needs no rule. */
static int add_rule(struct bypass_list *list, char *kernel, uint32_t pi, uint32_t warps,
                    struct err *err)
{
	struct bypass_rule rule = { .kind = pi ? BYPASS_WARPS : BYPASS_ALL,
		                    .number = pi,
		                    .sm = -1 };

	rule.kernel = kernel;
	return pi < warps ? bypass_list_add(list, &rule, err) : 0;
}

static int fill_lists(struct lists *l, const struct warp_curve *c, char *kernel,
                      const struct bypass_list *base, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < c->count && !ret; i++) {
		l->pointers[i] = &l->lists[i];
		for (size_t k = 0; base && k < base->count && !ret; k++)
			ret = bypass_list_add(&l->lists[i], &base->rules[k], err);
		if (!ret)
			ret = add_rule(&l->lists[i], kernel, c->points[i].pi, c->warps, err);
	}
	return ret;
}

static size_t find_best(const struct warp_curve *c, const struct bypass_judge *judge)
{
	enum bypass_objective objective = judge->objective;
	struct bypass_option options[WARP_CURVE_POINTS];
	const struct bypass_measure *m;
	struct bypass_slack slack;

	for (size_t i = 0; i < c->count; i++)
		options[i] = (struct bypass_option){ c->points[i].measure, c->count - i };
	slack = bypass_slack_of(options, c->count, judge);
	m = &options[bypass_pick(options, c->count, objective, &slack)].measure;
	slack.first = bypass_measure_part(bypass_measure_value(m, objective), BYPASS_SLACK_PPM);
	slack.second = bypass_measure_part(bypass_measure_second(m, objective), BYPASS_SLACK_PPM);
	return bypass_pick(options, c->count, objective, &slack);
}

static void finish(struct warp_curve *c, const struct bypass_measure *measures,
                   const struct bypass_judge *judge)
{
	uint64_t v[WARP_CURVE_POINTS];

	for (size_t i = 0; i < c->count; i++) {
		c->points[i].measure = measures[i];
		v[i] = bypass_measure_value(&measures[i], judge->objective);
	}
	c->best = find_best(c, judge);
	c->shape = warp_curve_classify(v, c->count);
}

int warp_curve_measure(struct warp_curve *out, const struct bypass_judge *judge, char *kernel,
                       uint32_t warps, const struct bypass_list *base, struct err *err)
{
	struct lists lists = { 0 };
	int ret;

	assert(warps);
	*out = (struct warp_curve){ .warps = warps };
	out->count = warps < WARP_CURVE_POINTS ? (size_t)warps + 1 : WARP_CURVE_POINTS;
	out->points = array_alloc(out->count, sizeof(*out->points), "points of a curve", err);
	ret = out->points ? lists_init(&lists, out->count, err) : ERR_NOMEM;
	for (size_t i = 0; i < out->count && !ret; i++)
		out->points[i].pi = (uint32_t)((uint64_t)i * warps / (out->count - 1));
	if (!ret)
		ret = fill_lists(&lists, out, kernel, base, err);
	if (!ret)
		ret = judge->measure(judge->context, lists.pointers, out->count, lists.measures,
		                     err);
	if (!ret)
		finish(out, lists.measures, judge);
	lists_release(&lists);
	return ret;
}

int warp_curve_list(const struct warp_curve *c, char *kernel, struct bypass_list *list,
                    struct err *err)
{
	return add_rule(list, kernel, c->points[c->best].pi, c->warps, err);
}

int warp_curve_hybrid(const struct warp_curve *c, char *kernel, const struct bypass_list *sites,
                      struct bypass_list *list, struct err *err)
{
	bool has_sites = c->points[c->best].pi > 0;
	int ret = 0;

	for (size_t i = 0; has_sites && i < sites->count && !ret; i++)
		ret = bypass_list_add(list, &sites->rules[i], err);
	return ret ? ret : warp_curve_list(c, kernel, list, err);
}

void warp_curve_release(struct warp_curve *c)
{
	free(c->points);
	*c = (struct warp_curve){ 0 };
}
