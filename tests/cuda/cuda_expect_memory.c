/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_expect.h"

/* constants.cu */
static void filter(struct cuda_expect *e, const struct cuda_item *w)
{
	EACH(k, 0, k < 5, 1)
	{
		reads(e, 1, "taps", k, 4);
		reads(e, 1, "in", w->id[0] + k, 4);
	}
	writes(e, 2, "out", w->id[0], 4);
}

/* float at 0, int at 4, double at 8. The word is 11 i. */
static void look(struct cuda_expect *e, const struct cuda_item *w)
{
	int64_t i = w->id[0];

	access_is(e, 3, SITE_READ, "view", 0, 4);
	reads(e, 3, "words", i, 4);
	access_is(e, 3, SITE_READ, "view", 4, 4);
	access_is(e, 3, SITE_READ, "view", 8, 8);
	reads(e, 4, "words", i, 4);
	reads(e, 4, "primes", 11 * i & 3, 4);
	writes(e, 3, "seen", i, 8);
}

static const struct cuda_launch constants[] = {
	{ "filter", { 1, 1, 1 }, { 64, 1, 1 }, filter, 0, 0, 0 },
	{ "look", { 1, 1, 1 }, { 64, 1, 1 }, look, 0, 0, 0 },
	{ 0 }
};

/* device_variables.cu */
static void change(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 1, "table", w->id[0], 4);
	writes(e, 1, "table", w->id[0], 4);
	reads(e, 2, "table", w->id[0], 4);
	updates(e, 2, "total", 0, 4);
}

/* The cursor is at item 2 first, then at item 0. */
static void use(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 3, "factor", 0, 4);
	reads(e, 3, "cursor", 0, 8);
	reads(e, 3, "table", (w->launch == 1 ? 2 : 0) + w->id[0] % 4, 4);
	writes(e, 3, "out", w->id[0], 4);
	meets(e, 4);
	if (w->id[0] == 0)
		writes(e, 5, "cursor", 0, 8);
}

static const struct cuda_launch device_variables[] = {
	{ "change", { 1, 1, 1 }, { 32, 1, 1 }, change, 0, 0, 0 },
	{ "use", { 1, 1, 1 }, { 32, 1, 1 }, use, 0, 0, 0 },
	{ "use", { 1, 1, 1 }, { 32, 1, 1 }, use, 0, 0, 0 },
	{ 0 }
};

/* managed.cu */
static void work(struct cuda_expect *e, const struct cuda_item *w)
{
	if (w->id[0] >= 100)
		return;
	reads(e, 1, "in", w->id[0], 4);
	reads(e, 1, "in", w->id[0], 4);
	writes(e, 1, "out", w->id[0], 8);
	updates(e, 2, "counter", 0, 4);
}

static const struct cuda_launch managed[] = { { "work", { 2, 1, 1 }, { 64, 1, 1 }, work, 0, 0, 0 },
	                                      { 0 } };

/* struct_by_value.cu */
static void shade(struct cuda_expect *e, const struct cuda_item *w)
{
	if (w->id[0] % 16 < 3)
		return;
	reads(e, 1, "pixels", w->id[0], 1);
	writes(e, 1, "shaded", w->id[0], 4);
}

static void apply(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 2, "in", w->id[0], 4);
	writes(e, 2, "out", w->id[0], 8);
	writes(e, 3, "log", w->id[0], 4);
}

static const struct cuda_launch struct_by_value[] = {
	{ "shade", { 1, 1, 1 }, { 64, 1, 1 }, shade, 0, 0, 0 },
	{ "apply", { 1, 1, 1 }, { 64, 1, 1 }, apply, 0, 0, 0 },
	{ 0 }
};

/* array_of_structs.cu: three floats, a char at 12, a double at 16: 24 bytes. */
static void move(struct cuda_expect *e, const struct cuda_item *w)
{
	int64_t at = 24 * w->id[0];

	access_is(e, 1, SITE_READ, "p", at, 4);
	access_is(e, 1, SITE_WRITE, "p", at, 4);
	access_is(e, 2, SITE_READ, "p", at + 12, 1);
	if (w->id[0] % 3 != 2)
		return;
	access_is(e, 3, SITE_READ, "p", at + 16, 8);
	access_is(e, 3, SITE_WRITE, "p", at + 16, 8);
}

/* A pointer, an int at 8: 16 bytes. */
static void follow(struct cuda_expect *e, const struct cuda_item *w)
{
	EACH(k, w->id[0], k < 64, 7)
	{
		access_is(e, 5, SITE_READ, "links", 16 * k + 8, 4);
		access_is(e, 4, SITE_READ, "links", 16 * k, 8);
	}
	writes(e, 6, "out", w->id[0], 4);
}

static const struct cuda_launch array_of_structs[] = {
	{ "move", { 1, 1, 1 }, { 64, 1, 1 }, move, 0, 0, 0 },
	{ "follow", { 1, 1, 1 }, { 64, 1, 1 }, follow, 0, 0, 0 },
	{ 0 }
};

/* cached_loads.cu */
static void loads(struct cuda_expect *e, const struct cuda_item *w)
{
	for (int k = 0; k < 4; k++)
		reads(e, 1 + k, "a", 128 * k + w->id[0], 4);
	reads(e, 5, "b", w->id[0], 16);
	writes(e, 6, "out", w->id[0], 4);
}

static void again(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 7, "a", w->id[0], 4);
	reads(e, 7, "a", w->id[0], 4);
	writes(e, 7, "out", w->id[0], 4);
}

static const struct cuda_launch cached_loads[] = {
	{ "loads", { 2, 1, 1 }, { 64, 1, 1 }, loads, 0, 0, 0 },
	{ "again", { 2, 1, 1 }, { 64, 1, 1 }, again, 0, 0, 0 },
	{ 0 }
};

const struct cuda_program cuda_expect_memory[] = { { "constants", constants },
	                                           { "device_variables", device_variables },
	                                           { "managed", managed },
	                                           { "struct_by_value", struct_by_value },
	                                           { "array_of_structs", array_of_structs },
	                                           { "cached_loads", cached_loads },
	                                           { 0 } };
