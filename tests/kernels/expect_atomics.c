/* SPDX-License-Identifier: Apache-2.0 */
#include "expect.h"

static void counted(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 4);
	updates(e, 1, value(e, 0, w->id[0]), 4);
}

static void eight_updates(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 4);
	for (int64_t k = 0; k < 8; k++)
		updates(e, 1, k, 4);
}

static void unsigned_ones(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 4);
	for (int64_t k = 0; k < 4; k++)
		updates(e, 1, k, 4);
}

static void exchanged(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 4);
	updates(e, 1, w->id[0], 4);
	updates(e, 1, w->id[0], 4);
	writes(e, 2, w->id[0], 4);
}

static void wide_atomics(struct expect *e, const struct work_item *w)
{
	static const int from[] = { 0, 0, -1, 0, 0, 0 };

	for (int64_t k = 0; k < 6; k++) {
		if (from[k] == 0)
			reads(e, 0, w->id[0], 8);
		updates(e, 2, k, 8);
	}
	for (int64_t k = 0; k < 2; k++) {
		reads(e, 1, w->id[0], 8);
		updates(e, 3, k, 8);
	}
}

static void local_atomics(struct expect *e, const struct work_item *w)
{
	meets(e);
	reads(e, 0, w->id[0], 4);
	meets(e);
	if (w->local[0] < 4)
		writes(e, 1, 4 * w->group[0] + w->local[0], 4);
}

static void atomics_loop(struct expect *e, const struct work_item *w)
{
	EACH(k, 0, k < 4, 1) {
		reads(e, 0, 4 * w->id[0] + k, 4);
		updates(e, 1, value(e, 0, 4 * w->id[0] + k), 4);
	}
}

static void maybe_atomic(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 4);
	if (value(e, 0, w->id[0]) > 0)
		updates(e, 1, 0, 4);
}

const struct expectation expectations[] = { { "counted", counted },
	                                    { "every_atomic", eight_updates },
	                                    { "old_names", eight_updates },
	                                    { "unsigned_ones", unsigned_ones },
	                                    { "exchanged", exchanged },
	                                    { "wide_atomics", wide_atomics },
	                                    { "local_atomics", local_atomics },
	                                    { "atomics_loop", atomics_loop },
	                                    { "maybe_atomic", maybe_atomic },
	                                    { NULL, NULL } };
