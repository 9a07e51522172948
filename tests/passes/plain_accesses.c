/* SPDX-License-Identifier: Apache-2.0 */
#include "plain_accesses.h"

#include "cmocka_all.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#define LOOPS_MOST 64

struct writing {
	struct plain_accesses *to;
	const struct kernel_table *table;
	uint64_t entered[LOOPS_MOST]; /* per loop: in which iteration of the loop around it */
	bool is_entered[LOOPS_MOST];  /* in the current activation of that */
};

static void add(struct writing *w, uint32_t site, uint64_t address, const uint64_t iteration[2])
{
	int32_t loop = w->table->sites[site].loop;
	uint32_t depth = loop < 0 ? 0 : w->table->loops[loop].depth;
	struct plain_access *a;

	w->to->items = realloc(w->to->items, (w->to->count + 1) * sizeof(*a));
	assert_non_null(w->to->items);
	assert_true(depth <= PLAIN_DEPTH_MOST);
	a = &w->to->items[w->to->count++];
	memset(a, 0, sizeof(*a));
	a->site = site;
	a->address = address;
	for (uint32_t d = depth; d-- > 0; loop = w->table->loops[loop].parent) {
		if (d + 1 == depth)
			a->iteration[d] = iteration[0];
		else if (d + 2 == depth)
			a->iteration[d] = iteration[1];
		if (d > 0 && d + 1 < depth)
			a->iteration[d - 1] = w->entered[loop];
	}
}

static uint64_t around(const struct writing *w, uint32_t site)
{
	int32_t loop = w->table->sites[site].loop;

	return loop < 0 ? 0 : w->entered[loop];
}

static void write_run(struct writing *w, const struct event *e, uint32_t site)
{
	for (uint64_t i = 0; i < e->iteration; i++)
		add(w, site, e->value + i * e[2].value,
		    (uint64_t[]){ e[1].value + i, around(w, site) });
}

static void write_grid(struct writing *w, const struct event *e, uint32_t site)
{
	for (uint64_t r = 0; r < e[1].iteration; r++)
		for (uint64_t i = 0; i < e->iteration; i++)
			add(w, site, e->value + i * e[2].value + r * e[3].value,
			    (uint64_t[]){ i, e[1].value + r });
}

static bool lies_in(const struct kernel_table *t, uint32_t inner, uint32_t outer)
{
	int32_t l = t->loops[inner].parent;

	while (l > (int32_t)outer)
		l = t->loops[l].parent;
	return l == (int32_t)outer;
}

/* Once in an iteration, in rising order; the loops inside begin anew. */
static void enter(struct writing *w, uint32_t loop, uint64_t iteration)
{
	assert_true(loop < w->table->loop_count && loop < LOOPS_MOST);
	assert_true(!w->is_entered[loop] || iteration > w->entered[loop]);
	w->is_entered[loop] = true;
	w->entered[loop] = iteration;
	for (uint32_t l = loop + 1; l < w->table->loop_count; l++)
		w->is_entered[l] &= !lies_in(w->table, l, loop);
}

/* Write out what begins with this event; returns how many events it takes. */
static size_t write_out(struct writing *w, const struct event *e, size_t left)
{
	uint32_t id = e->point & EVENT_ID_MASK;

	switch (e->point & EVENT_KIND_MASK) {
	case EVENT_SITE:
		add(w, id, e->value, (uint64_t[]){ e->iteration, around(w, id) });
		return 1;
	case EVENT_LOOP:
		enter(w, id, e->value);
		return 1;
	case EVENT_RUN:
		assert_true(left > EVENT_RUN_PARTS);
		write_run(w, e, id);
		return 1 + EVENT_RUN_PARTS;
	case EVENT_GRID:
		assert_true(left > EVENT_GRID_PARTS);
		write_grid(w, e, id);
		return 1 + EVENT_GRID_PARTS;
	default:
		fail_msg("unexpected event %" PRIx32, e->point);
		return 1;
	}
}

static int compare(const void *a, const void *b)
{
	const struct plain_access *x = a, *y = b;
	int order = memcmp(x->iteration, y->iteration, sizeof(x->iteration));

	if (order)
		return order;
	return x->site != y->site ? (x->site > y->site) - (x->site < y->site)
	                          : (x->address > y->address) - (x->address < y->address);
}

void plain_accesses_init(struct plain_accesses *p, const struct event *events, size_t count,
                         const struct kernel_table *table)
{
	struct writing w = { .to = p, .table = table };

	*p = (struct plain_accesses){ 0 };
	for (size_t i = 0; i < count;)
		i += write_out(&w, events + i, count - i);
	if (p->count)
		qsort(p->items, p->count, sizeof(*p->items), compare);
}

void plain_accesses_release(struct plain_accesses *p)
{
	free(p->items);
	*p = (struct plain_accesses){ 0 };
}

void plain_accesses_assert_equal(const struct plain_accesses *found,
                                 const struct plain_accesses *expected)
{
	for (size_t i = 0; i < found->count && i < expected->count; i++) {
		const struct plain_access *f = &found->items[i], *e = &expected->items[i];

		if (compare(f, e) != 0)
			fail_msg("access %zu: found site %" PRIu32 " at %" PRIx64 " in %" PRIu64
			         " %" PRIu64 " %" PRIu64 ", expected site %" PRIu32 " at %" PRIx64
			         " in %" PRIu64 " %" PRIu64 " %" PRIu64,
			         i, f->site, f->address, f->iteration[0], f->iteration[1],
			         f->iteration[2], e->site, e->address, e->iteration[0],
			         e->iteration[1], e->iteration[2]);
	}
	if (found->count != expected->count)
		fail_msg("found %zu accesses, expected %zu", found->count, expected->count);
}
