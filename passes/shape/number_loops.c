/* SPDX-License-Identifier: Apache-2.0 */
#include "number_loops.h"

#include "array.h"
#include "err.h"
#include "program.h"
#include "source_place.h"

#include <stdlib.h>

/* In table_loop, until they have a number. */
#define WITHOUT_SITES (-1)
#define WITH_SITES    (-2)

static void find_loops_with_sites(struct kernel *k, const bool *has_sites)
{
	const struct loop_forest *f = &k->flow.forest;

	for (uint32_t l = 0; l < f->loop_count; l++)
		k->table_loop[l] = WITHOUT_SITES;
	for (uint32_t n = 0; n < k->flow.graph.node_count; n++)
		for (int32_t l = f->innermost[n]; has_sites[n] && l >= 0; l = f->loops[l].parent)
			k->table_loop[l] = WITH_SITES;
}

/* For each loop some node that jumps back to its header. */
static uint32_t *find_latches(const struct kernel *k, struct err *err)
{
	const struct graph *g = &k->flow.graph;
	const struct loop_forest *f = &k->flow.forest;
	uint32_t *latch = array_alloc(f->loop_count, sizeof(*latch), "loops", err);

	if (!latch)
		return NULL;
	for (uint32_t n = 0; n < g->node_count; n++)
		for (uint32_t e = g->first[n]; e < g->first[n + 1]; e++) {
			uint32_t s = g->successor[e];
			int32_t l = f->innermost[s];

			if (l >= 0 && f->loops[l].header == s &&
			    loop_forest_contains(f, l, f->innermost[n]))
				latch[l] = n;
		}
	return latch;
}

static int number_loop(struct kernel *k, int32_t forest_loop, const uint32_t *latch,
                       struct array *loops, struct err *err)
{
	const struct forest_loop *from = &k->flow.forest.loops[forest_loop];
	struct loop *to = array_push(loops, 1, err);

	if (!to)
		return ERR_LIMIT;
	k->table_loop[forest_loop] = (int32_t)loops->count - 1;
	to->parent = from->parent < 0 ? -1 : k->table_loop[from->parent];
	to->depth = from->depth;
	return source_place_of_loop(k->flow.node[from->header], k->flow.node[latch[forest_loop]],
	                            &to->place, err);
}

int number_loops(struct kernel *k, const bool *has_sites, struct err *err)
{
	const struct loop_forest *f = &k->flow.forest;
	uint32_t *latch = find_latches(k, err);
	struct array loops;
	int ret = latch ? 0 : ERR_NOMEM;

	array_init(&loops, sizeof(struct loop), INT32_MAX, "loops");
	k->table_loop = array_alloc(f->loop_count, sizeof(*k->table_loop), "loops", err);
	if (!k->table_loop)
		ret = ERR_NOMEM;
	if (!ret)
		find_loops_with_sites(k, has_sites);
	for (size_t i = 0; !ret && i < k->flow.order_count; i++) {
		uint32_t n = k->flow.order[i];
		int32_t l = f->innermost[n];

		if (l >= 0 && f->loops[l].header == n && k->table_loop[l] == WITH_SITES)
			ret = number_loop(k, l, latch, &loops, err);
	}
	k->table->loop_count = loops.count;
	k->table->loops = array_take(&loops);
	free(latch);
	return ret;
}
