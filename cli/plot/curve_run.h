/*
 * curve_run - plays launches for their miss-ratio curves, for `curve` and `plot --what curve`.
 */
#ifndef CURVE_RUN_H
#define CURVE_RUN_H

#include "curve_report.h"
#include "curve_set.h"
#include "player.h"
#include "plot_job.h"

struct gpu_choice;

struct curve_run {
	struct curve_set set;
	struct plot_job job; /* with the GPU of the set */
	struct player player;
	struct curve_facts facts;
	char *titles; /* of facts */
};

/* The curves of a GPU; nothing is played yet. Returns what curve_set_init() does. Release in every
 * case. */
int curve_run_init(struct curve_run *run, const struct gpu_choice *choice, bool is_exact,
                   struct err *err);
void curve_run_release(struct curve_run *run);

/* Play what the job says, but on the GPU of the set. Returns 0 or an error. */
int curve_run_play(struct curve_run *run, const struct plot_job *job, struct err *err);

/* Write the script of a format, or the numbers. Returns 0, or PLOT_NOTHING without reads. */
int curve_run_write(const struct curve_run *run, enum plot_format format, FILE *out,
                    struct err *err);

#endif
