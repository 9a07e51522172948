/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Use of lines in replays of random small launches, against caches that this test plays itself
 * from the same requests: each keeps for each stay what its first read asked for, what was moved,
 * and how often it was read again.
 */
#include "cmocka_all.h"

#include "address_use.h"
#include "err.h"
#include "gpu.h"
#include "replay.h"
#include "scene.h"
#include "set_index.h"

#include <stdlib.h>
#include <string.h>

enum { SMS = 4, SITES = 4, BUFFERS = 2, SETS_MAX = 64, WAYS = 2, ENDED_MAX = 1 << 16 };

static const uint64_t FLOATS = 16384;
static uint64_t scatter; /* of the launch: what its indices are made with */

/* Near together, a few lines over and over, anywhere, and where the first one writes. */
static uint64_t random_index(size_t site, const uint64_t id[3])
{
	uint64_t h = (id[0] / (1 + scatter % 7) + 977 * site) * (2 * scatter + 1);

	h ^= h >> 13;
	switch (site) {
	case 0:
		return (id[0] * (1 + scatter % 5)) % FLOATS;
	case 1:
		return h * 31 % 1024;
	case 2:
		return (id[0] + scatter) % FLOATS;
	default:
		return h * 2654435761 % FLOATS;
	}
}

static const struct scene scene = {
	.name = "random",
	.kinds = "rrwr",
	.arguments = { 0, 1, 0, 1 },
	.buffer_count = BUFFERS,
	.buffer_bytes = 65536,
	.shape = { 1, { 3000, 1, 1 }, { 96, 1, 1 }, { 0, 0, 0 } },
	.index = random_index,
};

struct stay {
	bool is_there;
	uint32_t sm, site;
	int32_t buffer;
	uint64_t line, last_use, first_bytes, moved, uses, sectors;
};

struct oracle {
	struct set_index index;
	uint32_t sector_bytes;
	bool is_evicting;
	struct stay caches[SMS][SETS_MAX][WAYS];
	uint64_t now;
	struct stay ended[ENDED_MAX];
	size_t ended_count;
	uint64_t reads[SITES];
};

static void end_stay(struct oracle *o, struct stay *s)
{
	if (s->is_there)
		o->ended[o->ended_count++] = *s;
	assert_true(o->ended_count < ENDED_MAX);
	s->is_there = false;
}

/* Where the line is, or else the place for it: an empty one, or that used longest ago. */
static struct stay *find(struct stay set[WAYS], uint64_t line)
{
	struct stay *place = &set[0];

	for (size_t i = 0; i < WAYS; i++)
		if (set[i].is_there && set[i].line == line)
			return &set[i];
	for (size_t i = 1; i < WAYS; i++)
		if (place->is_there && (!set[i].is_there || set[i].last_use < place->last_use))
			place = &set[i];
	return place;
}

static uint64_t sectors_of(const struct oracle *o, const struct request *r)
{
	uint64_t sectors = 0;

	for (size_t i = 0; i < 128; i++)
		if (r->used[i / 64] >> i % 64 & 1)
			sectors |= (uint64_t)1 << i / o->sector_bytes;
	return sectors;
}

static void play_request(void *context, uint32_t sm, const struct request *r, uint64_t now_cycles)
{
	struct oracle *o = context;
	struct stay *s = find(o->caches[sm][set_index_find(&o->index, r->line / 128)], r->line);
	bool is_hit = s->is_there && s->line == r->line;
	uint64_t fetched;

	if (r->kind != SITE_READ) {
		if (is_hit && o->is_evicting)
			end_stay(o, s);
		return;
	}
	o->reads[r->site]++;
	if (is_hit) {
		s->uses++;
	} else {
		end_stay(o, s);
		*s = (struct stay){ .is_there = true,
			            .sm = sm,
			            .site = r->site,
			            .buffer = r->buffer,
			            .line = r->line,
			            .first_bytes = r->bytes_used };
	}
	fetched = sectors_of(o, r) & ~s->sectors;
	s->sectors |= fetched;
	s->moved += (uint64_t)__builtin_popcountll(fetched) * o->sector_bytes;
	s->last_use = ++o->now;
}

static void play_end(struct oracle *o)
{
	for (size_t sm = 0; sm < SMS; sm++)
		for (size_t set = 0; set < SETS_MAX; set++)
			for (size_t way = 0; way < WAYS; way++)
				end_stay(o, &o->caches[sm][set][way]);
}

/* -1: of any. */
static struct address_use_sum ask(const struct oracle *o, int64_t line, int64_t sm, int64_t site,
                                  int64_t buffer)
{
	struct address_use_sum sum = { 0 };

	for (size_t i = 0; i < o->ended_count; i++) {
		const struct stay *s = &o->ended[i];

		if ((line >= 0 && s->line != (uint64_t)line) || (sm >= 0 && s->sm != sm) ||
		    (site >= 0 && s->site != site) || (buffer >= 0 && s->buffer != buffer))
			continue;
		sum.stays++;
		sum.first_bytes += s->first_bytes;
		sum.bytes_moved += s->moved;
		sum.uses += s->uses;
	}
	return sum;
}

static void check_lines(const struct address_use *u, const struct oracle *o, bool is_merged)
{
	struct address_use_line *rows;
	uint64_t stays = 0;
	size_t count;

	assert_int_equal(address_use_lines(u, is_merged, &rows, &count, NULL), 0);
	for (size_t i = 0; i < count; i++) {
		struct address_use_sum want = ask(o, (int64_t)rows[i].line, rows[i].sm, -1, -1);

		assert_memory_equal(&rows[i].sum, &want, sizeof(want));
		stays += want.stays;
	}
	assert_int_equal(stays, o->ended_count);
	free(rows);
}

static void check(const struct address_use *u, const struct oracle *o)
{
	for (uint32_t i = 0; i < SITES; i++) {
		struct address_use_sum want = ask(o, -1, -1, i, -1);

		assert_memory_equal(&address_use_sites(u)[i].sum, &want, sizeof(want));
		assert_int_equal(address_use_sites(u)[i].reads, o->reads[i]);
	}
	for (uint32_t i = 0; i < BUFFERS; i++) {
		struct address_use_sum want = ask(o, -1, -1, -1, i);

		assert_memory_equal(&address_use_buffers(u)[i + 1].sum, &want, sizeof(want));
	}
	check_lines(u, o, false);
	check_lines(u, o, true);
}

static struct gpu gpu_of(const char *change)
{
	struct gpu gpu;

	assert_int_equal(gpu_load(&gpu, SOURCE_DIR "/gpus/gtx480.conf", NULL, NULL), 0);
	gpu.latency = GPU_LATENCY_OFF;
	gpu.sm_count = SMS;
	gpu.l1_ways = WAYS;
	gpu.l1_sets = 16;
	if (change)
		assert_int_equal(gpu_set(&gpu, change, NULL), 0);
	return gpu;
}

static struct address_use *use_of(void)
{
	const struct address_use_setup setup = { .sm_count = SMS,
		                                 .site_count = SITES,
		                                 .buffer_count = BUFFERS };
	struct address_use *u = NULL;

	assert_int_equal(address_use_create(&u, &setup, NULL), 0);
	return u;
}

static void replay(const struct recording *r, const struct gpu *gpu, struct address_use *u,
                   struct oracle *o, uint32_t jobs)
{
	const struct replay_options options = { .jobs = jobs,
		                                .request = o ? play_request : NULL,
		                                .request_context = o,
		                                .observer = address_use_observer,
		                                .observer_context = u };
	struct replay_result result;
	struct err err = { 0 };

	if (replay_launch(r, 0, gpu, &options, &result, &err))
		fail_msg("%s", err.msg);
	replay_result_release(&result);
	assert_int_equal(address_use_end(u, NULL), 0);
}

static struct oracle *oracle_of(const struct gpu *gpu, bool has_sectors)
{
	struct oracle *o = calloc(1, sizeof(*o));

	assert_non_null(o);
	assert_int_equal(set_index_init(&o->index, gpu, NULL), 0);
	o->sector_bytes = has_sectors ? 32 : 128;
	o->is_evicting = gpu->l1_write == GPU_L1_WRITE_THROUGH_EVICT;
	return o;
}

static void sums_are_those_of_caches_played_by_the_definitions(void **state)
{
	static const char *const changes[] = { NULL, "l1_write=through_update",
		                               "l1_sector_bytes=32" };

	for (size_t i = 0; i < 4 * sizeof(changes) / sizeof(changes[0]); i++) {
		const char *change = changes[i / 4];
		const struct gpu gpu = gpu_of(change);
		struct oracle *o = oracle_of(&gpu, change && strstr(change, "sector"));
		struct address_use *u = use_of();
		char dir[32];
		struct recording *r;

		scatter = 11 * i + 3;
		r = scene_record(&scene, &(struct scene_mishap){ 0 }, dir);
		replay(r, &gpu, u, o, 1);
		play_end(o);
		check(u, o);
		/* Once more, by three threads, as a second launch: twice as much of everything. */
		replay(r, &gpu, u, NULL, 3);
		assert_int_equal(address_use_total(u)->sum.stays, 2 * o->ended_count);
		assert_int_equal(address_use_total(u)->reads,
		                 2 * (o->reads[0] + o->reads[1] + o->reads[2] + o->reads[3]));
		assert_int_equal(address_use_dropped(u), 0);
		address_use_free(u);
		scene_forget(r, dir);
		free(o);
	}
}

static uint64_t same_index(size_t site, const uint64_t id[3])
{
	return id[0];
}

/* Each warp writes a line of L1 whole and then reads it: no line was loaded, none is poor. */
static void lines_that_writes_brought_in_are_no_loads(void **state)
{
	const struct scene written = {
		.name = "written",
		.kinds = "wr",
		.arguments = { 0, 0 },
		.buffer_count = 1,
		.buffer_bytes = 65536,
		.shape = { 1, { 4096, 1, 1 }, { 64, 1, 1 }, { 0, 0, 0 } },
		.index = same_index,
	};
	static const char *const changes[] = { "l1_write=through_allocate",
		                               "l1_write=back_allocate",
		                               "l1_write=through_update" };

	for (size_t i = 0; i < sizeof(changes) / sizeof(changes[0]); i++) {
		struct gpu gpu = gpu_of(changes[i]);
		struct address_use *u = use_of();
		char dir[32];
		struct recording *r = scene_record(&written, &(struct scene_mishap){ 0 }, dir);

		gpu.l1_sets = 64;
		gpu.l1_ways = 8;
		replay(r, &gpu, u, NULL, 1);
		assert_int_equal(address_use_sites(u)[1].reads, 128);
		/* Without allocation each read loads its line, whole. */
		assert_int_equal(address_use_total(u)->sum.stays, i == 2 ? 128 : 0);
		assert_int_equal(address_use_sites(u)[1].sum.first_bytes, i == 2 ? 128 * 128 : 0);
		address_use_free(u);
		scene_forget(r, dir);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(sums_are_those_of_caches_played_by_the_definitions),
		cmocka_unit_test(lines_that_writes_brought_in_are_no_loads),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
