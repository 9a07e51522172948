/* SPDX-License-Identifier: Apache-2.0 */
#include "expect.h"

static void one_d(struct expect *e, const struct work_item *w)
{
	writes(e, 0, w->id[0], 4);
	if (w->group[0] == 4)
		writes(e, 1, w->local[0], 4);
}

static void two_d(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[1] * 12 + w->id[0], 4);
	writes(e, 1, w->id[0] * 10 + w->id[1], 4);
}

static void three_d(struct expect *e, const struct work_item *w)
{
	reads(e, 0, (w->group[2] * 4 + w->group[1]) * 6 + w->id[0], 4);
	writes(e, 1, (w->id[2] * 4 + w->id[1]) * 6 + w->id[0], 4);
}

static void offset_1d(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 4);
	writes(e, 1, w->id[0] - 100, 4);
}

static void offset_3d(struct expect *e, const struct work_item *w)
{
	int64_t at = ((w->id[2] - 30) * 4 + w->id[1] - 20) * 4 + w->id[0] - 10;

	writes(e, 0, at, 4);
	writes(e, 0, at + 128, 4);
}

static void all_queries(struct expect *e, const struct work_item *w)
{
	int64_t n = (w->id[1] - 2) * 6 + w->id[0] - 1;

	writes(e, 0, n, 4);
	EACH(d, 0, d < 2, 1)
		for (int64_t k = 0; k < 14; k += 2)
			writes(e, 1, 16 * n + k + d, 8);
	writes(e, 1, 16 * n + 14, 8);
	writes(e, 1, 16 * n + 15, 8);
}

static void free_size(struct expect *e, const struct work_item *w)
{
	reads(e, 0, 31 - w->id[0], 4);
	writes(e, 1, w->id[0], 4);
}

static void grid_stride(struct expect *e, const struct work_item *w)
{
	EACH(i, w->id[0], i < 100, 16) {
		reads(e, 0, i, 4);
		writes(e, 1, i, 4);
	}
}

static void required(struct expect *e, const struct work_item *w)
{
	int64_t i = w->id[1] * 32 + w->id[0];

	reads(e, 0, 63 - i, 4);
	writes(e, 1, i, 4);
}

static void hinted(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 4);
	writes(e, 1, w->id[0], 4);
}

const struct expectation expectations[] = { { "one_d", one_d },
	                                    { "two_d", two_d },
	                                    { "three_d", three_d },
	                                    { "offset_1d", offset_1d },
	                                    { "offset_3d", offset_3d },
	                                    { "all_queries", all_queries },
	                                    { "free_size", free_size },
	                                    { "grid_stride", grid_stride },
	                                    { "required", required },
	                                    { "hinted", hinted },
	                                    { NULL, NULL } };
