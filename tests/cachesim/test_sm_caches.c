/* SPDX-License-Identifier: Apache-2.0 */
/* The whole hierarchy against a naive one: several SMs, small caches, random requests and rounds.
 */
#include "cmocka_all.h"

#include "err.h"
#include "l1_play.h"
#include "launch_shape.h"
#include "naive_l1.h"
#include "naive_places.h"
#include "replay.h"
#include "sm_caches.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* A group for each SM at least. */
static const struct launch_shape many_groups = { 1, { 1024, 1, 1 }, { 1, 1, 1 }, { 0 } };

enum { SEEDS = 300, REQUESTS = 400, LINES = 24, WARPS = 6, BUFFERS = 4 };

/* A request, and when its data is there for either side. */
struct asked {
	struct request request;
	uint64_t used[4];
	uint64_t cycle, expected, told;
	uint32_t sm;
	bool is_made; /* by the naive one */
};

struct play {
	struct gpu gpu;
	uint64_t state;
	struct bypass_list bypass;
	struct sm_caches caches;
	struct memory_port port;
	struct naive_l2 l2;
	struct naive_l1 l1[NAIVE_SMS];
	struct counters counters[NAIVE_SMS];
	struct asked asked[REQUESTS];
	uint32_t asked_count;
};

static struct gpu random_gpu(uint64_t *state)
{
	struct gpu gpu = {
		.name = "random",
		.sm_count = 1 + (uint32_t)random_below(state, NAIVE_SMS),
		.warp_lanes = 32,
		.l1_sets = 1 + (uint32_t)random_below(state, 4),
		.l1_ways = 1 + (uint32_t)random_below(state, 3),
		.l1_line_bytes = 128u << random_below(state, 2),
		.l1_sector_bytes = random_below(state, 2) ? 32u << random_below(state, 2) : 0,
		.l1_write = (uint32_t)random_below(state, 2),
		.l1_request_cycles = 1,
		.l2 = GPU_L2_ON,
		.latency = random_below(state, 6) ? GPU_LATENCY_ON : GPU_LATENCY_OFF,
		.l1_hit_cycles = 1 + (uint32_t)random_below(state, 20),
		.l2_hit_cycles = 1 + (uint32_t)random_below(state, 30),
		.dram_cycles = 1 + (uint32_t)random_below(state, 60),
		.l2_slices = 1 + (uint32_t)random_below(state, 3),
		.l2_sets = 1 + (uint32_t)random_below(state, 3),
		.l2_ways = 1 + (uint32_t)random_below(state, 4),
		.l2_sector_bytes = random_below(state, 2) ? 32 : 0,
		.l2_write = (uint32_t)random_below(state, 2),
		.l2_inclusion = (uint32_t)random_below(state, 3),
		.l2_partial_write = (uint32_t)random_below(state, 2),
		.l2_dirty_percent =
			random_below(state, 2) ? 100 : 1 + (uint32_t)random_below(state, 99),
		.dram_channels = 1 + (uint32_t)random_below(state, 3),
		.dram_interleave_bytes = 512,
	};

	gpu.l2_line_bytes = gpu.l1_line_bytes;
	if (gpu.l2_inclusion == GPU_L2_INCLUSION_EXCLUSIVE)
		gpu.l2_sector_bytes = gpu.l1_sector_bytes ? 32 : gpu.l2_sector_bytes;
	else
		gpu.l2_line_bytes <<= random_below(state, 2);
	return gpu;
}

/* Bytes at random: of each 32 none, all, or a few. */
static void choose_bytes(struct play *p, struct asked *a)
{
	while (!a->request.bytes_used)
		for (uint32_t i = 0; i < p->gpu.l1_line_bytes / 32; i++) {
			static const uint64_t parts[] = { 0, 0, 0xf, UINT32_MAX };

			a->used[i / 2] |= parts[random_below(&p->state, 4)] << i % 2 * 32;
			a->request.bytes_used = 0;
			for (uint32_t k = 0; k < 4; k++)
				a->request.bytes_used += (uint32_t)__builtin_popcountll(a->used[k]);
		}
	for (uint32_t i = 0; i < p->gpu.l1_line_bytes / 32; i++)
		a->request.sectors += (uint32_t)(a->used[i / 2] >> i % 2 * 32) != 0;
}

static void ask(struct play *p, uint32_t sm, uint64_t cycle)
{
	struct asked *a = &p->asked[p->asked_count];
	uint64_t draw = random_below(&p->state, 8);

	*a = (struct asked){ .cycle = cycle, .sm = sm, .told = MEMORY_LATER };
	a->request = (struct request){
		.line = (5 + random_below(&p->state, LINES)) * p->gpu.l1_line_bytes,
		.used = a->used,
		.lanes = 1,
		.site = (uint32_t)random_below(&p->state, NAIVE_SITES),
		.kind = draw < 5   ? SITE_READ
		        : draw < 7 ? SITE_WRITE
		                   : SITE_ATOMIC,
		.buffer = (int32_t)random_below(&p->state, BUFFERS) - 1,
		.warp = (uint32_t)random_below(&p->state, WARPS),
		.waiter = p->asked_count++,
	};
	choose_bytes(p, a);
	a->told = p->port.request(p->port.context, sm, &a->request, cycle);
	if (a->request.kind == SITE_WRITE)
		a->told = 0;
}

/* Whether a rule names the request, from what bypass_list.h says of its kind. */
static bool is_named(const struct play *p, const struct bypass_rule *rule, const struct asked *a)
{
	const struct request *r = &a->request;

	if (r->kind != SITE_READ)
		return false;
	switch (rule->kind) {
	case BYPASS_SITE:
		return r->site == rule->number;
	case BYPASS_BUFFER:
		return r->buffer == (int64_t)rule->number;
	case BYPASS_WARPS:
		return r->warp >= rule->number;
	case BYPASS_ADDRESS:
		return rule->number >= r->line && rule->number - r->line < p->gpu.l1_line_bytes &&
		       (rule->sm < 0 || rule->sm == a->sm);
	case BYPASS_ALL:
		return true;
	case BYPASS_LINE:
	case BYPASS_ARGUMENT:
		break;
	}
	return false;
}

static bool bypasses(const struct play *p, const struct asked *a)
{
	for (size_t i = 0; i < p->bypass.count; i++)
		if (is_named(p, &p->bypass.rules[i], a))
			return true;
	return false;
}

static void choose_list(struct play *p)
{
	static const enum bypass_kind kinds[] = { BYPASS_SITE,    BYPASS_BUFFER,  BYPASS_WARPS,
		                                  BYPASS_ADDRESS, BYPASS_ADDRESS, BYPASS_ALL };
	static const uint32_t limits[] = { NAIVE_SITES, BUFFERS, 2 * WARPS, 0, 0, 1 };
	uint64_t count = random_below(&p->state, 2) * random_below(&p->state, 6);

	for (uint64_t i = 0; i < count; i++) {
		/* all reads seldom: only where the draw before was high */
		uint64_t draw = random_below(&p->state, random_below(&p->state, 8) ? 5 : 6);
		struct bypass_rule rule = { .kind = kinds[draw], .sm = -1 };

		if (rule.kind != BYPASS_ADDRESS) {
			rule.number = random_below(&p->state, limits[draw]);
		} else {
			rule.number = (5 + random_below(&p->state, LINES)) * p->gpu.l1_line_bytes +
			              random_below(&p->state, p->gpu.l1_line_bytes);
			rule.sm = (int64_t)random_below(&p->state, NAIVE_SMS + 2) - 1;
		}
		assert_int_equal(bypass_list_add(&p->bypass, &rule, NULL), 0);
	}
}

/* The naive side makes its requests of cycles before `until`, in the order in which L2 sees them.
 */
static void ask_naively(struct play *p, uint64_t until)
{
	for (;;) {
		struct asked *next = NULL;

		for (uint32_t i = 0; i < p->asked_count; i++) {
			struct asked *a = &p->asked[i];

			if (!a->is_made && a->cycle < until &&
			    (!next || a->cycle < next->cycle ||
			     (a->cycle == next->cycle && a->sm < next->sm)))
				next = a;
		}
		if (!next)
			return;
		next->is_made = true;
		next->expected = (bypasses(p, next) ? naive_l1_past : naive_l1_request)(
			&p->l1[next->sm], &next->request, next->cycle, &p->counters[next->sm]);
	}
}

static void take_answers(struct play *p, uint64_t until)
{
	struct memory_answer answer;

	for (uint32_t sm = 0; sm < p->gpu.sm_count; sm++)
		while (p->port.next_answer(p->port.context, sm, &answer)) {
			struct asked *a = &p->asked[answer.waiter];

			assert_true(a->sm == sm && a->told == MEMORY_LATER);
			assert_true(until == UINT64_MAX || answer.cycle >= until);
			a->told = answer.cycle;
		}
}

/* A round, as the scheduler makes it; now and then nobody has anything to do for a while. */
static uint64_t play_round(struct play *p, uint64_t from)
{
	uint64_t until = from + p->port.horizon_cycles - 1;

	for (uint32_t sm = 0; sm < p->gpu.sm_count; sm++)
		for (uint64_t at = from + random_below(&p->state, 9);
		     at < until && p->asked_count < REQUESTS; at += 1 + random_below(&p->state, 8))
			ask(p, sm, at);
	p->port.settle(p->port.context, until);
	ask_naively(p, until);
	take_answers(p, until);
	return until;
}

static bool is_waiting(const struct play *p)
{
	for (uint32_t i = 0; i < p->asked_count; i++)
		if (p->asked[i].told == MEMORY_LATER)
			return true;
	return false;
}

static void compare_l1(const struct play *p, const struct replay_result *r)
{
	for (uint32_t sm = 0; sm < p->gpu.sm_count; sm++) {
		const struct counters *got = &r->sms[sm], *want = &p->counters[sm];

#define COUNTER(name, unit, text)                                                                  \
	const bool is_##name __attribute__((unused)) = got->name == want->name;
#include "counters.def"
#undef COUNTER
		assert_true(is_reads && is_read_hits && is_pending_hits && is_read_misses);
		assert_true(is_writes && is_write_hits && is_atomics && is_evictions);
		assert_true(is_sector && is_bytes_asked && is_bytes_from_l2 && is_bytes_to_l2);
		assert_true(is_bypasses && is_bytes_bypassed);
	}
}

static void compare(struct play *p)
{
	struct replay_result r = { 0 };

	for (uint32_t i = 0; i < p->asked_count; i++)
		assert_int_equal(p->asked[i].told, p->asked[i].expected);
	assert_int_equal(sm_caches_count(&p->caches, &r, NULL), 0);
	compare_l1(p, &r);
	assert_memory_equal(r.below.sites, p->l2.sites, sizeof(p->l2.sites));
	assert_memory_equal(r.below.slices, p->l2.slices, p->gpu.l2_slices * sizeof(*p->l2.slices));
	assert_memory_equal(r.below.channels, p->l2.channels,
	                    p->gpu.dram_channels * sizeof(*p->l2.channels));
	assert_int_equal(r.below.l2.bytes_to_l1, r.total.bytes_from_l2);
	assert_int_equal(r.below.l2.bytes_from_dram, r.below.dram.bytes_read);
	replay_result_release(&r);
}

/* Inclusive, once all L1s have been told: no line in an L1 that is not in L2. Exclusive, with one
 * SM: no byte in both, if none went past L1. */
static void check_inclusion(struct play *p)
{
	for (uint32_t i = 0; i < p->gpu.sm_count * NAIVE_L1_LINES; i++) {
		struct naive_l1 *l1 = &p->l1[i / NAIVE_L1_LINES];
		const struct naive_l1_line *line = &l1->lines[i % NAIVE_L1_LINES];
		const struct naive_line *below;

		naive_l1_end(l1);
		if (!line->is_used)
			continue;
		below = naive_l2_find(&p->l2,
		                      line->line * p->gpu.l1_line_bytes / p->gpu.l2_line_bytes);
		if (p->gpu.l2_inclusion == GPU_L2_INCLUSION_INCLUSIVE)
			assert_non_null(below);
		if (p->gpu.l2_inclusion != GPU_L2_INCLUSION_EXCLUSIVE || p->gpu.sm_count > 1 ||
		    p->bypass.count)
			continue;
		for (uint32_t at = 0; at < p->gpu.l1_line_bytes && below; at++)
			assert_false(line->has[at / naive_l1_sector_bytes(&p->gpu)] &&
			             below->valid[at / naive_sector_bytes(&p->gpu)]);
	}
}

static void play(struct play *p)
{
	static struct site sites[NAIVE_SITES];
	const struct kernel_table table = { .sites = sites, .site_count = NAIVE_SITES };
	const struct schedule_input input = { .shape = &many_groups, .table = &table };
	const struct replay_options options = { .bypass = &p->bypass };
	struct err err = { 0 };
	uint64_t from = 0;

	choose_list(p);
	if (sm_caches_init(&p->caches, &p->gpu, &input, &options, &err))
		fail_msg("%s", err.msg);
	p->port = sm_caches_port(&p->caches, &p->gpu);
	p->l2.gpu = &p->gpu;
	for (uint32_t sm = 0; sm < NAIVE_SMS; sm++)
		p->l1[sm] = (struct naive_l1){ .below = &p->l2, .sm = sm };
	while (p->asked_count < REQUESTS || is_waiting(p)) {
		from = play_round(p, from);
		if (!is_waiting(p) && !random_below(&p->state, 3))
			from += random_below(&p->state, 500);
	}
	p->port.settle(p->port.context, UINT64_MAX);
	ask_naively(p, UINT64_MAX);
	take_answers(p, UINT64_MAX);
	sm_caches_end(&p->caches, from);
	naive_l2_finish(&p->l2);
	compare(p);
	check_inclusion(p);
	sm_caches_release(&p->caches);
	bypass_list_release(&p->bypass);
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

/* One SM, one way of L2, H = 10 + 20, DRAM 100. */
static struct gpu inclusive_gpu(void)
{
	return (struct gpu){ .name = "inclusive",
		             .sm_count = 1,
		             .warp_lanes = 32,
		             .l1_sets = 1,
		             .l1_ways = 2,
		             .l1_line_bytes = 128,
		             .l1_sector_bytes = 32,
		             .l1_write = GPU_L1_WRITE_THROUGH_UPDATE,
		             .l1_hit_cycles = 10,
		             .l2 = GPU_L2_ON,
		             .l2_slices = 1,
		             .l2_sets = 1,
		             .l2_ways = 1,
		             .l2_line_bytes = 128,
		             .l2_sector_bytes = 32,
		             .l2_inclusion = GPU_L2_INCLUSION_INCLUSIVE,
		             .l2_hit_cycles = 20,
		             .dram_cycles = 100,
		             .dram_channels = 1,
		             .dram_interleave_bytes = 128 };
}

/* Ask for `bytes` from byte `first` of a line on. */
static uint64_t ask_bytes(const struct memory_port *port, enum site_kind kind, uint64_t line,
                          uint32_t first, uint32_t bytes, uint64_t cycle)
{
	uint64_t used[2] = { 0 };
	const struct request r = {
		.line = line * 128, .used = used, .bytes_used = bytes, .lanes = 1, .kind = kind
	};

	used[first / 64] = (((uint64_t)1 << bytes) - 1) << first % 64;
	return port->request(port->context, 0, &r, cycle);
}

/*
 * A part of sector 3 of line 1 is written in cycle 200: L2 fetches it, until 300. In 201 line 2
 * takes its place. So line 1 leaves L1 in 330, which is known in 229, long before; nobody waits,
 * and no round ends between: it has to leave all the same, and not sooner.
 */
static void an_invalidation_is_in_time_when_nobody_waits(void **state)
{
	static const struct {
		uint64_t cycle;
		bool is_hit;
	} rows[] = { { 329, true }, { 330, false }, { 400, false } };
	static struct site site;
	const struct kernel_table table = { .sites = &site, .site_count = 1 };
	const struct schedule_input input = { .shape = &many_groups, .table = &table };
	const struct replay_options options = { 0 };
	const struct gpu gpu = inclusive_gpu();

	for (size_t i = 0; i < sizeof(rows) / sizeof(rows[0]); i++) {
		struct replay_result r = { 0 };
		struct sm_caches caches;
		struct memory_port port;
		struct memory_answer answer;

		assert_int_equal(sm_caches_init(&caches, &gpu, &input, &options, NULL), 0);
		port = sm_caches_port(&caches, &gpu);
		assert_true(ask_bytes(&port, SITE_READ, 1, 0, 32, 0) == MEMORY_LATER);
		port.settle(port.context, 110);
		assert_true(port.next_answer(port.context, 0, &answer));
		assert_int_equal(answer.cycle, 130);
		ask_bytes(&port, SITE_WRITE, 1, 96, 4, 200);
		ask_bytes(&port, SITE_WRITE, 2, 0, 32, 201);
		port.settle(port.context, 229);
		assert_false(port.next_answer(port.context, 0, &answer));
		ask_bytes(&port, SITE_READ, 1, 0, 32, rows[i].cycle);
		port.settle(port.context, UINT64_MAX);
		sm_caches_end(&caches, 500);
		assert_int_equal(sm_caches_count(&caches, &r, NULL), 0);
		assert_int_equal(r.total.read_hits, rows[i].is_hit);
		assert_int_equal(r.below.l2.invalidations, 1);
		replay_result_release(&r);
		sm_caches_release(&caches);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(all_is_as_the_definitions_say),
		cmocka_unit_test(an_invalidation_is_in_time_when_nobody_waits),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
