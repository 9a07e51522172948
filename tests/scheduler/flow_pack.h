/*
 * flow_pack - the events of a work-item of a flow_run, with runs and grids of some of its accesses.
 */
#ifndef FLOW_PACK_H
#define FLOW_PACK_H

#include "flow_run.h"

/* Whether the work-items of this run can be packed at all. */
bool flow_pack_can(const struct flow_run *r);

/*
 * Write the packed events of work-item `item` to events[], which has room for 16 for each of its
 * visits; returns how many. What is packed follows from the seed, and is the same for work-items
 * that do the same.
 */
uint64_t flow_pack_item(const struct flow_run *r, uint32_t item, uint64_t seed,
                        struct event *events);

#endif
