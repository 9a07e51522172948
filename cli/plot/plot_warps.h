/*
 * plot_warps - `plot --what warps`: how many lanes of warps access memory together, and how many of
 * them one request of L1 serves, over time.
 */
#ifndef PLOT_WARPS_H
#define PLOT_WARPS_H

#include "plot_job.h"

plot_write_fn plot_warps_write;

#endif
