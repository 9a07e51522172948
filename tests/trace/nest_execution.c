/* SPDX-License-Identifier: Apache-2.0 */
#include "nest_execution.h"

#include "kernel_table.h"

#include <stdlib.h>
#include <string.h>

/* How a site's accesses go on from one to the next. */
enum habit { AFFINE, AFFINE_IN_SOME, AFFINE_FROM_ANYWHERE, IRREGULAR, HABITS };

struct course {
	struct random *r;
	const struct kernel_table *table;
	struct nest_execution *x;
	uint64_t path[NEST_DEPTH_MAX];
	enum habit habit[64];                          /* by site */
	uint64_t base[64], factor[64][NEST_DEPTH_MAX]; /* of affine addresses */
	uint64_t trips[NEST_DEPTH_MAX];                /* by loop; 0: another count each time */
};

size_t nest_depth(const struct kernel_table *t, int32_t loop)
{
	return loop < 0 ? 0 : t->loops[loop].depth;
}

bool nest_entry_lies_in(const struct nest_entry *e, const struct kernel_table *t, int32_t loop,
                        const uint64_t *path)
{
	int32_t at = e->loop;

	while (at >= 0 && at != loop)
		at = t->loops[at].parent;
	return at == loop && memcmp(e->path, path, (nest_depth(t, loop) - 1) * sizeof(*path)) == 0;
}

static void do_site(struct course *c, uint32_t site)
{
	const struct site *s = &c->table->sites[site];
	size_t depth = nest_depth(c->table, s->loop);
	enum habit habit = c->habit[site];
	uint64_t value = c->base[site];
	struct nest_entry *e;

	if (c->x->count == NEST_ENTRIES_MAX || (habit == IRREGULAR && random_below(c->r, 2)) ||
	    (habit == AFFINE_IN_SOME && random_below(c->r, 5) == 0))
		return;
	for (size_t d = 0; d < depth; d++)
		value += c->factor[site][d] * c->path[d];
	if (habit == IRREGULAR)
		value = random_next(c->r) >> random_below(c->r, 64);
	if (!site_kind_has_address(s->kind))
		value = 0;
	e = &c->x->entries[c->x->count];
	*e = (struct nest_entry){
		.order = c->x->count++, .loop = s->loop, .site = site, .value = value
	};
	if (site_kind_is_access(s->kind) && !s->bytes)
		e->size = 1 + random_below(c->r, 100);
	memcpy(e->path, c->path, sizeof(e->path));
}

/* The loop on the way from `loop` to the site, or -1 when that lies in `loop` itself. */
static int32_t towards(const struct kernel_table *t, int32_t loop, uint32_t site)
{
	int32_t at = t->sites[site].loop;

	if (at == loop)
		return -1;
	while (t->loops[at].parent != loop)
		at = t->loops[at].parent;
	return at;
}

static bool holds(const struct kernel_table *t, int32_t loop, uint32_t site)
{
	int32_t at = t->sites[site].loop;

	while (at >= 0 && at != loop)
		at = t->loops[at].parent;
	return at == loop;
}

/* The first site from s on that does not lie in a loop. */
static uint32_t behind(const struct kernel_table *t, int32_t loop, uint32_t s)
{
	while (s < t->site_count && holds(t, loop, s))
		s++;
	return s;
}

/* The accesses of some iterations of a loop, with `first` its lowest site; -1: once. */
static void do_loop(struct course *c, int32_t loop, uint32_t first)
{
	size_t depth = nest_depth(c->table, loop);
	uint64_t trips = loop < 0 ? 1 : c->trips[loop] ? c->trips[loop] : random_below(c->r, 6);
	uint32_t end = behind(c->table, loop, first);
	uint64_t from = 0;

	if (loop >= 0 && random_below(c->r, 10) == 0)
		from = ((1 + random_below(c->r, 3)) << 32) - random_below(c->r, 4);
	for (uint64_t i = 0; i < trips; i++) {
		if (loop >= 0)
			c->path[depth - 1] = from + i;
		for (uint32_t s = first; s < end;) {
			int32_t inner = towards(c->table, loop, s);

			if (inner < 0) {
				do_site(c, s++);
				continue;
			}
			if (random_below(c->r, 6))
				do_loop(c, inner, s);
			s = behind(c->table, inner, s);
		}
	}
}

void nest_execution_make(struct random *r, const struct kernel_table *t, struct nest_execution *x)
{
	struct course c = { .r = r, .table = t, .x = x };
	bool is_tame = random_below(r, 2);

	x->entries = calloc(NEST_ENTRIES_MAX, sizeof(*x->entries));
	x->count = 0;
	for (size_t s = 0; s < t->site_count; s++) {
		c.habit[s] = random_below(r, 2) ? AFFINE : (enum habit)random_below(r, HABITS);
		c.base[s] = random_next(r);
		for (size_t d = 0; d < NEST_DEPTH_MAX; d++)
			c.factor[s][d] = random_below(r, 2) ? 4 : random_next(r);
	}
	for (size_t l = 0; l < t->loop_count; l++)
		c.trips[l] = is_tame || random_below(r, 2) ? 1 + random_below(r, 4) : 0;
	do_loop(&c, -1, 0);
}

/* What the encoder knows of a loop: the activation that it is in. */
struct entered {
	bool is_entered;
	uint64_t path[NEST_DEPTH_MAX]; /* of the loops around it */
	uint64_t high;
};

/* The EVENT_LOOPs that an entry needs; returns how many. */
static size_t enter(struct entered *loops, const struct nest_entry *e, const struct kernel_table *t,
                    int32_t loop, struct event *events)
{
	size_t depth = nest_depth(t, loop), bytes = (depth - 1) * sizeof(e->path[0]), count = 0;
	struct entered *in;

	if (loop < 0)
		return 0;
	in = &loops[loop];
	count = enter(loops, e, t, t->loops[loop].parent, events);
	if (in->is_entered && memcmp(in->path, e->path, bytes) == 0)
		return count;
	in->is_entered = true;
	in->high = 0;
	memcpy(in->path, e->path, bytes);
	if (depth > 1)
		events[count++] = (struct event){ .value = e->path[depth - 2],
			                          .point = EVENT_LOOP | (uint32_t)loop };
	return count;
}

size_t nest_execution_events(const struct nest_execution *x, const struct kernel_table *t,
                             struct event *events)
{
	struct entered loops[NEST_DEPTH_MAX] = { 0 };
	size_t count = 0;

	for (size_t i = 0; i < x->count; i++) {
		const struct nest_entry *e = &x->entries[i];
		size_t depth = nest_depth(t, e->loop);
		uint64_t iteration = depth ? e->path[depth - 1] : 0;

		count += enter(loops, e, t, e->loop, events + count);
		if (e->is_run) {
			count += packed_run_put(&e->run, events + count);
			continue;
		}
		if (depth && iteration >> 32 != loops[e->loop].high) {
			loops[e->loop].high = iteration >> 32;
			events[count++] =
				(struct event){ .value = iteration >> 32 << 32,
				                .point = EVENT_EPOCH | (uint32_t)e->loop };
		}
		if (e->size)
			events[count++] =
				(struct event){ .value = e->size, .point = EVENT_SIZE | e->site };
		events[count++] = (struct event){ e->value, e->site, (uint32_t)iteration };
	}
	return count;
}
