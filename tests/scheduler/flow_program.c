/* SPDX-License-Identifier: Apache-2.0 */
#include "flow_program.h"

#include "cmocka_all.h"
#include "random.h"

#include <string.h>

/* Nodes left for what must be closed when no more is begun. */
enum { SPARE = 60 };

struct writer {
	struct flow_program *program;
	struct random random;
	int sites;
	int loops;
};

/* Where statements are written. */
struct context {
	int loop;  /* innermost: LOOP node, or -1 */
	int turn;  /* its TURN node */
	int depth; /* of statements */
	int loop_depth;
	bool is_uniform; /* all work-items that have not returned come here together */
	bool is_loop_uniform;
};

static int add(struct writer *w, enum flow_kind kind, const struct context *c)
{
	struct flow_program *p = w->program;

	assert_true(p->node_count < FLOW_NODES);
	p->nodes[p->node_count] = (struct flow_node){ .kind = kind,
		                                      .next = { -1, -1 },
		                                      .join = -1,
		                                      .beside = -1,
		                                      .leaves = -1,
		                                      .site = -1,
		                                      .written = c->loop,
		                                      .loop = -1 };
	return p->node_count++;
}

static struct flow_node *node(const struct writer *w, int n)
{
	return &w->program->nodes[n];
}

static bool is_full(const struct writer *w)
{
	return w->program->node_count > FLOW_NODES - SPARE || w->sites > FLOW_SITES / 2;
}

static bool one_in(struct writer *w, uint32_t n)
{
	return random_below(&w->random, n) == 0;
}

/* Statements: each leads from node `from` on, and returns the node from which the next leads on. */
static int write_list(struct writer *w, int from, const struct context *c);

static int write_site(struct writer *w, int from, const struct context *c, enum site_kind kind)
{
	int n = add(w, FLOW_SITE, c);

	node(w, n)->site_kind = kind;
	node(w, from)->next[0] = n;
	assert_true(++w->sites <= FLOW_SITES);
	return n;
}

static int write_access(struct writer *w, int from, const struct context *c)
{
	static const enum site_kind kinds[] = {
		SITE_READ,  SITE_READ,   SITE_READ,  SITE_READ,
		SITE_WRITE, SITE_ATOMIC, SITE_FENCE, SITE_PREFETCH
	};

	return write_site(w, from, c, kinds[random_below(&w->random, 8)]);
}

static enum flow_share share_of(struct writer *w, bool is_uniform)
{
	return is_uniform ? FLOW_OF_ALL : FLOW_OF_ITEM + random_below(&w->random, 4);
}

static int write_branch(struct writer *w, int from, const struct context *c)
{
	struct context inside = *c;
	bool is_uniform = c->is_uniform && one_in(w, 3);
	int fork = add(w, FLOW_FORK, c), join, end;

	inside.is_uniform = is_uniform;
	inside.depth++;
	node(w, from)->next[0] = fork;
	node(w, fork)->share = share_of(w, is_uniform);
	join = add(w, FLOW_PASS, c);
	for (int side = 0; side < 2; side++) {
		int begin = add(w, FLOW_PASS, c);

		node(w, fork)->next[side] = begin;
		end = !side || one_in(w, 2) ? write_list(w, begin, &inside) : begin;
		*(node(w, end)->kind == FLOW_JUMP ? &node(w, end)->beside
		                                  : &node(w, end)->next[0]) = join;
	}
	return join;
}

/* The test of a loop, from `from`: again to `again`, else to `out`. */
static void write_test(struct writer *w, int from, int again, int out, const struct context *c)
{
	int fork = add(w, FLOW_FORK, c);

	node(w, from)->next[0] = fork;
	node(w, fork)->share = share_of(w, c->is_uniform);
	node(w, fork)->next[0] = again;
	node(w, fork)->next[1] = out;
}

static int write_loop(struct writer *w, int from, const struct context *c)
{
	struct context inside = *c;
	int before = add(w, FLOW_LOOP, c), exit = add(w, FLOW_PASS, c), head, foot, body, end;
	bool is_tested_at_head = !one_in(w, 3);

	inside.is_uniform = inside.is_loop_uniform = c->is_uniform && one_in(w, 2);
	inside.loop = before;
	inside.depth++;
	inside.loop_depth++;
	w->loops++;
	node(w, from)->next[0] = before;
	head = add(w, FLOW_PASS, &inside);
	node(w, before)->next[0] = head;
	node(w, before)->join = exit;
	body = add(w, FLOW_TURN, &inside);
	inside.turn = body;
	end = one_in(w, 3) ? write_access(w, head, &inside) : head;
	if (is_tested_at_head)
		write_test(w, end, body, exit, &inside);
	else
		node(w, end)->next[0] = body;
	foot = add(w, FLOW_PASS, &inside);
	node(w, body)->join = foot;
	end = write_list(w, body, &inside);
	*(node(w, end)->kind == FLOW_JUMP ? &node(w, end)->beside : &node(w, end)->next[0]) = foot;
	if (is_tested_at_head)
		node(w, foot)->next[0] = head;
	else
		write_test(w, one_in(w, 3) ? write_access(w, foot, &inside) : foot, head, exit,
		           &inside);
	return exit;
}

static int write_barrier(struct writer *w, int from, const struct context *c)
{
	return write_site(w, from, c, SITE_BARRIER);
}

/* A jump ends a list. From a loop in which all stay together one cannot jump alone. */
static int write_jump(struct writer *w, int from, const struct context *c)
{
	bool leaves_loop = c->loop >= 0 && (c->is_uniform || !c->is_loop_uniform) && !one_in(w, 4);
	struct flow_program *p = w->program;
	int n = add(w, FLOW_JUMP, c);

	node(w, from)->next[0] = n;
	if (!leaves_loop) {
		node(w, n)->next[0] = p->end;
	} else {
		node(w, n)->leaves = one_in(w, 2) ? c->loop : c->turn;
		node(w, n)->next[0] = node(w, node(w, n)->leaves)->join;
	}
	return n;
}

static int write_statement(struct writer *w, int from, const struct context *c)
{
	uint32_t dice = random_below(&w->random, 12);

	if (c->is_uniform && dice < 2)
		return write_barrier(w, from, c);
	if (dice < 6 || c->depth > 4 || is_full(w))
		return write_access(w, from, c);
	if (dice < 10 || c->loop_depth == FLOW_DEPTH || w->loops == FLOW_LOOPS)
		return write_branch(w, from, c);
	return write_loop(w, from, c);
}

static int write_list(struct writer *w, int from, const struct context *c)
{
	uint32_t count =
		c->depth ? 1 + random_below(&w->random, 3) : 3 + random_below(&w->random, 5);

	if (w->program->has_jumps && c->depth && one_in(w, 4)) {
		for (count = random_below(&w->random, 3); count; count--)
			from = write_statement(w, from, c);
		return write_jump(w, from, c);
	}
	for (; count; count--)
		from = write_statement(w, from, c);
	return from;
}

void flow_program_make(struct flow_program *p, uint64_t seed, bool has_jumps)
{
	static const struct context whole = { .loop = -1, .turn = -1, .is_uniform = true };
	struct writer w = { .program = p, .random = { seed } };
	int last;

	memset(p, 0, sizeof(*p));
	p->seed = seed;
	p->has_jumps = has_jumps;
	p->end = add(&w, FLOW_END, &whole);
	p->entry = add(&w, FLOW_PASS, &whole);
	last = write_list(&w, p->entry, &whole);
	node(&w, last)->next[0] = p->end;
	flow_program_analyse(p);
}
