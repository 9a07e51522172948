/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_expect.h"

/* histogram.cu */
static int64_t bin(int64_t i)
{
	return (i * i + 3 * i) % 251 % 16;
}

static void shared_bins(struct cuda_expect *e, const struct cuda_item *w)
{
	meets(e, 1);
	EACH(i, w->id[0], i < 600, 256)
	reads(e, 2, "in", i, 1);
	meets(e, 3);
	if (w->local[0] < 16)
		updates(e, 4, "first", w->local[0], 4);
}

static void global_bins(struct cuda_expect *e, const struct cuda_item *w)
{
	if (w->id[0] >= 600)
		return;
	reads(e, 5, "in", w->id[0], 1);
	updates(e, 5, "second", bin(w->id[0]), 4);
}

static const struct cuda_launch histogram[] = {
	{ "shared_bins", { 4, 1, 1 }, { 64, 1, 1 }, shared_bins, 0, 0, 64 },
	{ "global_bins", { 10, 1, 1 }, { 64, 1, 1 }, global_bins, 0, 0, 0 },
	{ 0 }
};

/* atomics.cu: eight ints, six unsigneds, a float, four bytes between, four of eight bytes. */
static void whole(struct cuda_expect *e, const struct cuda_item *w)
{
	(void)w;
	for (int k = 0; k < 8; k++)
		updates(e, 1 + k, "cells", k, 4);
}

static void other(struct cuda_expect *e, const struct cuda_item *w)
{
	(void)w;
	for (int k = 0; k < 7; k++)
		updates(e, 9 + k, "cells", 8 + k, 4);
	for (int k = 0; k < 4; k++)
		updates(e, 16 + k, "cells", 8 + k, 8);
}

/* Who gets which ticket depends on the order: one atomic and one write for each of 64. */
static const struct cuda_launch atomics[] = {
	{ "whole", { 1, 1, 1 }, { 64, 1, 1 }, whole, 0, 0, 0 },
	{ "other", { 1, 1, 1 }, { 64, 1, 1 }, other, 0, 0, 0 },
	{ "tickets", { 2, 1, 1 }, { 32, 1, 1 }, NULL, 128, 128, 0 },
	{ 0 }
};

/* compare_and_swap.cu: group g's float is 0, and becomes g in the second round if that is more. */
static void apart(struct cuda_expect *e, const struct cuda_item *w)
{
	int64_t g = w->group[0];

	EACH(k, 0, k < 3, 1)
	{
		reads(e, 1, "floats", g, 4);
		if (k == 1 && g > 0) {
			loop_enter(e);
			updates(e, 2, "floats", g, 4);
			loop_leave(e);
		}
		reads(e, 3, "doubles", g, 8);
		loop_enter(e);
		updates(e, 4, "doubles", g, 8);
		loop_leave(e);
	}
}

/* Each of 64 reads, and swaps at least once: if all others' swaps come between, 64 times. */
static const struct cuda_launch compare_and_swap[] = {
	{ "apart", { 16, 1, 1 }, { 1, 1, 1 }, apart, 0, 0, 0 },
	{ "together", { 1, 1, 1 }, { 64, 1, 1 }, NULL, 128, 64 + 64 * 65 / 2, 0 },
	{ 0 }
};

/* atomics_shared.cu: those in shared memory are not recorded. */
static void mine(struct cuda_expect *e, const struct cuda_item *w)
{
	meets(e, 1);
	reads(e, 2, "in", w->id[0], 4);
	meets(e, 3);
	if (w->local[0] > 0)
		return;
	updates(e, 4, "sum", 0, 4);
	updates(e, 5, "count", 0, 8);
	updates(e, 6, "largest", 0, 4);
}

static const struct cuda_launch atomics_shared[] = {
	{ "mine", { 2, 1, 1 }, { 64, 1, 1 }, mine, 0, 0, 20 }, { 0 }
};

/* last_group.cu: a group alone is the last one. */
static void sum(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 1, "in", w->id[0], 4);
	if (w->local[0] == 0) {
		writes(e, 2, "parts", w->group[0], 4);
		fences(e, 3);
		updates(e, 4, "arrived", 0, 4);
	}
	meets(e, 5);
	if (w->local[0] > 0)
		return;
	EACH(g, 0, g < 1, 1)
	reads(e, 6, "parts", g, 4);
	writes(e, 7, "out", 0, 4);
}

/* Of two, either may be: 64 reads, 2 parts, 2 atomics, then 2 reads and 1 write by one of them. */
static const struct cuda_launch last_group[] = {
	{ "sum", { 1, 1, 1 }, { 32, 1, 1 }, sum, 0, 0, 1 },
	{ "sum", { 2, 1, 1 }, { 32, 1, 1 }, NULL, 71, 71, 1 },
	{ 0 }
};

const struct cuda_program cuda_expect_atomics[] = { { "histogram", histogram },
	                                            { "atomics", atomics },
	                                            { "compare_and_swap", compare_and_swap },
	                                            { "atomics_shared", atomics_shared },
	                                            { "last_group", last_group },
	                                            { 0 } };
