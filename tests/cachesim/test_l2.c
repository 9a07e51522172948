/* SPDX-License-Identifier: Apache-2.0 */
/* L2 and DRAM by hand: one SM, one slice of one set of two ways, lines of four 32-byte sectors;
 * DRAM takes 100 cycles, the way to L2 and back 10 + 20. */
#include "cmocka_all.h"

#include "err.h"
#include "gpu.h"
#include "hierarchy.h"
#include "l2.h"

#include <string.h>

static struct gpu small_gpu(void)
{
	return (struct gpu){
		.name = "small",
		.sm_count = 1,
		.warp_lanes = 32,
		.l1_sets = 1,
		.l1_ways = 1,
		.l1_line_bytes = 128,
		.l1_hit_cycles = 10,
		.l2 = GPU_L2_ON,
		.l2_slices = 1,
		.l2_sets = 1,
		.l2_ways = 2,
		.l2_line_bytes = 128,
		.l2_sector_bytes = 32,
		.l2_hit_cycles = 20,
		.dram_cycles = 100,
		.dram_channels = 2,
		.dram_interleave_bytes = 256,
	};
}

/* r, w (of whole sectors), p (of parts of them), l and h (of the lower or the higher half of each),
 * a, v; its data comes after so many cycles (0: it asks for none), and so many bytes have been read
 * from and written to DRAM by then. */
struct step {
	char kind;
	uint64_t cycle, line, sectors;
	uint64_t after, bytes_read, bytes_written;
};

static enum message_kind kind_of(char letter)
{
	return letter == 'r'   ? MESSAGE_READ
	       : letter == 'a' ? MESSAGE_ATOMIC
	       : letter == 'v' ? MESSAGE_VICTIM
	                       : MESSAGE_WRITE;
}

static void play_step(struct hierarchy *h, const struct step *s, size_t number)
{
	static const uint64_t halves[2][2] = { { 0x0000ffff0000ffff, 0x0000ffff0000ffff },
		                               { 0xffff0000ffff0000, 0xffff0000ffff0000 } };
	struct hierarchy_counts counts;
	const struct below_answer *a;
	size_t count;

	outbox_send(hierarchy_outbox(h, 0),
	            &(struct message){ .cycle = s->cycle,
	                               .line = s->line * 128,
	                               .sectors = s->sectors,
	                               .whole = s->kind == 'w' ? s->sectors : 0,
	                               .token = s->after ? number : OUTBOX_NO_TOKEN,
	                               .kind = kind_of(s->kind) });
	if (kind_of(s->kind) == MESSAGE_WRITE && s->kind != 'w')
		outbox_send_part(hierarchy_outbox(h, 0), halves[s->kind == 'h']);
	hierarchy_settle(h, s->cycle + 1);
	a = hierarchy_answers(h, 0, UINT64_MAX, &count);
	assert_int_equal(count, s->after ? 1 : 0);
	if (count)
		assert_int_equal(a->cycle, s->cycle + s->after);
	assert_int_equal(hierarchy_count(h, &counts, NULL), 0);
	assert_int_equal(counts.dram.bytes_read, s->bytes_read);
	assert_int_equal(counts.dram.bytes_written, s->bytes_written);
	hierarchy_counts_release(&counts);
}

/* Play them all, to the end, and give the counts. */
static struct hierarchy_counts play(const struct gpu *gpu, const struct step *steps, size_t count)
{
	struct hierarchy_counts counts;
	struct hierarchy *h = NULL;
	struct err err = { 0 };

	if (hierarchy_create(&h, gpu, 1, &err))
		fail_msg("%s", err.msg);
	for (size_t i = 0; i < count; i++)
		play_step(h, &steps[i], i);
	hierarchy_finish(h);
	assert_int_equal(hierarchy_count(h, &counts, NULL), 0);
	hierarchy_free(h);
	return counts;
}

#define PLAY(gpu, steps) play(gpu, steps, sizeof(steps) / sizeof((steps)[0]))

/* A hit takes 30, a miss 130, and who asks for what is on its way since cycle 0 gets it in 130. Two
 * ways: line 3 takes the place of 2, which was not used after 1. */
static void reads_hit_wait_and_miss(void **state)
{
	static const struct step steps[] = {
		{ 'r', 0, 1, 0x3, 130, 64, 0 },   /* miss */
		{ 'r', 40, 1, 0x1, 90, 64, 0 },   /* pending */
		{ 'r', 100, 1, 0x2, 30, 64, 0 },  /* hit */
		{ 'r', 100, 1, 0x6, 130, 96, 0 }, /* sector miss: one of two */
		{ 'r', 150, 2, 0x1, 130, 128, 0 },
		{ 'r', 199, 1, 0x4, 31, 128, 0 }, /* pending, for one more cycle */
		{ 'r', 300, 3, 0x8, 130, 160, 0 },
		{ 'r', 301, 1, 0x7, 30, 160, 0 },
		{ 'r', 302, 2, 0x1, 130, 192, 0 }, /* replaced: miss, in place of 3 */
	};
	const struct gpu gpu = small_gpu();
	struct hierarchy_counts c = PLAY(&gpu, steps);

	assert_int_equal(c.l2.reads, 9);
	assert_int_equal(c.l2.read_hits, 2);
	assert_int_equal(c.l2.pending_hits, 2);
	assert_int_equal(c.l2.read_misses, 5);
	assert_int_equal(c.l2.sector_misses, 1);
	assert_int_equal(c.l2.evictions, 2);
	assert_int_equal(c.l2.write_backs, 0);
	/* lines 1, 2 and 3 at 128, 256 and 384: channels 0, 1 and 1 */
	assert_int_equal(c.channels[0].bytes_read, 96);
	assert_int_equal(c.channels[1].bytes_read, 96);
	hierarchy_counts_release(&c);
}

/* What is written whole is not fetched, a part of a sector is; all goes to DRAM once. */
static void dirty_sectors_are_written_back_once(void **state)
{
	static const struct step steps[] = {
		{ 'w', 0, 1, 0xf, 0, 0, 0 },
		{ 'w', 1, 1, 0x1, 0, 0, 0 },
		{ 'p', 2, 2, 0x5, 0, 64, 0 },     /* fetched for its other bytes */
		{ 'r', 3, 2, 0x1, 129, 64, 0 },   /* on its way until 102 */
		{ 'r', 4, 3, 0x1, 130, 96, 128 }, /* line 1 leaves */
		{ 'a', 5, 3, 0x3, 130, 128, 128 },
		{ 'r', 500, 1, 0x1, 130, 160, 192 }, /* line 2 leaves */
	};
	const struct gpu gpu = small_gpu();
	struct hierarchy_counts c = PLAY(&gpu, steps);

	assert_int_equal(c.l2.writes, 3);
	assert_int_equal(c.l2.write_hits, 1);
	assert_int_equal(c.l2.atomics, 1);
	assert_int_equal(c.l2.atomic_misses, 1);
	assert_int_equal(c.l2.write_backs, 3);
	assert_int_equal(c.dram.bytes_written, 192 + 64); /* line 3 in the end */
	assert_int_equal(c.dram.writes, 1 + 2 + 1);       /* sectors 0 and 2 are two runs */
	hierarchy_counts_release(&c);
}

/* Nothing is fetched for a write. A sector of which both halves were written is there; one of which
 * one half was is fetched for a read, and else leaves as it is. */
static void a_mask_keeps_what_parts_are_written(void **state)
{
	static const struct step steps[] = {
		{ 'l', 0, 1, 0x3, 0, 0, 0 },
		{ 'h', 1, 1, 0x1, 0, 0, 0 },
		{ 'r', 2, 1, 0x1, 30, 0, 0 },   /* whole */
		{ 'r', 3, 1, 0x2, 130, 32, 0 }, /* not whole */
		{ 'r', 200, 1, 0x3, 30, 32, 0 },
		{ 'l', 201, 1, 0x4, 0, 32, 0 },
		{ 'a', 202, 1, 0x4, 130, 64, 0 },
		{ 'h', 203, 1, 0x8, 0, 64, 0 },
		{ 'r', 400, 2, 0x1, 130, 96, 0 },
		{ 'r', 401, 3, 0x1, 130, 128, 128 }, /* line 1 leaves: four sectors */
		{ 'l', 600, 1, 0x8, 0, 128, 128 },   /* comes in anew: nothing is known of it */
		{ 'r', 601, 1, 0x8, 130, 160, 128 },
	};
	struct gpu gpu = small_gpu();
	struct hierarchy_counts c;

	gpu.l2_partial_write = GPU_L2_PARTIAL_WRITE_MASK;
	c = PLAY(&gpu, steps);
	assert_int_equal(c.l2.write_sectors_hit, 6);
	assert_int_equal(c.l2.write_sectors_missed, 0);
	assert_int_equal(c.l2.sectors_hit, 3);
	assert_int_equal(c.l2.sectors_missed, 4);
	assert_int_equal(c.l2.bytes_left, 32);
	assert_int_equal(c.dram.bytes_written, 160);
	assert_int_equal(c.dram.sectors_read, 5);
	assert_int_equal(c.dram.sectors_written, 5);
	hierarchy_counts_release(&c);
}

/* Two of four ways may be dirty: with a third one that of the oldest change is written, and stays.
 */
static void no_more_than_a_share_of_a_set_is_dirty(void **state)
{
	static const struct step steps[] = {
		{ 'w', 0, 1, 0x3, 0, 0, 0 },   { 'w', 1, 2, 0x1, 0, 0, 0 },
		{ 'w', 2, 1, 0x4, 0, 0, 0 },   { 'w', 3, 3, 0x1, 0, 0, 32 },   /* 2 is written */
		{ 'r', 4, 2, 0x1, 30, 0, 32 }, { 'a', 5, 2, 0x1, 30, 0, 128 }, /* and 1 */
		{ 'w', 6, 3, 0x2, 0, 0, 128 }, { 'w', 7, 1, 0x1, 0, 0, 160 },  /* 2 again */
	};
	struct gpu gpu = small_gpu();
	struct hierarchy_counts c;

	gpu.l2_ways = 4;
	gpu.l2_dirty_percent = 74;
	c = PLAY(&gpu, steps);
	assert_int_equal(c.l2.write_backs, 3 + 2);
	assert_int_equal(c.l2.evictions, 0);
	assert_int_equal(c.l2.bytes_left, 64 + 32);
	hierarchy_counts_release(&c);
}

static void writes_through_change_what_is_there(void **state)
{
	static const struct step steps[] = {
		{ 'w', 0, 1, 0x3, 0, 0, 64 },      { 'r', 1, 1, 0x1, 130, 32, 64 },
		{ 'w', 2, 1, 0x6, 0, 32, 128 }, /* 1 and 2 come into the line */
		{ 'p', 3, 1, 0x8, 0, 32, 160 }, /* 3 does not: not all of it is known */
		{ 'r', 200, 1, 0x7, 30, 32, 160 }, { 'r', 201, 1, 0x8, 130, 64, 160 },
		{ 'a', 400, 1, 0x8, 30, 64, 192 },
	};
	struct gpu gpu = small_gpu();
	struct hierarchy_counts c;

	gpu.l2_write = GPU_L2_WRITE_THROUGH_UPDATE;
	c = PLAY(&gpu, steps);
	assert_int_equal(c.l2.write_backs, 0);
	assert_int_equal(c.l2.write_hits, 2);
	assert_int_equal(c.dram.bytes_written, 192);
	hierarchy_counts_release(&c);
}

/* A read fetches past L2; what an L1 replaced is found there, once. */
static void an_exclusive_l2_holds_what_left_l1(void **state)
{
	static const struct step steps[] = {
		{ 'r', 0, 1, 0x3, 130, 64, 0 },  /* miss */
		{ 'r', 1, 1, 0x3, 130, 128, 0 }, /* again: it did not stay */
		{ 'v', 5, 1, 0x3, 0, 128, 0 },
		{ 'r', 6, 1, 0x1, 30, 128, 0 },  /* moves up */
		{ 'r', 7, 1, 0x3, 130, 160, 0 }, /* the other one moves up, the first is gone */
		{ 'w', 8, 1, 0x1, 0, 160, 32 },  /* no line: to DRAM */
		{ 'v', 9, 1, 0x7, 0, 160, 32 },
		{ 'w', 10, 1, 0x9, 0, 160, 64 },  /* 0 is dirty, 3 goes to DRAM */
		{ 'r', 11, 1, 0x5, 30, 160, 96 }, /* 0 is written back as it moves up */
	};
	struct gpu gpu = small_gpu();
	struct hierarchy_counts c;

	gpu.l2_inclusion = GPU_L2_INCLUSION_EXCLUSIVE;
	c = PLAY(&gpu, steps);
	assert_int_equal(c.l2.victims, 2);
	assert_int_equal(c.l2.read_hits, 2);
	assert_int_equal(c.l2.read_misses, 3);
	assert_int_equal(c.l2.sector_misses, 1);
	assert_int_equal(c.l2.write_backs, 1);
	assert_int_equal(c.l2.evictions, 0);
	assert_int_equal(c.dram.bytes_written, 96);
	hierarchy_counts_release(&c);
}

/* Line 1 is replaced in cycle 2, its data comes in 130: the invalidation follows it. Line 2 was
 * only written: no L1 has it. */
static void an_inclusive_l2_tells_l1s_what_it_replaced(void **state)
{
	static const struct {
		enum message_kind kind;
		uint64_t cycle, line;
	} sent[] = {
		{ MESSAGE_READ, 0, 1 }, { MESSAGE_WRITE, 1, 2 },  { MESSAGE_READ, 2, 3 },
		{ MESSAGE_READ, 3, 4 }, { MESSAGE_READ, 300, 5 }, /* in place of 3 */
	};
	static const struct below_answer expected[] = {
		{ 130, 0, ANSWER_DATA }, { 130, 128, ANSWER_INVALIDATE }, { 132, 2, ANSWER_DATA },
		{ 133, 3, ANSWER_DATA }, { 330, 384, ANSWER_INVALIDATE }, { 430, 4, ANSWER_DATA },
	};
	struct gpu gpu = small_gpu();
	const struct below_answer *a;
	struct hierarchy *h = NULL;
	size_t count;

	gpu.l2_inclusion = GPU_L2_INCLUSION_INCLUSIVE;
	assert_int_equal(hierarchy_create(&h, &gpu, 1, NULL), 0);
	for (size_t i = 0; i < 5; i++)
		outbox_send(hierarchy_outbox(h, 0),
		            &(struct message){ .cycle = sent[i].cycle,
		                               .line = sent[i].line * 128,
		                               .sectors = 1,
		                               .token = i == 1 ? OUTBOX_NO_TOKEN : i,
		                               .kind = sent[i].kind });
	hierarchy_settle(h, 1000);
	a = hierarchy_answers(h, 0, 0, &count);
	assert_int_equal(count, 6);
	for (size_t i = 0; i < count; i++) {
		assert_int_equal(a[i].cycle, expected[i].cycle);
		assert_int_equal(a[i].kind, expected[i].kind);
		assert_int_equal(a[i].token_or_line, expected[i].token_or_line);
	}
	hierarchy_free(h);
}

/* What does not go together is refused with a sentence that names the key. */
static void impossible_hierarchies_are_refused(void **state)
{
	static const struct {
		const char *changes[3];
		const char *says;
	} rows[] = {
		{ { "l2_slices=0", "l2_sets=0", "l2_ways=0" }, "l2_slices" },
		{ { "l2_line_bytes=64" }, "l2_line_bytes" },
		{ { "l2_sector_bytes=16" }, "l2_sector_bytes" },
		{ { "dram_cycles=0" }, "dram_cycles" },
		{ { "l2_inclusion=inclusive", "l1_write=through_allocate" }, "l2_inclusion" },
		{ { "l2_inclusion=exclusive", "l1_write=back_allocate" }, "l2_inclusion" },
		{ { "l2_inclusion=exclusive", "l2_line_bytes=256" }, "l2_line_bytes" },
		{ { "l2_inclusion=exclusive", "l2_sector_bytes=64", "l1_sector_bytes=32" },
		  "l2_sector_bytes" },
	};

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct gpu gpu = small_gpu();
		struct hierarchy *h = NULL;
		struct err err = { 0 };

		assert_int_equal(hierarchy_create(&h, &gpu, 1, NULL), 0);
		hierarchy_free(h);
		for (size_t k = 0; k < 3 && rows[i].changes[k]; k++)
			assert_int_equal(gpu_put(&gpu, rows[i].changes[k], NULL), 0);
		assert_int_equal(hierarchy_create(&h, &gpu, 1, &err), ERR_CONFIG);
		if (!strstr(err.msg, rows[i].says))
			fail_msg("%s", err.msg);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(reads_hit_wait_and_miss),
		cmocka_unit_test(dirty_sectors_are_written_back_once),
		cmocka_unit_test(a_mask_keeps_what_parts_are_written),
		cmocka_unit_test(no_more_than_a_share_of_a_set_is_dirty),
		cmocka_unit_test(writes_through_change_what_is_there),
		cmocka_unit_test(an_exclusive_l2_holds_what_left_l1),
		cmocka_unit_test(an_inclusive_l2_tells_l1s_what_it_replaced),
		cmocka_unit_test(impossible_hierarchies_are_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
