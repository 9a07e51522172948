/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_expect.h"

/* doubles.cu */
static void horner(struct cuda_expect *e, const struct cuda_item *w)
{
	EACH(k, 0, k <= 3, 1)
	reads(e, 1, "x", w->id[0], 8);
	writes(e, 2, "y", w->id[0], 8);
}

static const struct cuda_launch doubles[] = {
	{ "horner", { 4, 1, 1 }, { 32, 1, 1 }, horner, 0, 0, 0 }, { 0 }
};

/* index64.cu */
static void wide(struct cuda_expect *e, const struct cuda_item *w)
{
	if (w->id[0] >= 250)
		return;
	reads(e, 1, "in", 249 - w->id[0], 8);
	writes(e, 1, "out", w->id[0], 8);
}

static void large(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 2, "words", 3 * w->id[0] % 256, 4);
	writes(e, 2, "got", w->id[0], 4);
}

static void backward(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 3, "words", 255 - w->id[0], 4);
	writes(e, 3, "got", w->id[0], 4);
}

static const struct cuda_launch index64[] = {
	{ "wide", { 4, 1, 1 }, { 64, 1, 1 }, wide, 0, 0, 0 },
	{ "large", { 4, 1, 1 }, { 64, 1, 1 }, large, 0, 0, 0 },
	{ "backward", { 4, 1, 1 }, { 64, 1, 1 }, backward, 0, 0, 0 },
	{ 0 }
};

/* halves.cu */
static void widen(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 1, "in", w->id[0], 2);
	writes(e, 2, "out", w->id[0], 4);
	writes(e, 3, "narrow", w->id[0], 2);
}

static const struct cuda_launch halves[] = { { "widen", { 1, 1, 1 }, { 64, 1, 1 }, widen, 0, 0, 0 },
	                                     { 0 } };

/* vector_types.cu: a whole vector is one access; a float3 is 12 bytes. */
static void vectors(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 1, "in", w->id[0], 16);
	reads(e, 2, "pairs", w->id[0], 8);
	writes(e, 3, "out", w->id[0], 16);
	writes(e, 4, "sums", w->id[0], 4);
}

static void members(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 5, "twos", 2 * w->id[0] + 1, 8);
	writes(e, 5, "bytes", 4 * w->id[0] + 1, 1);
	writes(e, 6, "threes", w->id[0], 12);
}

static void as_vectors(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 7, "in", w->id[0], 8);
	writes(e, 8, "products", w->id[0], 4);
}

static const struct cuda_launch vector_types[] = {
	{ "wide", { 1, 1, 1 }, { 64, 1, 1 }, vectors, 0, 0, 0 },
	{ "members", { 1, 1, 1 }, { 64, 1, 1 }, members, 0, 0, 0 },
	{ "as_vectors", { 1, 1, 1 }, { 64, 1, 1 }, as_vectors, 0, 0, 0 },
	{ 0 }
};

/* integers.cu: eight results of each. */
static void bits(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 1, "in", w->id[0], 4);
	for (int k = 0; k < 8; k++)
		writes(e, 2 + k, "out", 8 * w->id[0] + k, 4);
}

static const struct cuda_launch integers[] = { { "bits", { 1, 1, 1 }, { 64, 1, 1 }, bits, 0, 0, 0 },
	                                       { 0 } };

/* math.cu: twelve. */
static void functions(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 1, "in", w->id[0], 4);
	for (int k = 0; k < 12; k++)
		writes(e, 2 + k, "out", 12 * w->id[0] + k, 4);
}

static const struct cuda_launch math[] = {
	{ "functions", { 1, 1, 1 }, { 64, 1, 1 }, functions, 0, 0, 0 }, { 0 }
};

/* gpu_results.cu */
static void shifts(struct cuda_expect *e, const struct cuda_item *w)
{
	(void)w;
	for (int k = 0; k < 10; k++)
		writes(e, 1 + k, "out", k, 4);
	for (int k = 0; k < 3; k++)
		writes(e, 11 + k, "wide", k, 8);
	writes(e, 14, "out", 10, 4);
	writes(e, 15, "wide", 3, 8);
}

static void others(struct cuda_expect *e, const struct cuda_item *w)
{
	(void)w;
	reads(e, 22, "flags", 0, 1);
	writes(e, 21, "out", 0, 4);
	for (int k = 1; k < 7; k++)
		writes(e, 22 + k, "out", k, 4);
	reads(e, 29, "numbers", 0, 4);
	for (int k = 7; k < 10; k++)
		writes(e, 23 + k, "out", k, 4);
}

static void shuffles(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 41, "in", w->lane, 4);
	EACH(i, 0, i < 8, 1)
	for (int k = 0; k < 6; k++)
		writes(e, 42 + k, "lanes", (i * 32 + w->lane) * 6 + k, 4);
}

static const struct cuda_launch gpu_results[] = {
	{ "shifts", { 1, 1, 1 }, { 1, 1, 1 }, shifts, 0, 0, 0 },
	{ "others", { 1, 1, 1 }, { 1, 1, 1 }, others, 0, 0, 0 },
	{ "shuffles", { 1, 1, 1 }, { 32, 1, 1 }, shuffles, 0, 0, 0 },
	{ 0 }
};

/* fused.cu: the three numbers of a sum, in the order in which its line names them; its result. */
static void sum_of(struct cuda_expect *e, int tag, int64_t result, const int64_t numbers[3])
{
	for (int k = 0; k < 3; k++)
		reads(e, tag, "in", numbers[k], 4);
	writes(e, tag, "out", result, 4);
}

static void sums(struct cuda_expect *e, const struct cuda_item *w)
{
	static const int64_t plain[] = { 0, 1, 2 }, first[] = { 2, 0, 1 }, minus[] = { 0, 1, 3 };
	static const int64_t from[] = { 3, 0, 1 };

	(void)w;
	sum_of(e, 1, 0, plain);
	sum_of(e, 2, 1, first);
	sum_of(e, 3, 2, minus);
	sum_of(e, 4, 3, from);
	sum_of(e, 5, 4, plain);
	reads(e, 6, "in", 2, 4);
	EACH(i, 0, i < 1, 1)
	{
		reads(e, 7, "in", i, 4);
		reads(e, 7, "in", i + 1, 4);
	}
	writes(e, 8, "out", 5, 4);
	reads(e, 9, "in", 0, 4);
	reads(e, 9, "in", 1, 4);
	writes(e, 10, "out", 6, 4);
	reads(e, 11, "in", 2, 4);
	writes(e, 12, "out", 7, 4);
	for (int k = 0; k < 3; k++)
		sum_of(e, 13 + k, 8 + k, plain);
}

static void wide_sums(struct cuda_expect *e, const struct cuda_item *w)
{
	(void)w;
	for (int k = 0; k < 2; k++) {
		for (int number = 0; number < 3; number++)
			reads(e, 21 + k, "numbers", number, 8);
		writes(e, 21 + k, "wide", k, 8);
	}
}

static const struct cuda_launch fused[] = {
	{ "sums", { 1, 1, 1 }, { 1, 1, 1 }, sums, 0, 0, 0 },
	{ "wide_sums", { 1, 1, 1 }, { 1, 1, 1 }, wide_sums, 0, 0, 0 },
	{ 0 }
};

/* kernel_in_header.cu */
static void copy(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 1, "in", w->id[0], 4);
	meets(e, 4);
	writes(e, 2, "out", w->id[0], 4);
	reads(e, 3, "out", w->id[0], 4);
	writes(e, 3, "out", w->id[0], 4);
}

static const struct cuda_launch kernel_in_header[] = {
	{ "copy", { 1, 1, 1 }, { 64, 1, 1 }, copy, 0, 0, 256 }, { 0 }
};

const struct cuda_program cuda_expect_types[] = { { "doubles", doubles },
	                                          { "index64", index64 },
	                                          { "halves", halves },
	                                          { "vector_types", vector_types },
	                                          { "integers", integers },
	                                          { "math", math },
	                                          { "gpu_results", gpu_results },
	                                          { "fused", fused },
	                                          { "kernel_in_header", kernel_in_header },
	                                          { 0 } };
