/* SPDX-License-Identifier: Apache-2.0 */
/* L2, DRAM and the order of messages against their definitions, over random GPUs and messages. */
#include "cmocka_all.h"

#include "err.h"
#include "hierarchy.h"
#include "l1_play.h"
#include "l2.h"
#include "naive_l2.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { SEEDS = 400, MESSAGES = 300, LINES = 40 };

struct sent {
	struct message message;
	bool written[256]; /* bytes of its line, of a write */
	uint32_t sm;
	bool is_served;
};

/* What is compared: both sides' answers, and what was sent. */
struct play {
	struct gpu gpu;
	uint64_t state;
	struct hierarchy *hierarchy;
	struct naive_l2 naive;
	struct sent sent[MESSAGES];
	uint32_t sent_count;
	struct told {
		struct below_answer answer;
		uint32_t sm;
	} told[MESSAGES + NAIVE_INVALIDATIONS], expected[MESSAGES + NAIVE_INVALIDATIONS];
	uint32_t told_count, expected_count;
	uint64_t last_told[NAIVE_SMS];
};

static uint32_t one_of(uint64_t *state, const uint32_t *list, uint32_t count)
{
	return list[random_below(state, count)];
}

static void choose_lines(struct gpu *gpu, uint64_t *state)
{
	static const uint32_t lines[] = { 32, 64, 128, 256 };

	gpu->l1_line_bytes = one_of(state, lines, 4);
	gpu->l2_line_bytes = gpu->l1_line_bytes;
	if (gpu->l2_inclusion != GPU_L2_INCLUSION_EXCLUSIVE)
		gpu->l2_line_bytes <<= random_below(state, 2);
	gpu->l2_sector_bytes =
		random_below(state, 3) ? gpu->l2_line_bytes >> random_below(state, 4) : 0;
	if (gpu->l2_sector_bytes < 32 && gpu->l2_sector_bytes)
		gpu->l2_sector_bytes = 32;
	gpu->dram_interleave_bytes = gpu->l2_line_bytes << random_below(state, 3);
}

static struct gpu random_gpu(uint64_t *state)
{
	static const uint32_t slices[] = { 1, 2, 3, 4, 8 }, sets[] = { 1, 2, 3, 4 };
	struct gpu gpu = {
		.name = "random",
		.sm_count = 1 + (uint32_t)random_below(state, NAIVE_SMS),
		.warp_lanes = 32,
		.l1_sets = 1,
		.l1_ways = 1,
		.l2 = GPU_L2_ON,
		.latency = random_below(state, 5) ? GPU_LATENCY_ON : GPU_LATENCY_OFF,
		.l1_hit_cycles = 1 + (uint32_t)random_below(state, 20),
		.l2_hit_cycles = 1 + (uint32_t)random_below(state, 30),
		.dram_cycles = 1 + (uint32_t)random_below(state, 60),
		.l2_slices = one_of(state, slices, 5),
		.l2_sets = one_of(state, sets, 4),
		.l2_ways = 1 + (uint32_t)random_below(state, 4),
		.l2_write = (uint32_t)random_below(state, 2),
		.l2_inclusion = (uint32_t)random_below(state, 3),
		.l2_partial_write = (uint32_t)random_below(state, 2),
		.l2_dirty_percent =
			random_below(state, 2) ? 100 : 1 + (uint32_t)random_below(state, 99),
		.dram_channels = 1 + (uint32_t)random_below(state, NAIVE_CHANNELS),
	};

	gpu.l2_policy.kind = random_below(state, 2) ? GPU_POLICY_LRU : GPU_POLICY_FIFO;
	gpu.l2_index.kind =
		gpu.l2_sets != 3 && random_below(state, 2) ? GPU_L1_INDEX_XOR : GPU_L1_INDEX_MODULO;
	gpu.l2_slice_index = (uint32_t)random_below(state, 2);
	choose_lines(&gpu, state);
	return gpu;
}

static enum message_kind random_kind(struct play *p)
{
	uint64_t draw = random_below(&p->state, 10);

	if (draw < 5)
		return draw ? MESSAGE_READ : MESSAGE_READ_PAST;
	if (draw < 7)
		return MESSAGE_WRITE;
	if (draw < 8)
		return MESSAGE_ATOMIC;
	if (p->gpu.l2_inclusion == GPU_L2_INCLUSION_EXCLUSIVE)
		return MESSAGE_VICTIM;
	return p->gpu.l2_inclusion == GPU_L2_INCLUSION_INCLUSIVE ? MESSAGE_READ
	                                                         : MESSAGE_WRITE_BACK;
}

/* Which bytes the message writes: of a sector that is not whole often one half. */
static void send_part(struct play *p, uint32_t sm, struct sent *s)
{
	uint32_t unit = outbox_sector_bytes(p->gpu.l1_line_bytes);
	uint64_t bytes[4] = { 0 }, half = random_below(&p->state, 3);

	for (uint32_t i = 0; i < p->gpu.l1_line_bytes; i++) {
		bool is_half = i % unit * 2 / unit == half;

		if (half == 2)
			is_half = random_below(&p->state, 2);

		s->written[i] = s->message.whole >> i / unit & 1 ||
		                (s->message.sectors >> i / unit & 1 && is_half);
		bytes[i / 64] |= (uint64_t)s->written[i] << i % 64;
	}
	outbox_send_part(hierarchy_outbox(p->hierarchy, sm), bytes);
}

/* A message of this cycle, with sectors at random; whole ones as it happens. */
static void send(struct play *p, uint32_t sm, uint64_t cycle)
{
	uint32_t unit = outbox_sector_bytes(p->gpu.l1_line_bytes);
	uint64_t all = ((uint64_t)1 << p->gpu.l1_line_bytes / unit) - 1;
	struct message m = { .cycle = cycle,
		             .line = (7 + random_below(&p->state, LINES)) * p->gpu.l1_line_bytes,
		             .sectors = 1 + random_below(&p->state, all),
		             .token = OUTBOX_NO_TOKEN,
		             .site = (uint32_t)random_below(&p->state, NAIVE_SITES),
		             .buffer = -1,
		             .kind = random_kind(p) };

	if (m.kind == MESSAGE_WRITE || m.kind == MESSAGE_WRITE_BACK)
		m.whole = m.sectors & random_below(&p->state, all + 1);
	if (p->gpu.latency == GPU_LATENCY_ON &&
	    (m.kind == MESSAGE_READ || m.kind == MESSAGE_READ_PAST || m.kind == MESSAGE_ATOMIC))
		m.token = p->sent_count;
	m.bytes = (uint32_t)__builtin_popcountll(m.sectors) * unit;
	outbox_send(hierarchy_outbox(p->hierarchy, sm), &m);
	p->sent[p->sent_count++] = (struct sent){ .message = m, .sm = sm };
	if (outbox_has_parts(&m))
		send_part(p, sm, &p->sent[p->sent_count - 1]);
}

/* Each SM sends a few between `from` and `until`, perhaps the last ones in that cycle. */
static void send_round(struct play *p, uint64_t from, uint64_t until)
{
	for (uint32_t sm = 0; sm < p->gpu.sm_count; sm++)
		for (uint64_t at = from + random_below(&p->state, until - from);
		     at <= until && p->sent_count < MESSAGES; at += random_below(&p->state, 4))
			send(p, sm, at);
}

static void expect(struct play *p, struct below_answer answer, uint32_t sm)
{
	p->expected[p->expected_count++] = (struct told){ answer, sm };
}

/* The naive L2 serves those before `until`: always the one of the least cycle, of these of the
 * lowest SM, of these the first. */
static void serve_naively(struct play *p, uint64_t until)
{
	for (;;) {
		struct sent *next = NULL;
		uint64_t cycle;

		for (uint32_t i = 0; i < p->sent_count; i++) {
			struct sent *s = &p->sent[i];

			if (s->is_served || s->message.cycle >= until)
				continue;
			if (!next || s->message.cycle < next->message.cycle ||
			    (s->message.cycle == next->message.cycle && s->sm < next->sm))
				next = s;
		}
		if (!next)
			return;
		next->is_served = true;
		cycle = naive_l2_serve(&p->naive, &next->message,
		                       outbox_has_parts(&next->message) ? next->written : NULL,
		                       next->sm);
		if (next->message.token != OUTBOX_NO_TOKEN)
			expect(p, (struct below_answer){ cycle, next->message.token, ANSWER_DATA },
			       next->sm);
	}
}

/* Cycles ascend, in a call and from call to call, and data comes before its invalidation. */
static void take_answers(struct play *p)
{
	for (uint32_t sm = 0; sm < p->gpu.sm_count; sm++) {
		size_t count;
		const struct below_answer *a = hierarchy_answers(p->hierarchy, sm, 0, &count);

		for (size_t i = 0; i < count; i++) {
			assert_true(a[i].cycle >= p->last_told[sm]);
			p->last_told[sm] = a[i].cycle;
			p->told[p->told_count++] = (struct told){ a[i], sm };
		}
	}
}

static int compare_told(const void *a, const void *b)
{
	const struct told *x = a, *y = b;

	if (x->sm != y->sm)
		return x->sm < y->sm ? -1 : 1;
	if (x->answer.cycle != y->answer.cycle)
		return x->answer.cycle < y->answer.cycle ? -1 : 1;
	if (x->answer.kind != y->answer.kind)
		return x->answer.kind < y->answer.kind ? -1 : 1;
	return x->answer.token_or_line < y->answer.token_or_line
	               ? -1
	               : x->answer.token_or_line > y->answer.token_or_line;
}

static void compare_answers(struct play *p)
{
	for (uint32_t i = 0; i < p->naive.invalidation_count; i++) {
		const struct naive_invalidation *v = &p->naive.invalidations[i];

		expect(p, (struct below_answer){ v->cycle, v->line, ANSWER_INVALIDATE }, v->sm);
	}
	assert_int_equal(p->told_count, p->expected_count);
	qsort(p->told, p->told_count, sizeof(*p->told), compare_told);
	qsort(p->expected, p->expected_count, sizeof(*p->expected), compare_told);
	for (uint32_t i = 0; i < p->told_count; i++) {
		assert_int_equal(compare_told(&p->told[i], &p->expected[i]), 0);
		assert_int_equal(p->told[i].sm, p->expected[i].sm);
	}
}

static void compare_counts(struct play *p)
{
	struct hierarchy_counts c;

	assert_int_equal(hierarchy_count(p->hierarchy, &c, NULL), 0);
	assert_memory_equal(c.sites, p->naive.sites, sizeof(p->naive.sites));
	assert_memory_equal(c.slices, p->naive.slices, c.slice_count * sizeof(*c.slices));
	assert_memory_equal(c.channels, p->naive.channels, c.channel_count * sizeof(*c.channels));
	assert_int_equal(c.l2.read_hits + c.l2.pending_hits + c.l2.read_misses, c.l2.reads);
	assert_int_equal(c.l2.bytes_from_dram, c.dram.bytes_read);
	assert_int_equal(c.l2.bytes_to_dram, c.dram.bytes_written);
	hierarchy_counts_release(&c);
}

static void play(struct play *p)
{
	uint64_t from = 0;
	struct err err = { 0 };

	if (hierarchy_create(&p->hierarchy, &p->gpu, NAIVE_SITES, &err))
		fail_msg("%s", err.msg);
	p->naive.gpu = &p->gpu;
	while (p->sent_count < MESSAGES) {
		uint64_t until = from + 1 + random_below(&p->state, 12);

		send_round(p, from, until);
		hierarchy_settle(p->hierarchy, until);
		serve_naively(p, until);
		take_answers(p);
		from = until;
	}
	hierarchy_settle(p->hierarchy, UINT64_MAX);
	serve_naively(p, UINT64_MAX);
	take_answers(p);
	hierarchy_finish(p->hierarchy);
	naive_l2_finish(&p->naive);
	compare_answers(p);
	compare_counts(p);
	hierarchy_free(p->hierarchy);
}

static void all_is_as_the_definitions_say(void **state)
{
	struct play *p = malloc(sizeof(*p));

	assert_non_null(p);
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		memset(p, 0, sizeof(*p));
		p->state = seed * 0x9e3779b97f4a7c15u;
		p->gpu = random_gpu(&p->state);
		print_message("seed %" PRIu64 "\n", seed);
		play(p);
	}
	free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_is_as_the_definitions_say),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
