/* SPDX-License-Identifier: Apache-2.0 */
#include "slot_places.h"

#include "array.h"
#include "err.h"
#include "insertion.h"
#include "probe_abi.h"

#include <llvm-c/Core.h>

#include <stdbool.h>
#include <stdlib.h>

/*
 * Nodes are walked in their order, in which loops are contiguous: when a node after a loop is
 * reached, the loop is complete. Words of a node in a loop count from the start of the iteration.
 */

struct slot_point {
	uint64_t word; /* from the start of the iteration, or of the slot */
	uint32_t room;
};

struct slot_loop {
	uint64_t start;     /* in an iteration of the surrounding loop, or in the slot */
	uint64_t iteration; /* words of one iteration */
	uint64_t passes;    /* iterations that have words, at most */
	uint64_t extent;    /* words of all iterations */
	bool is_complete;
};

struct slot_places {
	struct slot_point *points; /* sites, then loops of the table */
	struct slot_loop *loops;   /* of the flow */
	uint64_t unsure;           /* bit w: word w may remain unwritten */
};

/* The walk, per node. */
struct walk {
	const struct insertion *in;
	struct slot_places *places;
	uint64_t *start, *end; /* of its words */
	uint64_t *sure;        /* words certain to be written when it, or the loop that it heads, is
	                          executed */
	uint32_t *position;    /* index in the order */
	uint32_t *work;
	uint64_t words;
};

static const struct loop_forest *forest_of(const struct walk *w)
{
	return &w->in->kernel->flow.forest;
}

/* Something in a loop (-1: none) has words up to `end`, in up to that many of its iterations. */
static void extend(struct walk *w, int32_t loop, uint64_t passes, uint64_t end)
{
	struct slot_loop *l = loop < 0 ? NULL : &w->places->loops[loop];

	if (!l) {
		w->words = end > w->words ? end : w->words;
		return;
	}
	l->passes = passes > l->passes ? passes : l->passes;
	l->iteration = end > l->iteration ? end : l->iteration;
}

/* How often a node is executed in its loop. */
static uint64_t passes_of(const struct walk *w, int32_t loop, uint32_t node)
{
	return loop < 0 ? 1 : loop_bounds_passes(w->in, &w->in->bounds[loop], node);
}

/* All nodes of a loop have been walked. */
static void complete(struct walk *w, uint32_t loop)
{
	const struct forest_loop *own = &forest_of(w)->loops[loop];
	struct slot_loop *l = &w->places->loops[loop];

	if (l->is_complete)
		return;
	l->is_complete = true;
	for (uint32_t c = loop + 1; c < forest_of(w)->loop_count; c++)
		if (forest_of(w)->loops[c].parent == (int32_t)loop)
			complete(w, c);
	l->extent = l->passes * l->iteration;
	if (l->extent)
		extend(w, own->parent, passes_of(w, own->parent, own->header),
		       l->start + l->extent);
}

/* Where the words after a node, or after the loop that contains it, begin as seen from `level`. */
static uint64_t end_as_seen(struct walk *w, uint32_t node, int32_t level)
{
	const struct loop_forest *f = forest_of(w);
	int32_t loop = f->innermost[node];

	if (loop == level)
		return w->end[node];
	while (f->loops[loop].parent != level)
		loop = f->loops[loop].parent;
	complete(w, (uint32_t)loop);
	return w->places->loops[loop].start + w->places->loops[loop].extent;
}

/* After everything that may come before. */
static uint64_t find_start(struct walk *w, uint32_t node, int32_t level)
{
	const struct graph *p = &w->in->predecessors;
	uint64_t start = 0;

	for (uint32_t e = p->first[node]; e < p->first[node + 1]; e++) {
		uint32_t from = p->successor[e];
		uint64_t end = 0;

		if (w->position[from] < w->position[node])
			end = end_as_seen(w, from, level);
		start = end > start ? end : start;
	}
	return start;
}

static void put_point(struct walk *w, uint32_t node, uint32_t point, uint32_t room)
{
	w->places->points[point] = (struct slot_point){ w->end[node], room };
	w->end[node] += room;
}

static uint32_t slot_words_of_site(const struct insertion *in, uint32_t site);
static uint32_t slot_words_of_entry(const struct insertion *in, uint32_t loop);

static void walk_node(struct walk *w, uint32_t node, uint32_t *site)
{
	const struct kernel *k = w->in->kernel;
	const struct loop_forest *f = forest_of(w);
	int32_t loop = f->innermost[node];

	if (loop >= 0 && f->loops[loop].header == node)
		w->places->loops[loop].start = find_start(w, node, f->loops[loop].parent);
	else
		w->start[node] = find_start(w, node, loop);
	w->end[node] = w->start[node];
	for (; *site < k->table->site_count && w->in->site_node[*site] == node; ++*site)
		put_point(w, node, *site, slot_words_of_site(w->in, *site));
	for (uint32_t l = 0; l < f->loop_count; l++)
		if (w->in->loops[l].preheader == node && slot_words_of_entry(w->in, l))
			put_point(w, node,
			          (uint32_t)k->table->site_count + (uint32_t)k->table_loop[l],
			          slot_words_of_entry(w->in, l));
	if (w->end[node] > w->start[node])
		extend(w, loop, passes_of(w, loop, node), w->end[node]);
}

static void walk(struct walk *w)
{
	const struct kernel_flow *flow = &w->in->kernel->flow;
	uint32_t site = 0;

	for (uint32_t n = 0; n < flow->graph.node_count; n++)
		w->position[n] = UINT32_MAX;
	for (size_t i = 0; i < flow->order_count; i++)
		w->position[flow->order[i]] = (uint32_t)i;
	for (size_t i = 0; i < flow->order_count; i++)
		walk_node(w, flow->order[i], &site);
	for (uint32_t l = 0; l < flow->forest.loop_count; l++)
		complete(w, l);
}

/* Whether a loop is left only where its bound is set. */
static bool has_one_exit(const struct walk *w, uint32_t loop)
{
	const struct graph *g = &w->in->kernel->flow.graph;
	const struct loop_forest *f = forest_of(w);

	for (uint32_t n = 0; n < g->node_count; n++) {
		if (n == w->in->bounds[loop].test ||
		    !loop_forest_contains(f, (int32_t)loop, f->innermost[n]))
			continue;
		for (uint32_t e = g->first[n]; e < g->first[n + 1]; e++)
			if (!loop_forest_contains(f, (int32_t)loop, f->innermost[g->successor[e]]))
				return false;
	}
	return true;
}

/* Whether a node is executed exactly as often as the bound says, each time its loop is entered. */
static bool is_exact(const struct walk *w, uint32_t loop, uint32_t node)
{
	const struct loop_bound *b = &w->in->bounds[loop];

	return b->passes > 1 && loop_bounds_meet(w->in, loop, node) && has_one_exit(w, loop);
}

/* The words of a point, in all iterations, are certain where its outermost loop is entered. */
static void note_sure(struct walk *w, uint32_t node, uint64_t words)
{
	const struct loop_forest *f = forest_of(w);

	for (int32_t l = f->innermost[node]; l >= 0; l = f->loops[l].parent) {
		const struct slot_loop *own = &w->places->loops[l];
		uint64_t passes = passes_of(w, l, node), all = 0;

		if (!is_exact(w, (uint32_t)l, node))
			return;
		for (uint64_t i = 0; i < passes; i++)
			all |= words << i * own->iteration;
		words = all << own->start;
		node = f->loops[l].header;
	}
	w->sure[node] |= words;
}

/* Find the words certain to be written when each node is executed; for a record that may be long or
 * short, only its first word. */
static void find_sure(struct walk *w)
{
	const struct kernel *k = w->in->kernel;
	uint32_t sites = (uint32_t)k->table->site_count;

	for (uint32_t s = 0; s < sites; s++) {
		const struct slot_point *p = &w->places->points[s];

		if (p->room)
			note_sure(w, w->in->site_node[s],
			          (uint64_t)(p->room == 2 ? 3 : 1) << p->word);
	}
	for (uint32_t l = 0; l < forest_of(w)->loop_count; l++) {
		int32_t loop = k->table_loop[l];
		const struct slot_point *p =
			loop < 0 ? NULL : &w->places->points[sites + (uint32_t)loop];

		if (p && p->room)
			note_sure(w, w->in->loops[l].preheader, UINT64_C(1) << p->word);
	}
}

/* Whether some path through the kernel contains no node that is certain to write the word. */
static bool is_avoidable(struct walk *w, uint32_t word)
{
	const struct graph *g = &w->in->kernel->flow.graph;
	uint32_t count = 0;

	for (uint32_t n = 0; n < g->node_count; n++)
		w->position[n] = 0;
	w->position[0] = 1;
	w->work[count++] = 0;
	while (count) {
		uint32_t n = w->work[--count];

		if (w->sure[n] >> word & 1)
			continue;
		if (g->first[n] == g->first[n + 1])
			return true;
		for (uint32_t e = g->first[n]; e < g->first[n + 1]; e++) {
			uint32_t to = g->successor[e];

			if (!w->position[to])
				w->work[count++] = to;
			w->position[to] = 1;
		}
	}
	return false;
}

static void find_unsure(struct walk *w)
{
	find_sure(w);
	for (uint32_t word = 0; word < w->words; word++)
		if (is_avoidable(w, word))
			w->places->unsure |= UINT64_C(1) << word;
}

static int find(struct walk *w, struct err *err)
{
	const struct kernel *k = w->in->kernel;
	size_t nodes = k->flow.graph.node_count;
	size_t points = k->table->site_count + k->table->loop_count;

	w->places->points = array_alloc(points, sizeof(*w->places->points), "sites", err);
	w->places->loops =
		array_alloc(forest_of(w)->loop_count, sizeof(*w->places->loops), "loops", err);
	w->start = array_alloc(nodes, sizeof(*w->start), "control flow", err);
	w->end = array_alloc(nodes, sizeof(*w->end), "control flow", err);
	w->sure = array_alloc(nodes, sizeof(*w->sure), "control flow", err);
	w->position = array_alloc(nodes, sizeof(*w->position), "control flow", err);
	w->work = array_alloc(nodes, sizeof(*w->work), "control flow", err);
	if (!w->places->points || !w->places->loops || !w->start || !w->end || !w->sure ||
	    !w->position || !w->work)
		return ERR_NOMEM;
	walk(w);
	if (w->words <= PROBE_MAX_SLOT_WORDS)
		find_unsure(w);
	return 0;
}

/*
 * Lay out a kernel whose nodes with records have known maximal counts, into in->places; *words is
 * the number of words of a slot. If that is 0 or exceeds PROBE_MAX_SLOT_WORDS, in->places stays
 * NULL. Returns 0 or ERR_NOMEM.
 */
static int slot_places_find(struct insertion *in, uint64_t *words, struct err *err)
{
	struct slot_places *p = array_alloc(1, sizeof(*p), "sites", err);
	struct walk w = { .in = in, .places = p };
	int ret = p ? find(&w, err) : ERR_NOMEM;

	*words = w.words;
	if (!ret && w.words && w.words <= PROBE_MAX_SLOT_WORDS)
		in->places = p;
	else
		slot_places_free(p);
	free(w.start);
	free(w.end);
	free(w.sure);
	free(w.position);
	free(w.work);
	return ret;
}

void slot_places_free(struct slot_places *p)
{
	if (!p)
		return;
	free(p->points);
	free(p->loops);
	free(p);
}

/* Whether words of a loop depend on its iteration. */
static bool is_counted(const struct slot_places *p, uint32_t loop)
{
	return p->loops[loop].iteration && p->loops[loop].passes > 1;
}

void slot_places_begin(struct insertion *in)
{
	for (uint32_t l = 0; l < in->kernel->flow.forest.loop_count; l++)
		if (is_counted(in->places, l))
			(void)insertion_counter(in, l);
}

void slot_places_clear(struct insertion *in)
{
	for (uint64_t left = in->places->unsure; left; left &= left - 1) {
		LLVMValueRef word = insertion_u64(in, (uint64_t)__builtin_ctzll(left));

		insertion_call(in, in->runtime->slot_clear, &word, 1);
	}
}

LLVMValueRef slot_places_word(struct insertion *in, uint32_t point, int32_t loop)
{
	const struct slot_places *p = in->places;
	const struct loop_forest *forest = &in->kernel->flow.forest;
	uint64_t word = p->points[point].word;
	LLVMValueRef sum = NULL, part;

	for (int32_t l = loop; l >= 0; l = forest->loops[l].parent) {
		word += p->loops[l].start;
		if (!is_counted(p, (uint32_t)l))
			continue;
		part = LLVMBuildMul(in->b, in->loops[l].counter,
		                    insertion_u64(in, p->loops[l].iteration), "");
		sum = sum ? LLVMBuildAdd(in->b, sum, part, "") : part;
	}
	if (!sum)
		return insertion_u64(in, word);
	return LLVMBuildAdd(in->b, sum, insertion_u64(in, word), "warpline.word");
}

uint32_t slot_places_room(const struct slot_places *p, uint32_t point)
{
	return p->points[point].room;
}

#define WIDE_WORDS 3u

/* Words on the paths through the kernel, from the entry to after each node. */
struct ways {
	struct insertion *in;
	uint64_t *own; /* per node: the words it writes; 0 in loops, whose words are in in_loops */
	uint64_t *most;
	uint64_t *least;
	uint64_t *times; /* per node: how often it is executed at most; 0: not known */
	uint32_t *position;
	uint64_t in_loops; /* maximal words of all nodes in loops */
	bool is_bounded;
};

bool slot_words_may_be_wide(const struct insertion *in, uint32_t point, int32_t loop)
{
	if (point > PROBE_MAX_POINT)
		return true;
	if (loop < 0 || !in->loops[loop].needs_variable)
		return false;
	return !in->bounds[loop].passes || in->bounds[loop].passes > PROBE_MAX_RUN;
}

/*
 * The maximal words of the record of a site, or of the entry of a loop in the flow; 0: no record.
 */
static uint32_t slot_words_of_site(const struct insertion *in, uint32_t site)
{
	const struct site *s = &in->kernel->table->sites[site];
	int32_t loop = in->kernel->flow.forest.innermost[in->site_node[site]];

	if (insertion_record(in, site) == RECORD_COMPANION)
		return 0;
	return (slot_words_may_be_wide(in, site, loop) ? WIDE_WORDS : 1) +
	       (site_kind_has_address(s->kind) && s->bytes == 0);
}

static uint32_t slot_words_of_entry(const struct insertion *in, uint32_t loop)
{
	const struct kernel *k = in->kernel;
	uint32_t point = (uint32_t)(k->table->site_count + (size_t)k->table_loop[loop]);
	int32_t parent = k->flow.forest.loops[loop].parent;

	if (parent < 0 || !in->loops[loop].has_records ||
	    in->loops[loop].preheader == INSERTION_NONE)
		return 0;
	return slot_words_may_be_wide(in, point, parent) ? WIDE_WORDS : 1;
}

/* Add the words that a node writes each time it is executed. */
static void add_words(struct ways *w, uint32_t node, uint32_t words)
{
	if (w->in->kernel->flow.forest.innermost[node] < 0)
		w->own[node] += words;
	else
		w->in_loops += words * (w->times[node] ? w->times[node] : 1);
	w->is_bounded &= w->times[node] != 0;
}

/* Sites, and entries of nested loops. */
static void add_points(struct ways *w)
{
	const struct insertion *in = w->in;
	const struct loop_forest *forest = &in->kernel->flow.forest;
	uint32_t sites = (uint32_t)in->kernel->table->site_count;

	for (uint32_t s = 0; s < sites; s++) {
		if (insertion_record(in, s) == RECORD_COMPANION)
			continue;
		w->is_bounded &= insertion_record(in, s) == RECORD_POINT;
		add_words(w, in->site_node[s], slot_words_of_site(in, s));
	}
	for (uint32_t l = 0; l < forest->loop_count; l++)
		if (slot_words_of_entry(in, l))
			add_words(w, in->loops[l].preheader, slot_words_of_entry(in, l));
}

/* Extend the paths to a node from its predecessors; back edges are ignored. */
static void extend_loop(struct ways *w, uint32_t node)
{
	const struct graph *p = &w->in->predecessors;
	uint64_t most = 0, least = node == 0 ? 0 : UINT64_MAX;

	for (uint32_t e = p->first[node]; e < p->first[node + 1]; e++) {
		uint32_t from = p->successor[e];

		if (w->position[from] >= w->position[node])
			continue;
		most = w->most[from] > most ? w->most[from] : most;
		least = w->least[from] < least ? w->least[from] : least;
	}
	w->most[node] = most + w->own[node];
	w->least[node] = (least == UINT64_MAX ? 0 : least) + w->own[node];
}

static void walk_sites(struct ways *w, uint64_t *most, uint64_t *least)
{
	const struct kernel_flow *flow = &w->in->kernel->flow;

	*most = 0;
	*least = UINT64_MAX;
	for (uint32_t n = 0; n < flow->graph.node_count; n++)
		w->position[n] = UINT32_MAX;
	for (size_t i = 0; i < flow->order_count; i++)
		w->position[flow->order[i]] = (uint32_t)i;
	for (size_t i = 0; i < flow->order_count; i++) {
		uint32_t n = flow->order[i];

		extend_loop(w, n);
		if (flow->graph.first[n] != flow->graph.first[n + 1])
			continue;
		*most = w->most[n] > *most ? w->most[n] : *most;
		*least = w->least[n] < *least ? w->least[n] : *least;
	}
	*least = *least == UINT64_MAX ? 0 : *least;
}

static void put_words(struct kernel_table *t, uint64_t most, uint64_t least)
{
	t->item_words = most <= PROBE_MAX_SLOT_WORDS ? (uint32_t)most : 0;
	t->least_words = least < UINT32_MAX ? (uint32_t)least : UINT32_MAX;
}

static int find_words(struct ways *w, struct err *err)
{
	uint64_t most, least;
	int ret;

	loop_bounds_find(w->in, PROBE_MAX_SLOT_WORDS, w->in->bounds);
	loop_bounds_times(w->in, w->in->bounds, PROBE_MAX_SLOT_WORDS, w->times);
	w->is_bounded = !w->in->kernel->table->is_irreducible;
	add_points(w);
	walk_sites(w, &most, &least);
	w->is_bounded &= !setting_is(w->in->settings->slots, "0");
	most = UINT64_MAX;
	ret = w->is_bounded ? slot_places_find(w->in, &most, err) : 0;
	put_words(w->in->kernel->table, most, least + w->in_loops);
	return ret;
}

int slot_words_fill(struct insertion *in, struct err *err)
{
	uint32_t count = in->kernel->flow.graph.node_count;
	struct ways w = { .in = in };
	int ret = ERR_NOMEM;

	w.own = array_alloc(count, sizeof(*w.own), "control flow", err);
	w.most = array_alloc(count, sizeof(*w.most), "control flow", err);
	w.least = array_alloc(count, sizeof(*w.least), "control flow", err);
	w.times = array_alloc(count, sizeof(*w.times), "control flow", err);
	w.position = array_alloc(count, sizeof(*w.position), "control flow", err);
	if (w.own && w.most && w.least && w.times && w.position)
		ret = find_words(&w, err);
	free(w.own);
	free(w.most);
	free(w.least);
	free(w.times);
	free(w.position);
	return ret;
}
