/* SPDX-License-Identifier: Apache-2.0 */
#include "trace_random.h"

#include "packed_run.h"

#include <stdlib.h>
#include <string.h>

uint64_t random_next(struct random *r)
{
	uint64_t z = r->state += UINT64_C(0x9e3779b97f4a7c15);

	z = (z ^ z >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
	z = (z ^ z >> 27) * UINT64_C(0x94d049bb133111eb);
	return z ^ z >> 31;
}

uint64_t random_below(struct random *r, uint64_t limit)
{
	return random_next(r) % limit;
}

static void random_place(struct random *r, struct place *p)
{
	p->file = random_below(r, 4) ? strdup("a \"b\" \xc3\xa9.cl") : NULL;
	p->line = (uint32_t)random_next(r);
	p->column = (uint32_t)random_below(r, 200);
}

/* Sites in order, going into new loops and out of them again: so each loop is contiguous. */
static void random_sites(struct random *r, struct kernel_table *t)
{
	int32_t at = -1;

	for (size_t i = 0; i < t->site_count; i++) {
		struct site *s = &t->sites[i];

		while (at >= 0 && random_below(r, 3) == 0)
			at = t->loops[at].parent;
		while (t->loop_count < 12 && random_below(r, 3) == 0) {
			struct loop *l = &t->loops[t->loop_count];

			l->parent = at;
			l->depth = at < 0 ? 1 : t->loops[at].depth + 1;
			random_place(r, &l->place);
			at = (int32_t)t->loop_count++;
		}
		s->kind = (enum site_kind)random_below(r, SITE_KIND_COUNT);
		s->bytes = site_kind_has_address(s->kind) ? 1u << random_below(r, 8) : 0;
		s->space = 1 + (uint32_t)random_below(r, 4);
		s->loop = at;
		s->argument = (int32_t)random_below(r, t->argument_count + 1) - 1;
		random_place(r, &s->place);
		s->expression = random_below(r, 2) ? strdup("B[i * width + j]") : NULL;
		s->function = random_below(r, 2) ? strdup("helper") : NULL;
		s->inlined_count = random_below(r, 3);
		s->inlined_at = calloc(s->inlined_count + 1, sizeof(*s->inlined_at));
		for (size_t k = 0; k < s->inlined_count; k++)
			random_place(r, &s->inlined_at[k]);
	}
}

void random_table(struct random *r, struct kernel_table *t)
{
	struct random apart = { ~r->state }; /* draws that leave the others as they were */

	*t = (struct kernel_table){ .name = strdup("kernel"),
		                    .site_count = 1 + random_below(r, 40),
		                    .argument_count = random_below(r, 4),
		                    .unrecorded_count = random_below(r, 3) };
	t->sites = calloc(t->site_count, sizeof(*t->sites));
	t->loops = calloc(12, sizeof(*t->loops));
	t->arguments = calloc(t->argument_count + 1, sizeof(*t->arguments));
	t->unrecorded = calloc(t->unrecorded_count + 1, sizeof(*t->unrecorded));
	t->writes_unknown = random_below(r, 2);
	t->is_repeatable = random_below(r, 2);
	t->is_irreducible = random_below(r, 2);
	t->has_conditional_barrier = random_below(r, 2);
	t->level = (enum access_level)random_below(&apart, ACCESS_LEVELS);
	t->is_local_exact = random_below(&apart, 2);
	t->local_bytes = random_next(&apart) >> random_below(&apart, 64);
	t->item_words = (uint32_t)random_next(r);
	t->least_words = (uint32_t)random_next(r);
	t->lanes = random_below(r, 2) ? 32 : (uint32_t)random_below(r, 2);
	t->records = random_below(r, 3) ? strdup(random_below(r, 2) ? "affine" : "count") : NULL;
	t->refusal = random_below(r, 3) ? NULL : strdup("text: a goto at k.cl:3");
	for (size_t i = 0; i < t->argument_count; i++) {
		t->arguments[i].name = strdup("argument");
		t->arguments[i].type = strdup(random_below(r, 2) ? "float*" : "");
		t->arguments[i].space = (uint32_t)random_below(r, 4);
		t->arguments[i].is_written = random_below(r, 2);
	}
	for (size_t i = 0; i < t->unrecorded_count; i++) {
		t->unrecorded[i].what = strdup("image read");
		random_place(r, &t->unrecorded[i].place);
	}
	random_sites(r, t);
}

void random_shape(struct random *r, struct launch_shape *s, uint64_t groups)
{
	*s = (struct launch_shape){ .dimensions = 1 + (uint32_t)random_below(r, 3),
		                    .global = { 1, 1, 1 },
		                    .local = { 1, 1, 1 } };
	for (uint32_t d = 0; d < s->dimensions; d++) {
		s->local[d] = 1 + random_below(r, 7);
		s->global[d] = 1 + random_below(r, s->local[d] * (1 + random_below(r, groups)));
		s->offset[d] = random_below(r, 3) ? 0 : random_next(r) >> 2;
		groups = 1 + groups / (1 + s->global[d] / s->local[d]);
	}
}

static uint64_t random_value(struct random *r, uint64_t previous)
{
	static const uint64_t extremes[] = { 0,          1,          UINT32_MAX, 1ull << 32,
		                             INT64_MAX,  1ull << 63, UINT64_MAX, UINT64_MAX - 1,
		                             0xfffffffe, 127,        128,        16384 };

	switch (random_below(r, 4)) {
	case 0:
		return random_next(r) >> random_below(r, 64);
	case 1:
		return extremes[random_below(r, sizeof(extremes) / sizeof(extremes[0]))];
	default:
		return previous + 4;
	}
}

static void random_event(struct random *r, const struct kernel_table *t, struct event *e,
                         const struct event *previous)
{
	static const uint32_t kinds[] = { EVENT_SITE, EVENT_SITE,  EVENT_SITE,
		                          EVENT_LOOP, EVENT_EPOCH, EVENT_SIZE };
	uint32_t kind = kinds[random_below(r, sizeof(kinds) / sizeof(kinds[0]))];
	bool is_loop = kind == EVENT_LOOP || kind == EVENT_EPOCH;

	if (is_loop && !t->loop_count)
		kind = EVENT_SITE;
	is_loop = is_loop && t->loop_count;
	e->point = kind | (uint32_t)random_below(r, is_loop ? t->loop_count : t->site_count);
	e->value = random_value(r, previous ? previous->value : 0);
	e->iteration =
		random_below(r, 3) ? (uint32_t)random_below(r, 4) : (uint32_t)random_value(r, 0);
}

/* A run or grid of a random site, where the table allows it there; returns its events, or 0. */
static uint32_t random_run(struct random *r, const struct kernel_table *t, struct event *events)
{
	struct packed_run run = { .is_grid = random_below(r, 2),
		                  .site = (uint32_t)random_below(r, t->site_count),
		                  .count = 1 + (uint32_t)random_below(r, 1 << random_below(r, 16)),
		                  .address = random_value(r, 0),
		                  .first = random_below(r, 2) ? 0 : random_value(r, 0) >> 1,
		                  .stride = random_below(r, 2) ? 4 : random_value(r, 0) };

	if (run.is_grid) {
		run.rows = 1 + (uint32_t)random_below(r, 1 << random_below(r, 16));
		run.row_stride = random_value(r, 0);
	}
	return packed_run_fault(&run, t) ? 0 : packed_run_put(&run, events);
}

void random_group(struct random *r, const struct kernel_table *t, uint32_t items,
                  struct owned_group *out)
{
	uint64_t longest = random_below(r, 3) ? 1 + random_below(r, 40) : 1, at = 0;

	out->first = calloc((size_t)items + 1, sizeof(*out->first));
	out->events = calloc(items * longest * PACKED_RUN_EVENTS_MAX + 1, sizeof(*out->events));
	for (uint32_t i = 0; i < items; i++) {
		for (uint64_t records = random_below(r, longest); records > 0; records--) {
			struct event *e = &out->events[at];
			uint32_t count = random_below(r, 4) ? 0 : random_run(r, t, e);

			if (!count)
				random_event(r, t, e, at ? e - 1 : NULL);
			at += count ? count : 1;
		}
		out->first[i + 1] = at;
	}
	out->view = (struct group_events){ items, out->first, out->events };
}

void owned_group_free(struct owned_group *g)
{
	free(g->first);
	free(g->events);
	*g = (struct owned_group){ 0 };
}

bool same_group(const struct group_events *a, const struct group_events *b)
{
	return a->item_count == b->item_count &&
	       memcmp(a->first, b->first, (a->item_count + 1) * sizeof(*a->first)) == 0 &&
	       memcmp(a->events, b->events, a->first[a->item_count] * sizeof(*a->events)) == 0;
}

bool same_shape(const struct launch_shape *a, const struct launch_shape *b)
{
	return a->dimensions == b->dimensions &&
	       memcmp(a->global, b->global, sizeof(a->global)) == 0 &&
	       memcmp(a->local, b->local, sizeof(a->local)) == 0 &&
	       memcmp(a->offset, b->offset, sizeof(a->offset)) == 0;
}
