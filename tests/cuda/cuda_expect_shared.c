/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_expect.h"

/* The tree of reduce_static.cu and reduce_dynamic.cu: a barrier for each halving. */
static void halving(struct cuda_expect *e, int64_t size)
{
	int64_t rounds = 0;

	while (size >> (rounds + 1))
		rounds++;
	EACH(k, 0, k < rounds, 1)
	meets(e, 3);
}

static void reduce_static(struct cuda_expect *e, const struct cuda_item *w)
{
	bool is_last = w->launch == 1;

	if (w->id[0] < (is_last ? 8 : 1000))
		reads(e, 1, is_last ? "parts" : "in", w->id[0], 4);
	meets(e, 2);
	halving(e, w->size[0]);
	if (w->local[0] == 0)
		writes(e, 4, is_last ? "total" : "parts", w->group[0], 4);
}

static const struct cuda_launch static_launches[] = {
	{ "reduce", { 8, 1, 1 }, { 128, 1, 1 }, reduce_static, 0, 0, 512 },
	{ "reduce", { 1, 1, 1 }, { 128, 1, 1 }, reduce_static, 0, 0, 512 },
	{ 0 }
};

static void reduce_dynamic(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 1, "in", w->id[0], 4);
	meets(e, 2);
	halving(e, w->size[0]);
	if (w->local[0] == 0)
		writes(e, 4, "out", w->group[0], 4);
}

static const struct cuda_launch dynamic_launches[] = {
	{ "reduce", { 8, 1, 1 }, { 64, 1, 1 }, reduce_dynamic, 0, 0, 256 },
	{ "reduce", { 2, 1, 1 }, { 256, 1, 1 }, reduce_dynamic, 0, 0, 1024 },
	{ 0 }
};

/* matmul_tiled.cu: 24 x 24 in tiles of 8 x 8. */
static void tiled(struct cuda_expect *e, const struct cuda_item *w)
{
	int64_t x = w->local[0], y = w->local[1], row = w->id[1], column = w->id[0];

	EACH(t, 0, t < 24, 8)
	{
		reads(e, 1, "a", row * 24 + t + x, 4);
		reads(e, 2, "b", (t + y) * 24 + column, 4);
		meets(e, 3);
		meets(e, 4);
	}
	writes(e, 5, "c", row * 24 + column, 4);
}

static void plain(struct cuda_expect *e, const struct cuda_item *w)
{
	EACH(k, 0, k < 24, 1)
	{
		reads(e, 6, "a", w->id[1] * 24 + k, 4);
		reads(e, 6, "b", k * 24 + w->id[0], 4);
	}
	writes(e, 7, "d", w->id[1] * 24 + w->id[0], 4);
}

static const struct cuda_launch matmul_tiled[] = {
	{ "tiled", { 3, 3, 1 }, { 8, 8, 1 }, tiled, 0, 0, 512 },
	{ "plain", { 3, 3, 1 }, { 8, 8, 1 }, plain, 0, 0, 0 },
	{ 0 }
};

/* transpose.cu: rows of the tile are 33 floats apart. */
static void transpose(struct cuda_expect *e, const struct cuda_item *w)
{
	int64_t x = w->local[0], y = w->local[1], gx = w->group[0], gy = w->group[1];

	EACH(j, 0, j < 32, 8)
	{
		reads(e, 1, "in", (32 * gy + y + j) * 64 + 32 * gx + x, 4);
		writes(e, 1, "shared", (y + j) * 33 + x, 4);
	}
	meets(e, 2);
	EACH(j, 0, j < 32, 8)
	{
		reads(e, 3, "shared", x * 33 + y + j, 4);
		writes(e, 3, "out", (32 * gx + y + j) * 64 + 32 * gy + x, 4);
	}
}

static const struct cuda_launch transposes[] = {
	{ "transpose", { 2, 2, 1 }, { 32, 8, 1 }, transpose, 0, 0, 4224 }, { 0 }
};

/* stencil.cu */
static void line(struct cuda_expect *e, const struct cuda_item *w)
{
	int64_t i = w->id[0];

	reads(e, 1, "in", i, 4);
	if (w->local[0] == 0 && i > 0)
		reads(e, 2, "in", i - 1, 4);
	if (w->local[0] == 63 && i + 1 < 256)
		reads(e, 3, "in", i + 1, 4);
	meets(e, 4);
	writes(e, 5, "out", i, 4);
}

static void plane(struct cuda_expect *e, const struct cuda_item *w)
{
	int64_t at = (w->group[0] * 4 + w->local[1] + 1) * 18 + w->local[0] + 1;

	reads(e, 6, "in", at - 18, 4);
	reads(e, 7, "in", at - 1, 4);
	reads(e, 8, "in", at, 4);
	reads(e, 9, "in", at + 1, 4);
	reads(e, 10, "in", at + 18, 4);
	writes(e, 6, "out", at, 4);
}

static const struct cuda_launch stencil[] = {
	{ "line", { 4, 1, 1 }, { 64, 1, 1 }, line, 0, 0, 264 },
	{ "plane", { 4, 1, 1 }, { 16, 4, 1 }, plane, 0, 0, 0 },
	{ 0 }
};

/* shared_types.cu: 64 doubles, 64 floats behind them, 64 shorts behind those. */
static void parts(struct cuda_expect *e, const struct cuda_item *w)
{
	const int64_t n = 64, floats = 8 * n, shorts = 12 * n, t = w->local[0];

	reads(e, 1, "in", t, 8);
	access_is(e, 1, SITE_WRITE, "shared", 8 * t, 8);
	reads(e, 2, "in", n - 1 - t, 8);
	access_is(e, 2, SITE_WRITE, "shared", floats + 4 * t, 4);
	access_is(e, 6, SITE_WRITE, "shared", shorts + 2 * t, 2);
	meets(e, 3);
	access_is(e, 4, SITE_READ, "shared", floats + 4 * (n - 1 - t), 4);
	access_is(e, 4, SITE_READ, "shared", 8 * ((t + 1) % n), 8);
	writes(e, 4, "floats", t, 4);
	access_is(e, 5, SITE_READ, "shared", shorts + 2 * (t ^ 1), 2);
	writes(e, 5, "shorts", t, 2);
}

static const struct cuda_launch shared_types[] = {
	{ "parts", { 1, 1, 1 }, { 64, 1, 1 }, parts, 0, 0, 896 }, { 0 }
};

const struct cuda_program cuda_expect_shared[] = { { "reduce_static", static_launches },
	                                           { "reduce_dynamic", dynamic_launches },
	                                           { "matmul_tiled", matmul_tiled },
	                                           { "transpose", transposes },
	                                           { "stencil", stencil },
	                                           { "shared_types", shared_types },
	                                           { 0 } };
