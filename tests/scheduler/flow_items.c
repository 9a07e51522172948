/* SPDX-License-Identifier: Apache-2.0 */
/* Work-items alone. */
#include "flow_run_private.h"

#include "cmocka_all.h"
#include "random.h"

#include <string.h>

/* From so many visits of a fork on, it decides 1: the end of a loop. */
enum { PATIENCE = 60 };

static uint64_t key_of(const struct flow_run *r, enum flow_share share, uint32_t item)
{
	switch (share) {
	case FLOW_OF_X:
		return item % r->size[0];
	case FLOW_OF_Y:
		return item / r->size[0] % r->size[1];
	case FLOW_OF_Z:
		return item / r->size[0] / r->size[1];
	case FLOW_OF_ITEM:
		return item;
	case FLOW_OF_ALL:
		break;
	}
	return 0;
}

int flow_run_decide(struct flow_run *r, int n, uint32_t item)
{
	const struct flow_node *fork = &r->program->nodes[n];
	uint32_t came = r->came[item][n]++;
	struct random random = { r->program->seed ^ (uint64_t)n << 48 ^ (uint64_t)came << 24 ^
		                 key_of(r, fork->share, item) };

	return came >= PATIENCE || random_below(&random, 8) < 3;
}

/* --- events ---------------------------------------------------------------------------------- */

struct walk {
	struct flow_run *run;
	uint32_t item;
	uint64_t event_count;
	uint32_t visit_count;
	uint64_t iteration[FLOW_LOOPS];
	uint64_t high[FLOW_LOOPS];  /* of the iteration, as the events say */
	bool is_silent[FLOW_LOOPS]; /* its activation has no event so far */
};

static void put_event(struct walk *w, uint64_t value, uint32_t point, uint64_t iteration)
{
	if (w->event_count == FLOW_EVENTS)
		w->run->is_too_long = true;
	else
		w->run->events[w->event_count++] =
			(struct event){ value, point, (uint32_t)iteration };
}

/* The events of the loops around a site that come first: streams are canonical. */
static void put_loops(struct walk *w, int loop)
{
	int parent = loop < 0 ? -1 : w->run->program->loops[loop].parent;

	if (loop < 0)
		return;
	put_loops(w, parent);
	if (w->is_silent[loop] && parent >= 0)
		put_event(w, w->iteration[parent], EVENT_LOOP | (uint32_t)loop, 0);
	w->is_silent[loop] = false;
}

static void put_visit(struct walk *w, int site, uint64_t value)
{
	struct flow_visit *v = &w->run->visits[w->visit_count];
	int loop = w->run->program->sites[site].loop;

	if (w->visit_count == FLOW_VISITS) {
		w->run->is_too_long = true;
		return;
	}
	*v = (struct flow_visit){ .site = site, .value = value };
	for (; loop >= 0; loop = w->run->program->loops[loop].parent)
		v->iterations[w->run->program->loops[loop].depth - 1] = w->iteration[loop];
	w->visit_count++;
}

static void put_site(struct walk *w, int n)
{
	int site = w->run->program->nodes[n].site, loop = w->run->program->nodes[n].loop;
	bool has_value = site_kind_has_address(w->run->program->sites[site].kind);
	uint64_t value = has_value ? 0x100000 + w->event_count * 4 : 0;

	put_loops(w, loop);
	if (loop >= 0 && w->iteration[loop] >> 32 != w->high[loop]) {
		w->high[loop] = w->iteration[loop] >> 32;
		put_event(w, w->high[loop] << 32, EVENT_EPOCH | (uint32_t)loop, 0);
	}
	put_visit(w, site, value);
	put_event(w, value, (uint32_t)site, loop < 0 ? 0 : w->iteration[loop]);
}

/* A header is entered: anew from outside, or for another iteration. */
static void enter(struct walk *w, int from, int to)
{
	const struct flow_program *p = w->run->program;
	int loop = p->nodes[to].loop;

	if (loop < 0 || p->header[loop] != to)
		return;
	if (flow_program_holds(p, loop, p->nodes[from].loop)) {
		w->iteration[loop]++;
		return;
	}
	w->iteration[loop] = p->base[loop];
	w->high[loop] = 0;
	w->is_silent[loop] = true;
}

static void walk_item(struct walk *w)
{
	const struct flow_program *p = w->run->program;
	int n = p->entry;

	while (n != p->end && !w->run->is_too_long) {
		int side = p->nodes[n].kind == FLOW_FORK ? flow_run_decide(w->run, n, w->item) : 0;
		int to = p->nodes[n].next[side];

		if (p->nodes[n].kind == FLOW_SITE)
			put_site(w, n);
		enter(w, n, to);
		n = to;
	}
}

void flow_run_items(struct flow_run *r, const struct flow_program *p, const uint32_t size[3])
{
	static struct walk w;

	memset(&w, 0, sizeof(w));
	w.run = r;
	r->program = p;
	r->is_too_long = false;
	memcpy(r->size, size, sizeof(r->size));
	r->item_count = size[0] * size[1] * size[2];
	assert_true(r->item_count <= FLOW_ITEMS);
	memset(r->came, 0, sizeof(r->came));
	for (w.item = 0; w.item < r->item_count; w.item++) {
		r->first[w.item] = w.event_count;
		r->first_visit[w.item] = w.visit_count;
		walk_item(&w);
	}
	r->first[r->item_count] = w.event_count;
	r->first_visit[r->item_count] = w.visit_count;
	r->group = (struct group_events){ r->item_count, r->first, r->events };
}
