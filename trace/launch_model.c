/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_model.h"

#include "array.h"
#include "err.h"
#include "kernel_table.h"

#include <stdlib.h>
#include <string.h>

/* A loop stands in its parent just before the first site that lies in it, at any depth. */
static void place_loops(struct launch_model *m, const struct kernel_table *t)
{
	for (size_t i = t->site_count; i-- > 0;)
		m->loops[t->sites[i].loop + 1].entry = 2 * (uint32_t)i + 1;
	for (size_t i = t->loop_count; i-- > 0;) {
		struct model_loop *l = &m->loops[i + 1];
		struct model_loop *parent = &m->loops[t->loops[i].parent + 1];

		l->parent = (uint32_t)(t->loops[i].parent + 1);
		if (l->entry && (!parent->entry || l->entry < parent->entry))
			parent->entry = l->entry;
	}
}

int launch_model_init(struct launch_model *m, const struct kernel_table *t, struct err *err)
{
	m->site_count = t->site_count;
	m->loop_count = t->loop_count;
	m->item = 0;
	m->sites = array_alloc(t->site_count, sizeof(*m->sites), "model of the sites", err);
	m->loops = array_alloc(t->loop_count + 1, sizeof(*m->loops), "model of the loops", err);
	if (!m->sites || !m->loops) {
		launch_model_release(m);
		return ERR_NOMEM;
	}
	for (size_t i = 0; i < t->site_count; i++)
		m->sites[i].loop = (uint32_t)(t->sites[i].loop + 1);
	place_loops(m, t);
	return 0;
}

void launch_model_release(struct launch_model *m)
{
	free(m->sites);
	free(m->loops);
	m->sites = NULL;
	m->loops = NULL;
}

void launch_model_begin(struct launch_model *m)
{
	for (size_t i = 0; i < m->site_count; i++)
		m->sites[i] = (struct model_site){ .loop = m->sites[i].loop };
	for (size_t i = 0; i <= m->loop_count; i++)
		m->loops[i].item = 0;
	m->item = 0;
}
