/* SPDX-License-Identifier: Apache-2.0 */
/* All caches at once against each by itself, written from its definition. */
#include "cmocka_all.h"

#include "err.h"
#include "l1_play.h"
#include "sweep.h"
#include "sweep_chain.h"

#include <stdlib.h>
#include <string.h>

enum { MAX_WAYS = 40, MAX_SETS = 512, REQUESTS = 30000 };

/* A cache by definition: ways with the time of their last read, 0: empty. */
struct naive {
	uint32_t sets, ways, index;
	uint64_t line[MAX_SETS * MAX_WAYS], used[MAX_SETS * MAX_WAYS];
};

static uint32_t naive_set(const struct naive *n, uint64_t line)
{
	static const int bits[] = { 6, 7, 8, 10, 12 };
	uint64_t set = line % n->sets;

	if (n->index == GPU_L1_INDEX_XOR)
		return (uint32_t)((line ^ line / n->sets) % n->sets);
	for (int i = 0; n->index == GPU_L1_INDEX_FERMI && i < 5; i++)
		set ^= (line >> bits[i] & 1) << i;
	return (uint32_t)set;
}

/* The way of a line in its set, or, when it is not there, of an empty or the oldest one. */
static bool naive_find(const struct naive *n, uint64_t line, size_t *at)
{
	size_t first = (size_t)naive_set(n, line) * n->ways;

	*at = first;
	for (size_t i = first; i < first + n->ways; i++) {
		if (n->used[i] && n->line[i] == line) {
			*at = i;
			return true;
		}
		if (n->used[i] < n->used[*at])
			*at = i;
	}
	return false;
}

/* Requests as struct request has them; `line` is a number. */
struct ask {
	uint64_t line;
	enum site_kind kind;
};

static void naive_play(struct naive *n, const struct ask *asks, size_t count, bool is_evicting,
                       struct counters *c)
{
	memset(n->used, 0, sizeof(n->used));
	for (size_t i = 0; i < count; i++) {
		size_t at;
		bool is_there = naive_find(n, asks[i].line, &at);

		c->reads += asks[i].kind == SITE_READ;
		c->writes += asks[i].kind == SITE_WRITE;
		c->atomics += asks[i].kind == SITE_ATOMIC;
		if (asks[i].kind == SITE_READ) {
			c->read_hits += is_there;
			c->read_misses += !is_there;
			c->evictions += !is_there && n->used[at];
			n->line[at] = asks[i].line;
			n->used[at] = i + 1;
			continue;
		}
		c->write_hits += is_there && asks[i].kind == SITE_WRITE;
		if (is_there && (asks[i].kind == SITE_ATOMIC || is_evicting))
			n->used[at] = 0;
	}
}

/* Lines that were read, each once. */
static uint64_t naive_cold(const struct ask *asks, size_t count)
{
	uint64_t cold = 0;

	for (size_t i = 0; i < count; i++) {
		size_t k = 0;

		while (k < i && !(asks[k].kind == SITE_READ && asks[k].line == asks[i].line))
			k++;
		cold += asks[i].kind == SITE_READ && k == i;
	}
	return cold;
}

/* What kind of requests a row makes. */
struct row {
	uint32_t write;
	uint32_t others; /* of 100 requests, writes or atomics */
	uint64_t lines;  /* different ones */
	uint64_t base, stride;
	uint32_t ways;
};

static const struct row rows[] = {
	{ GPU_L1_WRITE_THROUGH_EVICT, 0, 3000, 0, 1, 32 },
	{ GPU_L1_WRITE_THROUGH_EVICT, 0, 300, 0, 1, 16 },
	{ GPU_L1_WRITE_THROUGH_EVICT, 30, 300, 0, 1, 32 },
	{ GPU_L1_WRITE_THROUGH_EVICT, 5, 3000, 1000, 1, MAX_WAYS },
	{ GPU_L1_WRITE_THROUGH_UPDATE, 30, 300, 0, 1, 7 },
	{ GPU_L1_WRITE_THROUGH_UPDATE, 10, 500, 0, 64, 33 },
	{ GPU_L1_WRITE_THROUGH_EVICT, 10, 500, UINT32_MAX - 250, 1, 20 },
	{ GPU_L1_WRITE_THROUGH_EVICT, 0, 900, UINT64_C(0x123456789a), 32, 32 },
};

static const struct sweep_geometry geometries[] = {
	{ GPU_L1_INDEX_MODULO, 64 }, { GPU_L1_INDEX_MODULO, 1 },  { GPU_L1_INDEX_FERMI, 64 },
	{ GPU_L1_INDEX_MODULO, 8 },  { GPU_L1_INDEX_MODULO, 48 }, { GPU_L1_INDEX_FERMI, 32 },
	{ GPU_L1_INDEX_XOR, 32 },    { GPU_L1_INDEX_XOR, 16 },    { GPU_L1_INDEX_MODULO, 3 },
	{ GPU_L1_INDEX_MODULO, 5 },  { GPU_L1_INDEX_MODULO, 8 },  { GPU_L1_INDEX_MODULO, 512 },
};
#define GEOMETRIES (sizeof(geometries) / sizeof(geometries[0]))

/* Half of the time near the last line, so that there are hits of all depths. */
static void make_asks(const struct row *row, uint64_t *random, struct ask *asks)
{
	uint64_t at = 0;

	for (size_t i = 0; i < REQUESTS; i++) {
		at = (random_below(random, 2) ? at + random_below(random, 20)
		                              : random_below(random, row->lines)) %
		     row->lines;
		asks[i].line = row->base + at * row->stride;
		asks[i].kind = random_below(random, 100) >= row->others ? SITE_READ
		               : random_below(random, 3)                ? SITE_WRITE
		                                                        : SITE_ATOMIC;
	}
}

static struct gpu gpu_of(uint32_t write)
{
	return (struct gpu){ .name = "test",
		             .sm_count = 3,
		             .warp_lanes = 32,
		             .l1_sets = 32,
		             .l1_ways = 4,
		             .l1_line_bytes = 128,
		             .l1_write = write };
}

static void ask_all(struct sweep *s, uint32_t sm, const struct ask *asks, size_t count)
{
	static const uint64_t used[2] = { 0xf };

	for (size_t i = 0; i < count; i++) {
		const struct request r = { .line = asks[i].line * 128,
			                   .used = used,
			                   .bytes_used = 4,
			                   .lanes = 1,
			                   .kind = asks[i].kind };

		sweep_request(s, sm, &r);
	}
}

static void complete(struct counters *c, uint64_t cold)
{
	c->cold = cold;
	c->lanes = c->reads + c->writes + c->atomics;
	c->bytes_asked = 4 * c->lanes;
	c->bytes_to_l2 = 4 * (c->writes + c->atomics);
	c->bytes_from_l2 = 128 * c->read_misses;
	c->sectors_hit = c->read_hits;
	c->sectors_missed = c->read_misses;
	c->write_sectors_hit = c->write_hits;
	c->write_sectors_missed = c->writes - c->write_hits;
}

/* Two launches: the first on SMs 0 and 2, with a third and the rest of the requests; the second all
 * of them on SM 1. */
static void play_two(struct sweep *s, const struct ask *asks)
{
	struct err err = { 0 };

	ask_all(s, 0, asks, REQUESTS / 3);
	ask_all(s, 2, asks + REQUESTS / 3, REQUESTS - REQUESTS / 3);
	assert_int_equal(sweep_end(s, &err), 0);
	ask_all(s, 1, asks, REQUESTS / 2);
	assert_int_equal(sweep_end(s, &err), 0);
}

static void check_cell(const struct sweep *s, const struct row *row, const struct ask *asks,
                       size_t geometry, uint32_t ways)
{
	static struct naive n;
	bool is_evicting = row->write == GPU_L1_WRITE_THROUGH_EVICT;
	struct counters want = { 0 }, got;

	n.sets = geometries[geometry].sets;
	n.index = geometries[geometry].index;
	n.ways = ways;
	naive_play(&n, asks, REQUESTS / 3, is_evicting, &want);
	naive_play(&n, asks + REQUESTS / 3, REQUESTS - REQUESTS / 3, is_evicting, &want);
	naive_play(&n, asks, REQUESTS / 2, is_evicting, &want);
	sweep_cell(s, geometry, ways, &got);
	complete(&want, got.cold); /* looked at once a row: it is the same for all */
	assert_memory_equal(&got, &want, sizeof(got));
}

static void every_cell_is_the_cache_by_definition(void **state)
{
	struct ask *asks = calloc(REQUESTS, sizeof(*asks));
	uint64_t random = 20261121;

	(void)state;
	assert_non_null(asks);
	print_message("seed %llu\n", (unsigned long long)random);
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		const struct gpu gpu = gpu_of(rows[i].write);
		struct sweep *s = NULL;
		struct counters c;

		make_asks(&rows[i], &random, asks);
		assert_int_equal(sweep_create(&s, &gpu, geometries, GEOMETRIES, rows[i].ways, NULL),
		                 0);
		play_two(s, asks);
		for (size_t g = 0; g < GEOMETRIES; g++)
			for (uint32_t ways = 1; ways <= rows[i].ways;
			     ways += 1 + (uint32_t)random_below(&random, 4))
				check_cell(s, &rows[i], asks, g, ways);
		sweep_cell(s, 0, 1, &c);
		assert_int_equal(c.cold,
		                 naive_cold(asks, REQUESTS / 3) +
		                         naive_cold(asks + REQUESTS / 3, REQUESTS - REQUESTS / 3) +
		                         naive_cold(asks, REQUESTS / 2));
		sweep_free(s);
	}
	free(asks);
}

typedef void player(struct sweep_chain *c, const struct sweep_batch *batch);

/* Play requests through a chain of modulo 4, 8 and 24 sets by one of the inner loops; its counts
 * as a copy. */
static uint64_t *play_by(player *play, bool is_wide, uint32_t ways, const struct ask *asks,
                         size_t *count)
{
	const struct set_index indices[] = { { .sets = 4, .mask = 3, .shift = 2 },
		                             { .sets = 8, .mask = 7, .shift = 3 },
		                             { .sets = 24 } };
	static uint64_t lines[REQUESTS];
	static enum site_kind kinds[REQUESTS];
	struct sweep_batch batch = { lines, kinds, REQUESTS, is_wide ? UINT64_MAX : 0 };
	struct sweep_batch none = { lines, NULL, 0, batch.line_or };
	struct sweep_chain c;
	uint64_t *counts;

	for (size_t i = 0; i < REQUESTS; i++) {
		lines[i] = asks[i].line;
		kinds[i] = asks[i].kind;
	}
	assert_int_equal(sweep_chain_init(&c, indices, 3, ways, true, NULL), 0);
	c.missed = calloc((size_t)2 * REQUESTS, sizeof(*c.missed));
	c.missed_room = (size_t)2 * REQUESTS;
	assert_int_equal(sweep_chain_play(&c, &none, NULL), 0); /* makes the keys wide */
	batch.kinds = NULL;
	play(&c, &batch); /* as if all were reads, */
	batch.kinds = kinds;
	play(&c, &batch); /* and as they are */
	sweep_chain_empty(&c);
	*count = 12 * ((size_t)c.depth + 1);
	counts = malloc((*count + 3) * sizeof(*counts));
	assert_non_null(counts);
	memcpy(counts, c.counts, *count * sizeof(*counts));
	for (size_t i = 0; i < 3; i++)
		counts[(*count)++] = c.levels[i].stops;
	sweep_chain_release(&c);
	return counts;
}

static void all_inner_loops_count_the_same(void **state)
{
	static const struct {
		player *play;
		bool is_wide, needs_avx512;
	} loops[] = {
		{ sweep_play_32, false, false },
		{ sweep_play_64, true, false },
		{ sweep_play_32_avx512, false, true },
		{ sweep_play_64_avx512, true, true },
	};
	static const uint32_t depths[] = { 16, 32, 48, 1 };
	struct ask *asks = calloc(REQUESTS, sizeof(*asks));
	uint64_t random = 5;

	(void)state;
	assert_non_null(asks);
	make_asks(&rows[2], &random, asks);
	for (size_t d = 0; d < sizeof(depths) / sizeof(depths[0]); d++) {
		size_t want_count, count;
		uint64_t *want = play_by(sweep_play_32, false, depths[d], asks, &want_count);

		for (size_t i = 1; i < sizeof(loops) / sizeof(loops[0]); i++) {
			uint64_t *got;

			if (loops[i].needs_avx512 && !sweep_has_avx512())
				continue;
			got = play_by(loops[i].play, loops[i].is_wide, depths[d], asks, &count);
			assert_int_equal(count, want_count);
			assert_memory_equal(got, want, count * sizeof(*got));
			free(got);
		}
		free(want);
	}
	free(asks);
}

static void caches_that_cannot_be_are_refused(void **state)
{
	static const struct {
		struct sweep_geometry geometry;
		uint32_t ways;
		int code;
		const char *words;
	} refused[] = {
		{ { GPU_L1_INDEX_FERMI, 48 }, 4, ERR_CONFIG, "l1_index = fermi needs 32 or 64" },
		{ { GPU_L1_INDEX_XOR, 48 }, 4, ERR_CONFIG, "is not a power of two" },
		{ { GPU_L1_INDEX_MODULO, 0 }, 4, ERR_CONFIG, "l1_sets is 0" },
		{ { GPU_L1_INDEX_MODULO, 262144 }, 1024, ERR_LIMIT, "at most 16777216" },
	};
	const struct gpu gpu = gpu_of(GPU_L1_WRITE_THROUGH_EVICT);

	(void)state;
	for (size_t i = 0; i < sizeof(refused) / sizeof(refused[0]); i++) {
		struct err err = { 0 };
		struct sweep *s = NULL;

		assert_int_equal(
			sweep_create(&s, &gpu, &refused[i].geometry, 1, refused[i].ways, &err),
			refused[i].code);
		assert_non_null(strstr(err.msg, refused[i].words));
		assert_null(s);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_cell_is_the_cache_by_definition),
		cmocka_unit_test(all_inner_loops_count_the_same),
		cmocka_unit_test(caches_that_cannot_be_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
