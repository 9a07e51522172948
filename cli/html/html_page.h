/*
 * html_page - a report as one HTML page that needs nothing else: no network, no file beside it, and
 * no script to be read.
 *
 * The page depends only on the recording's contents and the choices of the replay: no time, no path
 * of this machine, nothing random. Everything from the recording is escaped (html_text.h), and a
 * Content-Security-Policy lets nothing run or load but what is built into this program. For 10,000
 * launches it stays under 2 MB: it says where something is left out for that.
 */
#ifndef HTML_PAGE_H
#define HTML_PAGE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>

struct err;
struct gpu;
struct html_order;
struct l1_stats_row;
struct report_data;

/* The most rows of a table: beyond that launches are added up, and the last of other rows left
 * out. */
enum { HTML_ROWS_MAX = 500 };

/* All borrowed. */
struct html_page {
	const struct report_data *data; /* with curves and patterns */
	const struct gpu *gpu;          /* that was replayed */
	const struct html_order *order; /* the picture of the order of accesses; NULL: none */
};

/*
 * Write the page of `d`, made with curves and patterns, to `file` (out_file.h); "-" is stdout. One
 * launch is replayed twice more for its picture (html_order.h), with a progress line unless
 * `is_quiet`. Returns 0, ERR_IO, ERR_NOMEM or what replay_launch() returns.
 */
int html_page_save(const struct report_data *d, const char *file, bool is_quiet, struct err *err);

/* Write the page to an open file. Callers check for write errors. Returns 0 or ERR_NOMEM. */
int html_page_write(const struct html_page *page, FILE *out, struct err *err);

/* The sections of the page: each writes what follows its heading. Return 0 or ERR_NOMEM. */
typedef int html_section_fn(const struct html_page *page, FILE *out, struct err *err);

html_section_fn html_section_overview, html_section_kernels, html_section_launches,
	html_section_source, html_section_order, html_section_curve, html_section_reuse,
	html_section_sets, html_section_buffers, html_section_machine, html_section_complete,
	html_section_counters;

/* Write the launches as a JSON object for the script, without a newline. Returns 0 or ERR_NOMEM. */
int html_launches_json(const struct html_page *page, FILE *out, struct err *err);

/* Write the table of all source lines. */
void html_lines_write(const struct report_data *d, FILE *out);

/* Write the class of most of a row's misses with its share, "capacity 71%"; nothing without
 * misses. */
void html_class_write(FILE *out, const struct l1_stats_row *row);

/* Write that `count` more of `what` are not shown; nothing for 0. */
void html_left_out(FILE *out, size_t count, const char *what);

#endif
