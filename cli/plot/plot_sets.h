/*
 * plot_sets - `plot --what sets`: which sets of L1 requests go to and miss in, over time or by
 * kernel, of all SMs together: the numbers of `replay --stats sets`.
 */
#ifndef PLOT_SETS_H
#define PLOT_SETS_H

#include "plot_job.h"

plot_write_fn plot_sets_write;

#endif
