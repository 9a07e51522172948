/* SPDX-License-Identifier: Apache-2.0 */
/*
 * MSHRs, sectors, allocation and write policies, step by step: times and outcomes are derived by
 * hand from l1.h. A hit takes 10 cycles, a fill 100, the port a request a cycle; lines are of 128
 * bytes.
 */
#include "cmocka_all.h"

#include "counters.h"
#include "gpu.h"
#include "l1.h"

#include <string.h>

#define EVICT    GPU_L1_WRITE_THROUGH_EVICT
#define ALLOCATE GPU_L1_WRITE_THROUGH_ALLOCATE
#define BACK     GPU_L1_WRITE_BACK_ALLOCATE

enum { HIT_CYCLES = 10, L2_CYCLES = 90, LINE_BYTES = 128, MAX_STEPS = 8 };

/* Bytes first..first + count - 1 of a line are read or written ('r', 'w', 'a'). */
struct step {
	char kind;
	uint64_t line;
	uint32_t first, count;
	uint64_t now_cycles;
	const char *outcome; /* the counter that goes up */
	uint64_t data_cycles;
};

struct scene {
	const char *name;
	uint32_t ways, sector_bytes, entries, merge;
	enum gpu_l1_allocation allocation;
	enum gpu_l1_write write;
	struct step steps[MAX_STEPS]; /* up to kind 0 */
	/* In the end: */
	uint64_t fails, stall_cycles, port_free, from_l2, to_l2, write_backs, evictions;
};

static const struct scene scenes[] = {
	{ "one entry: the second miss waits for the first fill, and the port with it",
	  4,
	  0,
	  1,
	  0,
	  GPU_L1_ALLOCATION_AT_MISS,
	  EVICT,
	  { { 'r', 0, 0, 4, 1000, "cold", 1100 },
	    { 'r', 1, 0, 4, 1010, "cold", 1200 }, /* taken at 1100 */
	    { 'r', 0, 0, 4, 1011, "hits", 1111 }, /* not before 1101: then 0 is there */
	    { 'r', 1, 0, 4, 1150, "pending", 1200 } },
	  1,
	  90,
	  1102,
	  256,
	  0,
	  0,
	  0 },
	{ "a place for one request: the second read of the line waits, and is a hit",
	  4,
	  0,
	  0,
	  1,
	  GPU_L1_ALLOCATION_AT_MISS,
	  EVICT,
	  { { 'r', 0, 0, 4, 1000, "cold", 1100 }, { 'r', 0, 0, 4, 1010, "hits", 1110 } },
	  1,
	  90,
	  1101,
	  128,
	  0,
	  0,
	  0 },
	{ "places for two: the third waits",
	  4,
	  0,
	  0,
	  2,
	  GPU_L1_ALLOCATION_AT_MISS,
	  EVICT,
	  { { 'r', 0, 0, 4, 1000, "cold", 1100 },
	    { 'r', 0, 0, 4, 1010, "pending", 1100 },
	    { 'r', 0, 0, 4, 1020, "hits", 1110 } },
	  1,
	  80,
	  1101,
	  128,
	  0,
	  0,
	  0 },
	{ "the only way is on its way: the next miss waits for it, and replaces it",
	  1,
	  0,
	  4,
	  0,
	  GPU_L1_ALLOCATION_AT_MISS,
	  EVICT,
	  { { 'r', 0, 0, 4, 1000, "cold", 1100 }, { 'r', 1, 0, 4, 1010, "cold", 1200 } },
	  1,
	  90,
	  1101,
	  256,
	  0,
	  0,
	  1 },
	{ "a write takes a line out on its way: its entry stays in use until the fill",
	  4,
	  0,
	  1,
	  0,
	  GPU_L1_ALLOCATION_AT_MISS,
	  EVICT,
	  { { 'r', 0, 0, 4, 1000, "cold", 1100 },
	    { 'w', 0, 0, 4, 1010, "write hits", 1010 },
	    { 'r', 0, 0, 4, 1020, "coherence", 1200 },
	    { 'a', 5, 0, 4, 1150, "atomics", 1250 } }, /* needs no entry */
	  1,
	  80,
	  1101,
	  256,
	  8,
	  0,
	  0 },
	{ "sectors of 32 bytes: only what is missing is fetched",
	  4,
	  32,
	  0,
	  0,
	  GPU_L1_ALLOCATION_AT_MISS,
	  EVICT,
	  { { 'r', 0, 0, 4, 1000, "cold", 1100 },
	    { 'r', 0, 32, 4, 1010, "sector", 1110 },
	    { 'r', 0, 0, 64, 1020, "pending", 1110 }, /* both are on their way: the later */
	    { 'r', 0, 28, 4, 1100, "hits", 1110 },
	    { 'r', 0, 60, 8, 1105, "sector", 1205 }, /* 1 is on its way, 2 is fetched */
	    { 'r', 0, 32, 4, 1110, "hits", 1120 } },
	  0,
	  0,
	  0,
	  96,
	  0,
	  0,
	  0 },
	{ "allocated at the fill, a line keeps its way while the next is on its way",
	  1,
	  0,
	  0,
	  0,
	  GPU_L1_ALLOCATION_AT_FILL,
	  EVICT,
	  { { 'r', 0, 0, 4, 1000, "cold", 1100 },
	    { 'r', 1, 0, 4, 1050, "cold", 1150 },
	    { 'r', 0, 0, 4, 1110, "hits", 1120 },
	    { 'r', 1, 0, 4, 1120, "pending", 1150 },
	    { 'r', 0, 0, 4, 1150, "capacity",
	      1250 } }, /* 1 was read since, and is in its place; and 0 in its in the end */
	  0,
	  0,
	  0,
	  384,
	  0,
	  0,
	  2 },
	{ "allocated at the miss it has left",
	  1,
	  0,
	  0,
	  0,
	  GPU_L1_ALLOCATION_AT_MISS,
	  EVICT,
	  { { 'r', 0, 0, 4, 1000, "cold", 1100 },
	    { 'r', 1, 0, 4, 1050, "cold", 1150 },
	    { 'r', 0, 0, 4, 1110, "capacity", 1210 } },
	  0,
	  0,
	  0,
	  384,
	  0,
	  0,
	  2 },
	{ "write-back: a part is fetched, a whole line is not; both go to L2 as they leave",
	  1,
	  0,
	  0,
	  0,
	  GPU_L1_ALLOCATION_AT_MISS,
	  BACK,
	  { { 'w', 0, 0, 4, 1000, "writes", 1000 },
	    { 'r', 0, 64, 4, 1010, "pending", 1100 },
	    { 'w', 1, 0, 128, 1200, "writes", 1200 }, /* 0 leaves */
	    { 'r', 1, 0, 4, 1201, "hits", 1211 },
	    { 'a', 1, 0, 4, 1300, "atomics", 1400 }, /* 1 leaves */
	    { 'r', 1, 0, 4, 1500, "coherence", 1600 } },
	  0,
	  0,
	  0,
	  256,
	  128 + 128 + 4,
	  2,
	  1 },
	{ "write-back by sectors: dirty ones alone go to L2, at the end as well",
	  4,
	  32,
	  0,
	  0,
	  GPU_L1_ALLOCATION_AT_MISS,
	  BACK,
	  { { 'w', 0, 0, 32, 1000, "writes", 1000 },
	    { 'w', 0, 32, 4, 1010, "write hits", 1010 }, /* fetched */
	    { 'r', 0, 64, 4, 1020, "sector", 1120 } },
	  0,
	  0,
	  0,
	  64,
	  64,
	  1,
	  0 },
	{ "write-through that allocates: sectors written whole are there, others are not",
	  4,
	  32,
	  0,
	  0,
	  GPU_L1_ALLOCATION_AT_MISS,
	  ALLOCATE,
	  { { 'w', 0, 0, 4, 1000, "writes", 1000 }, /* brings nothing in */
	    { 'r', 0, 0, 4, 1001, "cold", 1101 },
	    { 'w', 1, 32, 64, 1200, "writes", 1200 },
	    { 'r', 1, 32, 64, 1201, "hits", 1211 },
	    { 'r', 1, 0, 4, 1202, "sector", 1302 } },
	  0,
	  0,
	  0,
	  64,
	  68,
	  0,
	  0 },
};

static struct gpu gpu_of(const struct scene *s)
{
	return (struct gpu){ .l1_sets = 1,
		             .l1_ways = s->ways,
		             .l1_line_bytes = LINE_BYTES,
		             .l1_sector_bytes = s->sector_bytes,
		             .l1_mshr_entries = s->entries,
		             .l1_mshr_merge = s->merge,
		             .l1_allocation = s->allocation,
		             .l1_write = s->write,
		             .l1_hit_cycles = HIT_CYCLES,
		             .l2_cycles = L2_CYCLES,
		             .l1_request_cycles = 1 };
}

/* What happened to one request, by the counters before and after it. */
static const char *outcome_of(const struct counters *before, const struct counters *after)
{
#define OUTCOME(counter, name)                                                                     \
	if (after->counter != before->counter)                                                     \
	return name
	OUTCOME(read_hits, "hits");
	OUTCOME(pending_hits, "pending");
	OUTCOME(cold, "cold");
	OUTCOME(coherence, "coherence");
	OUTCOME(capacity, "capacity");
	OUTCOME(conflict, "conflict");
	OUTCOME(sector, "sector");
	OUTCOME(write_hits, "write hits");
	OUTCOME(writes, "writes");
	OUTCOME(atomics, "atomics");
#undef OUTCOME
	return "nothing";
}

static void play_step(struct l1 *l1, const struct step *s, struct counters *c)
{
	const struct counters before = *c;
	uint64_t used[LINE_BYTES / 64] = { 0 };
	const struct request r = { .line = s->line * LINE_BYTES,
		                   .used = used,
		                   .bytes_used = s->count,
		                   .lanes = 1,
		                   .kind = s->kind == 'r'   ? SITE_READ
		                           : s->kind == 'w' ? SITE_WRITE
		                                            : SITE_ATOMIC };
	uint64_t data;

	for (uint32_t i = s->first; i < s->first + s->count; i++)
		used[i / 64] |= (uint64_t)1 << i % 64;
	data = l1_request(l1, &r, s->now_cycles, c);
	assert_string_equal(outcome_of(&before, c), s->outcome);
	assert_int_equal(data, s->data_cycles);
}

static void scenes_go_as_derived(void **state)
{
	for (size_t i = 0; i < sizeof(scenes) / sizeof(scenes[0]); i++) {
		const struct scene *s = &scenes[i];
		const struct gpu gpu = gpu_of(s);
		struct counters c = { 0 };
		struct l1 *l1 = NULL;

		print_message("%s\n", s->name);
		assert_int_equal(l1_create(&l1, &gpu, NULL, NULL), 0);
		for (size_t at = 0; at < MAX_STEPS && s->steps[at].kind; at++) {
			print_message("  step %zu\n", at);
			play_step(l1, &s->steps[at], &c);
		}
		assert_int_equal(l1_port_free(l1), s->port_free);
		l1_end(l1, 0);
		assert_int_equal(c.reservation_fails, s->fails);
		assert_int_equal(c.stall_cycles, s->stall_cycles);
		assert_int_equal(c.bytes_from_l2, s->from_l2);
		assert_int_equal(c.bytes_to_l2, s->to_l2);
		assert_int_equal(c.write_backs, s->write_backs);
		assert_int_equal(c.evictions, s->evictions);
		l1_free(l1);
	}
}

/* A line of 128 bytes in two ways: sectors 0 and 1 of line 0, 1 dirty; line 1 replaces it. */
static void what_leaves_is_told_below(void **state)
{
	static const struct step steps[] = {
		{ 'r', 0, 0, 32, 1000, "cold", MEMORY_LATER },
		{ 'w', 0, 32, 32, 2000, "write hits", 2000 },
		{ 'r', 1, 0, 4, 3000, "cold", MEMORY_LATER },
	};
	static const struct {
		uint64_t line, sectors, whole;
		enum message_kind kind;
		uint32_t bytes;
	} want[] = {
		{ 0, 1, 0, MESSAGE_READ, 32 },
		{ 128, 1, 0, MESSAGE_READ, 32 },
		{ 0, 2, 2, MESSAGE_WRITE_BACK, 32 },
		{ 0, 1, 0, MESSAGE_VICTIM, 32 },
	};
	const struct scene scene = { .ways = 1, .sector_bytes = 32, .write = BACK };
	const struct gpu gpu = gpu_of(&scene);
	struct counters c = { 0 };
	struct outbox outbox;
	struct l1_setup setup = { .below = &outbox,
		                  .horizon_cycles = 100,
		                  .reports_victims = true };
	struct below_answer answer = { 1100, 0, ANSWER_DATA };
	struct memory_answer told;
	struct l1 *l1 = NULL;

	outbox_init(&outbox);
	assert_int_equal(l1_create(&l1, &gpu, &setup, NULL), 0);
	for (size_t i = 0; i < sizeof(steps) / sizeof(steps[0]); i++) {
		play_step(l1, &steps[i], &c);
		answer.token_or_line = outbox_peek(&outbox)->token;
		if (i == 0)
			l1_settle(l1, &answer, 1);
	}
	assert_true(l1_next_answer(l1, &told));
	assert_int_equal(told.cycle, 1100);
	assert_false(l1_next_answer(l1, &told));
	for (size_t i = 0; i < sizeof(want) / sizeof(want[0]); i++) {
		const struct message *m = outbox_peek(&outbox);

		assert_non_null(m);
		assert_int_equal(m->kind, want[i].kind);
		assert_int_equal(m->line, want[i].line);
		assert_int_equal(m->sectors, want[i].sectors);
		assert_int_equal(m->whole, want[i].whole);
		assert_int_equal(m->bytes, want[i].bytes);
		outbox_drop_many(&outbox, 1);
	}
	assert_null(outbox_peek(&outbox));
	l1_free(l1);
	outbox_release(&outbox);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(scenes_go_as_derived),
		cmocka_unit_test(what_leaves_is_told_below),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
