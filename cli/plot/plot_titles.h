/*
 * plot_titles - the lines over a picture that say what it shows: recording, kernel, launch, GPU and
 * order. Each function appends lines, each ended by a newline, and returns 0, ERR_NOMEM or
 * ERR_LIMIT.
 */
#ifndef PLOT_TITLES_H
#define PLOT_TITLES_H

#include "plot_job.h"
#include "str.h"

enum { PLOT_TITLES_BYTES = 1 << 16 };

/* The recording, and the launches of `played`, at least one; NULL: job->launch. Then the GPU with
 * its L1, the options that change the order of requests, and what job->group, sm and buffers leave;
 * then the L1's unusual settings. */
int plot_titles_begin(struct str *out, const struct plot_job *job, const struct player *played,
                      struct err *err);

/* If curves are not of this L1: that they are not, with the shares of reads that miss
 * (curve_set_other_cache()). */
int plot_titles_curve(struct str *out, const struct gpu *gpu, double replay_rate, double mark_rate,
                      struct err *err);

/* If the recording or its launches' files lack something: that they do. */
int plot_titles_missing(struct str *out, const struct plot_job *job, bool is_whole,
                        struct err *err);

#endif
