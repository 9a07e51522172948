/* SPDX-License-Identifier: Apache-2.0 */
#include "expect.h"

static void two_reads(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 4);
	reads(e, 0, w->id[0] + 32, 4);
	writes(e, 1, w->id[0], 4);
}

static void called(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 4);
	writes(e, 1, w->id[0], 4);
}

static void calls_kernel(struct expect *e, const struct work_item *w)
{
	called(e, w);
	changes(e, 1, w->id[0], 4);
}

static void by_pointer(struct expect *e, const struct work_item *w)
{
	int64_t i = w->id[0];

	reads(e, 0, i, 4);
	writes(e, 1, i, 4);
	for (int k = 0; k < 2; k++) {
		reads(e, 1, i, 4);
		reads(e, 1, i + 32, 4);
		writes(e, 1, i, 4);
		writes(e, 1, i + 32, 4);
	}
	writes(e, 1, i + 32, 4);
}

static void local_helper(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 4);
	meets(e);
	writes(e, 1, w->id[0], 4);
}

static void looped_helper(struct expect *e, const struct work_item *w)
{
	EACH(r, 0, r < 2, 1)
		EACH(k, 0, k < 2 + r, 1)
			reads(e, 0, 4 * w->id[0] + k, 4);
	EACH(k, 0, k < 2, 1)
		reads(e, 0, k, 4);
	writes(e, 1, w->id[0], 4);
}

static void twice(struct expect *e, const struct work_item *w)
{
	int64_t i = w->id[0];

	for (int64_t k = 0; k < 2; k++) {
		reads(e, 0, i + 16 * k, 4);
		changes(e, 1, i + 16 * k, 4);
	}
	EACH(k, 0, k < 2, 1) {
		reads(e, 0, i, 4);
		changes(e, 1, i + 32 + 16 * k, 4);
	}
}

static void noinline_one(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 4);
	reads(e, 0, 31 - w->id[0], 4);
	writes(e, 1, w->id[0], 4);
}

const struct expectation expectations[] = {
	{ "three_levels", two_reads },      { "called", called },
	{ "calls_kernel", calls_kernel },   { "through_macro", two_reads },
	{ "by_pointer", by_pointer },       { "local_helper", local_helper },
	{ "looped_helper", looped_helper }, { "twice", twice },
	{ "noinline_one", noinline_one },   { NULL, NULL }
};
