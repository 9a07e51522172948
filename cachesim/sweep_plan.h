/*
 * sweep_plan - the caches of a sweep, in chains that share their walks (private to this room).
 */
#ifndef SWEEP_PLAN_H
#define SWEEP_PLAN_H

#include "set_index.h"

#include <stdbool.h>
#include <stddef.h>

struct err;
struct sweep_geometry;

struct sweep_plan {
	struct set_index *indices; /* chain by chain */
	size_t count;
	struct sweep_plan_chain {
		size_t first, count; /* of the indices */
	} * chains;
	size_t chain_count;
	struct sweep_plan_place {
		size_t chain, level;
	} * places;    /* of each geometry, in the given order */
	uint32_t ways; /* at most */
	uint32_t line_shift;
	bool is_evicting;
};

/* For a checked GPU and 1..65536 geometries. Returns 0, ERR_CONFIG for a geometry that the GPU
 * cannot have, or ERR_NOMEM; release in every case. */
int sweep_plan_init(struct sweep_plan *p, const struct gpu *gpu, const struct sweep_geometry *list,
                    size_t count, uint32_t ways, struct err *err);
void sweep_plan_release(struct sweep_plan *p);

#endif
