/* SPDX-License-Identifier: Apache-2.0 */
#include "flow_launch.h"

#include "cmocka_all.h"
#include "err.h"
#include "flow_pack.h"
#include "random.h"

#include <stdlib.h>
#include <string.h>

/* --- making ---------------------------------------------------------------------------------- */

/* Neighbours, strides, one place, anywhere: by site. Most follow the iterations of two loops. */
static uint64_t address_of(const struct flow_program *p, const struct flow_visit *v, uint64_t seed,
                           uint64_t item)
{
	struct random r = { seed ^ (uint64_t)v->site << 40 };
	int loop = p->sites[v->site].loop;
	uint32_t depth = loop < 0 ? 0 : p->loops[loop].depth;
	uint64_t kind = random_below(&r, 6), base = 0x10000 + random_below(&r, 4096);
	uint64_t inner = depth > 0 ? v->iterations[depth - 1] - p->base[loop] : 0;
	uint64_t outer = depth > 1 ? v->iterations[depth - 2] : 0;

	switch (kind) {
	case 0:
		return base + item * 4 + inner * 512 + outer * 4;
	case 1:
		return base + item * 132 + inner * 4 + outer * 260;
	case 2:
		return base + inner * 64;
	case 3:
		return base + item * 8 + inner * inner;
	case 4:
		return base + item * 4 - inner * 20;
	default:
		r.state += item << 20 ^ inner << 3 ^ outer;
		return base + random_below(&r, 1 << 14);
	}
}

static bool is_site(const struct event *e)
{
	return (e->point & EVENT_KIND_MASK) == EVENT_SITE;
}

static bool is_access(const struct flow_launch *l, const struct event *e)
{
	return is_site(e) && site_kind_is_access(l->program->sites[e->point].kind);
}

static bool is_barrier(const struct flow_launch *l, const struct event *e)
{
	return is_site(e) && l->program->sites[e->point].kind == SITE_BARRIER;
}

/* Give the accesses of a work-item their addresses. */
static void address_item(struct flow_launch *l, struct flow_run *run, uint32_t item,
                         uint64_t global_item, uint64_t seed)
{
	struct flow_visit *v = &run->visits[run->first_visit[item]];

	for (uint64_t i = run->first[item]; i < run->first[item + 1]; i++) {
		struct event *e = &run->events[i];

		if (!is_site(e))
			continue;
		if (e->value)
			e->value = v->value = address_of(l->program, v, seed, global_item);
		l->accesses += is_access(l, e);
		v++;
	}
}

static void make_group(struct flow_launch *l, uint64_t number, struct flow_run *run, uint64_t seed)
{
	struct launch_group *g = &l->groups[number];
	uint64_t count = run->first[run->item_count], packed = 0;

	*g = (struct launch_group){ .item_count = run->item_count };
	for (uint32_t item = 0; item < g->item_count; item++)
		address_item(l, run, item, number * 1024 + item, seed);
	memcpy(g->first, run->first, sizeof(g->first));
	g->events = calloc(count + 1, sizeof(*g->events));
	g->packed = calloc(16 * (size_t)run->first_visit[run->item_count] + 1, sizeof(*g->packed));
	assert_true(g->events && g->packed);
	memcpy(g->events, run->events, count * sizeof(*g->events));
	for (uint32_t item = 0; item < g->item_count; item++) {
		g->packed_first[item] = packed;
		packed += flow_pack_item(run, item, seed, g->packed + packed);
	}
	g->packed_first[g->item_count] = packed;
}

bool flow_launch_make(struct flow_launch *l, struct flow_program *p,
                      const struct launch_shape *shape, uint64_t seed)
{
	static const uint32_t widths[] = { 4, 4, 4, 1, 2, 8, 16 };
	static struct flow_run run;
	struct random r = { seed };

	memset(l, 0, offsetof(struct flow_launch, sms));
	l->program = p;
	l->shape = *shape;
	for (size_t i = 0; i < p->table.site_count; i++)
		if (p->sites[i].bytes)
			p->sites[i].bytes = widths[random_below(&r, 7)];
	assert_true(launch_shape_group_count(shape) <= LAUNCH_GROUPS);
	for (; l->group_count < launch_shape_group_count(shape); l->group_count++) {
		uint32_t size[3];

		launch_shape_group_size(shape, l->group_count, size);
		flow_run_items(&run, p, size);
		if (run.is_too_long || !flow_pack_can(&run))
			return false;
		make_group(l, l->group_count, &run, seed);
	}
	return true;
}

void flow_launch_release(struct flow_launch *l)
{
	for (uint32_t i = 0; i < l->group_count; i++) {
		free(l->groups[i].events);
		free(l->groups[i].packed);
	}
	l->group_count = 0;
}

/* --- watching -------------------------------------------------------------------------------- */

static int read_group(void *context, uint64_t group, struct group_items *out, struct err *err)
{
	struct flow_launch *l = context;
	struct launch_group *g = &l->groups[group];

	assert_true(group < l->group_count);
	g->reads_of_group++;
	*out = (struct group_items){ .events = { g->item_count,
		                                 l->is_packed ? g->packed_first : g->first,
		                                 l->is_packed ? g->packed : g->events } };
	return 0;
}

static void mix(struct launch_sm *sm, uint64_t value)
{
	struct random r = { sm->hash ^ value };

	sm->hash = random_next(&r);
}

static int compare_bytes(const void *a, const void *b)
{
	uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

	return x < y ? -1 : x > y;
}

static uint32_t sort_bytes(uint64_t *bytes, uint32_t count)
{
	uint32_t distinct = 0;

	qsort(bytes, count, sizeof(*bytes), compare_bytes);
	for (uint32_t i = 0; i < count; i++)
		if (!distinct || bytes[distinct - 1] != bytes[i])
			bytes[distinct++] = bytes[i];
	return distinct;
}

/* What was asked for by the access before has been got. */
static void check_bytes(struct launch_sm *sm)
{
	uint32_t asked = sort_bytes(sm->asked, sm->asked_count);

	assert_int_equal(asked, sort_bytes(sm->got, sm->got_count));
	assert_memory_equal(sm->asked, sm->got, asked * sizeof(*sm->asked));
	sm->asked_count = sm->got_count = 0;
}

static void ask(struct launch_sm *sm, uint64_t address, uint32_t bytes)
{
	assert_true(sm->asked_count + bytes <= LAUNCH_BYTES);
	for (uint32_t i = 0; i < bytes; i++)
		sm->asked[sm->asked_count++] = address + i;
}

/* The next access of a work-item; barriers on the way to it are open. */
static const struct event *next_access(const struct flow_launch *l, struct launch_group *g,
                                       uint32_t item)
{
	for (; g->at[item] < g->first[item + 1]; g->at[item]++) {
		const struct event *e = &g->events[g->at[item]];

		if (is_access(l, e))
			return e;
		g->phase[item] += is_barrier(l, e);
	}
	fail_msg("a work-item does more than it did");
	return NULL;
}

static void watch_lane(struct flow_launch *l, struct launch_group *g, const struct warp_access *a,
                       uint32_t i)
{
	uint32_t item = a->item[i];
	const struct event *e = next_access(l, g, item);

	assert_int_equal(e->point, a->site);
	assert_int_equal(e->value, a->address[i]);
	for (uint32_t phase = 0; phase < g->phase[item]; phase++)
		assert_int_equal(g->left[phase], 0);
	g->left[g->phase[item]]--;
	g->at[item]++;
}

static void watch_access(void *context, uint32_t number, const struct warp_access *a, uint64_t now)
{
	struct flow_launch *l = context;
	struct launch_sm *sm = &l->sms[number];
	struct launch_group *g = &l->groups[a->group];

	assert_true(now >= sm->now && a->lane_count);
	check_bytes(sm);
	sm->now = now;
	sm->lanes += a->lane_count;
	if (!g->has_begun) {
		g->begin = now;
		g->sm = number;
		g->has_begun = true;
	}
	assert_int_equal(g->sm, number);
	g->end = now;
	for (uint32_t i = 0; i < a->lane_count; i++) {
		watch_lane(l, g, a, i);
		ask(sm, a->address[i], l->program->sites[a->site].bytes);
	}
}

static void watch_bytes(const struct flow_launch *l, struct launch_sm *sm, const struct request *r)
{
	uint32_t bytes = 0;

	assert_int_equal(r->line % l->gpu.l1_line_bytes, 0);
	for (uint32_t i = 0; i < l->gpu.l1_line_bytes; i++)
		if (r->used[i / 64] >> i % 64 & 1) {
			assert_true(sm->got_count < LAUNCH_BYTES);
			sm->got[sm->got_count++] = r->line + i;
			bytes++;
		}
	assert_int_equal(bytes, r->bytes_used);
}

static uint64_t watch_request(void *context, uint32_t number, const struct request *r, uint64_t now)
{
	struct flow_launch *l = context;
	struct launch_sm *sm = &l->sms[number];

	if (!l->is_quiet)
		watch_bytes(l, sm, r);
	sm->requests++;
	sm->reads += r->kind == SITE_READ;
	mix(sm, now);
	mix(sm, r->line ^ r->group << 32 ^ (uint64_t)r->warp << 48 ^ (uint64_t)r->site << 56);
	mix(sm, r->used[0] ^ r->lanes);
	return now + 1 + r->line / 128 % 7 * 23;
}

/* --- playing --------------------------------------------------------------------------------- */

static void begin(struct flow_launch *l)
{
	memset(l->sms, 0, sizeof(l->sms));
	for (uint32_t n = 0; n < l->group_count; n++) {
		struct launch_group *g = &l->groups[n];

		g->reads_of_group = 0;
		g->has_begun = false;
		memset(g->phase, 0, sizeof(g->phase));
		memset(g->left, 0, sizeof(g->left));
		for (uint32_t item = 0; item < g->item_count; item++) {
			uint32_t phase = 0;

			g->at[item] = g->first[item];
			for (uint64_t i = g->first[item]; i < g->first[item + 1]; i++) {
				assert_true(phase < LAUNCH_PHASES);
				g->left[phase] += is_access(l, &g->events[i]);
				phase += is_barrier(l, &g->events[i]);
			}
		}
	}
}

/* Groups of an SM between whose first and last access a cycle lies. */
static void check_residency(const struct flow_launch *l)
{
	for (uint32_t a = 0; a < l->group_count; a++) {
		const struct launch_group *at = &l->groups[a];
		uint32_t resident = 0;

		for (uint32_t b = 0; b < l->group_count; b++) {
			const struct launch_group *g = &l->groups[b];

			resident += at->has_begun && g->has_begun && g->sm == at->sm &&
			            g->begin <= at->begin && at->begin < g->end;
		}
		assert_true(resident <= l->result.residency.groups);
	}
}

static uint64_t check_end(struct flow_launch *l)
{
	const struct schedule_result *r = &l->result;
	uint64_t lanes = 0, requests = 0, groups = 0;
	struct launch_sm all = { 0 };

	for (uint32_t i = 0; i < l->gpu.sm_count; i++) {
		struct launch_sm *sm = &l->sms[i];

		check_bytes(sm);
		assert_int_equal(sm->requests, r->sm_requests[i]);
		assert_int_equal(sm->reads, r->sm_reads[i]);
		assert_true(sm->now <= r->cycles);
		assert_true(!r->sm_groups[i] || schedule_reaches(&l->gpu, &l->input, i));
		lanes += sm->lanes;
		requests += sm->requests;
		groups += r->sm_groups[i];
		mix(&all, sm->hash);
	}
	assert_int_equal(r->lanes, l->accesses);
	assert_int_equal(requests, r->requests);
	assert_int_equal(groups, l->group_count);
	for (uint32_t n = 0; n < l->group_count; n++) {
		assert_int_equal(l->groups[n].reads_of_group, 1);
		for (uint32_t phase = 0; !l->is_quiet && phase < LAUNCH_PHASES; phase++)
			assert_int_equal(l->groups[n].left[phase], 0);
	}
	assert_int_equal(lanes, l->is_quiet ? 0 : l->accesses);
	check_residency(l);
	return all.hash;
}

uint64_t flow_launch_play(struct flow_launch *l)
{
	struct memory_port port = { .context = l,
		                    .request = watch_request,
		                    .access = l->is_quiet ? NULL : watch_access };
	struct err err = { 0 };

	l->input.shape = &l->shape;
	l->input.table = &l->program->table;
	l->input.groups = (struct group_source){ .context = l, .read = read_group };
	begin(l);
	if (schedule_launch(&l->gpu, &l->input, &port, &l->result, &err))
		fail_msg("%s", err.msg);
	return check_end(l);
}
