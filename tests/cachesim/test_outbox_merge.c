/* SPDX-License-Identifier: Apache-2.0 */
/* Messages of several outboxes in order, against a search for the least one each time. */
#include "cmocka_all.h"

#include "outbox_merge.h"

#include <inttypes.h>

enum { SEEDS = 300, BOXES = 5, ROUNDS = 12 };

/* xorshift64* */
static uint64_t below(uint64_t *state, uint64_t limit)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (*state * 0x2545f4914f6cdd1du >> 11) % limit;
}

struct play {
	uint64_t x;
	struct outbox boxes[BOXES], naive[BOXES];
	uint64_t now[BOXES];
	uint64_t sent, taken;
};

/* The box whose first message comes first, before `until`; BOXES: none has one. */
static uint32_t naive_box(const struct play *p, uint64_t until)
{
	uint32_t best = BOXES;

	for (uint32_t b = 0; b < BOXES; b++) {
		const struct message *m = outbox_peek(&p->naive[b]);

		if (m && m->cycle < until &&
		    (best == BOXES || m->cycle < outbox_peek(&p->naive[best])->cycle))
			best = b;
	}
	return best;
}

/* Messages near one another, and now and then far beyond a window. */
static void send_some(struct play *p)
{
	for (uint64_t i = below(&p->x, 60); i > 0; i--) {
		uint64_t box = below(&p->x, BOXES);
		uint64_t step = below(&p->x, 10) ? 4 : 3 * OUTBOX_MERGE_CYCLES;
		struct message m = { .token = p->sent++ };

		p->now[box] += below(&p->x, step);
		m.cycle = p->now[box];
		outbox_send(&p->boxes[box], &m);
		outbox_send(&p->naive[box], &m);
	}
}

static void take_all(struct play *p, struct outbox_merge *merge, uint64_t until)
{
	const struct message *m, *ahead = NULL;
	uint32_t sm, box;

	outbox_merge_start(merge, until);
	while ((m = outbox_merge_next(merge, &sm))) {
		box = naive_box(p, until);
		assert_true(box < BOXES);
		assert_int_equal(sm, box);
		assert_int_equal(m->token, outbox_peek(&p->naive[box])->token);
		assert_true(!ahead || ahead == m);
		ahead = outbox_merge_ahead(merge, 1);
		outbox_drop_many(&p->naive[box], 1);
		p->taken++;
	}
	assert_int_equal(naive_box(p, until), BOXES);
	for (uint32_t b = 0; b < BOXES; b++)
		assert_int_equal(outbox_count(&p->boxes[b]), outbox_count(&p->naive[b]));
}

static void play_one(uint64_t seed)
{
	struct play p = { .x = seed * 0x9e3779b97f4a7c15u };
	struct outbox_merge merge;
	uint64_t until = 0;

	for (uint32_t b = 0; b < BOXES; b++) {
		outbox_init(&p.boxes[b]);
		outbox_init(&p.naive[b]);
	}
	assert_int_equal(outbox_merge_init(&merge, p.boxes, BOXES, NULL), 0);
	for (uint32_t i = 0; i < ROUNDS; i++) {
		send_some(&p);
		until += below(&p.x, below(&p.x, 3) ? 50 : 4 * OUTBOX_MERGE_CYCLES);
		take_all(&p, &merge, until);
	}
	take_all(&p, &merge, UINT64_MAX);
	assert_int_equal(p.taken, p.sent);
	assert_false(merge.places.is_failed);
	outbox_merge_release(&merge);
	for (uint32_t b = 0; b < BOXES; b++) {
		assert_int_equal(outbox_status(&p.boxes[b], NULL), 0);
		outbox_release(&p.boxes[b]);
		outbox_release(&p.naive[b]);
	}
}

static void messages_come_by_cycle_then_sm_then_as_sent(void **state)
{
	for (uint64_t seed = 1; seed <= SEEDS; seed++) {
		print_message("seed %" PRIu64 "\n", seed);
		play_one(seed);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(messages_come_by_cycle_then_sm_then_as_sent),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
