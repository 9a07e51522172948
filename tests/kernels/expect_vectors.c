/* SPDX-License-Identifier: Apache-2.0 */
#include "expect.h"

static void components(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 16);
	writes(e, 1, w->id[0], 16);
}

static void swizzles(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 32);
	writes(e, 1, w->id[0], 32);
}

/* clang reads and writes an int3 as an int4. */
static void threes(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 16);
	writes(e, 1, w->id[0], 16);
	writes(e, 1, 4 * w->id[0] + 3, 4);
}

static void comparisons(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 16);
	reads(e, 1, w->id[0], 16);
	writes(e, 2, w->id[0], 16);
}

static void wide(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 64);
	reads(e, 1, w->id[0], 32);
	writes(e, 2, w->id[0], 64);
}

static void bytes16(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 16);
	writes(e, 1, w->id[0], 16);
}

static void vload_store(struct expect *e, const struct work_item *w)
{
	static const int64_t lanes[] = { 2, 3, 4, 8 }, first[] = { 0, 32, 80, 144 };

	for (int k = 0; k < 4; k++)
		emit(e, SITE_READ, 0, 4 * (first[k] + lanes[k] * w->id[0]), 4 * lanes[k]);
	for (int k = 0; k < 4; k++)
		emit(e, SITE_WRITE, 1, 4 * (first[k] + lanes[k] * w->id[0]), 4 * lanes[k]);
}

static void vload_bytes(struct expect *e, const struct work_item *w)
{
	emit(e, SITE_READ, 0, 9 * w->id[0] + 1, 4);
	emit(e, SITE_WRITE, 1, 3 * w->id[0] + 5, 3);
	emit(e, SITE_WRITE, 1, 60 + 8 * w->id[0], 2);
}

static void reinterpret(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 8);
	writes(e, 1, 2 * w->id[0], 4);
	writes(e, 1, 2 * w->id[0] + 1, 4);
	writes(e, 2, w->id[0], 8);
}

static void pairs(struct expect *e, const struct work_item *w)
{
	for (int k = 0; k < 2; k++) {
		reads(e, k, w->id[0], 16);
		writes(e, 2 + k, w->id[0], 16);
	}
}

const struct expectation expectations[] = { { "components", components },
	                                    { "swizzles", swizzles },
	                                    { "threes", threes },
	                                    { "comparisons", comparisons },
	                                    { "wide", wide },
	                                    { "bytes16", bytes16 },
	                                    { "vload_store", vload_store },
	                                    { "vload_bytes", vload_bytes },
	                                    { "reinterpret", reinterpret },
	                                    { "pairs", pairs },
	                                    { NULL, NULL } };
