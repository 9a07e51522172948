/* SPDX-License-Identifier: Apache-2.0 */
/* Warps with a reconvergence stack. */
#include "flow_run_private.h"

#include "cmocka_all.h"

#include <string.h>

enum { ENTRIES = 4096 };

struct entry {
	int at, end;
	int inside; /* LOOP or TURN node whose body the entry was made for, or -1 */
	struct lane_set lanes;
};

struct warp {
	struct flow_run *run;
	enum flow_stack kind;
	uint32_t first_item, lanes;
	struct lane_set unfinished;
	struct entry stack[ENTRIES];
	int depth;
};

static bool is_empty(const struct lane_set *s)
{
	return !(s->bits[0] | s->bits[1]);
}

static void take_away(struct lane_set *s, const struct lane_set *lanes)
{
	for (int w = 0; w < FLOW_LANES / 64; w++)
		s->bits[w] &= ~lanes->bits[w];
}

static void push(struct warp *w, int at, int end, int inside, const struct lane_set *lanes)
{
	assert_true(w->depth < ENTRIES);
	if (!is_empty(lanes))
		w->stack[w->depth++] = (struct entry){ at, end, inside, *lanes };
}

static void put_step(struct warp *w, const struct flow_node *n, const struct lane_set *lanes)
{
	struct flow_run *r = w->run;

	if (n->site_kind == SITE_FENCE || n->site_kind == SITE_PREFETCH)
		return;
	/* The programs are such, but for a stack that joins too late. */
	if (n->site_kind == SITE_BARRIER && w->kind == FLOW_STACK_TEXT)
		assert_memory_equal(lanes, &w->unfinished, sizeof(*lanes));
	assert_true(r->step_count < FLOW_STEPS);
	r->steps[r->step_count++] = (struct flow_step){ .lanes = *lanes, .site = n->site };
}

/* The first side goes first. */
static void decide(struct warp *w, struct entry *top)
{
	const struct flow_program *p = w->run->program;
	int n = top->at, join;
	struct lane_set sides[2] = { 0 };

	join = w->kind == FLOW_STACK_TEXT ? p->join_of_text[n] : p->join_of_graph[n];
	for (uint32_t lane = 0; lane < w->lanes; lane++)
		if (lane_set_has(&top->lanes, lane))
			lane_set_add(&sides[flow_run_decide(w->run, n, w->first_item + lane)],
			             lane);
	if (is_empty(&sides[0]) || is_empty(&sides[1])) {
		top->at = p->nodes[n].next[is_empty(&sides[0])];
		return;
	}
	top->at = join;
	push(w, p->nodes[n].next[1], join, -1, &sides[1]);
	push(w, p->nodes[n].next[0], join, -1, &sides[0]);
}

/* Lanes leave what is inside of node `inside` (-1: everything): those below have them still. */
static void leave(struct warp *w, int inside)
{
	const struct lane_set lanes = w->stack[w->depth - 1].lanes;
	int i = w->depth;

	do {
		take_away(&w->stack[--i].lanes, &lanes);
	} while (i > 0 && (inside < 0 || w->stack[i].inside != inside));
	if (inside < 0)
		take_away(&w->unfinished, &lanes);
}

/* What the lanes of the top do at its node. */
static void step(struct warp *w, struct entry *top)
{
	const struct flow_node *n = &w->run->program->nodes[top->at];
	const struct lane_set lanes = top->lanes;
	bool is_text = w->kind == FLOW_STACK_TEXT;

	switch (n->kind) {
	case FLOW_FORK:
		decide(w, top);
		return;
	case FLOW_END:
		leave(w, -1);
		return;
	case FLOW_SITE:
		put_step(w, n, &lanes);
		break;
	case FLOW_LOOP:
	case FLOW_TURN:
		if (is_text) {
			int inside = top->at;

			top->at = n->join;
			push(w, n->next[0], n->join, inside, &lanes);
			return;
		}
		break;
	case FLOW_JUMP:
		if (is_text) {
			top->at = n->beside;
			leave(w, n->leaves);
			return;
		}
		break;
	case FLOW_PASS:
		break;
	}
	top->at = n->next[0];
}

void flow_run_warp(struct flow_run *r, enum flow_stack kind, uint32_t first_item, uint32_t lanes)
{
	static struct warp w;

	w = (struct warp){ .run = r, .kind = kind, .first_item = first_item, .lanes = lanes };
	assert_true(lanes <= FLOW_LANES);
	r->step_count = 0;
	for (uint32_t i = 0; i < lanes; i++) {
		lane_set_add(&w.unfinished, i);
		memset(r->came[first_item + i], 0, sizeof(r->came[0]));
	}
	push(&w, r->program->entry, -1, -1, &w.unfinished);
	while (w.depth) {
		struct entry *top = &w.stack[w.depth - 1];

		if (is_empty(&top->lanes) || top->at == top->end)
			w.depth--;
		else
			step(&w, top);
	}
	assert_true(is_empty(&w.unfinished));
}
