/*
 * reorder_plan - makes the reorder configuration of a recorded launch. The paper computes it by
 * analysing the kernel; here it is taken from the recorded accesses.
 *
 * All groups are formed twice: once to find the code places that any warp reaches, in static order
 * (reorder_unit.h), and once to find what each warp accesses there. Memory: the configuration.
 */
#ifndef REORDER_PLAN_H
#define REORDER_PLAN_H

#include "schedule.h"

struct gpu;
struct reorder_config;

/*
 * Fill *out with the accesses that a launch's warps make on a GPU; release it in any case. Of
 * `input`, shape, table, map and groups are used; groups.read() must accept any group at any time.
 * Returns 0; what schedule_launch() returns; ERR_UNSUPPORTED if a warp makes accesses that are in
 * no static order, as irreducible control flow may; ERR_LIMIT.
 */
int reorder_plan_make(struct reorder_config *out, const struct gpu *gpu,
                      const struct schedule_input *input, struct err *err);

#endif
