/* SPDX-License-Identifier: Apache-2.0 */
#include "plot_tics.h"

#include "shape_text.h"

#include <inttypes.h>

/* The least power of two of which `most` or fewer make the range. */
static uint64_t binary_step(uint64_t range, uint32_t most)
{
	uint64_t step = 1;

	while (range / step > most)
		step *= 2;
	return step;
}

/* The least 1, 2 or 5 times a power of ten of which `most` or fewer fit in the range. */
static uint64_t decimal_step(uint64_t range, uint32_t most)
{
	static const uint64_t factors[] = { 1, 2, 5 };
	uint64_t power = 1;

	for (;; power *= 10)
		for (int i = 0; i < 3; i++)
			if (range / factors[i] / power <= most)
				return factors[i] * power;
}

struct plot_tics plot_tics_make(uint64_t low, uint64_t high, uint32_t most)
{
	uint64_t range = high - low, step = binary_step(range, most), before;

	if (!range || low % step || range % step || range / step < 4)
		step = decimal_step(range, most);
	before = low % step ? step - low % step : 0;
	return (struct plot_tics){ .first = low + before,
		                   .step = step,
		                   .count = before > range
		                                    ? 0
		                                    : (uint32_t)((range - before) / step) + 1 };
}

void plot_tics_write(const char *axis, struct plot_tics tics, bool has_numbers, FILE *out)
{
	char number[COUNT_TEXT_BYTES];

	fprintf(out, "set %stics (", axis);
	for (uint32_t i = 0; i < tics.count; i++) {
		uint64_t at = tics.first + i * tics.step;

		fprintf(out, "%s'%s' %" PRIu64, i ? ", " : "",
		        has_numbers ? count_text(number, at) : "", at);
	}
	fputs(")\n", out);
}
