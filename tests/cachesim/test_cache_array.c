/* SPDX-License-Identifier: Apache-2.0 */
#include "cmocka_all.h"

#include "cache_array.h"
#include "err.h"
#include "naive_array.h"

#include <stdlib.h>
#include <string.h>

static uint64_t next_random(uint64_t *state)
{
	*state ^= *state << 13;
	*state ^= *state >> 7;
	*state ^= *state << 17;
	return *state;
}

static uint32_t below(uint64_t *state, uint32_t limit)
{
	return (uint32_t)(next_random(state) >> 16) % limit;
}

static const char *const words[] = {
#define REPLACEMENT(NAME, word, text) [GPU_POLICY_##NAME] = (word),
#include "replacement.def"
#undef REPLACEMENT
};

enum { POLICIES = sizeof(words) / sizeof(words[0]) };

static struct gpu_spec policy_of(uint32_t kind, uint32_t ways, uint64_t *random)
{
	struct gpu_spec policy = { .kind = kind };

	if (kind == GPU_POLICY_RANDOM || kind == GPU_POLICY_WAYS)
		policy.number = kind == GPU_POLICY_RANDOM ? next_random(random) : 0;
	if (kind != GPU_POLICY_WAYS)
		return policy;
	policy.count = ways;
	for (uint32_t i = 0; i < ways; i++)
		policy.list[i] = below(random, 4);
	policy.list[below(random, ways)] = UINT32_MAX;
	return policy;
}

struct pair {
	struct cache_array array;
	struct naive_array naive;
	uint32_t keys; /* of a set */
	uint32_t lock_percent, take_percent;
	uint64_t random;
};

static void same(uint32_t slot, int64_t naive)
{
	if (naive < 0)
		assert_int_equal(slot, CACHE_ARRAY_NONE);
	else
		assert_int_equal(slot, naive);
}

static void read_line(struct pair *p, uint32_t set, uint64_t key)
{
	uint32_t slot = cache_array_find(&p->array, set, key);
	int64_t naive = naive_array_find(&p->naive, set, key);

	same(slot, naive);
	if (naive >= 0) {
		cache_array_use(&p->array, slot);
		naive_array_use(&p->naive, naive);
		return;
	}
	slot = cache_array_victim(&p->array, set);
	naive = naive_array_victim(&p->naive, set);
	same(slot, naive);
	if (naive < 0)
		return;
	cache_array_put(&p->array, slot, key);
	naive_array_put(&p->naive, naive, key);
	assert_true(cache_array_key(&p->array, slot) == key);
}

static void take_line(struct pair *p, uint32_t slot)
{
	assert_int_equal(cache_array_is_used(&p->array, slot), p->naive.lines[slot].is_used);
	if (!p->naive.lines[slot].is_used)
		return;
	cache_array_take(&p->array, slot);
	naive_array_take(&p->naive, slot);
}

static void step(struct pair *p)
{
	uint32_t set = below(&p->random, p->array.sets), chance = below(&p->random, 100);
	uint32_t slot = set * p->array.ways + below(&p->random, p->array.ways);

	if (p->take_percent && !below(&p->random, 500)) {
		for (uint32_t way = 0; way < p->array.ways; way++)
			take_line(p, set * p->array.ways + way);
	} else if (chance < p->take_percent) {
		take_line(p, slot);
	} else if (chance < p->take_percent + p->lock_percent) {
		cache_array_lock(&p->array, slot);
		p->naive.lines[slot].is_locked = true;
	} else if (chance < p->take_percent + 2 * p->lock_percent) {
		cache_array_unlock(&p->array, slot);
		p->naive.lines[slot].is_locked = false;
	} else {
		/* every key lies in one set; some are used more often */
		uint64_t key = below(&p->random, 1 + below(&p->random, p->keys));

		read_line(p, set, (key << 40) * p->array.sets + key * p->array.sets + set);
	}
}

static void play(uint32_t kind, uint32_t sets, uint32_t ways, uint64_t seed)
{
	struct pair p = { .random = seed * UINT64_C(0x9e3779b97f4a7c15) + 1 };
	struct gpu_spec policy = policy_of(kind, ways, &p.random);
	struct cache_array_setup setup = { sets, ways, &policy, 0 };
	uint32_t steps = 2000 + 20 * ways;

	p.keys = 1 + 2 * ways;
	p.lock_percent = seed % 3 == 1 ? 10 : 0;
	p.take_percent = seed % 3 == 2 ? 15 : seed % 2;
	assert_int_equal(cache_array_init(&p.array, &setup, NULL), 0);
	naive_array_init(&p.naive, sets, ways, &policy);
	while (steps--)
		step(&p);
	naive_array_release(&p.naive);
	cache_array_release(&p.array);
}

static void every_policy_does_what_its_definition_says(void **state)
{
	static const uint32_t ways[] = { 1,  2,  3,  4,  5,  6,  7,  8,  12,  15,  16,
		                         17, 24, 31, 32, 33, 63, 64, 96, 100, 192, 257 };

	(void)state;
	for (uint32_t kind = 0; kind < POLICIES; kind++) {
		print_message("  %s\n", words[kind]);
		for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
			if (kind == GPU_POLICY_WAYS && ways[i] > GPU_SPEC_MAX)
				continue;
			for (uint64_t seed = 0; seed < 6; seed++)
				play(kind, 1 + (uint32_t)seed * 5 % 4, ways[i], seed + 100 * i);
		}
	}
}

static void a_set_of_1024_ways_does_so_too(void **state)
{
	(void)state;
	for (uint32_t kind = 0; kind < GPU_POLICY_WAYS; kind++)
		for (uint64_t seed = 0; seed < 3; seed++)
			play(kind, 2, 1024, seed);
}

static void the_words_are_those_of_the_keys(void **state)
{
	struct gpu gpu;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(POLICIES, GPU_POLICY_WAYS + 1);
	assert_int_equal(gpu_load(&gpu, SOURCE_DIR "/gpus/gtx480.conf", NULL, NULL), 0);
	for (uint32_t kind = 0; kind < POLICIES; kind++) {
		char pair[64];

		(void)snprintf(pair, sizeof(pair), "l1_policy=%s%s", words[kind],
		               kind == GPU_POLICY_RANDOM ? ":1"
		               : kind == GPU_POLICY_WAYS ? ":1,3,1,1"
		                                         : "");
		assert_int_equal(gpu_set(&gpu, pair, &err), 0);
		assert_int_equal(gpu.l1_policy.kind, kind);
	}
}

static void what_cannot_be_is_refused(void **state)
{
	struct gpu_spec lru = { 0 }, short_list = { .kind = GPU_POLICY_WAYS, .count = 3 },
			zeros = { .kind = GPU_POLICY_WAYS, .count = 4 };
	const struct {
		struct cache_array_setup setup;
		const char *message;
	} rows[] = {
		{ { 0, 4, &lru, 0 }, "a cache of 0 sets: expected 1..65536" },
		{ { 65537, 4, &lru, 0 }, "a cache of 65537 sets: expected 1..65536" },
		{ { 4, 0, &lru, 0 }, "a cache of 0 ways: expected 1..1024" },
		{ { 4, 1025, &lru, 0 }, "a cache of 1025 ways: expected 1..1024" },
		{ { 4, 4, &short_list, 0 }, "a cache of 4 ways has 3 probabilities" },
		{ { 4, 4, &zeros, 0 }, "all probabilities of a cache's ways are 0" },
	};

	(void)state;
	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct cache_array a;
		struct err err = { 0 };

		assert_int_equal(cache_array_init(&a, &rows[i].setup, &err), ERR_CONFIG);
		assert_string_equal(err.msg, rows[i].message);
		cache_array_release(&a);
	}
}

/* The last slot of the largest: sets and ways come out of it exactly. */
static void the_largest_cache_has_its_corners(void **state)
{
	static const uint32_t ways[] = { 1, 3, 7, 1000, 1023, 1024 };
	struct gpu_spec lru = { 0 };

	(void)state;
	for (size_t i = 0; i < sizeof(ways) / sizeof(ways[0]); i++) {
		struct cache_array_setup setup = { 65536, ways[i], &lru, 0 };
		struct cache_array a;

		assert_int_equal(cache_array_init(&a, &setup, NULL), 0);
		for (uint32_t set = 0; set < 65536; set++) {
			assert_int_equal(cache_array_set(&a, set * ways[i]), set);
			assert_int_equal(cache_array_set(&a, set * ways[i] + ways[i] - 1), set);
		}
		cache_array_put(&a, 65535 * ways[i] + ways[i] - 1, UINT64_MAX - 1);
		assert_int_equal(cache_array_find(&a, 65535, UINT64_MAX - 1),
		                 65535 * ways[i] + ways[i] - 1);
		assert_int_equal(cache_array_find(&a, 65534, 5), CACHE_ARRAY_NONE);
		cache_array_release(&a);
	}
}

static void streams_of_one_seed_draw_differently(void **state)
{
	struct gpu_spec random = { .kind = GPU_POLICY_RANDOM, .number = 1 };
	struct cache_array arrays[3];
	uint32_t equal = 0;

	(void)state;
	for (uint32_t i = 0; i < 3; i++) {
		struct cache_array_setup setup = { 1, 1024, &random, i / 2 };

		assert_int_equal(cache_array_init(&arrays[i], &setup, NULL), 0);
		for (uint32_t slot = 0; slot < 1024; slot++)
			cache_array_put(&arrays[i], slot, slot);
	}
	for (int n = 0; n < 1000; n++) {
		uint32_t first = cache_array_victim(&arrays[0], 0);

		assert_int_equal(cache_array_victim(&arrays[1], 0), first);
		equal += cache_array_victim(&arrays[2], 0) == first;
	}
	assert_true(equal < 20); /* 1 expected */
	for (uint32_t i = 0; i < 3; i++)
		cache_array_release(&arrays[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_policy_does_what_its_definition_says),
		cmocka_unit_test(a_set_of_1024_ways_does_so_too),
		cmocka_unit_test(the_words_are_those_of_the_keys),
		cmocka_unit_test(what_cannot_be_is_refused),
		cmocka_unit_test(the_largest_cache_has_its_corners),
		cmocka_unit_test(streams_of_one_seed_draw_differently),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
