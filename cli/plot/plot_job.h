/*
 * plot_job - what `warpline plot` was asked for, as the kinds of picture see it.
 */
#ifndef PLOT_JOB_H
#define PLOT_JOB_H

#include "options.h"
#include "replay.h"

#include <stdbool.h>
#include <stdio.h>

struct err;
struct gpu;
struct recording;

enum plot_colour {
#define PLOT_COLOUR(name, label, text) PLOT_COLOUR_##name,
#include "plot_colours.def"
#undef PLOT_COLOUR
};

enum plot_format {
#define PLOT_FORMAT(name, is_drawn, terminal, unit, head, tail) PLOT_FORMAT_##name,
#include "plot_formats.def"
#undef PLOT_FORMAT
	PLOT_FORMAT_COUNT
};

/* All borrowed. */
struct plot_job {
	const struct recording *recording;
	size_t launch; /* traced */
	const struct gpu *gpu;
	struct replay_options options;
	struct option_number group, sm;    /* only its accesses */
	struct option_number from, to;     /* only accesses with these numbers, both included */
	const struct option_list *buffers; /* only these: ids, or names of arguments; empty: all */
	enum plot_colour colour;
	enum plot_format format;
};

/*
 * A kind of picture: plays the launch and writes to `out` what gnuplot is to read, or the numbers
 * alone for PLOT_FORMAT_csv. *is_whole becomes false when the launch's file lacks accesses. Returns
 * 0; ERR_USAGE when nothing is left to draw, or a choice names what is not there; what
 * replay_launch() returns. Who reads `out` checks it for errors of writing.
 */
typedef int plot_write_fn(const struct plot_job *job, FILE *out, bool *is_whole, struct err *err);

#endif
