/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Reads past L1, bandwidth and promotion, step by step: numbers derived by hand from l1.h. L1 of
 * one set, lines of 128 bytes; a hit takes 10 cycles, a miss 110.
 */
#include "cmocka_all.h"

#include "gpu.h"
#include "l1.h"
#include "l1_visit.h"

#include <string.h>

#define COUNT(a) (sizeof(a) / sizeof((a)[0]))

enum { STEPS = 12 };

/* r read, l one in the last line of its access, b read past L1, w write, a atomic; of `bytes` bytes
 * from `first` on. */
struct step {
	char kind;
	uint64_t cycle;
	uint32_t line, first, bytes;
	uint64_t data;          /* 0: nothing is said of it */
	const char *counter;    /* one that goes up, */
	uint64_t bytes_from_l2; /* and the bytes that move */
	uint64_t bytes_to_l2;
};

struct play {
	const char *name;
	const char *keys[6];
	struct step steps[STEPS];
};

static struct gpu gpu_of(const char *const *keys, size_t count)
{
	struct gpu gpu;

	assert_int_equal(gpu_load(&gpu, SOURCE_DIR "/gpus/gtx480.conf", NULL, NULL), 0);
	gpu.l1_sets = 1;
	gpu.l1_ways = 2;
	gpu.l1_index.kind = GPU_L1_INDEX_MODULO;
	gpu.l1_hit_cycles = 10;
	gpu.l2_cycles = 100;
	gpu.l1_request_cycles = 1;
	gpu.l1_write = GPU_L1_WRITE_THROUGH_UPDATE;
	for (size_t i = 0; i < count && keys[i]; i++)
		assert_int_equal(gpu_put(&gpu, keys[i], NULL), 0);
	return gpu;
}

static uint64_t counter_named(const struct counters *c, const char *name)
{
	const struct {
		const char *name;
		uint64_t value;
	} rows[] = {
#define COUNTER(member, unit, text) { #member, c->member },
#include "counters.def"
#undef COUNTER
	};

	for (size_t i = 0; i < COUNT(rows); i++)
		if (!strcmp(rows[i].name, name))
			return rows[i].value;
	fail_msg("no counter %s", name);
	return 0;
}

static uint64_t ask(struct l1 *l1, const struct step *s, struct counters *c)
{
	uint64_t used[2] = { 0 };
	const struct request r = {
		.line = (uint64_t)s->line * 128,
		.used = used,
		.bytes_used = s->bytes,
		.sectors = (s->first + s->bytes - 1) / 32 - s->first / 32 + 1,
		.lanes = 1,
		.kind = s->kind == 'w'   ? SITE_WRITE
		        : s->kind == 'a' ? SITE_ATOMIC
		                         : SITE_READ,
		.buffer = -1,
		.is_last = s->kind == 'l',
	};

	for (uint32_t i = s->first; i < s->first + s->bytes; i++)
		used[i / 64] |= (uint64_t)1 << i % 64;
	return (s->kind == 'b' ? l1_read_past : l1_request)(l1, &r, s->cycle, c);
}

static void run(const struct play *p)
{
	const struct gpu gpu = gpu_of(p->keys, COUNT(p->keys));
	struct counters c = { 0 };
	struct l1 *l1 = NULL;

	assert_int_equal(l1_create(&l1, &gpu, NULL, NULL), 0);
	for (size_t i = 0; i < STEPS && p->steps[i].kind; i++) {
		const struct step *s = &p->steps[i];
		const struct counters before = c;
		uint64_t data = ask(l1, s, &c);

		print_message("%s: step %zu\n", p->name, i);
		if (s->data)
			assert_int_equal(data, s->data);
		assert_int_equal(counter_named(&c, s->counter),
		                 counter_named(&before, s->counter) + 1);
		assert_int_equal(c.bytes_from_l2 - before.bytes_from_l2, s->bytes_from_l2);
		assert_int_equal(c.bytes_to_l2 - before.bytes_to_l2, s->bytes_to_l2);
		assert_int_equal(counters_requests(&c), i + 1);
	}
	l1_end(l1, 0);
	l1_free(l1);
}

static const struct play past_plays[] = {
	/* Two lines stay, whatever goes past; a line that was only read past L1 is cold. */
	{ "plain",
	  { NULL },
	  { { 'r', 0, 1, 0, 4, 110, "cold", 128, 0 },
	    { 'b', 200, 1, 0, 4, 310, "bypasses", 32, 0 }, /* it is there: no matter */
	    { 'b', 300, 7, 0, 128, 410, "bypasses", 128, 0 },
	    { 'b', 301, 7, 30, 4, 411, "bypasses", 64, 0 }, /* two sectors; again */
	    { 'b', 302, 8, 0, 1, 412, "bypasses", 32, 0 },
	    { 'r', 500, 1, 0, 4, 510, "read_hits", 0, 0 },
	    { 'r', 600, 7, 0, 4, 710, "cold", 128, 0 },
	    { 'w', 800, 7, 0, 4, 0, "write_hits", 0, 4 },
	    { 'r', 900, 1, 0, 4, 910, "read_hits", 0, 0 } } },
	/* A read of a line on its way that goes past is no pending hit. */
	{ "on its way",
	  { "l1_sector_bytes=32" },
	  { { 'r', 0, 1, 0, 4, 110, "cold", 32, 0 },
	    { 'b', 50, 1, 0, 4, 160, "bypasses", 32, 0 },
	    { 'b', 60, 1, 32, 64, 170, "bypasses", 64, 0 },
	    { 'r', 100, 1, 32, 4, 210, "sector", 32, 0 },
	    { 'r', 105, 1, 0, 4, 115, "pending_hits", 0, 0 } } },
	/* The one MSHR entry is taken until 110: a read waits, one past L1 does not. With
	   the port free again in 111, the next one comes then. */
	{ "limits",
	  { "l1_mshr_entries=1" },
	  { { 'r', 0, 1, 0, 4, 110, "cold", 128, 0 },
	    { 'b', 1, 2, 0, 4, 111, "bypasses", 32, 0 },
	    { 'r', 2, 2, 0, 4, 220, "reservation_fails", 128, 0 },
	    { 'b', 3, 3, 0, 4, 221, "bypasses", 32, 0 } } },
	/* What is dirty of what is asked for goes below first, once, and stays. */
	{ "dirty",
	  { "l1_write=back_allocate", "l1_sector_bytes=32" },
	  { { 'w', 0, 1, 0, 64, 0, "writes", 0, 0 },
	    { 'b', 200, 1, 96, 4, 310, "bypasses", 32, 0 },
	    { 'b', 300, 1, 40, 8, 410, "write_backs", 32, 32 },
	    { 'b', 400, 1, 40, 8, 510, "bypasses", 32, 0 },
	    { 'b', 500, 1, 0, 128, 610, "write_backs", 128, 32 },
	    { 'r', 600, 1, 0, 64, 610, "read_hits", 0, 0 },
	    { 'w', 700, 1, 32, 32, 0, "write_hits", 0, 0 },
	    { 'r', 800, 2, 0, 4, 910, "cold", 32, 0 },
	    { 'r', 900, 3, 0, 4, 1010, "write_backs", 32, 32 } } },
	/* The same of a line that has no way yet: it comes with its fill, clean. */
	{ "dirty on its way",
	  { "l1_write=back_allocate", "l1_sector_bytes=32", "l1_allocation=at_fill" },
	  { { 'w', 0, 1, 0, 4, 0, "writes", 32, 0 },
	    { 'b', 10, 1, 0, 4, 120, "write_backs", 32, 32 },
	    { 'b', 20, 1, 0, 4, 130, "bypasses", 32, 0 },
	    { 'r', 200, 1, 0, 4, 210, "read_hits", 0, 0 },
	    { 'r', 300, 2, 0, 4, 410, "cold", 32, 0 },
	    { 'r', 500, 3, 0, 4, 610, "cold", 32, 0 },
	    { 'r', 700, 1, 0, 4, 810, "capacity", 32, 0 } } },
	{ "no time", { "latency=off" }, { { 'b', 7, 1, 0, 4, 7, "bypasses", 32, 0 } } },
	/* Lines of 128 bytes have sectors of 32; in all modes. */
	{ "all", { "l1_sector_bytes=64" }, { { 'b', 1, 1, 0, 33, 111, "bypasses", 64, 0 } } },
};

static void reads_past_l1_change_nothing_there(void **state)
{
	for (size_t i = 0; i < COUNT(past_plays); i++)
		run(&past_plays[i]);
}

/* To 64 bytes: what follows the last sector of the last line comes with it, if anything is missing.
 * A promoted sector is counted apart when it is read first, and as a hit from then on. */
#define PROMOTION_STEPS                                                                            \
	{                                                                                          \
		{ 'l', 0, 1, 0, 4, 110, "cold", 64, 0 },                                           \
		{ 'l', 50, 1, 32, 4, 110, "sectors_promoted_hit", 0, 0 },                          \
		{ 'l', 210, 1, 32, 4, 220, "sectors_hit", 0, 0 },                                  \
		{ 'r', 300, 1, 64, 4, 410, "sectors_missed", 32, 0 },                              \
		{ 'l', 500, 2, 32, 4, 610, "sectors_missed", 32, 0 },                              \
		{ 'l', 700, 2, 40, 40, 810, "sectors_promoted", 64, 0 },                           \
		{ 'l', 900, 2, 96, 4, 910, "sectors_promoted_hit", 0, 0 },                         \
		{ 'l', 950, 2, 64, 4, 960, "sectors_hit", 0, 0 },                                  \
		{ 'w', 960, 2, 96, 4, 0, "write_sectors_hit", 0, 4 },                              \
		{ 'w', 970, 2, 0, 4, 0, "write_sectors_missed", 0, 4 },                            \
	}

static const struct play promotion_plays[] = {
	{ "promotion", { "l1_sector_bytes=32", "l1_promotion_bytes=64" }, PROMOTION_STEPS },
	{ "with MSHRs",
	  { "l1_sector_bytes=32", "l1_promotion_bytes=64", "l1_mshr_entries=8" },
	  PROMOTION_STEPS },
	{ "not beyond the line",
	  { "l1_sector_bytes=32", "l1_promotion_bytes=256" },
	  { { 'l', 0, 1, 0, 4, 110, "cold", 32, 0 } } },
};

static void the_end_of_an_access_is_promoted(void **state)
{
	for (size_t i = 0; i < COUNT(promotion_plays); i++)
		run(&promotion_plays[i]);
}

static const struct play bandwidth_plays[] = {
	/* 32 bytes a cycle. A line of four cycles, begun in 110, is there in 113; the next
	   one, asked for in 1, comes behind it: 114 to 117. Sectors follow: of the atomic
	   one, in 118; past L1 two, in 119 and 120. A hit needs nothing of it. What is
	   asked for when nothing else comes is there as without: of one sector. */
	{ "32 bytes",
	  { "bandwidth=on", "l1_fill_bytes=32" },
	  { { 'r', 0, 1, 0, 4, 113, "cold", 128, 0 },
	    { 'r', 1, 2, 0, 4, 117, "cold", 128, 0 },
	    { 'a', 2, 9, 0, 4, 118, "atomics", 0, 4 },
	    { 'b', 3, 8, 30, 4, 120, "bypasses", 64, 0 },
	    { 'r', 4, 1, 0, 4, 113, "pending_hits", 0, 0 },
	    { 'r', 116, 1, 0, 4, 126, "read_hits", 0, 0 },
	    { 'r', 116, 2, 0, 4, 126, "pending_hits", 0, 0 },
	    { 'r', 117, 2, 0, 4, 127, "read_hits", 0, 0 },
	    { 'b', 200, 1, 0, 4, 310, "bypasses", 32, 0 } } },
	/* 48 bytes a cycle: sectors end at bytes 32, 64, 96, 128 and 160 from 110 on: two
	   cycles hold three of them. A line asked for meanwhile ends at byte 288. */
	{ "48 bytes",
	  { "bandwidth=on", "l1_fill_bytes=48" },
	  { { 'b', 0, 1, 0, 4, 110, "bypasses", 32, 0 },
	    { 'b', 0, 2, 0, 4, 111, "bypasses", 32, 0 },
	    { 'b', 0, 3, 0, 4, 111, "bypasses", 32, 0 },
	    { 'b', 0, 4, 0, 4, 112, "bypasses", 32, 0 },
	    { 'b', 1, 5, 0, 4, 113, "bypasses", 32, 0 },
	    { 'r', 2, 6, 0, 4, 115, "cold", 128, 0 } } },
	/* As much as a line in a cycle: as without, but two do not come in one. */
	{ "128 bytes",
	  { "bandwidth=on", "l1_fill_bytes=128" },
	  { { 'r', 0, 1, 0, 4, 110, "cold", 128, 0 }, { 'r', 0, 2, 0, 4, 111, "cold", 128, 0 } } },
	{ "no limit",
	  { "bandwidth=on", "l1_fill_bytes=0" },
	  { { 'r', 0, 1, 0, 128, 110, "cold", 128, 0 },
	    { 'r', 0, 2, 0, 128, 110, "cold", 128, 0 } } },
	{ "off",
	  { "bandwidth=off", "l1_fill_bytes=1" },
	  { { 'r', 0, 1, 0, 128, 110, "cold", 128, 0 },
	    { 'r', 0, 2, 0, 128, 110, "cold", 128, 0 } } },
	{ "no time",
	  { "bandwidth=on", "l1_fill_bytes=1", "latency=off" },
	  { { 'r', 5, 1, 0, 128, 5, "cold", 128, 0 }, { 'a', 5, 2, 0, 4, 5, "atomics", 0, 4 } } },
	/* The one MSHR entry is free when all of its line has come. */
	{ "an entry",
	  { "bandwidth=on", "l1_fill_bytes=16", "l1_mshr_entries=1" },
	  { { 'r', 0, 1, 0, 4, 117, "cold", 128, 0 },
	    { 'r', 1, 2, 0, 4, 234, "reservation_fails", 128, 0 } } },
};

static void answers_come_one_after_another(void **state)
{
	for (size_t i = 0; i < COUNT(bandwidth_plays); i++)
		run(&bandwidth_plays[i]);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_past_l1_change_nothing_there),
		cmocka_unit_test(the_end_of_an_access_is_promoted),
		cmocka_unit_test(answers_come_one_after_another),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
