/* SPDX-License-Identifier: Apache-2.0 */
/* Damaged events and tables: a launch is played or refused with a reason, and nothing else. */
#include "flow_launch.h"

#include "cmocka_all.h"
#include "err.h"
#include "random.h"

#include <string.h>

enum { LAUNCHES = 40, DAMAGES = 60 };

static struct flow_program program;
static struct flow_launch launch;

/* The launch as it was made. */
static struct {
	struct site sites[FLOW_SITES];
	struct loop loops[FLOW_LOOPS];
	struct event events[FLOW_EVENTS];
	uint64_t first[FLOW_ITEMS + 1];
} kept;

static uint64_t quiet(void *context, uint32_t sm, const struct request *r, uint64_t now)
{
	uint64_t *bytes = context;

	*bytes += r->used[0] ? r->bytes_used : 0;
	return now + 3;
}

static int read_group(void *context, uint64_t group, struct group_events *out, struct err *err)
{
	struct launch_group *g = &launch.groups[group];

	*out = (struct group_events){ g->item_count, g->first, g->events };
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

/* EVENT_SITE .. EVENT_SIZE mostly; what is packed has no place here. */
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

/* Where a work-item's events begin; the last bound is the recording's own, and stays. */
static void damage_bound(struct random *r, struct launch_group *g, uint64_t count)
{
	uint32_t item = 1 + random_below(r, g->item_count - 1);

	g->first[item] = random_next(r) % count;
}

static void damage(struct random *r, struct launch_group *g, uint32_t times)
{
	uint64_t count = g->first[g->item_count];

	for (; times; times--) {
		struct event *e = &g->events[random_next(r) % count];

		if (random_below(r, 5) == 0)
			damage_table(r);
		else if (random_below(r, 12) == 0)
			damage_bound(r, g, count);
		else
			damage_event(r, e, &g->events[random_next(r) % count]);
	}
}

static void keep(struct launch_group *g, bool restores)
{
	size_t bytes = g->first[g->item_count] * sizeof(*g->events);

	memcpy(restores ? program.sites : kept.sites, restores ? kept.sites : program.sites,
	       sizeof(kept.sites));
	memcpy(restores ? program.loops : kept.loops, restores ? kept.loops : program.loops,
	       sizeof(kept.loops));
	memcpy(restores ? g->events : kept.events, restores ? kept.events : g->events, bytes);
	memcpy(restores ? g->first : kept.first, restores ? kept.first : g->first,
	       sizeof(kept.first));
}

static int play(int order)
{
	static const char *const orders[] = {
#define ISSUE_ORDER(name, unit, number, fallback, min, max, text) #name,
#include "issue_orders.def"
#undef ISSUE_ORDER
	};
	uint64_t bytes = 0;
	struct memory_port port = { .context = &bytes, .request = quiet };
	struct schedule_input input = { .shape = &launch.shape,
		                        .table = &program.table,
		                        .groups = { .read = read_group } };
	struct schedule_result result;
	struct err err = { 0 };
	int rc;

	order %= (int)(sizeof(orders) / sizeof(orders[0]));
	assert_int_equal(issue_order_parse(&input.order, orders[order], NULL), 0);
	rc = schedule_launch(&launch.gpu, &input, &port, &result, &err);
	schedule_result_release(&result);
	assert_int_equal(rc, err.code);
	if (rc && (rc != ERR_FORMAT && rc != ERR_LIMIT))
		fail_msg("%d: %s", rc, err.msg);
	assert_true(!rc == !err.msg[0]);
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

			keep(g, false);
			damage(&r, g, 1 + random_below(&r, 4));
			is_refused = play(k) != 0;
			refused += is_refused;
			played += !is_refused;
			keep(g, true);
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
