/* SPDX-License-Identifier: Apache-2.0 */
#include "expect.h"

/* char at 0, short at 2, int at 4, long at 8. */
static void members(struct expect *e, const struct work_item *w)
{
	emit(e, SITE_READ, 0, 16 * w->id[0], 1);
	emit(e, SITE_READ, 0, 16 * w->id[0] + 2, 2);
	emit(e, SITE_READ, 0, 16 * w->id[0] + 4, 4);
	emit(e, SITE_READ, 0, 16 * w->id[0] + 8, 8);
	writes(e, 1, w->id[0], 4);
}

/* char at 0, int at 1, short at 5. */
static void packed(struct expect *e, const struct work_item *w)
{
	emit(e, SITE_READ, 0, 7 * w->id[0], 1);
	emit(e, SITE_READ, 0, 7 * w->id[0] + 1, 4);
	emit(e, SITE_READ, 0, 7 * w->id[0] + 5, 2);
	writes(e, 1, w->id[0], 4);
}

static void packed_write(struct expect *e, const struct work_item *w)
{
	emit(e, SITE_WRITE, 0, 7 * w->id[0] + 5, 2);
	emit(e, SITE_WRITE, 0, 7 * w->id[0], 1);
	emit(e, SITE_WRITE, 0, 7 * w->id[0] + 1, 4);
}

/* Three parts of 16 bytes, a vector behind them: 64 bytes. tail.z reads the vector. */
static void nested(struct expect *e, const struct work_item *w)
{
	int64_t at = 64 * w->id[0];

	emit(e, SITE_READ, 0, at + 48, 16);
	EACH(k, 0, k < 3, 1) {
		emit(e, SITE_READ, 0, at + 16 * k, 4);
		emit(e, SITE_READ, 0, at + 16 * k + 4 + 4 * (2 - k), 4);
	}
	writes(e, 1, w->id[0], 8);
}

static void copied(struct expect *e, const struct work_item *w)
{
	reads(e, 0, w->id[0], 64);
	writes(e, 1, w->id[0], 64);
}

static void aligned(struct expect *e, const struct work_item *w)
{
	int64_t at = 32 * w->id[0];

	emit(e, SITE_READ, 0, at, 4);
	emit(e, SITE_WRITE, 1, at + 4, 4);
	emit(e, SITE_READ, 0, at + 4, 4);
	emit(e, SITE_WRITE, 1, at, 4);
}

static void unions(struct expect *e, const struct work_item *w)
{
	int64_t i = w->id[0];

	reads(e, 0, i, 4);
	writes(e, 2, 2 * i, 2);
	reads(e, 1, 2 * i, 2);
	writes(e, 2, 2 * i + 1, 2);
	writes(e, 1, 4 * i + 2, 1);
	writes(e, 1, 2 * i, 2);
}

static void by_value(struct expect *e, const struct work_item *w)
{
	writes(e, 0, w->id[0], 4);
}

static void cleared(struct expect *e, const struct work_item *w)
{
	writes(e, 0, w->id[0], 64);
}

const struct expectation expectations[] = {
	{ "members", members }, { "packed", packed },     { "packed_write", packed_write },
	{ "nested", nested },   { "copied", copied },     { "aligned", aligned },
	{ "unions", unions },   { "by_value", by_value }, { "cleared", cleared },
	{ NULL, NULL }
};
