/*
 * plot_titles - the lines over a picture that say what it is of: recording, kernel, launch, GPU and
 * order. Each function appends one or more lines, each ended by a newline, and returns 0, ERR_NOMEM
 * or ERR_LIMIT.
 */
#ifndef PLOT_TITLES_H
#define PLOT_TITLES_H

#include "plot_job.h"
#include "str.h"

/* The recording's name, the kernel and the launch job->launch. */
int plot_titles_launch(struct str *out, const struct plot_job *job, struct err *err);

/* The same of all that were played, at least one. */
int plot_titles_launches(struct str *out, const struct plot_job *job, const struct player *p,
                         struct err *err);

/* The GPU with its L1, the options that change the order of requests, and what job->group, sm and
 * buffers leave; then what is unusual about the L1. */
int plot_titles_gpu(struct str *out, const struct plot_job *job, struct err *err);

/* That curves are not of this L1, with the shares of reads that miss, if so
 * (curve_set_other_cache()). */
int plot_titles_curve(struct str *out, const struct gpu *gpu, double replay_rate, double mark_rate,
                      struct err *err);

/* That the recording or the files of its launches lack something, if so. */
int plot_titles_missing(struct str *out, const struct plot_job *job, bool is_whole,
                        struct err *err);

#endif
