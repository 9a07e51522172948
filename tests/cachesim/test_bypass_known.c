/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Kernels whose best list is known, replayed: one SM, one group at a time, an L1 of few lines that
 * is fully associative, so that all bytes can be counted by hand. Lines are of 128 bytes; a warp
 * that reads 32 floats in a row reads one.
 */
#include "cmocka_all.h"

#include "address_use.h"
#include "bypass_choice.h"
#include "bypass_search.h"
#include "err.h"
#include "gpu.h"
#include "recording.h"
#include "replay.h"
#include "scene.h"
#include "warp_curve.h"

#include <stdlib.h>
#include <string.h>

enum { LANES = 32, ALONE_BYTES = 40000 };

#define LINE   UINT64_C(128)
#define SECTOR UINT64_C(32)

/* What is known: the sites to bypass, and the bytes that come from L2. */
struct known {
	struct scene scene;
	const char *l1_ways;
	uint64_t chosen; /* of sites, bit i site i */
	uint64_t poor;   /* what the criterion names */
	uint64_t cached_bytes, bypassed_bytes, best_bytes;
};

struct player {
	const struct recording *recording;
	struct gpu gpu;
};

static struct bypass_measure replay(const struct player *p, const struct bypass_list *list,
                                    struct address_use *use)
{
	const struct replay_options options = { .bypass = list,
		                                .observer = use ? address_use_observer : NULL,
		                                .observer_context = use };
	struct bypass_measure m = { 0 };
	struct replay_result result;
	struct err err = { 0 };

	if (replay_launch(p->recording, 0, &p->gpu, &options, &result, &err))
		fail_msg("%s", err.msg);
	bypass_measure_add(&m, &result);
	replay_result_release(&result);
	return m;
}

static int measure(void *context, const struct bypass_list *const *lists, size_t count,
                   struct bypass_measure *out, struct err *err)
{
	for (size_t i = 0; i < count; i++)
		out[i] = replay(context, lists[i], NULL);
	return 0;
}

static struct player player_of(const struct recording *r, const char *ways)
{
	static const char *const keys[] = { "sm_count=1", "l1_sets=1", "l1_index=modulo",
		                            "l1_policy=lru", "latency=off" };
	struct player p = { .recording = r };

	assert_int_equal(gpu_load(&p.gpu, SOURCE_DIR "/gpus/gtx480.conf", NULL, NULL), 0);
	for (size_t i = 0; i < sizeof(keys) / sizeof(keys[0]); i++)
		assert_int_equal(gpu_set(&p.gpu, keys[i], NULL), 0);
	assert_int_equal(gpu_set(&p.gpu, ways, NULL), 0);
	return p;
}

static struct address_use *use_of(const struct player *p)
{
	const struct address_use_setup setup = {
		.sm_count = 1,
		.site_count = p->recording->kernels[0].table.site_count,
		.buffer_count = p->recording->buffer_count,
	};
	struct address_use *use = NULL;

	assert_int_equal(address_use_create(&use, &setup, NULL), 0);
	replay(p, NULL, use);
	assert_int_equal(address_use_end(use, NULL), 0);
	return use;
}

/* Bits by site, of bits by candidate; those that the criterion names. */
static uint64_t sites_of(const struct bypass_candidate *list, size_t count, uint64_t chosen)
{
	uint64_t sites = 0;

	for (size_t i = 0; i < count; i++)
		sites |= (chosen >> i & 1) << list[i].rule.number;
	return sites;
}

static uint64_t poor_sites(const struct bypass_candidate *list, size_t count)
{
	uint64_t poor = 0;

	for (size_t i = 0; i < count; i++)
		poor |= (uint64_t)list[i].is_poor << i;
	return sites_of(list, count, poor);
}

static void check(const struct known *k, struct player *p, uint32_t exhaustive)
{
	const struct bypass_judge judge = { measure, p, BYPASS_BYTES, NULL };
	struct address_use *use = use_of(p);
	struct bypass_candidate *list;
	struct bypass_search_setup setup;
	struct bypass_found found;
	size_t count;

	assert_int_equal(
		bypass_candidates_sites(use, &p->recording->kernels[0].table, &list, &count, NULL),
		0);
	assert_int_equal(poor_sites(list, count), k->poor);
	setup = bypass_search_defaults(&judge, list, count);
	setup.exhaustive = exhaustive;
	assert_int_equal(bypass_search(&setup, &found, NULL), 0);
	assert_int_equal(sites_of(list, count, found.chosen), k->chosen);
	assert_int_equal(found.paths[BYPASS_START_NOTHING].start_measure.bytes_from_l2,
	                 k->cached_bytes);
	assert_int_equal(found.measure.bytes_from_l2, k->best_bytes);
	if (found.paths[BYPASS_START_ALL].is_walked)
		assert_int_equal(found.paths[BYPASS_START_ALL].start_measure.bytes_from_l2,
		                 k->bypassed_bytes);
	bypass_found_release(&found);
	free(list);
	address_use_free(use);
}

/* Warp w reads line w of a stream, and line w mod 8 of a table. */
static uint64_t beside_index(size_t site, const uint64_t id[3])
{
	return site == 0 ? id[0] : id[0] % (8 * (uint64_t)LANES);
}

/* Each lane reads a line of its own, and writes a float. */
static uint64_t gather_index(size_t site, const uint64_t id[3])
{
	return site == 0 ? id[0] * 32 : id[0];
}

/* Two sites read the same four lines. */
static uint64_t table_index(size_t site, const uint64_t id[3])
{
	return id[0] % (4 * (uint64_t)LANES);
}

static const struct known kernels[] = {
	/*
	 * 64 warps. Between two reads of a line of the table lie 7 others of it and 8 of the
	 * stream, and L1 has 8: with all cached nothing hits, 128 lines are moved. Without the
	 * stream the table's 8 are moved once, and 64 * 4 sectors. The criterion does not see that:
	 * U = 1.
	 */
	{ .scene = { .name = "beside",
	             .kinds = "rr",
	             .arguments = { 0, 1 },
	             .buffer_count = 2,
	             .buffer_bytes = 65536,
	             .shape = { 1, { 2048, 1, 1 }, { LANES, 1, 1 }, { 0, 0, 0 } },
	             .local_bytes = ALONE_BYTES,
	             .index = beside_index },
	  .l1_ways = "l1_ways=8",
	  .chosen = 1,
	  .cached_bytes = 128 * LINE,
	  .bypassed_bytes = 128 * LINE,
	  .best_bytes = 64 * LINE + 8 * LINE },
	/* 1024 lanes: 4 bytes of a line each, a line cached, a sector past L1. */
	{ .scene = { .name = "gather",
	             .kinds = "rw",
	             .arguments = { 0, 1 },
	             .buffer_count = 2,
	             .buffer_bytes = 131072,
	             .shape = { 1, { 1024, 1, 1 }, { LANES, 1, 1 }, { 0, 0, 0 } },
	             .local_bytes = ALONE_BYTES,
	             .index = gather_index },
	  .l1_ways = "l1_ways=64",
	  .chosen = 1,
	  .poor = 1,
	  .cached_bytes = 1024 * LINE,
	  .bypassed_bytes = 1024 * SECTOR,
	  .best_bytes = 1024 * SECTOR },
	/* 64 warps, twice: 4 lines in all, or 128 past L1. */
	{ .scene = { .name = "table",
	             .kinds = "rr",
	             .arguments = { 0, 0 },
	             .buffer_count = 1,
	             .buffer_bytes = 65536,
	             .shape = { 1, { 2048, 1, 1 }, { LANES, 1, 1 }, { 0, 0, 0 } },
	             .local_bytes = ALONE_BYTES,
	             .index = table_index },
	  .l1_ways = "l1_ways=8",
	  .cached_bytes = 4 * LINE,
	  .bypassed_bytes = 128 * LINE,
	  .best_bytes = 4 * LINE },
};

static void the_best_sites_are_those_that_are_known(void **state)
{
	for (size_t i = 0; i < sizeof(kernels) / sizeof(kernels[0]); i++) {
		char dir[32];
		struct recording *r =
			scene_record(&kernels[i].scene, &(struct scene_mishap){ 0 }, dir);
		struct player p = player_of(r, kernels[i].l1_ways);

		check(&kernels[i], &p, 0);
		check(&kernels[i], &p, BYPASS_SEARCH_EXHAUSTIVE);
		scene_forget(r, dir);
	}
}

/* Warp w of four reads lines 2 w and 2 w + 1 of its group, and then both again. */
static uint64_t own_lines_index(size_t site, const uint64_t id[3])
{
	uint64_t warp = id[0] / LANES;

	return (2 * warp + site % 2) * LANES + id[0] % LANES;
}

/*
 * The warps take turns, and L1 has 4 lines: those of two warps. For each of 8 groups, in lines:
 * PI 0 reads 16 past L1; PI 1 moves 2 and reads 12 past it; PI 2 moves 4 and reads 8; with PI 3
 * six lines take turns in four, nothing hits: 12 and 4; with PI 4 16 are moved.
 */
static void the_best_threshold_is_that_of_as_many_warps_as_fit(void **state)
{
	static const uint64_t lines[] = { 16, 14, 12, 16, 16 };
	const struct scene scene = {
		.name = "own_lines",
		.kinds = "rrrr",
		.arguments = { 0, 0, 0, 0 },
		.buffer_count = 1,
		.buffer_bytes = 65536,
		.shape = { 1, { 1024, 1, 1 }, { 4 * (size_t)LANES, 1, 1 }, { 0, 0, 0 } },
		.local_bytes = ALONE_BYTES,
		.index = own_lines_index,
	};
	char dir[32];
	struct recording *r = scene_record(&scene, &(struct scene_mishap){ 0 }, dir);
	struct player p = player_of(r, "l1_ways=4");
	const struct bypass_judge judge = { measure, &p, BYPASS_BYTES, NULL };
	struct warp_curve curve;

	assert_int_equal(
		warp_curve_measure(&curve, &judge, r->kernels[0].table.name, 4, NULL, NULL), 0);
	for (size_t i = 0; i < 5; i++)
		assert_int_equal(curve.points[i].measure.bytes_from_l2, 8 * LINE * lines[i]);
	assert_int_equal(curve.points[curve.best].pi, 2);
	assert_int_equal(curve.shape, WARP_CONGESTED);
	warp_curve_release(&curve);
	scene_forget(r, dir);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_best_sites_are_those_that_are_known),
		cmocka_unit_test(the_best_threshold_is_that_of_as_many_warps_as_fit),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
