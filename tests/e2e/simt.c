/* SPDX-License-Identifier: Apache-2.0 */
#include "simt.h"

#include <stdlib.h>

static struct simt_level *push(struct simt *s)
{
	if (s->depth == SIMT_LEVELS)
		abort();
	s->levels[s->depth] = (struct simt_level){ 0 };
	return &s->levels[s->depth++];
}

/* Active lanes of which the statement's value is true. */
static uint64_t chosen(const struct simt *s)
{
	uint64_t lanes = 0;

	for (int l = 0; l < SIMT_LANES; l++)
		lanes |= (uint64_t)(s->value[l] != 0) << l;
	return lanes & s->active;
}

void begin_branch(struct simt *s)
{
	push(s)->others = s->active & ~chosen(s);
	s->active = chosen(s);
}

bool goes_on(struct simt *s)
{
	struct simt_level *branch = &s->levels[s->depth - 1];

	if (!branch->has_begun) {
		branch->has_begun = true;
		return true;
	}
	s->active |= branch->others;
	s->depth--;
	return false;
}

void begin_loop(struct simt *s)
{
	push(s)->is_loop = true;
}

bool loops_on(struct simt *s)
{
	if (s->active)
		return true;
	s->active = s->levels[--s->depth].others;
	return false;
}

static struct simt_level *innermost_loop(struct simt *s)
{
	struct simt_level *l = &s->levels[s->depth - 1];

	while (!l->is_loop)
		l--;
	return l;
}

void stay_in_loop(struct simt *s)
{
	uint64_t staying = chosen(s);

	innermost_loop(s)->others |= s->active & ~staying;
	s->active = staying;
}

void leave_loop(struct simt *s)
{
	innermost_loop(s)->others |= s->active;
	s->active = 0;
}

void skip_turn(struct simt *s)
{
	innermost_loop(s)->skipped |= s->active;
	s->active = 0;
}

void begin_foot(struct simt *s)
{
	s->active |= innermost_loop(s)->skipped;
	innermost_loop(s)->skipped = 0;
}

void leave_kernel(struct simt *s)
{
	s->active = 0;
}

void assign(struct simt *s, simt_vector *x)
{
	for (int l = 0; l < SIMT_LANES; l++)
		if (s->active >> l & 1)
			(*x)[l] = s->value[l];
}

void put_step(struct simt *s, enum site_kind kind, int argument)
{
	struct simt_step *step = &s->steps[s->step_count];

	if (!s->active)
		return;
	if (++s->step_count == SIMT_STEPS)
		abort();
	*step = (struct simt_step){ .kind = kind, .argument = argument, .mask = s->active };
	for (int l = 0; l < SIMT_LANES; l++)
		step->offset[l] = 4 * s->value[l];
}
