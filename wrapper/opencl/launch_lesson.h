/*
 * launch_lesson - what a launch of a kernel tells the next one about the size of its slices.
 *
 * Kept in the engine.
 */
#ifndef LAUNCH_LESSON_H
#define LAUNCH_LESSON_H

#include <stdbool.h>

struct launch_job;
struct slice_plan;

/*
 * Let a new plan begin with what an earlier launch of the kernel, in groups of this size, needed;
 * without one, small where loops may write much: an overflow costs more than a small slice. Returns
 * whether there was one.
 */
bool launch_lesson_recall(const struct launch_job *job, struct slice_plan *plan);

/* Keep what the plan has learned. */
void launch_lesson_keep(const struct launch_job *job, const struct slice_plan *plan);

#endif
