/* SPDX-License-Identifier: Apache-2.0 */
/*
 * Whole L1s against their oracle (naive_whole): random caches and requests; at once, and with
 * answers of what lies below that come later, in rounds.
 */
#include "cmocka_all.h"

#include "l1.h"
#include "l1_run.h"
#include "l1_visit.h"
#include "naive_whole.h"

#include <inttypes.h>
#include <string.h>

enum { STEPS = L1_RUN_STEPS, CONFIGURATIONS = 2400, INVALIDATIONS = 12 };

enum variety {
	ANY,          /* of caches, with latencies that are all the same */
	VARIED,       /* of caches, latencies and invalidations */
	PLAIN,        /* caches that are served by loops of their own: without limits */
	PLAIN_VARIED, /* the same with latencies */
};

struct step {
	struct request r;
	uint64_t used[NAIVE_BYTES / 64];
	uint64_t cycle;
	bool is_past; /* a read that bypasses */
};

struct play {
	uint64_t random;
	struct gpu gpu;
	uint64_t spread_cycles; /* of latencies; 0: all are the same */
	uint64_t past_of;       /* one in so many reads bypasses; 0: none */
	bool is_observed;
	bool is_unclassified;
	struct step steps[STEPS];
	uint64_t end_cycles;
	struct naive_invalidation invalidations[INVALIDATIONS];
	size_t invalidation_count;
};

/* xorshift64* */
static uint64_t below(uint64_t *state, uint64_t limit)
{
	*state ^= *state >> 12;
	*state ^= *state << 25;
	*state ^= *state >> 27;
	return (*state * 0x2545f4914f6cdd1du >> 11) % limit;
}

static uint64_t shortest_cycles(const struct play *p)
{
	return p->gpu.l1_hit_cycles + p->gpu.l2_cycles;
}

/* Of message number `number`. */
static uint64_t latency_of(const void *context, size_t number)
{
	const struct play *p = context;
	uint64_t state = (number + 1) * 0x9e3779b97f4a7c15u;

	return shortest_cycles(p) + (p->spread_cycles ? below(&state, p->spread_cycles) : 0);
}

static void make_gpu(struct play *p)
{
	uint64_t *x = &p->random;
	struct gpu *g = &p->gpu;

	g->l1_sets = (uint32_t)below(x, 2) ? 1 : 1 + (uint32_t)below(x, 6);
	g->l1_ways = 1 + (uint32_t)below(x, 5);
	g->l1_line_bytes = 16u << below(x, 5);
	g->l1_sector_bytes = below(x, 2) ? g->l1_line_bytes >> below(x, 5) : 0;
	g->l1_promotion_bytes = below(x, 2) ? 32u << below(x, 3) : 0;
	g->l1_policy.kind = (uint32_t)below(x, 8);
	g->l1_policy.number = below(x, 1000);
	g->l1_policy.count = g->l1_policy.kind == GPU_POLICY_WAYS ? g->l1_ways : 0;
	for (uint32_t i = 0; i < g->l1_policy.count; i++)
		g->l1_policy.list[i] = 1 + (uint32_t)below(x, 5);
	g->l1_write = (uint32_t)below(x, 4);
	g->l1_allocation = (uint32_t)below(x, 2);
	g->l1_mshr_entries = below(x, 3) ? (uint32_t)below(x, 9) : 0;
	g->l1_mshr_merge = below(x, 3) ? (uint32_t)below(x, 5) : 0;
	g->l1_hit_cycles = 1 + (uint32_t)below(x, 12);
	g->l2_cycles = 1 + (uint32_t)below(x, 60);
	g->l1_request_cycles = (uint32_t)below(x, 4);
	g->latency = below(x, 8) ? GPU_LATENCY_ON : GPU_LATENCY_OFF;
	g->bandwidth = (uint32_t)below(x, 2);
	g->l1_fill_bytes = below(x, 8) ? 1 + (uint32_t)below(x, 40) : 0;
}

/* Bytes of the line: one run of them, or all. */
static void make_bytes(struct play *p, struct step *s)
{
	uint32_t line = p->gpu.l1_line_bytes, first = 0, count = line;

	if (below(&p->random, 4)) {
		first = (uint32_t)below(&p->random, line);
		count = 1 + (uint32_t)below(&p->random, line - first);
	}
	for (uint32_t i = first; i < first + count; i++)
		s->used[i / 64] |= (uint64_t)1 << i % 64;
	s->r.bytes_used = count;
	s->r.sectors = (first + count - 1) / 32 - first / 32 + 1;
}

static void make_step(struct play *p, uint32_t number, uint64_t lines, uint64_t write_of)
{
	static const enum site_kind kinds[] = { SITE_WRITE, SITE_WRITE, SITE_ATOMIC };
	struct step *s = &p->steps[number];
	uint64_t *x = &p->random;

	make_bytes(p, s);
	s->r.line = below(x, lines) * p->gpu.l1_line_bytes;
	s->r.used = s->used;
	s->r.lanes = 1 + (uint32_t)below(x, 32);
	s->r.kind = below(x, write_of) ? SITE_READ : kinds[below(x, 3)];
	s->r.site = (uint32_t)below(x, L1_RUN_SITES);
	s->r.buffer = (int32_t)below(x, 3) - 1;
	s->r.warp = (uint32_t)below(x, 8);
	s->r.group = below(x, 5);
	s->r.waiter = number;
	s->r.is_last = below(x, 2);
	s->is_past = p->past_of && s->r.kind == SITE_READ && !below(x, p->past_of);
}

/* What those loops do not serve is taken away; lines are often of four sectors of 32 bytes. */
static void make_plain(struct play *p)
{
	struct gpu *g = &p->gpu;

	g->l1_mshr_entries = g->l1_mshr_merge = 0;
	g->bandwidth = GPU_BANDWIDTH_OFF;
	g->l1_allocation = GPU_L1_ALLOCATION_AT_MISS;
	if (g->l1_write == GPU_L1_WRITE_BACK_ALLOCATE)
		g->l1_write = GPU_L1_WRITE_THROUGH_ALLOCATE;
	if (below(&p->random, 2)) {
		g->l1_line_bytes = 128;
		g->l1_sector_bytes = 32;
	}
}

static void make_play(struct play *p, uint64_t seed, enum variety variety)
{
	uint64_t lines, write_of, far;

	*p = (struct play){ .random = seed * 0x9e3779b97f4a7c15u };
	make_gpu(p);
	lines = 1 + below(&p->random, 3 * p->gpu.l1_sets * p->gpu.l1_ways + 4);
	write_of = 1 + below(&p->random, 6);
	p->is_observed = below(&p->random, 2);
	p->past_of = below(&p->random, 6);
	p->is_unclassified = variety >= PLAIN && !p->is_observed && below(&p->random, 2);
	if (variety >= PLAIN)
		make_plain(p);
	for (uint32_t i = 0; i < STEPS; i++)
		make_step(p, i, lines, write_of);
	if (variety != VARIED && variety != PLAIN_VARIED)
		return;
	p->spread_cycles = 1 + below(&p->random, 80);
	if (variety == PLAIN_VARIED)
		return;
	p->invalidation_count = below(&p->random, 2) ? below(&p->random, INVALIDATIONS) : 0;
	if (p->invalidation_count)
		p->gpu.l2_inclusion = GPU_L2_INCLUSION_INCLUSIVE;
	far = shortest_cycles(p);
	for (size_t i = 0; i < p->invalidation_count; i++) {
		far += below(&p->random, 100);
		p->invalidations[i].line = below(&p->random, lines);
		p->invalidations[i].cycle = far;
	}
}

/* Run the oracle; it decides when requests come. An access of several requests sends them whatever
 * the port says. */
static void run_oracle(struct play *p, struct naive_whole *n, struct l1_run *out)
{
	uint64_t now = 0, step_cycles = 1 + below(&p->random, 40);

	naive_whole_init(n, &p->gpu);
	n->latency = latency_of;
	n->context = p;
	n->invalidations = p->invalidations;
	n->invalidation_count = p->invalidation_count;
	for (size_t i = 0; i < STEPS; i++) {
		struct step *s = &p->steps[i];

		if (below(&p->random, 3)) {
			now += below(&p->random, step_cycles);
			now = n->port_free > now ? n->port_free : now;
		} else {
			now += p->gpu.l1_request_cycles;
		}
		s->cycle = now;
		out->is_write[i] = s->r.kind == SITE_WRITE;
		(s->is_past ? naive_whole_past : naive_whole_request)(n, &s->r, now,
		                                                      &out->sites[s->r.site]);
		out->outcomes[out->outcome_count++] = n->outcomes[i];
		if (p->gpu.l1_mshr_entries)
			assert_true(n->most_entries <= p->gpu.l1_mshr_entries);
	}
	p->end_cycles = now + below(&p->random, 100);
	naive_whole_end(n, p->end_cycles);
	for (size_t i = 0; i < STEPS; i++)
		out->data[i] = naive_whole_data(n, i);
	memcpy(out->left, n->left, n->left_count * sizeof(*n->left));
	out->left_count = n->left_count;
	out->port_free = n->port_free;
	naive_whole_release(n);
}

static void run_at_once(const struct play *p, struct l1_run *out)
{
	const struct l1_observer observer = l1_run_observer(out);
	const struct l1_setup setup = { .observer = p->is_observed ? &observer : NULL,
		                        .is_unclassified = p->is_unclassified };
	struct l1 *l1 = NULL;

	assert_int_equal(l1_create(&l1, &p->gpu, &setup, NULL), 0);
	for (size_t i = 0; i < STEPS; i++) {
		const struct step *s = &p->steps[i];

		out->data[i] = (s->is_past ? l1_read_past : l1_request)(l1, &s->r, s->cycle,
		                                                        &out->sites[s->r.site]);
	}
	out->port_free = l1_port_free(l1);
	l1_end(l1, p->end_cycles);
	assert_int_equal(l1_status(l1, NULL), 0);
	l1_free(l1);
}

/* What lies below: it answers message number k after latency_of(k). */
struct lower {
	const struct play *p;
	struct l1 *l1;
	struct outbox outbox;
	struct l1_run *run;
	struct below_answer answers[STEPS + INVALIDATIONS]; /* not told yet */
	size_t answer_count;
	struct message sent[8 * STEPS];
	uint64_t comes[8 * STEPS]; /* the answer of each */
	size_t sent_count, number;
};

/* By cycle, of equals data first, of data that was asked for first. */
static void add_answer(struct lower *l, struct below_answer answer)
{
	size_t at = l->answer_count++;

	while (at && (l->answers[at - 1].cycle > answer.cycle ||
	              (l->answers[at - 1].cycle == answer.cycle &&
	               l->answers[at - 1].kind > answer.kind))) {
		l->answers[at] = l->answers[at - 1];
		at--;
	}
	l->answers[at] = answer;
}

static void take_messages(struct lower *l, uint64_t until)
{
	const struct message *m;

	while ((m = outbox_peek(&l->outbox)) && m->cycle < until) {
		size_t at = l->sent_count++;

		l->sent[at] = *m;
		l->comes[at] = m->cycle;
		if (m->token != OUTBOX_NO_TOKEN) {
			l->comes[at] += latency_of(l->p, l->number++);
			add_answer(l, (struct below_answer){ l->comes[at], m->token, ANSWER_DATA });
		}
		outbox_drop_many(&l->outbox, 1);
	}
}

static void settle(struct lower *l, uint64_t until)
{
	uint64_t horizon = shortest_cycles(l->p);
	uint64_t known = until < UINT64_MAX - horizon ? until + horizon : UINT64_MAX;
	struct memory_answer answer;
	size_t told = 0;

	l1_advance(l->l1, until);
	take_messages(l, until);
	while (told < l->answer_count && l->answers[told].cycle < known)
		told++;
	l1_settle(l->l1, l->answers, told);
	l->answer_count -= told;
	memmove(l->answers, l->answers + told, l->answer_count * sizeof(l->answers[0]));
	while (l1_next_answer(l->l1, &answer)) {
		assert_true(l->run->data[answer.waiter] == MEMORY_LATER);
		assert_true(answer.cycle >= until || until == UINT64_MAX);
		l->run->data[answer.waiter] = answer.cycle;
	}
}

static void run_requests(struct lower *l)
{
	const struct play *p = l->p;
	uint64_t round = shortest_cycles(p) - 1, until = round;

	for (size_t i = 0; i < STEPS; i++) {
		const struct step *s = &p->steps[i];

		while (s->cycle >= until) {
			settle(l, until);
			until += round;
		}
		l->run->data[i] = (s->is_past ? l1_read_past : l1_request)(
			l->l1, &s->r, s->cycle, &l->run->sites[s->r.site]);
	}
	for (; l->answer_count || outbox_peek(&l->outbox) || l1_port_free(l->l1) == MEMORY_LATER;
	     until += round)
		settle(l, until);
	settle(l, UINT64_MAX);
	assert_null(outbox_peek(&l->outbox));
}

/* The same with an outbox. */
static void run_later(struct lower *l)
{
	const struct l1_observer observer = l1_run_observer(l->run);
	const struct l1_setup setup = { .observer = l->p->is_observed ? &observer : NULL,
		                        .is_unclassified = l->p->is_unclassified,
		                        .below = &l->outbox,
		                        .horizon_cycles = shortest_cycles(l->p) };

	outbox_init(&l->outbox);
	assert_int_equal(l1_create(&l->l1, &l->p->gpu, &setup, NULL), 0);
	for (size_t i = 0; i < l->p->invalidation_count; i++)
		add_answer(l, (struct below_answer){ l->p->invalidations[i].cycle,
		                                     l->p->invalidations[i].line *
		                                             l->p->gpu.l1_line_bytes,
		                                     ANSWER_INVALIDATE });
	run_requests(l);
	l->run->port_free = l1_port_free(l->l1);
	l1_end(l->l1, l->p->end_cycles);
	assert_int_equal(l1_status(l->l1, NULL), 0);
	take_messages(l, UINT64_MAX);
	l1_free(l->l1);
	outbox_release(&l->outbox);
}

/* They are sent in the order and the cycles of the oracle: L2 counts by these. */
static void compare_messages(const struct lower *l, const struct naive_whole *n)
{
	assert_int_equal(l->sent_count, n->sent_count);
	for (size_t i = 0; i < l->sent_count; i++) {
		const struct message *got = &l->sent[i];
		const struct message *want = &n->sent[i];

		if (got->cycle != want->cycle || got->kind != want->kind ||
		    got->line != want->line || got->bytes != want->bytes)
			fail_msg("message %zu: kind %d of %#" PRIx64 " in %" PRIu64
			         ", expected kind %d of %#" PRIx64 " in %" PRIu64,
			         i, got->kind, got->line, got->cycle, want->kind, want->line,
			         want->cycle);
	}
}

/* What the messages say is what was counted, and entries in use were never more than allowed. */
static void check_messages(const struct lower *l)
{
	const uint32_t line = l->p->gpu.l1_line_bytes, past_unit = line < 32 ? line : 32;
	struct counters c = l1_run_total(l->run);
	uint64_t up = 0, past = 0, down = 0, write_backs = 0;

	for (size_t i = 0; i < l->sent_count; i++) {
		const struct message *m = &l->sent[i];
		uint32_t entries = 0;

		assert_true(i == 0 || m->cycle >= l->sent[i - 1].cycle);
		assert_true(m->kind != MESSAGE_VICTIM && m->sectors);
		assert_int_equal(m->line % l->p->gpu.l1_line_bytes, 0);
		*(m->kind == MESSAGE_READ        ? &up
		  : m->kind == MESSAGE_READ_PAST ? &past
		                                 : &down) += m->bytes;
		if (m->kind == MESSAGE_READ_PAST)
			assert_int_equal(m->bytes,
			                 (uint32_t)__builtin_popcountll(m->sectors) * past_unit);
		write_backs += m->kind == MESSAGE_WRITE_BACK;
		for (size_t j = 0; j <= i; j++)
			entries += l->sent[j].kind == MESSAGE_READ && l->comes[j] > m->cycle;
		assert_true(!l->p->gpu.l1_mshr_entries || entries <= l->p->gpu.l1_mshr_entries);
	}
	assert_int_equal(up + past, c.bytes_from_l2);
	assert_int_equal(past, c.bytes_bypassed);
	assert_int_equal(down, c.bytes_to_l2);
	assert_int_equal(write_backs, c.write_backs);
}

/* A loop of its own counts the sectors of lines without any only in the end. */
static void count_lines(const struct play *p, struct l1_run *run)
{
	bool has_sectors = p->gpu.l1_sector_bytes && p->gpu.l1_sector_bytes < p->gpu.l1_line_bytes;

	for (size_t i = 0; !has_sectors && i < L1_RUN_SITES; i++)
		counters_count_lines(&run->sites[i]);
}

static void play_one(uint64_t seed, enum variety variety, struct counters *sum)
{
	static struct play p;
	static struct naive_whole oracle;
	static struct l1_run want, got;
	static struct lower lower;
	struct counters total;

	make_play(&p, seed, variety);
	memset(&want, 0, sizeof(want));
	run_oracle(&p, &oracle, &want);
	total = l1_run_total(&want);
	l1_run_check_sums(&total);
	counters_add(sum, &total);
	for (size_t i = 0; p.is_unclassified && i < L1_RUN_SITES; i++) {
		struct counters *c = &want.sites[i];

		c->cold = c->coherence = c->capacity = c->conflict = 0;
	}
	if (!p.spread_cycles) {
		memset(&got, 0, sizeof(got));
		run_at_once(&p, &got);
		count_lines(&p, &got);
		l1_run_compare(&got, &want, p.is_observed);
	}
	memset(&got, 0, sizeof(got));
	lower = (struct lower){ .p = &p, .run = &got };
	run_later(&lower);
	count_lines(&p, &got);
	l1_run_compare(&got, &want, p.is_observed);
	check_messages(&lower);
	compare_messages(&lower, &oracle);
}

/* The counters that a set of plays is to have met. */
static void check_met(const struct counters *c)
{
#define COUNTER(name, unit, text) assert_true(c->name > 0);
#include "counters.def"
#undef COUNTER
}

static void at_once_and_later_it_is_the_oracle(void **state)
{
	struct counters sum = { 0 };

	for (uint64_t seed = 1; seed <= CONFIGURATIONS; seed++) {
		print_message("seed %" PRIu64 "\n", seed);
		play_one(seed, ANY, &sum);
	}
	check_met(&sum);
}

static void with_any_latencies_and_invalidations_it_is_the_oracle(void **state)
{
	struct counters sum = { 0 };

	for (uint64_t seed = 1; seed <= CONFIGURATIONS; seed++) {
		print_message("seed %" PRIu64 "\n", seed);
		play_one(seed, VARIED, &sum);
	}
	check_met(&sum);
}

static void plain_ones_are_the_oracle(void **state)
{
	struct counters sum = { 0 };

	for (uint64_t seed = 1; seed <= CONFIGURATIONS; seed++) {
		print_message("seed %" PRIu64 "\n", seed);
		play_one(seed, PLAIN, &sum);
		play_one(seed + CONFIGURATIONS, PLAIN_VARIED, &sum);
	}
	assert_true(sum.sector && sum.pending_hits && sum.write_hits && sum.atomics &&
	            sum.bypasses && sum.coherence && sum.capacity && sum.conflict);
	assert_true(sum.sectors_promoted && sum.sectors_promoted_hit);
	assert_int_equal(sum.reservation_fails + sum.write_backs, 0);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(at_once_and_later_it_is_the_oracle),
		cmocka_unit_test(with_any_latencies_and_invalidations_it_is_the_oracle),
		cmocka_unit_test(plain_ones_are_the_oracle),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
