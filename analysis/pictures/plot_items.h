/*
 * plot_items - the linear global id of a work-item: x + y*Gx + z*Gx*Gy, without the offset.
 *
 * Neighbours in x have neighbouring numbers, whatever groups they are in.
 */
#ifndef PLOT_ITEMS_H
#define PLOT_ITEMS_H

#include "launch_shape.h"

#include <stdbool.h>

struct err;

struct plot_items {
	const struct launch_shape *shape; /* borrowed */
	uint64_t *inside; /* of each work-item of a full group: its id minus its group's first */
	uint64_t group;   /* the current group */
	uint64_t first;   /* its work-item 0 */
	bool is_full;
};

/* Begin with a shape that has passed its check. Returns 0 or ERR_NOMEM. Release in every case. */
int plot_items_init(struct plot_items *p, const struct launch_shape *shape, struct err *err);
void plot_items_release(struct plot_items *p);

/* Returns the number of work-items of the launch. */
uint64_t plot_items_count(const struct plot_items *p);

/* Set the current group; return the id of its work-item `item`. */
void plot_items_group(struct plot_items *p, uint64_t group);
uint64_t plot_items_id(const struct plot_items *p, uint32_t item);

#endif
