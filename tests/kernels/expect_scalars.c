/* SPDX-License-Identifier: Apache-2.0 */
#include "expect.h"

static void bytes(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 1);
	reads(e, 1, w->id[0], 1);
	writes(e, 2, w->id[0], 4);
}

static void shorts(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 2);
	reads(e, 1, w->id[0], 2);
	writes(e, 2, w->id[0], 4);
	writes(e, 3, w->id[0], 2);
}

/* Two values in, four out. */
static void two_to_four(struct expect *e, const struct work_item *w, int64_t bytes)
{
	reads(e, 0, w->id[0], bytes);
	reads(e, 1, w->id[0], bytes);
	for (int64_t k = 0; k < 4; k++)
		writes(e, 2, 4 * w->id[0] + k, bytes);
}

static void ints(struct expect *e, const struct work_item *w)
{
	two_to_four(e, w, 4);
}

static void longs(struct expect *e, const struct work_item *w)
{
	two_to_four(e, w, 8);
}

static void sizes(struct expect *e, const struct work_item *w)
{
	writes(e, 0, w->id[0], 8);
}

const struct expectation expectations[] = {
	{ "bytes_signed", bytes }, { "bytes_unsigned", bytes }, { "shorts", shorts },
	{ "ints", ints },          { "uints", ints },           { "longs", longs },
	{ "ulongs", longs },       { "sizes", sizes },          { NULL, NULL }
};
