/*
 * plot_output - what becomes of a picture: which format, drawn by gnuplot or not, and into which
 * file.
 *
 * A picture of the same numbers is the same file, byte for byte, with the same gnuplot: the date
 * in a PDF is set to 1970.
 */
#ifndef PLOT_OUTPUT_H
#define PLOT_OUTPUT_H

#include "plot_job.h"

struct err;
struct str;

/* The format that the end of a file's name says. Returns 0 or ERR_USAGE, which lists them. */
int plot_output_format(enum plot_format *format, const char *file, struct err *err);

/* Whether it can be made, before there is anything to draw: gnuplot is there when it is needed.
 * Returns 0, ERR_SUBPROCESS, ERR_IO or ERR_NOMEM. */
int plot_output_check(enum plot_format format, struct err *err);

/*
 * Make a whole file of the format out of what a kind of picture wrote into the file `script`, and
 * put it where `file` is; "-": on stdout. Nothing is written when anything fails. Returns 0, what
 * gnuplot_draw() returns, ERR_SUBPROCESS for a picture that is not whole, ERR_IO.
 */
int plot_output_write(enum plot_format format, int script, const char *file, struct err *err);

/*
 * The same of what `write` writes to the file that it gets; `write` returns 0 or an error, which is
 * then returned. Who writes need not look for errors of writing.
 */
typedef int plot_output_writer(void *context, FILE *out, struct err *err);
int plot_output_make(enum plot_format format, const char *file, plot_output_writer *write,
                     void *context, struct err *err);

/* The picture's bytes as we want them: an SVG's dots with sharp edges, a PDF without the date. */
int plot_output_mend(enum plot_format format, struct str *picture, struct err *err);

#endif
