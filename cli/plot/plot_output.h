/*
 * plot_output - from a picture's script or numbers to a file: its format, drawn by gnuplot or not.
 *
 * A picture of the same numbers is the same file, byte for byte, with the same gnuplot: the date
 * in a PDF is set to 1970.
 */
#ifndef PLOT_OUTPUT_H
#define PLOT_OUTPUT_H

#include "plot_job.h"

struct err;
struct str;

/* The format that a file's name ends in. Returns 0 or ERR_USAGE, which lists them. */
int plot_output_format(enum plot_format *format, const char *file, struct err *err);

/* Check that a format can be made, before there is anything to draw: that gnuplot is there if it is
 * needed. Returns 0, ERR_SUBPROCESS, ERR_IO or ERR_NOMEM. */
int plot_output_check(enum plot_format format, struct err *err);

/*
 * Make a file of the format from what `write` writes, a script or numbers, and put it in the place
 * of `file`; "-": stdout. Nothing is written when anything fails. `write` need not check for write
 * errors. Returns 0, what `write` or gnuplot_draw() returns, ERR_SUBPROCESS for a picture that is
 * not whole, or ERR_IO.
 */
typedef int plot_output_writer(void *context, FILE *out, struct err *err);
int plot_output_make(enum plot_format format, const char *file, plot_output_writer *write,
                     void *context, struct err *err);

/* The picture's bytes as we want them: an SVG's dots with sharp edges, a PDF without the date. */
int plot_output_mend(enum plot_format format, struct str *picture, struct err *err);

#endif
