/* SPDX-License-Identifier: Apache-2.0 */
/* A launch played by several threads: the same requests, sums and messages as with one. */
#include "launch_play.h"

#include "cmocka_all.h"
#include "err.h"
#include "random.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define COUNT(array) (sizeof(array) / sizeof((array)[0]))

enum { SMS = 7, ITEMS = 12, EVENTS_MAX = 32, LOG_MAX = 1 << 14 };

static const uint32_t jobs[] = { 1, 2, 3, 8 };

/* A request; equal logs mean equal caches. */
struct seen {
	uint64_t cycle, group, line;
	uint32_t warp, site;
};

struct sm_log {
	struct seen seen[LOG_MAX];
	uint32_t count;
};

struct scene {
	struct launch_shape shape;
	uint64_t seed;
	uint64_t bad, worse; /* groups that cannot be read, and whose events are wrong */
	uint64_t step;       /* groups that are there: its multiples */
	uint64_t reads;      /* of groups */
	struct event events[ITEMS * EVENTS_MAX];
	uint64_t first[ITEMS + 1];
};

static struct scene scene;
static struct sm_log logs[COUNT(jobs)][SMS];

static void add_item(struct scene *s, struct random *r, uint64_t *count)
{
	for (uint32_t i = random_below(r, 6); i--;)
		s->events[(*count)++] = (struct event){ 4096 + random_below(r, 9000), i % 3, 0 };
	s->events[(*count)++] = (struct event){ 0, 4, 0 };
	s->events[(*count)++] = (struct event){ 4096, *count % 2 ? 3 : 0, 0 };
}

static int read_group(void *context, uint64_t group, struct group_items *out, struct err *err)
{
	struct scene *s = context;
	struct random r = { s->seed + group * 77 };
	uint64_t count = 0;

	s->reads++;
	if (group == s->bad)
		return err_set(err, ERR_IO, "group %" PRIu64 " cannot be read", group);
	for (uint32_t i = 0; i < ITEMS; i++) {
		s->first[i] = count;
		if (group % 5)
			add_item(s, &r, &count);
	}
	s->first[ITEMS] = count;
	if (group == s->worse)
		s->events[count - 1].point = 99; /* found late: others fail meanwhile */
	*out = (struct group_items){ .events = { ITEMS, s->first, s->events } };
	return 0;
}

static uint64_t next_group(void *context, uint64_t group)
{
	const struct scene *s = context;

	return (group + s->step - 1) / s->step * s->step;
}

static uint64_t write_down(void *context, uint32_t sm, const struct request *r, uint64_t now)
{
	struct sm_log *log = (struct sm_log *)context + sm;

	assert_true(log->count < LOG_MAX);
	log->seen[log->count++] = (struct seen){ now, r->group, r->line, r->warp, r->site };
	return now + 1 + r->line / 128 % 7 * 11 + r->group % 3;
}

static int play(const struct gpu *gpu, struct schedule_input *input, size_t which,
                struct schedule_result *out, struct err *err)
{
	struct memory_port port = { .context = logs[which], .request = write_down };

	for (uint32_t sm = 0; sm < SMS; sm++)
		logs[which][sm].count = 0;
	input->jobs = jobs[which];
	scene.reads = 0;
	return schedule_launch(gpu, input, &port, out, err);
}

static struct gpu make_gpu(uint32_t schedulers, uint32_t groups)
{
	struct gpu gpu = launch_play_gpu();

	gpu.sm_count = SMS;
	gpu.schedulers = schedulers;
	gpu.max_groups = groups;
	return gpu;
}

static struct schedule_input make_input(const struct kernel_table *table, uint64_t groups)
{
	scene = (struct scene){
		.seed = 20261121, .bad = UINT64_MAX, .worse = UINT64_MAX, .step = 1
	};
	scene.shape = (struct launch_shape){ 1, { groups * ITEMS, 1, 1 }, { ITEMS, 1, 1 }, { 0 } };
	return (struct schedule_input){ .shape = &scene.shape,
		                        .table = table,
		                        .groups = { &scene, read_group, next_group } };
}

static void assert_equal_logs(size_t which, const struct schedule_result *a,
                              const struct schedule_result *b)
{
	for (uint32_t sm = 0; sm < SMS; sm++) {
		const struct sm_log *one = &logs[0][sm], *other = &logs[which][sm];

		assert_int_equal(one->count, other->count);
		assert_memory_equal(one->seen, other->seen, one->count * sizeof(one->seen[0]));
		assert_int_equal(a->sm_groups[sm], b->sm_groups[sm]);
		assert_int_equal(a->sm_requests[sm], b->sm_requests[sm]);
		assert_int_equal(a->sm_is_played[sm], b->sm_is_played[sm]);
	}
	assert_int_equal(a->cycles, b->cycles);
	assert_int_equal(a->lanes, b->lanes);
	assert_int_equal(a->groups, b->groups);
	assert_int_equal(a->instructions, b->instructions);
	assert_int_equal(a->requests, b->requests);
}

static void check_jobs(const struct gpu *gpu, struct schedule_input *input)
{
	struct schedule_result one, other;

	assert_int_equal(play(gpu, input, 0, &one, NULL), 0);
	for (size_t i = 1; i < COUNT(jobs); i++) {
		assert_int_equal(play(gpu, input, i, &other, NULL), 0);
		assert_equal_logs(i, &one, &other);
		schedule_result_release(&other);
	}
	schedule_result_release(&one);
}

static void the_result_is_the_same_with_any_number_of_threads(void **state)
{
	static const char *const dispatches[] = { "roundrobin", "random:3", "breadth" };
	static const char *const orders[] = {
#define ISSUE_ORDER(name, unit, number, fallback, min, max, text) #name,
#include "issue_orders.def"
#undef ISSUE_ORDER
	};
	const struct kernel_table table = launch_play_table();

	(void)state;
	for (uint32_t i = 0; i < COUNT(orders) * COUNT(dispatches); i++) {
		struct gpu gpu = make_gpu(1 + i % 2, 1 + i % 3);
		struct schedule_input input = make_input(&table, 90);

		assert_int_equal(issue_order_parse(&input.order, orders[i % COUNT(orders)], NULL),
		                 0);
		assert_int_equal(
			dispatch_order_parse(&input.dispatch, dispatches[i / COUNT(orders)], NULL),
			0);
		check_jobs(&gpu, &input);
		input.sms = 3;
		check_jobs(&gpu, &input);
	}
}

static void of_groups_that_fail_the_lowest_is_named(void **state)
{
	static const struct {
		uint64_t bad, worse;
		int code;
		const char *message;
	} rows[] = {
		{ 31, 33, ERR_IO, "group 31 cannot be read" },
		{ 32, 31, ERR_FORMAT, "group 31: work-item 11, " },
		{ 1, 89, ERR_IO, "group 1 cannot be read" },
		{ UINT64_MAX, 89, ERR_FORMAT, "group 89: work-item 11, " },
	};
	const struct kernel_table table = launch_play_table();
	const struct gpu gpu = make_gpu(1, 2);

	(void)state;
	for (size_t i = 0; i < COUNT(rows) * COUNT(jobs) * 50; i++) {
		size_t row = i % COUNT(rows), which = i / COUNT(rows) % COUNT(jobs);
		struct schedule_input input = make_input(&table, 90);
		struct schedule_result result;
		struct err err = { 0 };

		scene.bad = rows[row].bad;
		scene.worse = rows[row].worse;
		assert_int_equal(play(&gpu, &input, which, &result, &err), rows[row].code);
		assert_memory_equal(err.msg, rows[row].message, strlen(rows[row].message));
		schedule_result_release(&result);
	}
}

static void groups_that_are_not_there_cost_nothing(void **state)
{
	/* 2^50 groups, of which every 2^46-th is there: 16. They are dealt out as 16 groups are:
	 * SMs 0 and 1 get 3 of them and the others 2. */
	const struct kernel_table table = launch_play_table();
	const struct gpu gpu = make_gpu(1, 4);

	(void)state;
	for (size_t i = 0; i < COUNT(jobs); i++) {
		struct schedule_input input = make_input(&table, UINT64_C(1) << 50);
		struct schedule_result result;

		scene.step = UINT64_C(1) << 46;
		assert_int_equal(play(&gpu, &input, i, &result, NULL), 0);
		assert_int_equal(scene.reads, 16);
		assert_int_equal(result.groups, 16);
		for (uint32_t sm = 0; sm < SMS; sm++)
			assert_int_equal(result.sm_groups[sm], sm < 2 ? 3 : 2);
		schedule_result_release(&result);
	}
}

static void a_sample_reads_only_its_own_groups(void **state)
{
	/* SMs 0 and 3 of 7, and 7 groups: one each. */
	const struct kernel_table table = launch_play_table();
	const struct gpu gpu = make_gpu(1, 1);

	(void)state;
	for (size_t i = 0; i < COUNT(jobs); i++) {
		struct schedule_input input = make_input(&table, 7);
		struct schedule_result result;

		input.sms = 2;
		assert_int_equal(play(&gpu, &input, i, &result, NULL), 0);
		assert_int_equal(scene.reads, 2);
		assert_int_equal(result.groups, 2);
		for (uint32_t sm = 0; sm < SMS; sm++)
			assert_int_equal(result.sm_groups[sm], sm == 0 || sm == 3);
		for (uint32_t k = 0; k < logs[i][3].count; k++)
			assert_int_equal(logs[i][3].seen[k].group, 3);
		schedule_result_release(&result);
	}
}

static void more_sms_than_there_are_is_refused(void **state)
{
	const struct kernel_table table = launch_play_table();
	const struct gpu gpu = make_gpu(1, 1);
	struct schedule_input input = make_input(&table, 7);
	struct schedule_result result;
	struct err err = { 0 };

	(void)state;
	input.sms = 8;
	assert_int_equal(play(&gpu, &input, 0, &result, &err), ERR_CONFIG);
	assert_string_equal(err.msg, "test has 7 SMs: 8 of them cannot be replayed");
	schedule_result_release(&result);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(the_result_is_the_same_with_any_number_of_threads),
		cmocka_unit_test(of_groups_that_fail_the_lowest_is_named),
		cmocka_unit_test(groups_that_are_not_there_cost_nothing),
		cmocka_unit_test(a_sample_reads_only_its_own_groups),
		cmocka_unit_test(more_sms_than_there_are_is_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
