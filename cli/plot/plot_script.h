/*
 * plot_script - a picture as a gnuplot script with its numbers in it, which draws to stdout.
 *
 * Each dot becomes a whole number of pixels, so that none is wider than another. Texts are quoted
 * so that gnuplot takes them as they are: no commands, no markup.
 */
#ifndef PLOT_SCRIPT_H
#define PLOT_SCRIPT_H

#include "plot_job.h"

struct plot_picture;

void plot_script_write(const struct plot_picture *p, enum plot_format format, FILE *out);

/*
 * Write a text as gnuplot's string: in single quotes, in which only the quote itself means
 * something. Control characters and what is no UTF-8 become '?'.
 */
void plot_script_quote(const char *text, size_t length, FILE *out);

#endif
