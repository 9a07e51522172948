/*
 * reorder_plan - makes the reorder configuration of a recorded launch: what the paper's analysis of
 * the kernel computes, taken from what the kernel did.
 *
 * All groups are formed twice: once for the places in the code that any warp comes to, in static
 * order (reorder_unit.h), and once for what each warp does there. Memory: the configuration.
 */
#ifndef REORDER_PLAN_H
#define REORDER_PLAN_H

#include "schedule.h"

struct gpu;
struct reorder_config;

/*
 * Fill *out (release it in any case) with the accesses that a launch's warps make on a GPU; of
 * `input` shape, table, map and groups count, and groups.read() answers for any group at any time.
 * Returns 0 or what schedule_launch() returns; ERR_UNSUPPORTED when a warp makes accesses that are
 * in no static order, as irreducible flow may; ERR_LIMIT.
 */
int reorder_plan_make(struct reorder_config *out, const struct gpu *gpu,
                      const struct schedule_input *input, struct err *err);

#endif
