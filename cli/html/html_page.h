/*
 * html_page - what a report shows, as one HTML page that needs nothing else: no network, no file
 * beside it, and no script to be read.
 *
 * The page is a function of the recording's contents and the choices of the replay alone: no time,
 * no path of a machine, nothing random. Everything in it that the recording holds is escaped
 * (html_text.h), and a Content-Security-Policy lets nothing run or load but what is built into this
 * program. For 10,000 launches it stays under 2 MB: what is cut for that is said where it is cut.
 */
#ifndef HTML_PAGE_H
#define HTML_PAGE_H

#include <stdint.h>
#include <stdio.h>

struct err;
struct gpu;
struct html_order;
struct report_data;

/* Rows of a table at most; launches beyond that are added up, of others the last are left out. */
enum { HTML_ROWS_MAX = 500 };

/* All borrowed. */
struct html_page {
	const struct report_data *data; /* with curves and patterns */
	const struct gpu *gpu;          /* that was played */
	const struct html_order *order; /* what to draw of the order of accesses; NULL: nothing */
};

/* Write the page. Who calls looks for errors of writing. Returns 0 or ERR_NOMEM. */
int html_page_write(const struct html_page *page, FILE *out, struct err *err);

#endif
