/*
 * loop_path - the position of a lane in the loops of its kernel, derived from its events.
 *
 * A path has one level for each enclosing loop, outermost first, at any depth, with the 64-bit
 * iteration of each (event.h says which event carries what). Events that contradict the kernel's
 * table are refused. A level that the lane has left keeps its value until it is entered again.
 */
#ifndef LOOP_PATH_H
#define LOOP_PATH_H

#include "kernel_table.h"

struct err;

struct loop_level {
	uint64_t iteration;
	uint32_t high; /* of the iteration: from the last EVENT_EPOCH of this activation */
	int32_t loop;  /* -1: none entered */
};

/* Levels that a path of this kernel needs, at least 1. */
uint32_t loop_path_levels(const struct kernel_table *t);

/* A path outside all loops. */
void loop_path_start(struct loop_level *path, uint32_t levels);

/*
 * Update the path: the lane did EVENT_LOOP, EVENT_EPOCH, or reached the event of a site
 * (< site_count). Returns 0; ERR_FORMAT if the table has no such loop, the lane is not in the loop
 * around it, or the iteration is impossible; the message begins with "loop" or "site".
 */
int loop_path_enter(struct loop_level *path, uint32_t levels, const struct kernel_table *t,
                    uint32_t loop, uint64_t parent_iteration, struct err *err);
int loop_path_epoch(struct loop_level *path, uint32_t levels, const struct kernel_table *t,
                    uint32_t loop, uint64_t iteration, struct err *err);
int loop_path_stand(struct loop_level *path, uint32_t levels, const struct kernel_table *t,
                    uint32_t site, uint32_t iteration, struct err *err);

/*
 * Which of two positions comes first (SEMANTICS 2): negative, 0 or positive like memcmp(). Common
 * loops are compared by iteration from the outermost inward, then the sites: the sites of a loop
 * are contiguous, so a site's number also orders the loops around it.
 */
int loop_path_compare(const struct kernel_table *t, const struct loop_level *a, uint32_t site_a,
                      const struct loop_level *b, uint32_t site_b);

#endif
