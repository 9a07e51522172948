/* SPDX-License-Identifier: Apache-2.0 */
#include "plot_clock.h"

#include "array.h"
#include "err.h"

#include <stdlib.h>

static const uint64_t COUNTS_MAX = UINT64_C(1) << 22, SPANS_MIN = 4096;

int plot_clock_init(struct plot_clock *c, uint32_t sm_count, struct err *err)
{
	*c = (struct plot_clock){ .sm_count = sm_count, .spans = SPANS_MIN };
	while (c->spans * 2 * sm_count <= COUNTS_MAX)
		c->spans *= 2;
	c->counts =
		array_alloc(c->spans * sm_count, sizeof(*c->counts), "accesses of a cycle", err);
	return c->counts ? 0 : ERR_NOMEM;
}

void plot_clock_release(struct plot_clock *c)
{
	free(c->counts);
	*c = (struct plot_clock){ 0 };
}

/* Double the length of the spans. */
static void fold(struct plot_clock *c)
{
	uint64_t half = (c->used + 1) / 2, sms = c->sm_count;

	for (uint64_t s = 0; s < c->used; s++)
		for (uint64_t m = 0; m < sms; m++) {
			uint64_t count = c->counts[s * sms + m];

			c->counts[s * sms + m] = 0;
			c->counts[s / 2 * sms + m] += count;
		}
	c->used = half;
	c->shift++;
}

void plot_clock_count(struct plot_clock *c, uint32_t sm, uint64_t cycle, uint64_t count)
{
	uint64_t span;

	while (cycle >> c->shift >= c->spans)
		fold(c);
	span = cycle >> c->shift;
	c->counts[span * c->sm_count + sm] += count;
	c->total += count;
	if (span >= c->used)
		c->used = span + 1;
}

void plot_clock_start(struct plot_clock *c)
{
	uint64_t next = 0;

	for (uint64_t i = 0; i < c->used * c->sm_count; i++) {
		uint64_t count = c->counts[i];

		c->counts[i] = next;
		next += count;
	}
}

uint64_t plot_clock_take(struct plot_clock *c, uint32_t sm, uint64_t cycle, uint64_t count)
{
	uint64_t *next = &c->counts[(cycle >> c->shift) * c->sm_count + sm];

	*next += count;
	return *next - count;
}
