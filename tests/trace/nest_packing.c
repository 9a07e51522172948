/* SPDX-License-Identifier: Apache-2.0 */
/* Random runs and grids out of a random execution: whatever event.h allows. */
#include "nest_execution.h"

#include "kernel_table.h"

#include <stdlib.h>
#include <string.h>

struct packing {
	struct random *r;
	const struct kernel_table *table;
	struct nest_execution *x;
	bool *is_taken; /* by entry */
	struct nest_entry *made;
	size_t made_count;
	size_t accesses[NEST_ENTRIES_MAX]; /* entries of the site at hand */
	size_t count;
	size_t depth; /* of its loop */
};

static const struct nest_entry *entry(const struct packing *p, size_t i)
{
	return &p->x->entries[p->accesses[i]];
}

static bool is_free(const struct packing *p, size_t i)
{
	return i < p->count && !p->is_taken[p->accesses[i]];
}

/* Whether access i + 1 of the site is in the next iteration of the same activation. */
static bool goes_on(const struct packing *p, size_t i)
{
	const struct nest_entry *a = entry(p, i), *b;

	if (!is_free(p, i + 1))
		return false;
	b = entry(p, i + 1);
	return memcmp(a->path, b->path, (p->depth - 1) * sizeof(a->path[0])) == 0 &&
	       b->path[p->depth - 1] == a->path[p->depth - 1] + 1;
}

/* How many accesses from i on follow one stride, which is set; at most `limit`. */
static size_t measure(const struct packing *p, size_t i, size_t limit, uint64_t *stride)
{
	size_t n = 1;

	*stride = random_next(p->r);
	while (n < limit && goes_on(p, i + n - 1)) {
		uint64_t step = entry(p, i + n)->value - entry(p, i + n - 1)->value;

		if (n > 1 && step != *stride)
			break;
		*stride = step;
		n++;
	}
	return n;
}

/* A row from access i on: iterations 0.. of its activation, all that there are. 0: it is none. */
static size_t measure_row(const struct packing *p, size_t i, uint64_t *stride)
{
	size_t n;

	if (!is_free(p, i) || entry(p, i)->path[p->depth - 1] != 0)
		return 0;
	n = measure(p, i, NEST_ENTRIES_MAX, stride);
	return goes_on(p, i + n - 1) ? 0 : n;
}

/* Take `n` accesses from i on out, for a record that stands somewhere in its activation. */
static void take(struct packing *p, size_t i, size_t n, const struct packed_run *run)
{
	const struct nest_entry *first = entry(p, i);
	struct nest_entry *made = &p->made[p->made_count++];
	uint64_t low = UINT64_MAX, high = 0;

	*made = *first;
	made->began = first->order;
	made->is_run = true;
	made->run = *run;
	made->size = 0;
	if (run->is_grid)
		made->loop = p->table->loops[first->loop].parent;
	for (size_t k = 0; k < p->x->count; k++) {
		const struct nest_entry *e = &p->x->entries[k];

		if (!nest_entry_lies_in(e, p->table, made->loop, made->path))
			continue;
		low = e->order < low ? e->order : low;
		high = e->order > high ? e->order : high;
	}
	made->order = low + random_below(p->r, high - low + 2); /* before an entry, or after all */
	for (size_t k = 0; k < n; k++)
		p->is_taken[p->accesses[i + k]] = true;
}

/* A grid that begins with access i; returns how many accesses it took. */
static size_t take_grid(struct packing *p, size_t i)
{
	const struct nest_entry *first = entry(p, i);
	size_t outer = p->depth - 2, limit = 1 + random_below(p->r, 6), rows = 1;
	struct packed_run run = { .is_grid = true,
		                  .site = first->site,
		                  .address = first->value,
		                  .first = first->path[outer],
		                  .row_stride = random_next(p->r) };
	size_t n = measure_row(p, i, &run.stride);

	if (!n)
		return 0;
	for (; rows < limit; rows++) {
		size_t next = i + rows * n;
		uint64_t stride, step;
		const struct nest_entry *e;

		if (measure_row(p, next, &stride) != n || (n > 1 && stride != run.stride))
			break;
		e = entry(p, next);
		step = e->value - entry(p, next - n)->value;
		if (memcmp(e->path, first->path, outer * sizeof(e->path[0])) != 0 ||
		    e->path[outer] != run.first + rows || (rows > 1 && step != run.row_stride))
			break;
		run.row_stride = step;
	}
	run.count = (uint32_t)n;
	run.rows = (uint32_t)rows;
	take(p, i, n * rows, &run);
	return n * rows;
}

static size_t take_run(struct packing *p, size_t i)
{
	const struct nest_entry *first = entry(p, i);
	struct packed_run run = { .site = first->site,
		                  .address = first->value,
		                  .first = first->path[p->depth - 1] };
	size_t n = measure(p, i, 1 + random_below(p->r, 20), &run.stride);

	run.count = (uint32_t)n;
	take(p, i, n, &run);
	return n;
}

static void pack_site(struct packing *p, uint32_t site)
{
	const struct site *s = &p->table->sites[site];
	uint64_t grids = random_below(p->r, 4), runs = random_below(p->r, 4);

	p->count = 0;
	p->depth = nest_depth(p->table, s->loop);
	for (size_t i = 0; i < p->x->count; i++)
		if (p->x->entries[i].site == site)
			p->accesses[p->count++] = i;
	if (!s->bytes || s->loop < 0)
		return;
	for (size_t i = 0; p->depth > 1 && i < p->count;) {
		size_t taken = random_below(p->r, 4) < grids ? take_grid(p, i) : 0;

		i += taken ? taken : 1;
	}
	for (size_t i = 0; i < p->count;) {
		bool takes = is_free(p, i) && random_below(p->r, 4) < runs;

		i += takes ? take_run(p, i) : 1;
	}
}

/* Records come before the access whose order they have, those of earlier activations first. */
static int compare(const void *a, const void *b)
{
	const struct nest_entry *x = a, *y = b;

	if (x->order != y->order)
		return x->order < y->order ? -1 : 1;
	if (x->is_run && y->is_run)
		return x->began < y->began ? -1 : x->began > y->began;
	return y->is_run - x->is_run;
}

void nest_execution_pack(struct random *r, const struct kernel_table *t, struct nest_execution *x)
{
	static struct packing p; /* too large for a stack */
	size_t left = 0;

	p = (struct packing){ .r = r, .table = t, .x = x };
	p.is_taken = calloc(x->count + 1, sizeof(*p.is_taken));
	p.made = calloc(2 * x->count + 1, sizeof(*p.made));
	for (uint32_t s = 0; s < t->site_count; s++)
		pack_site(&p, s);
	for (size_t i = 0; i < x->count; i++)
		if (!p.is_taken[i])
			x->entries[left++] = x->entries[i];
	memcpy(p.made + p.made_count, x->entries, left * sizeof(*p.made));
	free(x->entries);
	x->entries = p.made;
	x->count = p.made_count + left;
	qsort(x->entries, x->count, sizeof(*x->entries), compare);
	free(p.is_taken);
}
