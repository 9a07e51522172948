/* SPDX-License-Identifier: Apache-2.0 */
/* A list of accesses, played as a sequence, against the same groups played one after the other by
 * the SM, which forms warps. */
#include "cmocka_all.h"

#include "err.h"
#include "launch_play.h"

#include <stdlib.h>
#include <string.h>

enum { GROUPS = 60, SITES = 3 };

static struct site sites[SITES] = {
	{ .kind = SITE_READ, .bytes = 1, .space = 1, .loop = 0, .argument = -1 },
	{ .kind = SITE_WRITE, .bytes = 1, .space = 1, .loop = 0, .argument = -1 },
	{ .kind = SITE_ATOMIC, .bytes = 1, .space = 1, .loop = 0, .argument = -1 },
};
static struct loop loop = { .parent = -1, .depth = 1 };
static char name[] = "list";

/* A few to some hundred accesses, in some groups none. */
static void make_list(struct launch_play *p, uint64_t group, uint32_t item)
{
	uint64_t state = group * 977 + 13, count = group % 7 == 3 ? 0 : 1 + group * 5 % 300;

	(void)item;
	for (uint32_t i = 0; i < count; i++) {
		state = state * 6364136223846793005u + 1442695040888963407u;
		launch_play_event(p, state >> 40, group % 4 ? (uint32_t)(state >> 33) % SITES : 0,
		                  i);
	}
}

/* Some answers come at once, some late. */
static uint64_t some_cycles(const struct logged *r)
{
	return r->line / 64 % 3 ? r->line % 5 * 40 : 0;
}

static void prepare(struct launch_play *p, uint32_t request_cycles, uint32_t line_bytes)
{
	launch_play_init(p, make_list, some_cycles);
	p->table = (struct kernel_table){
		.name = name, .sites = sites, .site_count = SITES, .loops = &loop, .loop_count = 1
	};
	launch_play_shape(p, GROUPS, 1);
	p->gpu.l1_request_cycles = request_cycles;
	p->gpu.l1_line_bytes = line_bytes;
	p->gpu.l1_index.kind = GPU_L1_INDEX_MODULO;
}

static void tell(void *play, uint32_t sm, const struct warp_access *a, uint64_t now_cycles)
{
	(void)play, (void)sm, (void)a, (void)now_cycles;
}

static void assert_alike(const struct launch_play *a, const struct launch_play *b)
{
	const struct schedule_result *x = &a->result, *y = &b->result;

	assert_int_equal(a->log_count, b->log_count);
	for (uint32_t i = 0; i < a->log_count; i++) {
		assert_int_equal(a->log[i].cycle, b->log[i].cycle);
		assert_int_equal(a->log[i].group, b->log[i].group);
		assert_int_equal(a->log[i].line, b->log[i].line);
		assert_int_equal(a->log[i].site, b->log[i].site);
		assert_int_equal(a->log[i].kind, b->log[i].kind);
		assert_int_equal(a->log[i].lanes, b->log[i].lanes);
		assert_int_equal(a->log[i].buffer, b->log[i].buffer);
		assert_int_equal(a->log[i].sm, 0);
		assert_int_equal(a->log[i].warp, b->log[i].warp);
	}
	assert_int_equal(x->cycles, y->cycles);
	assert_int_equal(x->lanes, y->lanes);
	assert_int_equal(x->instructions, y->instructions);
	assert_int_equal(x->requests, y->requests);
	assert_int_equal(x->unmapped_lanes, y->unmapped_lanes);
	assert_int_equal(x->sm_groups[0], y->sm_groups[0]);
	assert_int_equal(x->sm_requests[0], y->sm_requests[0]);
	assert_int_equal(x->sm_reads[0], y->sm_reads[0]);
	assert_int_equal(x->groups, y->groups);
	assert_int_equal(x->residency.groups, y->residency.groups);
}

/* One SM that holds one group plays the groups in order; a sequence does so on any GPU, told of
 * each access or not, by requests or by runs of reads. */
static void a_sequence_is_what_one_sm_with_one_group_plays(void **state)
{
	static const struct {
		uint32_t request_cycles, line_bytes;
	} rows[] = { { 0, 128 }, { 1, 64 }, { 7, 4096 }, { 300, 32 } };
	struct launch_play *want = calloc(1, sizeof(*want)), *got = calloc(1, sizeof(*got));

	(void)state;
	assert_non_null(want);
	assert_non_null(got);
	for (size_t i = 0; i < 3 * sizeof(rows) / sizeof(rows[0]); i++) {
		struct err err = { 0 };

		prepare(want, rows[i / 3].request_cycles, rows[i / 3].line_bytes);
		want->gpu.max_groups = 1;
		if (launch_play(want, &err))
			fail_msg("%s", err.msg);
		assert_true(want->log_count > 5000);
		prepare(got, rows[i / 3].request_cycles, rows[i / 3].line_bytes);
		got->gpu.sm_count = 4;
		got->is_sequence = true;
		got->access = i % 3 == 1 ? tell : NULL;
		got->takes_runs = i % 3 == 2;
		if (launch_play(got, &err))
			fail_msg("%s", err.msg);
		assert_alike(got, want);
		schedule_result_release(&want->result);
		schedule_result_release(&got->result);
	}
	free(want);
	free(got);
}

static void make_loop(struct launch_play *p, uint64_t group, uint32_t item)
{
	(void)item;
	launch_play_event(p, 64, 0, 0);
	if (group == 2)
		launch_play_event(p, 64, EVENT_EPOCH, 0);
}

static void what_is_no_access_is_refused(void **state)
{
	struct launch_play *p = calloc(1, sizeof(*p));
	struct err err = { 0 };

	(void)state;
	assert_non_null(p);
	prepare(p, 0, 128);
	p->item = make_loop;
	p->is_sequence = true;
	assert_int_equal(launch_play(p, &err), ERR_FORMAT);
	assert_string_equal(err.msg,
	                    "group 2: event 1 is not an access: expected a sequence of accesses");
	schedule_result_release(&p->result);
	free(p);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(a_sequence_is_what_one_sm_with_one_group_plays),
		cmocka_unit_test(what_is_no_access_is_refused),
	};

	return cmocka_run_group_tests(tests, NULL, NULL);
}
