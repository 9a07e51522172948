/*
 * plot_job - what `warpline plot` was asked for, as the kinds of picture see it.
 */
#ifndef PLOT_JOB_H
#define PLOT_JOB_H

#include "options.h"
#include "player.h"
#include "plot_places.h"

#include <stdbool.h>
#include <stdio.h>

struct gpu;
struct recording;
struct replay_choice;
struct work_watch;

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

/* What the columns of `sets` are. */
enum plot_by { PLOT_BY_TIME, PLOT_BY_KERNEL };

/* All borrowed. */
struct plot_job {
	struct work_watch *watch; /* of the replays; NULL: nobody */
	const struct recording *recording;
	struct launch_choice
		launches; /* for kinds that show any number of them: all, or --launch */
	size_t launch;    /* traced; for kinds that show one: the first, or --launch */
	const struct gpu *gpu;
	const struct replay_choice *choice; /* what all of this came of; NULL: of other options */
	struct replay_options options;      /* without registers */
	const uint32_t *registers;          /* of each kernel */
	struct option_number group, sm;     /* only its accesses */
	struct option_number from, to;      /* only accesses with these numbers, both included */
	struct plot_names buffers;          /* only these; none: all */
	struct option_number window;        /* cycles of a column, at least */
	enum plot_colour colour;
	enum plot_by by;
	enum plot_format format;
};

/* The choice of job->launch alone. */
struct launch_choice plot_job_one(const struct plot_job *job);

/* A player of job->launches. */
struct player plot_job_player(const struct plot_job *job);

/* There is nothing to draw; the error, of ERR_USAGE, says why. */
enum { PLOT_NOTHING = 1 };

/*
 * A kind of picture: plays the launch, or launches, and writes to `out` what gnuplot is to read, or
 * the numbers alone for PLOT_FORMAT_csv. Returns 0; PLOT_NOTHING; ERR_USAGE when a choice names
 * what is not there; what replay_launch() returns. Who reads `out` checks it for errors of writing.
 */
typedef int plot_write_fn(const struct plot_job *job, FILE *out, struct player_outcome *outcome,
                          struct err *err);

#endif
