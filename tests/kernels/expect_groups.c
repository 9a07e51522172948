/* SPDX-License-Identifier: Apache-2.0 */
#include "expect.h"

static void shared(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 4);
	meets(e);
	writes(e, 1, w->id[0], 4);
}

static void reduced(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 4);
	EACH(step, 8, step > 0, -(step - step / 2))
		meets(e);
	if (w->local[0] == 0)
		writes(e, 1, w->group[0], 4);
}

static void prefix(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 4);
	EACH(step, 1, step < 16, step)
		meets(e);
	writes(e, 1, w->id[0], 4);
}

static void in_loop(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 4);
	EACH(r, 0, r < number(e, 2), 1) {
		meets(e);
		meets(e);
		writes(e, 1, w->id[0], 4);
	}
}

static void fences(struct expect *e, const struct work_item *w)
{
	int64_t i = w->id[0];

	reads(e, 0, i, 4);
	writes(e, 1, i, 4);
	emit(e, SITE_FENCE, -1, 0, 0);
	reads(e, 1, i, 4);
	writes(e, 1, 32 + i, 4);
	emit(e, SITE_FENCE, -1, 0, 0);
	writes(e, 1, i, 4);
	emit(e, SITE_FENCE, -1, 0, 0);
}

static void global_barrier(struct expect *e, const struct work_item *w)
{
	int64_t i = w->id[0], l = w->local[0];

	reads(e, 0, i, 4);
	writes(e, 1, i, 4);
	meets(e);
	reads(e, 1, i - l + 7 - l, 4);
	meets(e);
	writes(e, 1, i, 4);
}

static void tiled(struct expect *e, const struct work_item *w)
{
	int64_t row = w->id[1], column = w->id[0];

	EACH(t, 0, t < 16, 8) {
		reads(e, 0, row * 16 + t + w->local[0], 4);
		reads(e, 1, (t + w->local[1]) * 16 + column, 4);
		meets(e);
		meets(e);
	}
	writes(e, 2, row * 16 + column, 4);
}

static void transposed(struct expect *e, const struct work_item *w)
{
	int64_t x = w->local[0], y = w->local[1], gx = w->group[0] * 8, gy = w->group[1] * 8;

	reads(e, 0, (gy + y) * 16 + gx + x, 4);
	meets(e);
	writes(e, 1, (gx + y) * 8 + gy + x, 4);
}

static void local_struct(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 8);
	reads(e, 0, w->id[0], 8);
	meets(e);
	writes(e, 1, w->id[0], 4);
}

static void two_barriers(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 4);
	meets(e);
	meets(e);
	writes(e, 1, w->id[0], 4);
}

const struct expectation expectations[] = { { "shared", shared },
	                                    { "reduced", reduced },
	                                    { "prefix", prefix },
	                                    { "in_loop", in_loop },
	                                    { "fences", fences },
	                                    { "global_barrier", global_barrier },
	                                    { "tiled", tiled },
	                                    { "transposed", transposed },
	                                    { "local_struct", local_struct },
	                                    { "two_barriers", two_barriers },
	                                    { NULL, NULL } };
