/*
 * plot_job - what `warpline plot` was asked to draw, and the kinds of picture that draw it.
 *
 * Each kind has its dataset in analysis/pictures/ or analysis/curve/, and its view here, in
 * plot_NAME.c: titles, the script for gnuplot, CSV.
 */
#ifndef PLOT_JOB_H
#define PLOT_JOB_H

#include "options.h"
#include "order_picture.h"
#include "player.h"

#include <stdbool.h>
#include <stdio.h>

struct replay_choice;

enum plot_kind {
#define PLOT_KIND(name, text) PLOT_KIND_##name,
#include "plot_kinds.def"
#undef PLOT_KIND
	PLOT_KINDS /* all of them */
};

enum plot_format {
#define PLOT_FORMAT(name, is_drawn, terminal, unit, head, tail) PLOT_FORMAT_##name,
#include "plot_formats.def"
#undef PLOT_FORMAT
	PLOT_FORMAT_COUNT
};

/* What the columns of `sets` are. */
enum plot_by { PLOT_BY_TIME, PLOT_BY_KERNEL };

struct plot_job {
	struct player player; /* of the requested launches, all or --launch; not replayed yet */
	size_t launch;        /* for kinds that show one launch: --launch, or the first recorded */
	const struct replay_choice *choice; /* what the player came from; NULL: other options */
	struct option_number group, sm;     /* only their accesses */
	struct option_number from, to;      /* only accesses of these numbers, both included */
	struct plot_names buffers;          /* only these; none: all */
	struct option_number window;        /* cycles of a column, at least */
	enum order_colour colour;
	enum plot_by by;
	enum plot_format format;
};

/* Returns the job's player for job->launch only. */
struct player plot_job_one(const struct plot_job *job);

/* There is nothing to draw; the error, of ERR_USAGE, says why. */
enum { PLOT_NOTHING = 1 };

/*
 * A kind of picture: replays the launch or launches, and writes what gnuplot is to read, or, for
 * PLOT_FORMAT_csv, only the numbers. Returns 0; PLOT_NOTHING; ERR_USAGE when a choice names what
 * is not there; or as replay_launch(). Callers check `out` for write errors.
 */
typedef int plot_write_fn(const struct plot_job *job, FILE *out, struct player_outcome *outcome,
                          struct err *err);
#define PLOT_KIND(name, text) plot_write_fn plot_##name##_write;
#include "plot_kinds.def"
#undef PLOT_KIND

/* "order", ..., "all". Static storage. */
const char *plot_kind_name(uint32_t kind);

/* Draw a kind into `file` (plot_output_make()); *outcome is zeroed before. Returns as a
 * plot_write_fn or plot_output_make(). */
int plot_job_draw(const struct plot_job *job, uint32_t kind, const char *file,
                  struct player_outcome *outcome, struct err *err);

/* Draw each kind into a file named after `file` and the kind. A kind that has nothing to draw is
 * reported on stderr. Returns 0 or the first other error. */
int plot_job_draw_all(const struct plot_job *job, const char *file, struct player_outcome *outcome,
                      struct err *err);

#endif
