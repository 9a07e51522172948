/*
 * plot_page - what the scripts for gnuplot have in common: the page with its titles, where on it
 * the next picture is, strings that mean nothing to gnuplot, and the marks of an axis.
 *
 * A script contains its numbers and draws to gnuplot's standard output. Places are pixels from the
 * left and from below.
 */
#ifndef PLOT_PAGE_H
#define PLOT_PAGE_H

#include "plot_job.h"

enum { PLOT_LINE_PIXELS = 26 }; /* of the titles */

struct plot_page {
	uint32_t width, height;
	enum plot_format format;
};

struct plot_box {
	uint32_t left, right, bottom, top;
};

/* Where a picture's titles, lines that each end in a newline, leave off: pixels from above. */
uint32_t plot_page_titles_height(const char *titles);

/* Begin the page: terminal, colours of axes. Then its titles, as labels 1, 2, .... */
void plot_page_begin(const struct plot_page *p, FILE *out);
void plot_page_titles(const struct plot_page *p, const char *titles, FILE *out);

/* Set the axes of the next picture. */
void plot_page_place(const struct plot_page *p, const struct plot_box *box, FILE *out);

/* "at screen X, Y" of a pixel. */
void plot_page_at(const struct plot_page *p, double left, double bottom, FILE *out);

/* " font ',N'" for text of that size, on a page whose usual size is 12. */
void plot_page_font(const struct plot_page *p, uint32_t size, FILE *out);

/* Write a string in gnuplot's single quotes, in which only the quote itself has a meaning. Control
 * characters and bytes that are not UTF-8 become '?'. */
void plot_page_quote(const char *text, FILE *out);

/* Marks of an axis, at whole numbers. */
struct plot_tics {
	uint64_t first, step; /* a multiple of the step, which is >= 1 */
	uint32_t count;
};

/*
 * Tics within low..high, at most `most` + 1 of them (most >= 1). They are apart by a power of two
 * if that fits the axis exactly four or more times, as buffers are often of such a size; else by 1,
 * 2 or 5 times a power of ten.
 */
struct plot_tics plot_tics_make(uint64_t low, uint64_t high, uint32_t most);

/* gnuplot's command for them; `axis` is "x", "y" or "cb". Without numbers: marks alone. */
void plot_page_tics(const char *axis, struct plot_tics tics, bool has_numbers, FILE *out);

#endif
