/*
 * plot_order - `plot --what order`: element of each buffer against the order of access, as the
 * figures 8.1, 8.5 and 8.10 of Crawford 2014.
 */
#ifndef PLOT_ORDER_H
#define PLOT_ORDER_H

#include "plot_job.h"

plot_write_fn plot_order_write;

#endif
