/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_expect.h"

/* vector_add.cu */
static void add(struct cuda_expect *e, const struct cuda_item *w)
{
	if (w->id[0] >= 1000)
		return;
	reads(e, 1, "a", w->id[0], 4);
	reads(e, 1, "b", w->id[0], 4);
	writes(e, 1, "c", w->id[0], 4);
}

static const struct cuda_launch vector_add[] = {
	{ "add", { 4, 1, 1 }, { 256, 1, 1 }, add, 0, 0, 0 }, { 0 }
};

/* saxpy_template.cu: the n-th launch is of the n-th type. */
static void axpy(struct cuda_expect *e, const struct cuda_item *w)
{
	static const char *const x[] = { "xf", "xd", "xs" }, *const y[] = { "yf", "yd", "ys" };
	static const int64_t bytes[] = { 4, 8, 2 };

	reads(e, 1, x[w->launch], w->id[0], bytes[w->launch]);
	reads(e, 1, y[w->launch], w->id[0], bytes[w->launch]);
	writes(e, 1, y[w->launch], w->id[0], bytes[w->launch]);
}

static const struct cuda_launch saxpy_template[] = {
	{ "axpy", { 4, 1, 1 }, { 64, 1, 1 }, axpy, 0, 0, 0 },
	{ "axpy", { 4, 1, 1 }, { 64, 1, 1 }, axpy, 0, 0, 0 },
	{ "axpy", { 4, 1, 1 }, { 64, 1, 1 }, axpy, 0, 0, 0 },
	{ 0 }
};

/* grids.cu: a plane of 40 x 20, a volume of 8 x 6 x 4. */
static void plane(struct cuda_expect *e, const struct cuda_item *w)
{
	if (w->id[0] < 40 && w->id[1] < 20)
		writes(e, 1, "plane", 40 * w->id[1] + w->id[0], 4);
}

static void volume(struct cuda_expect *e, const struct cuda_item *w)
{
	writes(e, 2, "volume", (w->id[2] * 6 + w->id[1]) * 8 + w->id[0], 4);
}

static const struct cuda_launch grids[] = { { "plane", { 3, 3, 1 }, { 16, 8, 1 }, plane, 0, 0, 0 },
	                                    { "volume", { 2, 3, 2 }, { 4, 2, 2 }, volume, 0, 0, 0 },
	                                    { 0 } };

/* strided.cu */
static void twice(struct cuda_expect *e, const struct cuda_item *w)
{
	EACH(i, w->id[0], i < 1000, 128)
	{
		reads(e, 1, "in", i, 4);
		writes(e, 1, "out", i, 4);
	}
}

static void pick(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 2, "in", 7 * w->id[0], 4);
	writes(e, 2, "picked", w->id[0], 4);
}

static const struct cuda_launch strided[] = {
	{ "twice", { 2, 1, 1 }, { 64, 1, 1 }, twice, 0, 0, 0 },
	{ "pick", { 4, 1, 1 }, { 32, 1, 1 }, pick, 0, 0, 0 },
	{ 0 }
};

/* gather.cu: row i has i % 4 entries; before it there are 6 in each four, and 0, 0, 1, 3. */
static int64_t row_begins(int64_t i)
{
	return i / 4 * 6 + (i % 4) * (i % 4 - 1) / 2;
}

static void gather(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 1, "index", w->id[0], 4);
	reads(e, 1, "in", (37 * w->id[0] + 11) % 256, 4);
	writes(e, 1, "out", w->id[0], 4);
}

static void rows(struct cuda_expect *e, const struct cuda_item *w)
{
	int64_t row = w->id[0];

	reads(e, 2, "first", row + 1, 4);
	reads(e, 3, "first", row, 4);
	EACH(k, 0, k < row % 4, 1)
	{
		reads(e, 4, "column", row_begins(row) + k, 4);
		reads(e, 4, "in", (5 * row + 50 * k) % 256, 4);
	}
	writes(e, 5, "out", row, 4);
}

static const struct cuda_launch gathers[] = {
	{ "gather", { 4, 1, 1 }, { 64, 1, 1 }, gather, 0, 0, 0 },
	{ "rows", { 4, 1, 1 }, { 64, 1, 1 }, rows, 0, 0, 0 },
	{ 0 }
};

/* scatter.cu: the right side is read before the index on the left. */
static void scatter(struct cuda_expect *e, const struct cuda_item *w)
{
	static const char *const in[] = { "in1", "in2", "in4", "in8" };
	static const char *const out[] = { "out1", "out2", "out4", "out8" };
	int64_t bytes = (int64_t)1 << w->launch;

	reads(e, 1, in[w->launch], w->id[0], bytes);
	reads(e, 1, "index", w->id[0], 4);
	writes(e, 1, out[w->launch], (5 * w->id[0] + 3) % 128, bytes);
}

static const struct cuda_launch scatters[] = {
	{ "scatter", { 4, 1, 1 }, { 32, 1, 1 }, scatter, 0, 0, 0 },
	{ "scatter", { 4, 1, 1 }, { 32, 1, 1 }, scatter, 0, 0, 0 },
	{ "scatter", { 4, 1, 1 }, { 32, 1, 1 }, scatter, 0, 0, 0 },
	{ "scatter", { 4, 1, 1 }, { 32, 1, 1 }, scatter, 0, 0, 0 },
	{ 0 }
};

const struct cuda_program cuda_expect_arrays[] = { { "vector_add", vector_add },
	                                           { "saxpy_template", saxpy_template },
	                                           { "grids", grids },
	                                           { "strided", strided },
	                                           { "gather", gathers },
	                                           { "scatter", scatters },
	                                           { 0 } };
