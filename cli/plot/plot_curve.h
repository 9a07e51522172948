/*
 * plot_curve - miss-ratio curves as a picture, for `plot --what curve` and `curve`.
 */
#ifndef PLOT_CURVE_H
#define PLOT_CURVE_H

#include "plot_job.h"

struct curve_run;
struct gpu_choice;

/* Begin a run with the curves of the GPU that was chosen, as curve_run_init(). */
int plot_curve_init(struct curve_run *run, const struct gpu_choice *choice, bool is_exact,
                    struct err *err);

/* Write the script, or CSV, of a run that the job's player made. Returns 0, PLOT_NOTHING without
 * reads, ERR_NOMEM. */
int plot_curve_draw(const struct curve_run *run, const struct plot_job *job, FILE *out,
                    struct err *err);

#endif
