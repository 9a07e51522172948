/* SPDX-License-Identifier: Apache-2.0 */
#include "random_kernel.h"

#include "cmocka_all.h"
#include "random.h"

#include <string.h>

#define NO_SITE UINT32_MAX

/* --- making ---------------------------------------------------------------------------------- */

struct maker {
	struct random_kernel *kernel;
	struct random random;
	int late[KERNEL_NODES]; /* accesses whose site comes after the loop that they leave */
	int late_count;
};

static int new_node(struct maker *m, enum node_kind kind)
{
	struct random_kernel *k = m->kernel;

	assert_true(k->node_count < KERNEL_NODES);
	k->nodes[k->node_count] = (struct node){ kind, -1, -1, -1, NO_SITE, -1, 0 };
	return k->node_count++;
}

static uint32_t new_site(struct maker *m, enum site_kind kind, int loop)
{
	struct kernel_table *t = &m->kernel->table;

	assert_true(t->site_count < KERNEL_SITES);
	m->kernel->sites[t->site_count] = (struct site){
		.kind = kind,
		.bytes = kind == SITE_BARRIER ? 0 : 4,
		.space = 1,
		.loop = loop,
		.argument = -1,
	};
	return (uint32_t)t->site_count++;
}

static bool is_full(const struct maker *m)
{
	return m->kernel->node_count > KERNEL_NODES - 20 ||
	       m->kernel->table.site_count > KERNEL_SITES - 20;
}

static int make_list(struct maker *m, int loop, int depth);

static int make_access(struct maker *m, int loop)
{
	int n = new_node(m, NODE_ACCESS);

	m->kernel->nodes[n].site =
		new_site(m, random_below(&m->random, 4) ? SITE_READ : SITE_WRITE, loop);
	return n;
}

static int make_loop(struct maker *m, int parent, int depth)
{
	static const uint64_t bases[] = { 0, 0, 0xfffffffe, 0x1fffffffeu };
	struct random_kernel *k = m->kernel;
	int n = new_node(m, NODE_LOOP), loop = (int)k->table.loop_count++, late = m->late_count;
	int body;

	assert_true(loop < KERNEL_LOOPS);
	k->loops[loop] = (struct loop){ .parent = parent,
		                        .depth = parent < 0 ? 1 : k->loops[parent].depth + 1 };
	k->nodes[n].loop = loop;
	k->nodes[n].base = bases[random_below(&m->random, 4)];
	if (random_below(&m->random, 3) == 0)
		k->nodes[n].site = new_site(m, SITE_READ, loop);
	body = make_access(m, loop); /* loops without sites are in no table */
	if (random_below(&m->random, 3) == 0) {
		int branch = new_node(m, NODE_BRANCH);

		k->nodes[branch].then = body;
		body = branch;
	}
	k->nodes[n].then = body;
	body = make_list(m, loop, depth + 1);
	k->nodes[k->nodes[n].then].next = body;
	while (m->late_count > late)
		k->nodes[m->late[--m->late_count]].site = new_site(m, SITE_READ, parent);
	return n;
}

/* A jump is all that is in its side of a branch, but for an access when late jumps are wanted. */
static int make_jump(struct maker *m, int loop)
{
	static const enum node_kind jumps[] = { NODE_RETURN, NODE_CONTINUE, NODE_BREAK };
	enum node_kind kind = jumps[loop < 0 ? 0 : random_below(&m->random, 3)];
	int n = new_node(m, kind), access;

	if (kind == NODE_CONTINUE || loop < 0) {
		access = make_access(m, loop);
		m->kernel->nodes[access].next = n;
		return access;
	}
	if (kind != NODE_BREAK || !m->kernel->has_late_jumps)
		return n;
	access = new_node(m, NODE_ACCESS);
	m->kernel->nodes[access].next = n;
	m->late[m->late_count++] = access;
	return access;
}

static int make_branch(struct maker *m, int loop, int depth)
{
	int n = new_node(m, NODE_BRANCH);
	bool jumps = random_below(&m->random, 4) == 0;
	int then = jumps ? make_jump(m, loop) : make_list(m, loop, depth + 1);

	m->kernel->nodes[n].then = then;
	if (random_below(&m->random, 2))
		then = make_list(m, loop, depth + 1);
	else
		then = -1;
	m->kernel->nodes[n].otherwise = then;
	return n;
}

static int make_barrier(struct maker *m)
{
	int n = new_node(m, NODE_BARRIER);

	m->kernel->nodes[n].site = new_site(m, SITE_BARRIER, -1);
	return n;
}

static int make_node(struct maker *m, int loop, int depth)
{
	uint32_t dice = random_below(&m->random, 10);

	if (dice < 4 || depth > 4 || is_full(m))
		return make_access(m, loop);
	if (dice < 7)
		return make_branch(m, loop, depth);
	if (dice == 7 && depth == 0)
		return make_barrier(m);
	return m->kernel->table.loop_count < KERNEL_LOOPS ? make_loop(m, loop, depth)
	                                                  : make_access(m, loop);
}

static int make_list(struct maker *m, int loop, int depth)
{
	uint32_t count = depth ? random_below(&m->random, 3) : 2 + random_below(&m->random, 7);
	int first = -1, last = -1;

	for (uint32_t i = 0; i < count; i++) {
		int n = make_node(m, loop, depth), tail = n;

		if (last >= 0)
			m->kernel->nodes[last].next = n;
		else
			first = n;
		last = tail;
	}
	return first;
}

void random_kernel_make(struct random_kernel *k, uint64_t seed, bool has_late_jumps)
{
	static char name[] = "random";
	struct maker m = { .kernel = k, .random = { seed } };

	memset(k, 0, offsetof(struct random_kernel, visits));
	k->seed = seed;
	k->has_late_jumps = has_late_jumps;
	k->table = (struct kernel_table){ .name = name, .sites = k->sites, .loops = k->loops };
	k->root = make_list(&m, -1, 0);
}

/* --- what lanes decide ----------------------------------------------------------------------- */

/* A number that depends on place, lane and how often the lane came; some places on fewer. */
static uint64_t decide(struct random_kernel *k, int n, uint32_t lane)
{
	uint64_t visit = k->visits[n][lane]++;
	bool is_uniform = (n + (int)k->seed) % 5 == 0;
	struct random r = { k->seed ^ ((uint64_t)n << 40) ^ (visit << 8) ^
		            (is_uniform ? 0 : lane) };

	return random_next(&r);
}

static bool takes_branch(struct random_kernel *k, int n, uint32_t lane)
{
	return decide(k, n, lane) % 8 < 3;
}

static uint64_t trip_count(struct random_kernel *k, int n, uint32_t lane)
{
	return decide(k, n, lane) % 4;
}

/* --- one lane -------------------------------------------------------------------------------- */

struct lane_run {
	struct random_kernel *kernel;
	uint32_t lane;
	uint64_t at;                      /* events written */
	uint64_t iteration[KERNEL_LOOPS]; /* of each loop that we are in */
	bool is_silent[KERNEL_LOOPS];     /* its activation has no event so far */
	uint64_t high[KERNEL_LOOPS];      /* of its iteration, as the events say */
};

static void put(struct lane_run *r, uint64_t value, uint32_t point, uint64_t iteration)
{
	assert_true(r->at < KERNEL_EVENTS);
	r->kernel->events[r->at++] = (struct event){ value, point, (uint32_t)iteration };
}

/* The events of the loops around a site that come first: streams are canonical. */
static void put_loops(struct lane_run *r, int32_t loop)
{
	int32_t parent;

	if (loop < 0)
		return;
	parent = r->kernel->loops[loop].parent;
	put_loops(r, parent);
	if (r->is_silent[loop] && parent >= 0)
		put(r, r->iteration[parent], EVENT_LOOP | (uint32_t)loop, 0);
	r->is_silent[loop] = false;
}

static void put_site(struct lane_run *r, int n)
{
	uint32_t site = r->kernel->nodes[n].site;
	int32_t loop = r->kernel->sites[site].loop;
	bool is_access = r->kernel->sites[site].kind != SITE_BARRIER;
	uint64_t value = is_access ? decide(r->kernel, n, r->lane) : 0;

	put_loops(r, loop);
	if (loop >= 0 && r->iteration[loop] >> 32 != r->high[loop]) {
		r->high[loop] = r->iteration[loop] >> 32;
		put(r, r->high[loop] << 32, EVENT_EPOCH | (uint32_t)loop, 0);
	}
	put(r, value, site, loop < 0 ? 0 : r->iteration[loop]);
}

static enum node_kind run_lane(struct lane_run *r, int n);

static enum node_kind run_lane_loop(struct lane_run *r, int n)
{
	const struct node *node = &r->kernel->nodes[n];
	uint64_t trips = trip_count(r->kernel, n, r->lane), iteration = node->base;

	r->is_silent[node->loop] = true;
	r->high[node->loop] = 0;
	for (;; iteration++) {
		enum node_kind end;

		r->iteration[node->loop] = iteration;
		if (node->site != NO_SITE)
			put_site(r, n);
		if (iteration - node->base == trips)
			return NODE_ACCESS;
		end = run_lane(r, node->then);
		if (end == NODE_RETURN)
			return end;
		if (end == NODE_BREAK)
			return NODE_ACCESS;
	}
}

/* Run a list; returns the jump that ended it, NODE_ACCESS for none. */
static enum node_kind run_lane(struct lane_run *r, int n)
{
	for (; n >= 0; n = r->kernel->nodes[n].next) {
		const struct node *node = &r->kernel->nodes[n];
		enum node_kind end = NODE_ACCESS;

		if (node->kind == NODE_ACCESS || node->kind == NODE_BARRIER)
			put_site(r, n);
		else if (node->kind == NODE_LOOP)
			end = run_lane_loop(r, n);
		else if (node->kind == NODE_BRANCH)
			end = run_lane(r, takes_branch(r->kernel, n, r->lane) ? node->then
			                                                      : node->otherwise);
		else
			return node->kind;
		if (end != NODE_ACCESS)
			return end;
	}
	return NODE_ACCESS;
}

void random_kernel_run_lanes(struct random_kernel *k)
{
	struct lane_run r = { .kernel = k };

	memset(k->visits, 0, sizeof(k->visits));
	for (r.lane = 0; r.lane < KERNEL_LANES; r.lane++) {
		k->first[r.lane] = r.at;
		run_lane(&r, k->root);
	}
	k->first[KERNEL_LANES] = r.at;
	k->group = (struct group_events){ KERNEL_LANES, k->first, k->events };
}

/* --- a warp ---------------------------------------------------------------------------------- */

/* Lanes that a jump took out of what runs, until the end of the loop's iteration, or its exit. */
struct parked {
	uint32_t continued, broken;
};

static void step(struct random_kernel *k, int n, uint32_t mask)
{
	uint32_t site = k->nodes[n].site;
	struct kernel_step *s = &k->steps[k->step_count];

	if (!mask)
		return;
	assert_true(k->step_count < KERNEL_STEPS);
	*s = (struct kernel_step){ site, mask, 0 };
	for (uint32_t lane = KERNEL_LANES; lane-- > 0;)
		if (mask >> lane & 1 && k->sites[site].kind != SITE_BARRIER)
			s->value = decide(k, n, lane);
	k->step_count++;
}

static uint32_t run_warp(struct random_kernel *k, int n, uint32_t mask, struct parked *parked);

static uint32_t run_warp_loop(struct random_kernel *k, int n, uint32_t mask)
{
	const struct node *node = &k->nodes[n];
	struct parked parked = { 0, 0 };
	uint64_t trips[KERNEL_LANES];
	uint32_t exited = 0;

	for (uint32_t lane = 0; lane < KERNEL_LANES; lane++)
		trips[lane] = mask >> lane & 1 ? trip_count(k, n, lane) : 0;
	for (uint64_t iteration = 0; mask; iteration++) {
		if (node->site != NO_SITE)
			step(k, n, mask);
		for (uint32_t lane = 0; lane < KERNEL_LANES; lane++)
			if (mask >> lane & 1 && trips[lane] == iteration)
				exited |= UINT32_C(1) << lane;
		mask &= ~exited;
		mask = run_warp(k, node->then, mask, &parked);
		mask |= parked.continued;
		parked.continued = 0;
	}
	return exited | parked.broken;
}

static uint32_t run_warp_branch(struct random_kernel *k, int n, uint32_t mask,
                                struct parked *parked)
{
	uint32_t then = 0, after;

	for (uint32_t lane = 0; lane < KERNEL_LANES; lane++)
		if (mask >> lane & 1 && takes_branch(k, n, lane))
			then |= UINT32_C(1) << lane;
	after = run_warp(k, k->nodes[n].then, then, parked);
	return after | run_warp(k, k->nodes[n].otherwise, mask & ~then, parked);
}

/* Run a list; returns the lanes that come to its end. */
static uint32_t run_warp(struct random_kernel *k, int n, uint32_t mask, struct parked *parked)
{
	for (; n >= 0 && mask; n = k->nodes[n].next)
		switch (k->nodes[n].kind) {
		case NODE_ACCESS:
		case NODE_BARRIER:
			step(k, n, mask);
			break;
		case NODE_LOOP:
			mask = run_warp_loop(k, n, mask);
			break;
		case NODE_BRANCH:
			mask = run_warp_branch(k, n, mask, parked);
			break;
		case NODE_BREAK:
			parked->broken |= mask;
			return 0;
		case NODE_CONTINUE:
			parked->continued |= mask;
			return 0;
		case NODE_RETURN:
			return 0;
		}
	return mask;
}

void random_kernel_run_warp(struct random_kernel *k)
{
	struct parked parked = { 0, 0 };

	memset(k->visits, 0, sizeof(k->visits));
	k->step_count = 0;
	run_warp(k, k->root, UINT32_MAX, &parked);
}
