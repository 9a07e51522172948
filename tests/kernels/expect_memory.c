/* SPDX-License-Identifier: Apache-2.0 */
#include "expect.h"

static void gathered(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 4);
	reads(e, 1, value(e, 0, w->id[0]), 4);
	writes(e, 2, w->id[0], 4);
}

static void scattered(struct expect *e, const struct work_item *w)
{
	reads(e, 1, w->id[0], 4);
	reads(e, 0, w->id[0], 4);
	writes(e, 2, value(e, 0, w->id[0]), 4);
}

static void stencil(struct expect *e, const struct work_item *w)
{
	int64_t width = number(e, 2), at = (w->id[1] + 1) * width + w->id[0] + 1;

	reads(e, 0, at - width, 4);
	reads(e, 0, at - 1, 4);
	reads(e, 0, at, 4);
	reads(e, 0, at + 1, 4);
	reads(e, 0, at + width, 4);
	writes(e, 1, at, 4);
}

static void in_place(struct expect *e, const struct work_item *w)
{
	changes(e, 0, w->id[0], 4);
}

static void aliased(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 4);
	writes(e, 1, w->id[0] + 32, 4);
}

static void volatiles(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 4);
	reads(e, 0, w->id[0], 4);
	writes(e, 1, w->id[0], 4);
	writes(e, 1, w->id[0], 4);
	reads(e, 1, w->id[0], 4);
	writes(e, 1, w->id[0] + 32, 4);
}

static void restricted(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 4);
	reads(e, 1, 31 - w->id[0], 4);
	writes(e, 2, w->id[0], 4);
}

static void straight(struct expect *e, const struct work_item *w)
{
	for (int64_t n = 0; n < 64; n++)
		reads(e, 0, 16 * n + w->id[0], 4);
	writes(e, 1, w->id[0], 4);
}

static void columns(struct expect *e, const struct work_item *w)
{
	EACH(k, 0, k < 16, 1) {
		reads(e, 0, k * 16 + w->id[0], 4);
		writes(e, 1, w->id[0] * 16 + k, 4);
	}
}

static void mixed_widths(struct expect *e, const struct work_item *w)
{
	static const int64_t at[] = { 0, 2, 4, 8 }, bytes[] = { 1, 2, 4, 8 };

	for (int k = 0; k < 4; k++) {
		emit(e, SITE_READ, 0, 16 * w->id[0] + at[k], bytes[k]);
		emit(e, SITE_WRITE, 1, 16 * w->id[0] + at[k], bytes[k]);
	}
}

static void unaligned(struct expect *e, const struct work_item *w)
{
	for (int64_t k = 0; k < 4; k++)
		reads(e, 0, 13 * w->id[0] + 1 + k, 1);
	writes(e, 1, w->id[0], 4);
}

static void same_value(struct expect *e, const struct work_item *w)
{
	reads(e, 0, 0, 4);
	writes(e, 1, w->id[0], 4);
}

static void compound(struct expect *e, const struct work_item *w)
{
	for (int argument = 0; argument < 3; argument++) {
		changes(e, argument, w->id[0], argument < 2 ? 4 : 1);
		changes(e, argument, w->id[0], argument < 2 ? 4 : 1);
	}
}

/* *(q < p ? q : p) is *p: q is never below. */
static void pointer_math(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 4);
	writes(e, 1, w->id[0], 8);
}

static void histogrammed(struct expect *e, const struct work_item *w)
{
	EACH(k, 0, k < 8, 1)
		reads(e, 0, 8 * w->id[0] + k, 1);
	EACH(k, 0, k < 8, 1)
		writes(e, 1, 8 * w->id[0] + k, 4);
}

const struct expectation expectations[] = {
	{ "gathered", gathered },         { "scattered", scattered },
	{ "stencil", stencil },           { "in_place", in_place },
	{ "aliased", aliased },           { "volatiles", volatiles },
	{ "restricted", restricted },     { "straight", straight },
	{ "columns", columns },           { "mixed_widths", mixed_widths },
	{ "unaligned", unaligned },       { "same_value", same_value },
	{ "compound", compound },         { "pointer_math", pointer_math },
	{ "histogrammed", histogrammed }, { NULL, NULL }
};
