/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_model.h"

#include "array.h"
#include "err.h"
#include "kernel_table.h"
#include "site_guide.h"

#include <stdlib.h>
#include <string.h>

void model_stream_miss(struct model_stream *s, uint64_t step, uint64_t value)
{
	uint64_t change = value - s->last, steps = step - s->step;

	if (change == s->change && steps == s->steps) {
		if (steps == 1)
			s->stride = change;
		else if ((int64_t)steps > 1)
			s->stride = (uint64_t)((int64_t)change / (int64_t)steps);
	}
	s->change = change;
	s->steps = steps;
}

/* Create the loops' slots; slot i + 1 is loop i. */
static int place_loops(struct launch_model *m, const struct kernel_table *t, struct err *err)
{
	uint32_t *entries = array_alloc(t->loop_count, sizeof(*entries), "places of loops", err);

	if (!entries)
		return ERR_NOMEM;
	loop_places_fill(t, entries);
	for (size_t i = 0; i < t->loop_count; i++) {
		m->loops[i + 1].parent = (uint32_t)(t->loops[i].parent + 1);
		m->loops[i + 1].entry = entries[i];
	}
	free(entries);
	return 0;
}

int launch_model_init(struct launch_model *m, const struct kernel_table *t, struct err *err)
{
	m->site_count = t->site_count;
	m->loop_count = t->loop_count;
	m->table = t;
	m->item = 0;
	m->runs = array_alloc(t->site_count, sizeof(*m->runs), "model of the runs", err);
	m->sites = array_alloc(t->site_count, sizeof(*m->sites), "model of the sites", err);
	m->loops = array_alloc(t->loop_count + 1, sizeof(*m->loops), "model of the loops", err);
	if (!m->sites || !m->runs || !m->loops || place_loops(m, t, err)) {
		launch_model_release(m);
		return ERR_NOMEM;
	}
	for (size_t i = 0; i < t->site_count; i++)
		m->sites[i].loop = (uint32_t)(t->sites[i].loop + 1);
	return 0;
}

void launch_model_release(struct launch_model *m)
{
	free(m->sites);
	free(m->runs);
	free(m->loops);
	m->sites = NULL;
	m->runs = NULL;
	m->loops = NULL;
}

void launch_model_begin(struct launch_model *m)
{
	for (size_t i = 0; i < m->site_count; i++)
		m->sites[i] = (struct model_site){ .loop = m->sites[i].loop };
	memset(m->runs, 0, m->site_count * sizeof(*m->runs));
	for (size_t i = 0; i <= m->loop_count; i++)
		m->loops[i].item = 0;
	m->item = 0;
}

void launch_model_guide(struct launch_model *m, const struct site_guide *guide)
{
	struct model_site *s = &m->sites[guide->site];

	s->guide = guide->has_mate ? MODEL_GUIDE_MATE : MODEL_GUIDE_ANCHOR;
	s->own = guide->has_mate ? 0 : guide->anchor;
	s->mate = guide->mate;
	s->shift = (int8_t)guide->shift;
	s->least_width = (unsigned char)guide->least_width;
}
