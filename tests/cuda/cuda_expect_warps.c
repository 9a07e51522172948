/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_expect.h"

/* shuffle_reduce.cu */
static void group_sum(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 1, "in", w->id[0], 4);
	meets(e, 2);
	if (w->local[0] == 0)
		writes(e, 3, "out", w->group[0], 4);
}

static const struct cuda_launch shuffle_reduce[] = {
	{ "group_sum", { 4, 1, 1 }, { 128, 1, 1 }, group_sum, 0, 0, 16 }, { 0 }
};

/* shuffle_scan.cu */
static void scan(struct cuda_expect *e, const struct cuda_item *w)
{
	static const char *const in[] = { "ints", "floats", "longs", "doubles", "eights" };
	static const char *const out[] = { "int_sums", "float_sums", "long_sums", "double_sums",
		                           "eight_sums" };
	int64_t bytes = w->launch == 2 || w->launch == 3 ? 8 : 4;

	reads(e, 1, in[w->launch], w->id[0], bytes);
	writes(e, 2, out[w->launch], w->id[0], bytes);
}

static const struct cuda_launch shuffle_scan[] = {
	{ "scan", { 2, 1, 1 }, { 64, 1, 1 }, scan, 0, 0, 0 },
	{ "scan", { 2, 1, 1 }, { 64, 1, 1 }, scan, 0, 0, 0 },
	{ "scan", { 2, 1, 1 }, { 64, 1, 1 }, scan, 0, 0, 0 },
	{ "scan", { 2, 1, 1 }, { 64, 1, 1 }, scan, 0, 0, 0 },
	{ "scan", { 2, 1, 1 }, { 64, 1, 1 }, scan, 0, 0, 0 },
	{ 0 }
};

/* shuffle_butterfly.cu */
static void butterfly(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 1, "in", w->id[0], 4);
	writes(e, 2, "largest", w->id[0], 4);
	writes(e, 3, "turned", w->id[0], 4);
	writes(e, 4, "first", w->id[0], 4);
}

static const struct cuda_launch shuffle_butterfly[] = {
	{ "butterfly", { 1, 1, 1 }, { 96, 1, 1 }, butterfly, 0, 0, 0 }, { 0 }
};

/* shuffle_partial.cu */
static void returned(struct cuda_expect *e, const struct cuda_item *w)
{
	if (w->id[0] & 1)
		return;
	reads(e, 1, "in", w->id[0], 4);
	writes(e, 2, "out", w->id[0], 4);
}

static void sides(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 3, "in", w->id[0], 4);
	writes(e, 4, "out", w->id[0], 4);
}

static void chosen(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 5, "in", w->id[0], 4);
	meets(e, 6);
	writes(e, 7, "out", w->id[0], 4);
	if (w->lane == 0)
		writes(e, 8, "votes", w->warp, 4);
}

static const struct cuda_launch shuffle_partial[] = {
	{ "returned", { 2, 1, 1 }, { 64, 1, 1 }, returned, 0, 0, 0 },
	{ "sides", { 1, 1, 1 }, { 64, 1, 1 }, sides, 0, 0, 0 },
	{ "chosen", { 1, 1, 1 }, { 80, 1, 1 }, chosen, 0, 0, 320 },
	{ 0 }
};

/* early_return.cu: 200 of 256 work-items do not return; of three rounds the others meet two. */
static void add(struct cuda_expect *e, const struct cuda_item *w)
{
	if (w->id[0] >= 200)
		return;
	if (w->local[0] == 0)
		reads(e, 1, "sums", w->group[0], 4);
	meets(e, 2);
	reads(e, 3, "data", w->id[0], 4);
	writes(e, 3, "data", w->id[0], 4);
}

static void rounds(struct cuda_expect *e, const struct cuda_item *w)
{
	EACH(k, 0, k < 3 && !(k == 2 && w->id[0] % 2), 1)
	meets(e, 4);
	reads(e, 5, "data", w->id[0], 4);
	writes(e, 6, "data", w->id[0], 4);
}

static void above(struct cuda_expect *e, const struct cuda_item *w)
{
	if (w->id[0] >= 200)
		return;
	reads(e, 7, "data", w->id[0], 4);
	writes(e, 8, "data", w->id[0], 4);
}

static const struct cuda_launch early_return[] = {
	{ "add", { 4, 1, 1 }, { 64, 1, 1 }, add, 0, 0, 4 },
	{ "rounds", { 4, 1, 1 }, { 64, 1, 1 }, rounds, 0, 0, 0 },
	{ "above", { 4, 1, 1 }, { 64, 1, 1 }, above, 0, 0, 264 },
	{ 0 }
};

/* votes.cu */
static void votes(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 1, "in", w->id[0], 4);
	writes(e, 2, "any", w->id[0], 4);
	writes(e, 3, "all", w->id[0], 4);
	writes(e, 4, "ballots", w->id[0], 4);
}

/* Where the odd ones go depends on which warp comes first: 128 reads, an atomic for each of 4
 * warps, a write of each of 63 (32 of the first 64; 13 i mod 100 is odd as i is, but the last one
 * is one less). */
static const struct cuda_launch vote_launches[] = {
	{ "votes", { 2, 1, 1 }, { 64, 1, 1 }, votes, 0, 0, 0 },
	{ "keep", { 1, 1, 1 }, { 128, 1, 1 }, NULL, 195, 195, 0 },
	{ 0 }
};

/* matches.cu */
static void matches(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 1, "in", w->id[0], 4);
	writes(e, 2, "any", w->id[0], 4);
	writes(e, 3, "all", w->id[0], 4);
	writes(e, 4, "equal", w->id[0], 4);
	writes(e, 5, "equal", w->id[0] + 64, 4);
}

static const struct cuda_launch match_launches[] = {
	{ "matches", { 1, 1, 1 }, { 64, 1, 1 }, matches, 0, 0, 0 }, { 0 }
};

/* sync_counts.cu */
static void counts(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 1, "in", w->id[0], 4);
	meets(e, 2);
	meets(e, 3);
	meets(e, 4);
	writes(e, 5, "out", w->id[0], 4);
}

/*
 * The largest of the first group is 96 (7 i mod 97 takes all of 0..96 but one: 7 * 97 is past the
 * end, 7 * 96 mod 97 = 90), of the second 95 + 100: 7 and 8 halvings, and once more to see that all
 * are 0.
 */
static void until_done(struct cuda_expect *e, const struct cuda_item *w)
{
	int64_t rounds = w->group[0] == 0 ? 7 : 8;

	reads(e, 6, "in", w->id[0], 4);
	loop_enter(e);
	meets(e, 7);
	for (int64_t k = 0; k < rounds; k++) {
		loop_next(e);
		meets(e, 7);
	}
	loop_leave(e);
	writes(e, 8, "rounds", w->id[0], 4);
}

static const struct cuda_launch sync_counts[] = {
	{ "counts", { 2, 1, 1 }, { 96, 1, 1 }, counts, 0, 0, 0 },
	{ "until_done", { 2, 1, 1 }, { 96, 1, 1 }, until_done, 0, 0, 0 },
	{ 0 }
};

/* cooperative.cu */
static void tiles(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 1, "in", w->id[0], 4);
	meets(e, 2);
	if (w->lane == 0)
		writes(e, 3, "sums", w->id[0] / 32, 4);
	writes(e, 4, "ranks", w->id[0], 4);
}

static void small_tiles(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 5, "in", w->id[0], 4);
	writes(e, 6, "out", w->id[0], 4);
	writes(e, 7, "ballots", w->id[0], 4);
}

static void parts(struct cuda_expect *e, const struct cuda_item *w)
{
	reads(e, 8, "in", w->id[0], 4);
	writes(e, 9, "places", 2 * w->id[0], 4);
	writes(e, 10, "places", 2 * w->id[0] + 1, 4);
}

static const struct cuda_launch cooperative[] = {
	{ "tiles", { 2, 1, 1 }, { 64, 1, 1 }, tiles, 0, 0, 256 },
	{ "small_tiles", { 2, 1, 1 }, { 64, 1, 1 }, small_tiles, 0, 0, 0 },
	{ "parts", { 2, 1, 1 }, { 64, 1, 1 }, parts, 0, 0, 0 },
	{ 0 }
};

/* warp_loop.cu: two numbers for each of 128 work-items. */
static void count(struct cuda_expect *e, const struct cuda_item *w)
{
	if (w->local[0] == 0)
		reads(e, 1, "in", 0, 4);
	meets(e, 2);
	EACH(i, w->id[0], i < 256, 128)
	writes(e, 3, "out", i, 4);
}

static const struct cuda_launch warp_loop[] = {
	{ "count", { 2, 1, 1 }, { 64, 1, 1 }, count, 0, 0, 4 }, { 0 }
};

const struct cuda_program cuda_expect_warps[] = { { "shuffle_reduce", shuffle_reduce },
	                                          { "shuffle_scan", shuffle_scan },
	                                          { "shuffle_butterfly", shuffle_butterfly },
	                                          { "shuffle_partial", shuffle_partial },
	                                          { "early_return", early_return },
	                                          { "votes", vote_launches },
	                                          { "matches", match_launches },
	                                          { "sync_counts", sync_counts },
	                                          { "cooperative", cooperative },
	                                          { "warp_loop", warp_loop },
	                                          { 0 } };
