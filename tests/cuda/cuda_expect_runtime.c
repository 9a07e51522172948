/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_expect.h"

/* streams.cu: the n-th launch squares the n-th half. */
static void square(struct cuda_expect *e, const struct cuda_item *w)
{
	int64_t i = 128 * w->launch + w->id[0];

	reads(e, 1, "a", i, 4);
	reads(e, 1, "a", i, 4);
	writes(e, 1, "a", i, 4);
}

static void add(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 2, "a", 128 + w->id[0], 4);
	reads(e, 2, "a", w->id[0], 4);
	writes(e, 2, "a", w->id[0], 4);
}

static const struct cuda_launch streams[] = {
	{ "square", { 2, 1, 1 }, { 64, 1, 1 }, square, 0, 0, 0 },
	{ "square", { 2, 1, 1 }, { 64, 1, 1 }, square, 0, 0, 0 },
	{ "add", { 1, 1, 1 }, { 128, 1, 1 }, add, 0, 0, 0 },
	{ 0 }
};

/* copies.cu: a group is a row of 20, rows are `pitch` bytes apart. */
static void rows(struct cuda_expect *e, const struct cuda_item *w)
{
	access_is(e, 1, SITE_READ, "pitched", said(e, "pitch") * w->group[0] + 4 * w->local[0], 4);
	writes(e, 1, "flat", 20 * w->group[0] + w->local[0], 4);
}

static const struct cuda_launch copies[] = { { "rows", { 12, 1, 1 }, { 20, 1, 1 }, rows, 0, 0, 0 },
	                                     { 0 } };

/* errors.cu: the launches before were not made. */
static void one(struct cuda_expect *e, const struct cuda_item *w)
{
	(void)w;
	writes(e, 1, "a", 0, 4);
}

static const struct cuda_launch errors[] = { { "one", { 1, 1, 1 }, { 1, 1, 1 }, one, 0, 0, 0 },
	                                     { 0 } };

/* queries.cu */
static void fill(struct cuda_expect *e, const struct cuda_item *w)
{
	EACH(i, w->id[0], i < 1024, 256)
	writes(e, 1, "out", i, 4);
}

static const struct cuda_launch queries[] = { { "fill", { 2, 1, 1 }, { 128, 1, 1 }, fill, 0, 0, 0 },
	                                      { 0 } };

/* launch_calls.cu: the second launch does not add what is read. */
static void mixed(struct cuda_expect *e, const struct cuda_item *w)
{
	if (w->launch == 0)
		reads(e, 1, "in", w->id[0], 4);
	writes(e, 1, "out", w->id[0], 8);
}

static const struct cuda_launch launch_calls[] = {
	{ "mixed", { 2, 1, 1 }, { 32, 1, 1 }, mixed, 0, 0, 0 },
	{ "mixed", { 1, 1, 1 }, { 8, 1, 1 }, mixed, 0, 0, 0 },
	{ 0 }
};

/* textures.cu */
static void plain(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 1, "in", w->id[0], 4);
	writes(e, 1, "out", w->id[0], 4);
}

static const struct cuda_launch textures[] = {
	{ "plain", { 1, 1, 1 }, { 64, 1, 1 }, plain, 0, 0, 0 }, { 0 }
};

/* driver_api.cu: code of its own text, whose lines are in no file here (tag 0). */
static void scale(struct cuda_expect *e, const struct cuda_item *w)
{
	if (w->id[0] >= (w->launch == 0 ? 200 : 10))
		return;
	reads(e, 0, "in", w->id[0], 4);
	reads(e, 0, "factor", 0, 4);
	meets(e, 0);
	writes(e, 0, "out", w->id[0], 4);
}

static const struct cuda_launch driver_api[] = {
	{ "scale", { 4, 1, 1 }, { 64, 1, 1 }, scale, 0, 0, 256 },
	{ "scale", { 1, 1, 1 }, { 32, 1, 1 }, scale, 0, 0, 256 },
	{ 0 }
};

/* runtime_compiled.cu: the same. */
static void shift(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 0, "in", (w->id[0] + 5) % 128, 4);
	writes(e, 0, "out", w->id[0], 4);
}

static const struct cuda_launch runtime_compiled[] = {
	{ "shift", { 2, 1, 1 }, { 64, 1, 1 }, shift, 0, 0, 0 }, { 0 }
};

const struct cuda_program cuda_expect_runtime[] = { { "streams", streams },
	                                            { "copies", copies },
	                                            { "errors", errors },
	                                            { "queries", queries },
	                                            { "launch_calls", launch_calls },
	                                            { "textures", textures },
	                                            { "driver_api", driver_api },
	                                            { "runtime_compiled", runtime_compiled },
	                                            { 0 } };
