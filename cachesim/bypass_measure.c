/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_measure.h"

#include "counters.h"
#include "err.h"
#include "replay.h"

#include <stdbool.h>
#include <string.h>

static const char *const words[] = {
#define BYPASS_OBJECTIVE(name, word, unit, value, text) word,
#include "bypass_objectives.def"
#undef BYPASS_OBJECTIVE
};

void bypass_measure_add(struct bypass_measure *sum, const struct replay_result *r)
{
#define BYPASS_MEASURE(name, value) sum->name += (value);
#include "bypass_measures.def"
#undef BYPASS_MEASURE
}

void bypass_measure_sum(struct bypass_measure *sum, const struct bypass_measure *more)
{
#define BYPASS_MEASURE(name, value) sum->name += more->name;
#include "bypass_measures.def"
#undef BYPASS_MEASURE
}

uint64_t bypass_measure_value(const struct bypass_measure *m, enum bypass_objective objective)
{
	const uint64_t values[] = {
#define BYPASS_OBJECTIVE(name, word, unit, value, text) (value),
#include "bypass_objectives.def"
#undef BYPASS_OBJECTIVE
	};

	return values[objective];
}

uint64_t bypass_measure_second(const struct bypass_measure *m, enum bypass_objective objective)
{
	bool is_of_cycles = objective == BYPASS_BALANCED || objective == BYPASS_CYCLES;

	return bypass_measure_value(m, is_of_cycles ? BYPASS_BYTES : BYPASS_CYCLES);
}

uint64_t bypass_measure_ceiling(const struct bypass_measure *before,
                                enum bypass_objective objective)
{
	if (objective != BYPASS_BALANCED || !before)
		return UINT64_MAX;
	return before->bytes_from_l2 +
	       bypass_measure_part(before->bytes_from_l2, BYPASS_CEILING_PPM);
}

uint64_t bypass_measure_part(uint64_t value, uint32_t ppm)
{
	return value / 1000000 * ppm + value % 1000000 * ppm / 1000000;
}

const char *bypass_objective_word(enum bypass_objective objective)
{
	return words[objective];
}

int bypass_objective_read(enum bypass_objective *out, const char *word, struct err *err)
{
	for (size_t i = 0; i < BYPASS_OBJECTIVES; i++)
		if (!strcmp(word, words[i])) {
			*out = (enum bypass_objective)i;
			return 0;
		}
	return err_set(err, ERR_USAGE, "unknown objective '%.40s'; there are:"
#define BYPASS_OBJECTIVE(name, word, unit, value, text) " " word
#include "bypass_objectives.def"
#undef BYPASS_OBJECTIVE
	               ,
	               word);
}

static int compare(uint64_t a, uint64_t b)
{
	return (a > b) - (a < b);
}

int bypass_measure_compare(const struct bypass_measure *a, const struct bypass_measure *b,
                           enum bypass_objective objective)
{
	int ret = compare(bypass_measure_value(a, objective), bypass_measure_value(b, objective));

	if (ret)
		return ret;
	return compare(bypass_measure_second(a, objective), bypass_measure_second(b, objective));
}

double bypass_measure_gain(const struct bypass_measure *before, const struct bypass_measure *after,
                           enum bypass_objective objective)
{
	double from = (double)bypass_measure_value(before, objective);
	double to = (double)bypass_measure_value(after, objective);

	if (from > 0)
		return (from - to) / from;
	return to > 0 ? -1 : 0;
}
