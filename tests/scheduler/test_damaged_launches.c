/* SPDX-License-Identifier: Apache-2.0 */
/* Damaged events and tables: a launch is played or refused with a reason, and nothing else. */
#include "flow_launch.h"

#include "cmocka_all.h"
#include "err.h"
#include "random.h"

#include <stdlib.h>
#include <string.h>

enum { LAUNCHES = 20, DAMAGES = 60 };

static struct flow_program program;
static struct flow_launch launch;

/* The launch as it was made. */
static struct {
	struct site sites[FLOW_SITES];
	struct loop loops[FLOW_LOOPS];
	struct event *events;
	uint64_t first[FLOW_ITEMS + 1];
} kept;

/* What is damaged and read: one of the two forms of a group's events. */
static bool is_packed;

static struct group_events view(const struct launch_group *g)
{
	return (struct group_events){ g->item_count, is_packed ? g->packed_first : g->first,
		                      is_packed ? g->packed : g->events };
}

static uint64_t quiet(void *context, uint32_t sm, const struct request *r, uint64_t now)
{
	uint64_t *bytes = context;

	bytes[sm] += r->used[0] ? r->bytes_used : 0;
	return now + 3;
}

static int read_group(void *context, uint64_t group, struct group_items *out, struct err *err)
{
	*out = (struct group_items){ .events = view(&launch.groups[group]) };
	return 0;
}

/* A value of a kind that is often special. */
static uint64_t odd_value(struct random *r)
{
	static const uint64_t values[] = { 0,
		                           1,
		                           2,
		                           31,
		                           0x7fffffff,
		                           0x80000000,
		                           0xffffffff,
		                           UINT64_C(1) << 32,
		                           UINT64_MAX,
		                           INT64_MAX,
		                           UINT64_MAX - 64 };
	uint32_t i = random_below(r, 16), shift = random_below(r, 64);

	return i < 11 ? values[i] : random_next(r) >> shift;
}

static void damage_event(struct random *r, struct event *e, const struct event *other)
{
	switch (random_below(r, 6)) {
	case 0:
		e->value = odd_value(r);
		break;
	case 1:
		e->iteration = (uint32_t)odd_value(r);
		break;
	case 2:
		e->point = (e->point & EVENT_KIND_MASK) | ((uint32_t)odd_value(r) & EVENT_ID_MASK);
		break;
	case 3:
		e->point = (e->point & EVENT_ID_MASK) | random_below(r, 8) << 29;
		break;
	case 4:
		*e = *other;
		break;
	default:
		e->point ^= 1u << random_below(r, 32);
	}
}

static void damage_table(struct random *r)
{
	struct site *s = &program.sites[random_below(r, (uint32_t)program.table.site_count)];
	struct loop *l = &program.loops[random_below(r, FLOW_LOOPS)];

	switch (random_below(r, 7)) {
	case 0:
		s->kind = (enum site_kind)random_below(r, SITE_KIND_COUNT + 2);
		break;
	case 1:
		s->bytes = (uint32_t)odd_value(r);
		break;
	case 2:
		s->loop = (int32_t)odd_value(r);
		break;
	case 3:
		s->space = random_below(r, 6);
		break;
	case 4:
		l->parent = (int32_t)odd_value(r);
		break;
	case 5:
		l->depth = (uint32_t)odd_value(r);
		break;
	default:
		s->loop = (int32_t)random_below(r, FLOW_LOOPS) - 1;
	}
}

/* A few bytes can say that a work-item did 2^42 accesses; what is asked here is something else. */
static void keep_small(struct event *events, uint64_t count)
{
	for (uint64_t i = 0; i < count; i++)
		if ((events[i].point & EVENT_KIND_MASK) >= EVENT_RUN)
			events[i].iteration &= 0xff;
}

/* Where a work-item's events begin; the last bound is the source's own, and stays. */
static void damage_bound(struct random *r, const struct launch_group *g, uint64_t *first)
{
	uint32_t item = 1 + random_below(r, g->item_count - 1);

	first[item] = random_next(r) % first[g->item_count];
}

static void damage(struct random *r, struct launch_group *g, uint32_t times)
{
	uint64_t *first = is_packed ? g->packed_first : g->first;
	struct event *events = is_packed ? g->packed : g->events;
	uint64_t count = first[g->item_count];

	for (; times; times--) {
		struct event *e = &events[random_next(r) % count];

		if (random_below(r, 5) == 0)
			damage_table(r);
		else if (random_below(r, 12) == 0)
			damage_bound(r, g, first);
		else
			damage_event(r, e, &events[random_next(r) % count]);
	}
	keep_small(events, count);
}

static void keep(const struct launch_group *g)
{
	const struct group_events all = view(g);

	memcpy(kept.sites, program.sites, sizeof(kept.sites));
	memcpy(kept.loops, program.loops, sizeof(kept.loops));
	memcpy(kept.first, all.first, sizeof(kept.first));
	kept.events = calloc(all.first[all.item_count] + 1, sizeof(*kept.events));
	assert_non_null(kept.events);
	memcpy(kept.events, all.events, all.first[all.item_count] * sizeof(*kept.events));
}

static void restore(struct launch_group *g)
{
	size_t bytes = kept.first[g->item_count] * sizeof(*kept.events);

	memcpy(program.sites, kept.sites, sizeof(kept.sites));
	memcpy(program.loops, kept.loops, sizeof(kept.loops));
	memcpy(is_packed ? g->packed_first : g->first, kept.first, sizeof(kept.first));
	memcpy(is_packed ? g->packed : g->events, kept.events, bytes);
	free(kept.events);
}

/* Play in some threads: the same reason is given, however many there are. */
static int play_in(uint32_t jobs, const struct issue_order *order, struct err *err)
{
	static uint64_t bytes[LAUNCH_SMS];
	struct memory_port port = { .context = bytes, .request = quiet };
	struct schedule_input input = { .shape = &launch.shape,
		                        .table = &program.table,
		                        .groups = { .read = read_group },
		                        .order = *order,
		                        .jobs = jobs };
	struct schedule_result result;
	int rc = schedule_launch(&launch.gpu, &input, &port, &result, err);

	schedule_result_release(&result);
	assert_int_equal(rc, err->code);
	if (rc && rc != ERR_FORMAT && rc != ERR_LIMIT)
		fail_msg("%d: %s", rc, err->msg);
	assert_true(!rc == !err->msg[0]);
	return rc;
}

static int play(int number)
{
	static const char *const orders[] = {
#define ISSUE_ORDER(name, unit, number, fallback, min, max, text) #name,
#include "issue_orders.def"
#undef ISSUE_ORDER
	};
	struct issue_order order;
	struct err err = { 0 }, again = { 0 };
	int rc;

	number %= (int)(sizeof(orders) / sizeof(orders[0]));
	assert_int_equal(issue_order_parse(&order, orders[number], NULL), 0);
	rc = play_in(1, &order, &err);
	assert_int_equal(play_in(3, &order, &again), rc);
	assert_string_equal(again.msg, err.msg);
	return rc;
}

static void damaged_launches_are_played_or_refused(void **state)
{
	struct launch_shape shape = { 1, { 120, 1, 1 }, { 40, 1, 1 }, { 0 } };
	struct random r = { 5 };
	int played = 0, refused = 0;

	(void)state;
	for (int i = 0; i < LAUNCHES; i++) {
		flow_program_make(&program, (uint64_t)i + 77, i % 2);
		for (int n = 0; i % 3 == 0 && n < program.node_count; n++)
			program.nodes[n].share = FLOW_OF_ALL;
		if (!flow_launch_make(&launch, &program, &shape, (uint64_t)i) ||
		    launch.accesses > 20000 || launch.accesses < 100) {
			flow_launch_release(&launch);
			continue;
		}
		assert_int_equal(gpu_load(&launch.gpu, SOURCE_DIR "/gpus/gtx480.conf", NULL, NULL),
		                 0);
		for (int k = 0; k < DAMAGES; k++) {
			struct launch_group *g = &launch.groups[random_below(&r, 3)];
			bool is_refused;

			is_packed = k & 1;
			keep(g);
			damage(&r, g, 1 + random_below(&r, 4));
			is_refused = play(k / 2) != 0;
			refused += is_refused;
			played += !is_refused;
			restore(g);
		}
		assert_int_equal(play(0), 0);
		flow_launch_release(&launch);
	}
	print_message("  %d played, %d refused\n", played, refused);
	assert_true(played > 100 && refused > 300);
}

int main(void)
{
	const struct CMUnitTest tests[] = {
		cmocka_unit_test(damaged_launches_are_played_or_refused),
	};
	return cmocka_run_group_tests(tests, NULL, NULL);
}
