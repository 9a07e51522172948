/* SPDX-License-Identifier: Apache-2.0 */
#include "expect.h"

static void half_scalars(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 2);
	writes(e, 1, w->id[0], 2);
}

static void half_vectors(struct expect *e, const struct work_item *w)
{
	static const int64_t lanes[] = { 2, 3, 4, 4 }, first[] = { 0, 32, 96, 160 };

	for (int k = 0; k < 4; k++) {
		emit(e, SITE_READ, 0, 2 * (first[k] + lanes[k] * w->id[0]), 2 * lanes[k]);
		emit(e, SITE_WRITE, 1, 2 * (first[k] + lanes[k] * w->id[0]), 2 * lanes[k]);
	}
}

static void half_rounded(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 4);
	for (int64_t k = 0; k < 5; k++)
		writes(e, 1, w->id[0] + 32 * k, 2);
}

/* The aligned forms put three elements where four would be, and touch three. */
static void half_aligned(struct expect *e, const struct work_item *w)
{
	emit(e, SITE_READ, 0, 8 * w->id[0], 6);
	emit(e, SITE_READ, 0, 128 + 16 * w->id[0], 16);
	emit(e, SITE_WRITE, 1, 8 * w->id[0], 6);
	emit(e, SITE_WRITE, 1, 128 + 16 * w->id[0], 16);
	writes(e, 2, w->id[0], 4);
}

static void half_double(struct expect *e, const struct work_item *w)
{
	reads(e, 0, 2 * w->id[0], 8);
	writes(e, 1, w->id[0], 2);
	reads(e, 0, 2 * w->id[0] + 1, 8);
	writes(e, 1, w->id[0] + 32, 2);
}

static void half_loop(struct expect *e, const struct work_item *w)
{
	EACH(k, 0, k < 8, 1)
		reads(e, 0, 8 * w->id[0] + k, 2);
	writes(e, 1, w->id[0], 4);
}

const struct expectation expectations[] = { { "half_scalars", half_scalars },
	                                    { "half_vectors", half_vectors },
	                                    { "half_rounded", half_rounded },
	                                    { "half_aligned", half_aligned },
	                                    { "half_double", half_double },
	                                    { "half_loop", half_loop },
	                                    { NULL, NULL } };
