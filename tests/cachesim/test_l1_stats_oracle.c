/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Statistics of replays against caches that this test plays itself, from the same requests and by
 * the definitions: each line in it knows who asked for it first, which of its bytes were read and
 * how often. And the laws: sums of any table are the launch's counters.
 */
#include "cmocka_all.h"

#include "err.h"
#include "gpu.h"
#include "l1_stats.h"
#include "replay.h"
#include "scene.h"
#include "set_index.h"

#include <glob.h>
#include <stdlib.h>
#include <string.h>

enum { SMS = 5, SITES = 4, BUFFERS = 2, GROUPS = 128, SETS_MAX = 64, WAYS_MAX = 8 };

static const uint64_t WIDTH = 128;

/* out[x * 128 + y] = in[y * 128 + x], groups of 16x16 */
static uint64_t transpose_index(size_t site, const uint64_t id[3])
{
	return site == 0 ? id[1] * WIDTH + id[0] : id[0] * WIDTH + id[1];
}

/* Near together, far apart, and in lines that others write. */
static uint64_t scattered_index(size_t site, const uint64_t id[3])
{
	static const uint64_t factors[] = { 1, 40503, 2654435761, 17 };

	return (id[0] + 64 * site) * factors[site] % 16384;
}

static const struct scene scenes[] = {
	{ .name = "transpose",
	  .kinds = "rw",
	  .arguments = { 0, 1 },
	  .buffer_count = BUFFERS,
	  .buffer_bytes = 65536,
	  .shape = { 2, { 128, 128, 1 }, { 16, 16, 1 }, { 0, 0, 0 } },
	  .index = transpose_index },
	{ .name = "scattered",
	  .kinds = "rrwr",
	  .arguments = { 0, 1, 1, 1 },
	  .buffer_count = BUFFERS,
	  .buffer_bytes = 65536,
	  .shape = { 1, { 8000, 1, 1 }, { 64, 1, 1 }, { 0, 0, 0 } },
	  .index = scattered_index },
};

/* A line in a cache of the oracle. */
struct stay {
	bool is_there;
	uint64_t line, last_use, uses, group;
	uint32_t site, set;
	int32_t buffer;
	bool used[128];
};

struct oracle {
	struct set_index index;
	uint32_t ways;
	bool is_evicting;
	struct stay caches[SMS][SETS_MAX][WAYS_MAX];
	uint64_t now;
	struct l1_stats_row sites[SITES], buffers[BUFFERS + 1], sets[SETS_MAX], groups[GROUPS];
};

static void add_everywhere(struct oracle *o, const struct stay *s, const struct l1_stats_row *row)
{
	l1_stats_add(&o->sites[s->site], row);
	l1_stats_add(&o->buffers[s->buffer + 1], row);
	l1_stats_add(&o->sets[s->set], row);
	l1_stats_add(&o->groups[s->group], row);
}

static void end_stay(struct oracle *o, struct stay *s)
{
	struct l1_stats_row row = { .lines = 1, .bytes_moved = 128, .uses = s->uses };

	if (!s->is_there)
		return;
	for (size_t i = 0; i < 128; i++)
		row.bytes_used += s->used[i];
	row.lines_unused = !s->uses;
	add_everywhere(o, s, &row);
	s->is_there = false;
}

static void use_bytes(struct stay *s, const struct request *r)
{
	for (size_t i = 0; i < 128; i++)
		s->used[i] |= r->used[i / 64] >> i % 64 & 1;
}

/* The way of a line, or the one to replace: an empty one, or that used longest ago. */
static struct stay *find(struct stay *set, uint32_t ways, uint64_t line, bool *is_hit)
{
	struct stay *oldest = set;

	*is_hit = true;
	for (uint32_t i = 0; i < ways; i++)
		if (set[i].is_there && set[i].line == line)
			return &set[i];
	*is_hit = false;
	for (uint32_t i = 0; i < ways; i++) {
		if (!set[i].is_there)
			return &set[i];
		if (set[i].last_use < oldest->last_use)
			oldest = &set[i];
	}
	return oldest;
}

static void oracle_request(void *context, uint32_t sm, const struct request *r, uint64_t now_cycles)
{
	struct oracle *o = context;
	uint32_t set = set_index_find(&o->index, r->line / 128);
	bool is_hit;
	struct stay *s = find(o->caches[sm][set], o->ways, r->line, &is_hit);
	const struct stay owner = {
		.site = r->site, .buffer = r->buffer, .set = set, .group = r->group
	};
	struct l1_stats_row row = { .lanes = r->lanes, .bytes_asked = r->bytes_used };

	if (r->kind != SITE_READ) {
		row.writes = 1;
		row.write_hits = is_hit;
		row.write_sectors_hit = is_hit;
		row.write_sectors_missed = !is_hit;
		if (is_hit && o->is_evicting)
			end_stay(o, s);
		add_everywhere(o, &owner, &row);
		return;
	}
	row.reads = 1;
	row.read_hits = is_hit;
	row.read_misses = !is_hit;
	row.sectors_hit = is_hit;
	row.sectors_missed = !is_hit;
	row.bytes_from_l2 = is_hit ? 0 : 128;
	add_everywhere(o, &owner, &row);
	if (is_hit) {
		s->uses++;
	} else {
		end_stay(o, s);
		*s = owner;
		s->is_there = true;
		s->line = r->line;
	}
	s->last_use = ++o->now;
	use_bytes(s, r);
}

static void oracle_end(struct oracle *o)
{
	for (size_t sm = 0; sm < SMS; sm++)
		for (size_t set = 0; set < SETS_MAX; set++)
			for (size_t way = 0; way < WAYS_MAX; way++)
				end_stay(o, &o->caches[sm][set][way]);
}

static struct gpu gpu_of(uint32_t write, uint32_t latency)
{
	struct gpu gpu;

	assert_int_equal(gpu_load(&gpu, SOURCE_DIR "/gpus/gtx480.conf", NULL, NULL), 0);
	gpu.l1_write = write;
	gpu.latency = latency;
	gpu.sm_count = SMS;
	gpu.l1_ways = 2;
	gpu.l1_promotion_bytes = 64;
	return gpu;
}

static struct l1_stats *stats_of(const struct gpu *gpu, const struct scene *scene)
{
	const struct l1_stats_setup setup = {
		.is_wanted = { true, true, true, true, true },
		.sm_count = SMS,
		.site_count = strlen(scene->kinds),
		.buffer_count = BUFFERS,
		.set_count = gpu->l1_sets,
		.group_count = launch_shape_group_count(&scene->shape),
		.window_cycles = 100,
	};
	struct l1_stats *s = NULL;

	assert_int_equal(l1_stats_create(&s, &setup, NULL), 0);
	return s;
}

static void play(const struct recording *r, const struct gpu *gpu, struct l1_stats *stats,
                 struct oracle *o, const struct bypass_list *list, struct replay_result *result)
{
	const struct replay_options options = { .jobs = o ? 1 : 3,
		                                .request = o ? oracle_request : NULL,
		                                .request_context = o,
		                                .bypass = list,
		                                .observer = l1_stats_observer,
		                                .observer_context = stats };
	struct err err = { 0 };

	if (replay_launch(r, 0, gpu, &options, result, &err))
		fail_msg("%s", err.msg);
	assert_int_equal(l1_stats_end(stats, NULL), 0);
}

/* The classes of misses have tests of their own. */
static void check_list(const struct l1_stats *s, enum l1_stats_table table,
                       const struct l1_stats_row *want)
{
	const struct l1_stats_list *list = l1_stats_list(s, table);

	for (size_t i = 0; i < list->count; i++) {
		struct l1_stats_row got = list->rows[i];

		got.cold = got.coherence = got.capacity = got.conflict = 0;
		if (memcmp(&got, &want[i], sizeof(got)) != 0)
			fail_msg("table %d, row %zu: lines %llu %llu, used %llu %llu", table, i,
			         (unsigned long long)got.lines, (unsigned long long)want[i].lines,
			         (unsigned long long)got.bytes_used,
			         (unsigned long long)want[i].bytes_used);
	}
}

static void rows_are_those_of_caches_played_by_the_definitions(void **state)
{
	static const uint32_t writes[] = { GPU_L1_WRITE_THROUGH_EVICT,
		                           GPU_L1_WRITE_THROUGH_UPDATE };

	for (size_t i = 0; i < 2 * sizeof(scenes) / sizeof(scenes[0]); i++) {
		const struct scene *scene = &scenes[i / 2];
		const struct gpu gpu = gpu_of(writes[i % 2], GPU_LATENCY_OFF);
		struct oracle *o = calloc(1, sizeof(*o));
		struct l1_stats *stats = stats_of(&gpu, scene);
		struct replay_result result;
		char dir[32];
		struct recording *r = scene_record(scene, &(struct scene_mishap){ 0 }, dir);

		assert_non_null(o);
		assert_int_equal(set_index_init(&o->index, &gpu, NULL), 0);
		o->ways = gpu.l1_ways;
		o->is_evicting = writes[i % 2] == GPU_L1_WRITE_THROUGH_EVICT;
		play(r, &gpu, stats, o, NULL, &result);
		oracle_end(o);
		check_list(stats, L1_STATS_SITES, o->sites);
		check_list(stats, L1_STATS_BUFFERS, o->buffers);
		check_list(stats, L1_STATS_SETS, o->sets);
		check_list(stats, L1_STATS_GROUPS, o->groups);
		assert_true(l1_stats_total(stats)->lines_unused);
		replay_result_release(&result);
		l1_stats_free(stats);
		scene_forget(r, dir);
		free(o);
	}
}

/* Fields of the same name, against the counters of the launch. */
static void check_total(const struct l1_stats_row *t, const struct counters *c)
{
	assert_int_equal(t->reads, c->reads);
	assert_int_equal(t->read_hits, c->read_hits);
	assert_int_equal(t->pending_hits, c->pending_hits);
	assert_int_equal(t->read_misses, c->read_misses);
	assert_int_equal(t->cold, c->cold);
	assert_int_equal(t->coherence, c->coherence);
	assert_int_equal(t->capacity, c->capacity);
	assert_int_equal(t->conflict, c->conflict);
	assert_int_equal(t->sector, c->sector);
	assert_int_equal(t->writes, c->writes);
	assert_int_equal(t->write_hits, c->write_hits);
	assert_int_equal(t->atomics, c->atomics);
	assert_int_equal(t->lanes, c->lanes);
	assert_int_equal(t->bytes_asked, c->bytes_asked);
	assert_int_equal(t->bytes_from_l2, c->bytes_from_l2);
	assert_int_equal(t->bytes_moved, c->bytes_from_l2 - c->bytes_bypassed);
	assert_int_equal(t->bypasses, c->bypasses);
	assert_int_equal(t->bytes_bypassed, c->bytes_bypassed);
	assert_int_equal(t->stall_cycles, c->stall_cycles);
	assert_int_equal(t->sectors_hit, c->sectors_hit);
	assert_int_equal(t->sectors_missed, c->sectors_missed);
	assert_int_equal(t->sectors_promoted, c->sectors_promoted);
	assert_int_equal(t->sectors_promoted_hit, c->sectors_promoted_hit);
	assert_int_equal(t->write_sectors_hit, c->write_sectors_hit);
	assert_int_equal(t->write_sectors_missed, c->write_sectors_missed);
}

static void check_sums(const struct l1_stats *s)
{
	const struct l1_stats_reuse *reuse = l1_stats_reuse(s);
	uint64_t lines = 0, left = 0, used = 0;

	for (int t = 0; t < L1_STATS_TABLES; t++) {
		const struct l1_stats_list *list = l1_stats_list(s, (enum l1_stats_table)t);
		struct l1_stats_row sum = { 0 };

		for (size_t i = 0; i < list->count; i++)
			l1_stats_add(&sum, &list->rows[i]);
		assert_memory_equal(&sum, l1_stats_total(s), sizeof(sum));
	}
	for (size_t i = 0; i < L1_STATS_USES; i++) {
		lines += reuse->uses[i].lines;
		used += reuse->uses[i].bytes_used;
	}
	for (size_t i = 0; i <= L1_LEAVE_END; i++)
		left += reuse->reasons[i];
	assert_int_equal(lines, l1_stats_total(s)->lines);
	assert_int_equal(left, l1_stats_total(s)->lines);
	assert_int_equal(used, l1_stats_total(s)->bytes_used);
}

/* The read site 0 is the only one in the table of sites that has reads past L1. */
static void check_bypasses(const struct l1_stats *s, const struct replay_result *r)
{
	const struct l1_stats_list *sites = l1_stats_list(s, L1_STATS_SITES);

	assert_true(r->total.bypasses > 100);
	assert_int_equal(r->sites[0].reads, 0);
	assert_int_equal(sites->rows[0].bypasses, r->total.bypasses);
	assert_int_equal(sites->rows[0].bytes_bypassed, r->total.bytes_bypassed);
	assert_int_equal(sites->rows[0].reads, 0);
	assert_int_equal(sites->rows[0].lines, 0);
}

static void check_launch(const struct scene *scene, const char *change,
                         const struct bypass_list *list)
{
	struct gpu gpu = gpu_of(GPU_L1_WRITE_THROUGH_EVICT, GPU_LATENCY_ON);
	struct l1_stats *stats = stats_of(&gpu, scene);
	struct replay_result result;
	char dir[32];
	struct recording *r = scene_record(scene, &(struct scene_mishap){ 0 }, dir);

	assert_int_equal(gpu_set(&gpu, change, NULL), 0);
	play(r, &gpu, stats, NULL, list, &result);
	check_total(l1_stats_total(stats), &result.total);
	check_sums(stats);
	if (list->count)
		check_bypasses(stats, &result);
	else
		assert_int_equal(result.total.bypasses, 0);
	replay_result_release(&result);
	l1_stats_free(stats);
	scene_forget(r, dir);
}

/* With time, sectors, MSHRs, threads, and reads past L1. */
static void sums_of_all_tables_are_the_launchs_counters(void **state)
{
	static const char *const changes[] = {
		"latency=on",
		"l1_sector_bytes=32",
		"l1_mshr_entries=4",
		"l1_policy=fifo",
		"l1_write=through_allocate",
		"l1_write=back_allocate",
		"l1_allocation=at_fill",
	};
	const struct bypass_list none = { 0 };
	struct bypass_list first = { 0 };

	assert_int_equal(bypass_list_parse(&first, "site:0", NULL), 0);
	for (size_t i = 0; i < 4 * sizeof(changes) / sizeof(changes[0]); i++)
		check_launch(&scenes[i % 2], changes[i / 4], i / 2 % 2 ? &first : &none);
	bypass_list_release(&first);
}

/* Sites that read and write the same elements: side by side or far apart, by one work-item each or
 * by several, at once or later. */
static uint64_t round_number;

static uint64_t mixed_index(size_t site, const uint64_t id[3])
{
	uint64_t x = (id[0] >> round_number % 3) + (round_number / 3 % 2 ? 40 * site : 0);

	return round_number < 6 ? x : x * 40503 % 4096 + (id[0] & 7);
}

static void check_used(const struct l1_stats *s, const char *gpu)
{
	for (int t = 0; t < L1_STATS_TABLES; t++) {
		const struct l1_stats_list *list = l1_stats_list(s, (enum l1_stats_table)t);

		for (size_t i = 0; i < list->count; i++)
			if (list->rows[i].bytes_used > list->rows[i].bytes_moved)
				fail_msg("%s, round %llu: table %d, row %zu: more used than moved",
				         gpu, (unsigned long long)round_number, t, i);
	}
	for (size_t i = 0; i < L1_STATS_USES; i++)
		assert_true(l1_stats_reuse(s)->uses[i].bytes_used <=
		            l1_stats_reuse(s)->uses[i].bytes_moved);
}

static void check_used_on(const struct recording *r, const struct scene *scene,
                          const char *description)
{
	static const uint32_t writes[] = { GPU_L1_WRITE_THROUGH_EVICT, GPU_L1_WRITE_THROUGH_UPDATE,
		                           GPU_L1_WRITE_THROUGH_ALLOCATE,
		                           GPU_L1_WRITE_BACK_ALLOCATE };

	for (size_t i = 0; i <= sizeof(writes) / sizeof(writes[0]); i++) {
		struct replay_result result;
		struct l1_stats *stats;
		struct gpu gpu;

		assert_int_equal(gpu_load(&gpu, description, NULL, NULL), 0);
		gpu.sm_count = SMS;
		if (i)
			gpu.l1_write = writes[i - 1];
		stats = stats_of(&gpu, scene);
		play(r, &gpu, stats, NULL, NULL, &result);
		check_used(stats, description);
		replay_result_release(&result);
		l1_stats_free(stats);
	}
}

/* On every GPU there is a description of, as it is and with each way of writing. */
static void no_more_bytes_are_used_than_were_moved(void **state)
{
	static const struct scene scene = { .name = "mixed",
		                            .kinds = "wrwr",
		                            .arguments = { 0, 0, 1, 1 },
		                            .buffer_count = BUFFERS,
		                            .buffer_bytes = 65536,
		                            .shape = { 1, { 2000, 1, 1 }, { 64, 1, 1 }, { 0 } },
		                            .index = mixed_index };
	glob_t gpus;

	(void)state;
	assert_int_equal(glob(SOURCE_DIR "/gpus/*.conf", 0, NULL, &gpus), 0);
	assert_true(gpus.gl_pathc > 10);
	for (round_number = 0; round_number < 9; round_number++) {
		char dir[32];
		struct recording *r = scene_record(&scene, &(struct scene_mishap){ 0 }, dir);

		for (size_t i = 0; i < gpus.gl_pathc; i++)
			check_used_on(r, &scene, gpus.gl_pathv[i]);
		scene_forget(r, dir);
	}
	globfree(&gpus);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(rows_are_those_of_caches_played_by_the_definitions),
		cmocka_unit_test(no_more_bytes_are_used_than_were_moved),
		cmocka_unit_test(sums_of_all_tables_are_the_launchs_counters),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
