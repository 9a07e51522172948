/* SPDX-License-Identifier: Apache-2.0 */
#include "access.h"
#include "err.h"

#include "cmocka_all.h"

#include <string.h>

enum { STEP_LIMIT = 4096, DEPTH_LIMIT = 5, LOOP_LIMIT = 32 };

/*
 * The oracle: a random nest of loops is run, step by step, with the true iteration of every loop in
 * hand. Each step writes the event that event.h asks for and, beside it, what it means.
 */
struct truth {
	uint32_t site;
	uint64_t iterations[DEPTH_LIMIT];
	size_t depth;
};

struct nest {
	uint64_t seed;
	struct site sites[2 * LOOP_LIMIT];
	struct loop loops[LOOP_LIMIT];
	struct kernel_table table;
	int32_t children[LOOP_LIMIT][2]; /* loops in a loop, -1: none */
	struct event events[2 * STEP_LIMIT];
	size_t event_count;
	struct truth truths[STEP_LIMIT];
	size_t truth_count;
};

static uint64_t random_below(struct nest *n, uint64_t limit)
{
	n->seed = n->seed * UINT64_C(6364136223846793005) + UINT64_C(1442695040888963407);
	return (n->seed >> 33) % limit;
}

/* A loop with a site, up to two loops in it, and a site behind them. */
static int32_t make_loop(struct nest *n, int32_t parent, uint32_t depth)
{
	int32_t self = (int32_t)n->table.loop_count++;
	struct loop *loop = &n->loops[self];

	*loop = (struct loop){ .parent = parent, .depth = depth };
	n->sites[n->table.site_count++] =
		(struct site){ .kind = SITE_READ, .bytes = 4, .loop = self };
	for (int i = 0; i < 2; i++) {
		bool has_child = depth < DEPTH_LIMIT && n->table.loop_count < LOOP_LIMIT - 1 &&
		                 random_below(n, 3);

		n->children[self][i] = has_child ? make_loop(n, self, depth + 1) : -1;
	}
	return self;
}

/* The one site of loop `loop`: made just before its children, in order. */
static uint32_t site_of(const struct nest *n, int32_t loop)
{
	for (uint32_t i = 0; i < n->table.site_count; i++) {
		if (n->sites[i].loop == loop)
			return i;
	}
	return 0;
}

static void step(struct nest *n, uint64_t value, uint32_t point, uint32_t iteration)
{
	n->events[n->event_count++] = (struct event){ value, point, iteration };
}

static void run_loop(struct nest *n, int32_t loop, uint64_t *path, uint32_t depth)
{
	uint64_t rounds = random_below(n, 4);
	/* Now and then far along, as if 2^32 silent iterations had passed. */
	uint64_t start = random_below(n, 4) ? 0 : UINT64_C(0x2fffffffe);

	if (n->truth_count > STEP_LIMIT / 2)
		return;
	if (depth > 1)
		step(n, path[depth - 2], EVENT_LOOP | (uint32_t)loop, 0);
	if (start)
		step(n, UINT64_C(0x200000000), EVENT_EPOCH | (uint32_t)loop, 0);
	for (uint64_t i = start; i < start + rounds; i++) {
		struct truth *t = &n->truths[n->truth_count++];

		path[depth - 1] = i;
		if (i == UINT64_C(0x300000000))
			step(n, i, EVENT_EPOCH | (uint32_t)loop, 0);
		step(n, n->truth_count, EVENT_SITE | site_of(n, loop), (uint32_t)i);
		*t = (struct truth){ .site = site_of(n, loop), .depth = depth };
		memcpy(t->iterations, path, depth * sizeof(*path));
		for (int k = 0; k < 2; k++) {
			if (n->children[loop][k] >= 0)
				run_loop(n, n->children[loop][k], path, depth + 1);
		}
	}
}

static void check(struct nest *n)
{
	struct access_decoder *d = NULL;
	struct access a;
	struct err err = { 0 };
	size_t at = 0;

	assert_int_equal(access_decoder_create(&d, &n->table, &err), 0);
	for (int run = 0; run < 2; run++) {
		at = 0;
		access_decoder_begin(d); /* twice: nothing is left of the first work-item */
		for (size_t i = 0; i < n->event_count; i++) {
			const struct truth *t = &n->truths[at];
			int ret = access_decoder_take(d, &n->events[i], &a, &err);

			assert_in_range(ret, 0, 1);
			if (!ret)
				continue;
			at++;
			assert_int_equal(a.site, t->site);
			assert_int_equal(a.address, at);
			assert_int_equal(a.bytes, 4);
			assert_int_equal(a.loop_count, t->depth);
			for (size_t k = 0; k < t->depth; k++)
				assert_int_equal(a.loops[k].iteration, t->iterations[k]);
			assert_int_equal(a.loops[t->depth - 1].loop, n->sites[t->site].loop);
		}
		assert_int_equal(at, n->truth_count);
	}
	access_decoder_free(d);
}

static void random_nests_decode_to_what_was_run(void **state)
{
	static struct nest n;
	size_t accesses = 0;

	(void)state;
	for (uint64_t seed = 1; seed <= 400; seed++) {
		uint64_t path[DEPTH_LIMIT] = { 0 };

		memset(&n, 0, sizeof(n));
		n.seed = seed;
		n.table = (struct kernel_table){ .sites = n.sites, .loops = n.loops };
		make_loop(&n, -1, 1);
		run_loop(&n, 0, path, 1);
		check(&n);
		accesses += n.truth_count;
	}
	print_message("seeds 1..400, %zu accesses\n", accesses);
	assert_true(accesses > 10000);
}

static void a_run_time_size_belongs_to_the_next_access_only(void **state)
{
	char name[] = "k";
	struct site sites[] = { { .kind = SITE_READ, .bytes = 0, .loop = -1 },
		                { .kind = SITE_WRITE, .bytes = 8, .loop = -1 },
		                { .kind = SITE_BARRIER, .loop = -1 } };
	struct kernel_table table = { .name = name, .sites = sites, .site_count = 3 };
	const struct event size = { 100, EVENT_SIZE | 0, 0 }, read = { 1, EVENT_SITE | 0, 0 };
	const struct event write = { 2, EVENT_SITE | 1, 0 }, barrier = { 0, EVENT_SITE | 2, 0 };
	struct access_decoder *d = NULL;
	struct access a;
	struct err err = { 0 };

	(void)state;
	assert_int_equal(access_decoder_create(&d, &table, &err), 0);
	access_decoder_begin(d);
	assert_int_equal(access_decoder_take(d, &size, &a, &err), 0);
	assert_int_equal(access_decoder_take(d, &read, &a, &err), 1);
	assert_int_equal(a.bytes, 100);
	assert_int_equal(access_decoder_take(d, &write, &a, &err), 1);
	assert_int_equal(a.bytes, 8);
	assert_int_equal(access_decoder_take(d, &barrier, &a, &err), 1);
	assert_int_equal(a.bytes, 0);
	access_decoder_free(d);
}

static void names_outside_the_table_are_refused(void **state)
{
	static const struct {
		uint32_t point;
		const char *message;
	} cases[] = {
		{ EVENT_SITE | 1, "kernel k: an event names site 1 of 1" },
		{ EVENT_SIZE | 7, "kernel k: an event names site 7 of 1" },
		{ EVENT_LOOP | 0, "kernel k: an event names loop 0 of 0" },
		{ EVENT_EPOCH | EVENT_ID_MASK, "kernel k: an event names loop 536870911 of 0" },
	};
	char name[] = "k";
	struct site site = { .kind = SITE_READ, .bytes = 4, .loop = -1 };
	struct kernel_table table = { .name = name, .sites = &site, .site_count = 1 };
	struct access_decoder *d = NULL;
	struct access a;

	(void)state;
	assert_int_equal(access_decoder_create(&d, &table, NULL), 0);
	for (size_t i = 0; i < sizeof(cases) / sizeof(cases[0]); i++) {
		const struct event e = { 0, cases[i].point, 0 };
		struct err err = { 0 };

		assert_int_equal(access_decoder_take(d, &e, &a, &err), ERR_FORMAT);
		assert_string_equal(err.msg, cases[i].message);
	}
	access_decoder_free(d);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(random_nests_decode_to_what_was_run),
		cmocka_unit_test(a_run_time_size_belongs_to_the_next_access_only),
		cmocka_unit_test(names_outside_the_table_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
