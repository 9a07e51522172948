/* SPDX-License-Identifier: Apache-2.0 */
#include "expect.h"

static void switched(struct expect *e, const struct work_item *w)
{
	int64_t i = w->id[0], v = value(e, 0, i);

	reads(e, 0, i, 4);
	if (v == 0 || v == 1)
		reads(e, 0, (i + 1) & 63, 4);
	writes(e, 1, i, 4);
}

static void falls_through(struct expect *e, const struct work_item *w)
{
	int64_t i = w->id[0], v = value(e, 0, i);

	reads(e, 0, i, 4);
	if (v == 3 || v == 4)
		reads(e, 0, (i + 3) & 63, 4);
	writes(e, 1, i, 4);
}

static void forward_goto(struct expect *e, const struct work_item *w)
{
	int64_t i = w->id[0];

	reads(e, 0, i, 4);
	if (value(e, 0, i) != 0)
		writes(e, 1, i, 4);
	changes(e, 1, i, 4);
}

static void early_return(struct expect *e, const struct work_item *w)
{
	if (w->id[0] >= number(e, 2))
		return;
	reads(e, 0, w->id[0], 4);
	writes(e, 1, w->id[0], 4);
}

static void two_returns(struct expect *e, const struct work_item *w)
{
	int64_t i = w->id[0], v = value(e, 0, i);

	reads(e, 0, i, 4);
	if (v < 0) {
		writes(e, 1, i, 4);
		return;
	}
	reads(e, 0, i, 4);
	writes(e, 2, i, 4);
	reads(e, 0, i, 4);
	if (v <= 2)
		writes(e, 1, i, 4);
}

static void by_parity(struct expect *e, const struct work_item *w)
{
	int64_t i = w->id[0];

	reads(e, 0, i & 1 ? i : 63 - i, 4);
	writes(e, 1, i & 1 ? i : i + 64, 4);
}

static void uniform(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 4);
	writes(e, 1, w->id[0], 4);
}

static void short_circuit(struct expect *e, const struct work_item *w)
{
	int64_t i = w->id[0], at = value(e, 0, i);
	bool both = false;

	reads(e, 1, i, 4);
	if (value(e, 1, i)) {
		reads(e, 0, i, 4);
		reads(e, 0, at, 4);
		both = value(e, 0, at) > 20;
	}
	if (!both)
		reads(e, 1, (i + 1) & 63, 4);
	if (both || value(e, 1, (i + 1) & 63) == 3)
		writes(e, 2, i, 4);
}

static void phi_pointer(struct expect *e, const struct work_item *w)
{
	int64_t i = w->id[0];

	if (i & 2)
		writes(e, 2, i, 4);
	reads(e, i & 2 ? 0 : 1, i & 2 ? i : 63 - i, 4);
	changes(e, 2, i, 4);
}

static void select_pointer(struct expect *e, const struct work_item *w)
{
	int64_t i = w->id[0];

	reads(e, 0, i, 4);
	reads(e, value(e, 0, i) ? 1 : 2, i, 4);
	writes(e, 3, i, 4);
}

static void moving_pointer(struct expect *e, const struct work_item *w)
{
	int64_t at = 8 * w->id[0];
	int from = 1;

	EACH(k, 0, k < 4, 1) {
		reads(e, 0, 4 * w->id[0] + k, 4);
		if (value(e, 0, 4 * w->id[0] + k)) {
			from = 2;
			at = 8 * w->id[0] + k;
		}
		reads(e, from, at++, 4);
	}
	writes(e, 3, w->id[0], 4);
}

static void wide_switch(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 8);
	writes(e, 1, w->id[0], 8);
}

const struct expectation expectations[] = { { "switched", switched },
	                                    { "falls_through", falls_through },
	                                    { "forward_goto", forward_goto },
	                                    { "early_return", early_return },
	                                    { "two_returns", two_returns },
	                                    { "by_parity", by_parity },
	                                    { "uniform", uniform },
	                                    { "short_circuit", short_circuit },
	                                    { "phi_pointer", phi_pointer },
	                                    { "select_pointer", select_pointer },
	                                    { "moving_pointer", moving_pointer },
	                                    { "wide_switch", wide_switch },
	                                    { NULL, NULL } };
