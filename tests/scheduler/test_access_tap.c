/* SPDX-License-Identifier: Apache-2.0 */
/* The accesses that a port may be told of: those of the recording, each once, in issue order. */
#include "launch_play.h"

#include "cmocka_all.h"
#include "err.h"
#include "random.h"

#include <string.h>

enum { GROUPS = 25, ITEMS = 35, ROUNDS = 12, MOST_EVENTS = 64 };

static const uint64_t FIRST_SEED = 20261121;

static struct launch_play play;
static struct logged quiet_log[PLAY_LOG];

/* What each work-item does, and how much of that has been told. */
static struct seen {
	struct event events[MOST_EVENTS]; /* its accesses, in its order */
	uint32_t count, next;
} items[GROUPS][ITEMS];

/* The access that was told of last, and how many of its requests came. */
static struct {
	struct warp_access access;
	uint64_t cycle, accesses, lanes;
	uint32_t sm, first_log, lines;
} told;

static uint64_t seed;

/* The next event of a work-item, of which *left are left. False when it is done. */
static bool next_event(struct random *r, uint32_t item, uint32_t *left, struct event *e)
{
	static const uint32_t sites[] = { 0, 2, 3, 5 };

	if (!*left)
		return false;
	--*left;
	*e = (struct event){ 4096 + 4 * random_below(r, 3000), sites[random_below(r, 4)], 0 };
	if (*left == 2) /* everybody comes to one barrier */
		*e = (struct event){ 0, 4, 0 };
	if (item % 3 == 0 && e->point == 0)
		e->value = 4096;
	if (e->point == 5)
		e->value = 0;
	return true;
}

static void begin_item(uint64_t group, uint32_t item, struct random *r, uint32_t *left)
{
	*r = (struct random){ seed + group * 1000 + item };
	*left = 3 + random_below(r, 10);
}

static void random_item(struct launch_play *p, uint64_t group, uint32_t item)
{
	struct random r;
	struct event e;
	uint32_t left;

	begin_item(group, item, &r, &left);
	while (next_event(&r, item, &left, &e))
		launch_play_event(p, e.value, e.point, e.iteration);
}

/* Write down what the work-items will do, from the same random numbers. */
static void list_items(void)
{
	memset(items, 0, sizeof(items));
	for (uint32_t g = 0; g < GROUPS; g++) {
		uint32_t size[3], count = launch_shape_group_size(&play.shape, g, size);

		for (uint32_t i = 0; i < count; i++) {
			struct seen *s = &items[g][i];
			struct random r;
			struct event e;
			uint32_t left;

			begin_item(g, i, &r, &left);
			while (next_event(&r, i, &left, &e))
				if (e.point < 4)
					s->events[s->count++] = e;
		}
	}
}

static void check_lane(const struct warp_access *a, uint32_t i)
{
	struct seen *s = &items[a->group][a->item[i]];

	assert_true(s->next < s->count);
	assert_int_equal(s->events[s->next].point, a->site);
	assert_int_equal(s->events[s->next].value, a->address[i]);
	assert_int_equal(a->item[i] / play.gpu.warp_lanes, a->warp);
	assert_true(i == 0 || a->item[i] > a->item[i - 1]);
	s->next++;
}

/* Every line that the access before asked for has been asked for. */
static void check_requests_came(void)
{
	uint32_t lanes = 0;

	for (uint32_t i = told.first_log; i < play.log_count; i++) {
		const struct logged *r = &play.log[i];

		assert_int_equal(r->sm, told.sm);
		assert_int_equal(r->group, told.access.group);
		assert_int_equal(r->warp, told.access.warp);
		assert_int_equal(r->site, told.access.site);
		assert_true(r->cycle >= told.cycle);
		lanes += r->lanes;
	}
	assert_int_equal(lanes, told.access.lane_count); /* no access crosses a line here */
}

static void check_access(void *context, uint32_t sm, const struct warp_access *a, uint64_t now)
{
	assert_ptr_equal(context, &play);
	assert_true(a->lane_count > 0);
	check_requests_came();
	for (uint32_t i = 0; i < a->lane_count; i++)
		check_lane(a, i);
	told.access = *a;
	told.sm = sm;
	told.cycle = now;
	told.first_log = play.log_count;
	told.accesses++;
	told.lanes += a->lane_count;
}

static uint64_t uneven(const struct logged *r)
{
	return 1 + r->line / 128 % 7 * 11 + r->warp % 3;
}

static void set_up(uint32_t round)
{
	launch_play_init(&play, random_item, uneven);
	/* the last groups of both dimensions are smaller: 7 x 5, 2 x 5, 7 x 2, 2 x 2 work-items */
	play.shape = (struct launch_shape){ 2, { 30, 22, 1 }, { 7, 5, 1 }, { 0 } };
	play.gpu.sm_count = 1 + round % 3;
	play.gpu.max_groups = 2;
	play.gpu.schedulers = 1 + round % 2;
	play.gpu.warp_lanes = round % 4 == 3 ? 32 : 4;
	play.gpu.l1_request_cycles = round % 5;
}

static void every_recorded_access_is_told_once_and_before_its_requests(void **state)
{
	(void)state;
	for (uint32_t round = 0; round < ROUNDS; round++) {
		seed = FIRST_SEED + round;
		print_message("  seed %llu\n", (unsigned long long)seed);
		set_up(round);
		list_items();
		memset(&told, 0, sizeof(told));
		play.access = check_access;
		assert_int_equal(launch_play(&play, NULL), 0);
		check_requests_came();
		assert_int_equal(told.lanes, play.accesses);
		assert_int_equal(told.lanes, play.result.lanes);
		assert_int_equal(told.accesses, play.result.instructions);
		for (uint32_t g = 0; g < GROUPS; g++)
			for (uint32_t i = 0; i < ITEMS; i++)
				assert_int_equal(items[g][i].next, items[g][i].count);
		schedule_result_release(&play.result);
	}
}

static void check_same(const struct logged *a, const struct logged *b)
{
	assert_int_equal(a->cycle, b->cycle);
	assert_int_equal(a->line, b->line);
	assert_int_equal(a->group, b->group);
	assert_int_equal(a->sm, b->sm);
	assert_int_equal(a->warp, b->warp);
	assert_int_equal(a->site, b->site);
	assert_int_equal(a->lanes, b->lanes);
	assert_int_equal(a->bytes_used, b->bytes_used);
	assert_int_equal(a->buffer, b->buffer);
}

static void being_told_changes_nothing(void **state)
{
	(void)state;
	for (uint32_t round = 0; round < ROUNDS; round++) {
		uint64_t cycles;
		uint32_t count;

		seed = FIRST_SEED + 100 + round;
		set_up(round);
		assert_int_equal(launch_play(&play, NULL), 0);
		count = play.log_count;
		cycles = play.result.cycles;
		memcpy(quiet_log, play.log, count * sizeof(play.log[0]));
		schedule_result_release(&play.result);
		list_items();
		memset(&told, 0, sizeof(told));
		play.access = check_access;
		assert_int_equal(launch_play(&play, NULL), 0);
		assert_int_equal(play.log_count, count);
		assert_int_equal(play.result.cycles, cycles);
		for (uint32_t i = 0; i < count; i++)
			check_same(&play.log[i], &quiet_log[i]);
		schedule_result_release(&play.result);
	}
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(every_recorded_access_is_told_once_and_before_its_requests),
		cmocka_unit_test(being_told_changes_nothing),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
