/* SPDX-License-Identifier: Apache-2.0 */
#include "expect.h"

/* Passing 2^32, k takes six values: 2^32 - 3 .. 2; k + 5 is 2, 3, 4, ... in 32 bits. */
static void wraps(struct expect *e, const struct work_item *w)
{
	EACH(k, 0, k < 6, 1)
		reads(e, 0, ((number(e, 2) + k) & 255) / 4 + w->id[0], 4);
	EACH(k, 0, k < 6, 1)
		reads(e, 0, 2 + k + w->id[0], 4);
	writes(e, 1, w->id[0], 4);
}

static void wraps_short(struct expect *e, const struct work_item *w)
{
	EACH(k, 250, k < 262, 1)
		reads(e, 0, (k + w->id[0]) % 256, 4);
	writes(e, 1, w->id[0], 4);
}

static void quadratic(struct expect *e, const struct work_item *w)
{
	EACH(k, 0, k < 12, 1)
		reads(e, 0, k * k + w->id[0], 4);
	writes(e, 1, w->id[0], 4);
}

static void doubling(struct expect *e, const struct work_item *w)
{
	EACH(k, 1, k < 256, k)
		reads(e, 0, k ^ w->id[0], 4);
	writes(e, 1, w->id[0], 4);
}

static void chased(struct expect *e, const struct work_item *w)
{
	int64_t at = w->id[0];

	EACH(k, 0, k < 5, 1) {
		reads(e, 0, at, 4);
		at = value(e, 0, at);
	}
	writes(e, 1, w->id[0], 4);
}

static void wandering(struct expect *e, const struct work_item *w)
{
	int64_t at = 128;

	EACH(k, 0, k < 4, 1) {
		reads(e, 0, 4 * w->id[0] + k, 4);
		at += 10 * value(e, 0, 4 * w->id[0] + k);
		reads(e, 1, at + w->id[0], 4);
	}
	writes(e, 2, w->id[0], 4);
}

static void invariant(struct expect *e, const struct work_item *w)
{
	EACH(k, 0, k < 5, 1) {
		reads(e, 1, w->id[0], 4);
		reads(e, 0, w->id[0], 4);
		writes(e, 1, w->id[0], 4);
	}
}

static void only_first(struct expect *e, const struct work_item *w)
{
	EACH(k, 0, k < 8, 1) {
		if (k < 2)
			reads(e, 0, 8 * w->id[0] + k, 4);
		if (k == 5)
			writes(e, 1, w->id[0], 4);
	}
}

static void changing_bound(struct expect *e, const struct work_item *w)
{
	int64_t n = 2;

	EACH(k, 0, k < n && k < 8, 1) {
		reads(e, 0, 8 * w->id[0] + k, 4);
		if (value(e, 0, 8 * w->id[0] + k) > 1)
			n++;
	}
	writes(e, 1, w->id[0], 4);
}

static void outer_only(struct expect *e, const struct work_item *w)
{
	EACH(y, 0, y < 4, 1) {
		reads(e, 0, 4 * w->id[0] + y, 4);
		writes(e, 1, 4 * w->id[0] + y, 4);
	}
}

static void long_index(struct expect *e, const struct work_item *w)
{
	EACH(k, 0, k < 8, 1)
		reads(e, 1, 8 * w->id[0] + k, 8);
	writes(e, 0, w->id[0], 8);
}

/* From 100 through 255 and 0 to 89. */
static void byte_counter(struct expect *e, const struct work_item *w)
{
	EACH(k, 100, k < 256 + 90, 1)
		reads(e, 0, k % 256 + 2 * w->id[0], 1);
	writes(e, 1, w->id[0], 4);
}

static void modulo(struct expect *e, const struct work_item *w)
{
	EACH(k, 0, k < 40, 1)
		reads(e, 0, (k * 3 + w->id[0]) % 64, 4);
	writes(e, 1, w->id[0], 4);
}

static void many_loops(struct expect *e, const struct work_item *w)
{
	int64_t i = w->id[0];

	EACH(k, 0, k < 2, 1)
		reads(e, 0, i + k, 4);
	EACH(k, 0, k < 3, 1)
		reads(e, 0, i + 2 * k, 4);
	EACH(k, 0, k < 1, 1)
		reads(e, 0, i, 4);
	EACH(j, 0, j < 4, 1)
		EACH(k, 0, k < 2, 1)
			reads(e, 0, i + 3 * k, 4);
	EACH(j, 0, j < 2, 1)
		EACH(k, 0, k < 3, 1)
			reads(e, 0, 63 - k - i, 4);
	EACH(k, 0, k < 3, 1)
		writes(e, 1, i, 4);
}

static void every_other(struct expect *e, const struct work_item *w)
{
	EACH(y, 0, y < 6, 1) {
		if (y % 2 == 0)
			continue;
		EACH(x, 0, x < 4, 1)
			reads(e, 0, 8 * y + x + w->id[0], 4);
	}
	writes(e, 1, w->id[0], 4);
}

static void skipped_rows(struct expect *e, const struct work_item *w)
{
	EACH(y, 0, y < 4, 1) {
		reads(e, 0, (w->id[0] + y) & 15, 4);
		if (value(e, 0, (w->id[0] + y) & 15))
			continue;
		EACH(x, 0, x < 3, 1)
			reads(e, 1, 16 * y + 2 * x + w->id[0], 4);
		writes(e, 2, 4 * w->id[0] + y, 4);
	}
}

/* in and wanted are 0, 1, 2, ...: work-item i finds k = i. */
static void found(struct expect *e, const struct work_item *w)
{
	int64_t i = w->id[0];

	if (i < number(e, 3)) {
		EACH(k, 0, k <= i, 1) {
			reads(e, 0, k, 4);
			reads(e, 1, i, 4);
		}
		reads(e, 0, i, 4);
		writes(e, 2, i, 4);
	}
	meets(e);
}

const struct expectation expectations[] = { { "wraps", wraps },
	                                    { "wraps_short", wraps_short },
	                                    { "quadratic", quadratic },
	                                    { "doubling", doubling },
	                                    { "chased", chased },
	                                    { "wandering", wandering },
	                                    { "invariant", invariant },
	                                    { "only_first", only_first },
	                                    { "changing_bound", changing_bound },
	                                    { "outer_only", outer_only },
	                                    { "long_index", long_index },
	                                    { "byte_counter", byte_counter },
	                                    { "modulo", modulo },
	                                    { "many_loops", many_loops },
	                                    { "every_other", every_other },
	                                    { "skipped_rows", skipped_rows },
	                                    { "found", found },
	                                    { NULL, NULL } };
