/*
 * plot_page - the page that a script for gnuplot draws on: its size, the titles at its top, and
 * where on it the next picture is. All in pixels from the left and from below.
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

/* The page begins: terminal, colours of axes, titles as labels 1, 2, .... */
void plot_page_begin(const struct plot_page *p, FILE *out);
void plot_page_titles(const struct plot_page *p, const char *titles, FILE *out);

/* The next picture's axes are these. */
void plot_page_place(const struct plot_page *p, const struct plot_box *box, FILE *out);

/* "at screen X, Y" of a pixel. */
void plot_page_at(const struct plot_page *p, double left, double bottom, FILE *out);

/* " font ',N'" for a text of that size, were the page's usual one 12. */
void plot_page_font(const struct plot_page *p, uint32_t size, FILE *out);

/* Write a text in gnuplot's quotes: plot_script_quote(). */
void plot_page_quote(const char *text, FILE *out);

#endif
