/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_choice.h"

#include <stdbool.h>

enum { SECOND_IS_WORTH = 10 }; /* a gain of 10% in the second figure is worth 1% of the first */

typedef uint64_t (*figure_fn)(const struct bypass_measure *m, enum bypass_objective objective);

/* Upper limits of the figures. */
struct limits {
	uint64_t most_bytes, first, second;
};

static bool is_within(const struct bypass_option *o, enum bypass_objective objective,
                      const struct limits *l)
{
	return o->measure.bytes_from_l2 <= l->most_bytes &&
	       bypass_measure_value(&o->measure, objective) <= l->first &&
	       bypass_measure_second(&o->measure, objective) <= l->second;
}

static uint64_t add_slack(uint64_t least, uint64_t slack)
{
	return slack > UINT64_MAX - least ? UINT64_MAX : least + slack;
}

/* Returns the least figure of the options within the limits. */
static uint64_t find_least(const struct bypass_option *options, size_t count,
                           enum bypass_objective objective, const struct limits *l,
                           figure_fn figure)
{
	uint64_t least = UINT64_MAX;

	for (size_t i = 0; i < count; i++)
		if (is_within(&options[i], objective, l) &&
		    figure(&options[i].measure, objective) < least)
			least = figure(&options[i].measure, objective);
	return least;
}

static bool is_preferred(const struct bypass_option *a, const struct bypass_option *b,
                         enum bypass_objective objective)
{
	if (a->rules != b->rules)
		return a->rules < b->rules;
	return bypass_measure_compare(&a->measure, &b->measure, objective) < 0;
}

struct bypass_slack bypass_slack_of(const struct bypass_option *options, size_t count,
                                    const struct bypass_judge *judge)
{
	uint64_t most = bypass_measure_ceiling(judge->before, judge->objective), least = UINT64_MAX;

	for (size_t i = 0; i < count; i++)
		if (options[i].measure.bytes_from_l2 < least)
			least = options[i].measure.bytes_from_l2;
	return (struct bypass_slack){ .ceiling = UINT64_MAX,
		                      .most_bytes = least > most ? least : most };
}

size_t bypass_pick(const struct bypass_option *options, size_t count,
                   enum bypass_objective objective, const struct bypass_slack *slack)
{
	struct limits l = { slack->most_bytes, slack->ceiling, UINT64_MAX };
	uint64_t least = find_least(options, count, objective, &l, bypass_measure_value);
	size_t best = count;

	least = add_slack(least, slack->first);
	if (least < l.first)
		l.first = least;
	least = find_least(options, count, objective, &l, bypass_measure_second);
	l.second = add_slack(least, slack->second);
	for (size_t i = 0; i < count; i++)
		if (is_within(&options[i], objective, &l) &&
		    (best == count || is_preferred(&options[i], &options[best], objective)))
			best = i;
	return best;
}

/* Returns ceil(value * ppm / 10^6). */
static uint64_t part_up(uint64_t value, uint32_t ppm)
{
	return bypass_measure_part(value, ppm) + (value % 1000000 * ppm % 1000000 != 0);
}

/* Choose among the options that gain at least the threshold in the first figure. */
static size_t choose_gain(const struct bypass_option *options, size_t count,
                          enum bypass_objective objective, uint32_t threshold_ppm)
{
	uint64_t first = bypass_measure_value(&options[0].measure, objective);
	uint64_t second = bypass_measure_second(&options[0].measure, objective);
	struct bypass_slack slack = {
		.most_bytes = bypass_measure_ceiling(&options[0].measure, objective),
		.first = bypass_measure_part(first, threshold_ppm),
		.second = bypass_measure_part(second, threshold_ppm),
	};
	uint64_t gain = part_up(first, threshold_ppm);

	if (!gain)
		gain = 1;
	if (gain > first)
		return count;
	slack.ceiling = first - gain;
	return bypass_pick(options, count, objective, &slack);
}

/* Whether an option loses less than the threshold in the first figure, and its gain in the first
 * plus a tenth of its gain in the second reach the threshold. */
static bool is_trade(const struct bypass_option *options, size_t i, enum bypass_objective objective,
                     uint32_t threshold_ppm)
{
	const struct bypass_measure *before = &options[0].measure, *after = &options[i].measure;
	uint64_t first[2] = { bypass_measure_value(before, objective),
		              bypass_measure_value(after, objective) };
	uint64_t second[2] = { bypass_measure_second(before, objective),
		               bypass_measure_second(after, objective) };
	double gain = bypass_measure_gain(before, after, objective);

	if (after->bytes_from_l2 > bypass_measure_ceiling(before, objective) ||
	    second[1] >= second[0] ||
	    (first[1] > first[0] && first[1] - first[0] >= part_up(first[0], threshold_ppm)))
		return false;
	gain += (double)(second[0] - second[1]) / (double)second[0] / SECOND_IS_WORTH;
	return gain * 1e6 >= (double)threshold_ppm - 1e-6; /* tolerance for rounding */
}

/* Choose among these: the least second figures, then the fewest rules. */
static size_t choose_trade(const struct bypass_option *options, size_t count,
                           enum bypass_objective objective, uint32_t threshold_ppm)
{
	uint64_t least = UINT64_MAX, second;
	size_t best = count;

	for (size_t i = 1; i < count; i++) {
		second = bypass_measure_second(&options[i].measure, objective);
		if (is_trade(options, i, objective, threshold_ppm) && second < least)
			least = second;
	}
	second = bypass_measure_second(&options[0].measure, objective);
	least = add_slack(least, bypass_measure_part(second, threshold_ppm));
	for (size_t i = 1; i < count; i++)
		if (is_trade(options, i, objective, threshold_ppm) &&
		    bypass_measure_second(&options[i].measure, objective) <= least &&
		    (best == count || is_preferred(&options[i], &options[best], objective)))
			best = i;
	return best;
}

size_t bypass_choose(const struct bypass_option *options, size_t count,
                     enum bypass_objective objective, uint32_t threshold_ppm)
{
	size_t best = choose_gain(options, count, objective, threshold_ppm);

	if (best == count)
		best = choose_trade(options, count, objective, threshold_ppm);
	return best == count ? 0 : best;
}
