/*
 * plot_curve_script - miss-ratio curves as a script for gnuplot.
 */
#ifndef PLOT_CURVE_SCRIPT_H
#define PLOT_CURVE_SCRIPT_H

#include "plot_job.h"

struct curve_facts;
struct curve_set;

/* Draws to gnuplot's standard output, as plot_script_write(). */
void plot_curve_script_write(const struct curve_set *c, const struct curve_facts *f,
                             enum plot_format format, FILE *out);

#endif
