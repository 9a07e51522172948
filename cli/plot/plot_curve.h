/*
 * plot_curve - `plot --what curve`: what `warpline curve` draws.
 */
#ifndef PLOT_CURVE_H
#define PLOT_CURVE_H

#include "plot_job.h"

plot_write_fn plot_curve_write;

#endif
