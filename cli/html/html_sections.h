/*
 * html_sections - the parts of a page, one function each (html_sections.def), and what they share.
 */
#ifndef HTML_SECTIONS_H
#define HTML_SECTIONS_H

#include "html_page.h"

#include <stddef.h>

struct html_table;
struct l1_stats_row;

/* Write a section after its heading. Returns 0 or ERR_NOMEM. */
typedef int html_section_fn(const struct html_page *page, FILE *out, struct err *err);

#define SECTION(name, heading) html_section_fn html_section_##name;
#include "html_sections.def"
#undef SECTION

/* What the script gets: a JSON object, without an end of line. Returns 0 or ERR_NOMEM. */
int html_launches_json(const struct html_page *page, FILE *out, struct err *err);

/* The table of all source lines. */
void html_lines_write(const struct report_data *d, FILE *out);

/* Reads, bypassing ones too, writes and atomics of a row. */
uint64_t html_requests(const struct l1_stats_row *row);

/* Cells for the shares of classes in a row's misses, of the classes that all misses have. */
void html_class_cells(FILE *out, const struct l1_stats_row *row, const struct l1_stats_row *all);

/* Begin a table, which may have HTML_CLASS_COLUMNS: those that get cells are in its head. */
void html_class_table_begin(FILE *out, const struct html_table *t, const struct l1_stats_row *all);

/* The class of most of a row's misses, with its share: "capacity 71%"; nothing without misses. */
void html_class_main(FILE *out, const struct l1_stats_row *row);

/* A bar of these shares, which says nothing that the cells do not; and what its colours mean. */
void html_class_bar(FILE *out, const struct l1_stats_row *row);
void html_class_key(FILE *out, const struct l1_stats_row *all);

#define HTML_CLASS_COLUMNS                                                                         \
	{ "Cold", HTML_TERM_cold, false }, { "Capacity", HTML_TERM_capacity, false },              \
		{ "Conflict", HTML_TERM_conflict, false },                                         \
		{ "Coherence", HTML_TERM_coherence, false },                                       \
	{                                                                                          \
		"Sector", HTML_TERM_sector, false                                                  \
	}

/* Columns of all tables of counters of L1, with their cells: those before the classes; all, which
 * end the row. */
#define HTML_MISS_COLUMNS                                                                          \
	{ "Requests", HTML_TERM_request, false }, { "Lanes per request", HTML_TERM_lanes, false }, \
		{ "Misses", HTML_TERM_miss, false }, { "Of all misses", HTML_TERM_NONE, false },   \
	{                                                                                          \
		"Miss rate", HTML_TERM_rate, false                                                 \
	}
#define HTML_L1_COLUMNS                                                                            \
	HTML_MISS_COLUMNS, HTML_CLASS_COLUMNS, { "Bytes moved", HTML_TERM_moved, false },          \
	{                                                                                          \
		"Used", HTML_TERM_used, false                                                      \
	}
void html_miss_cells(FILE *out, const struct l1_stats_row *row, const struct l1_stats_row *all);
void html_l1_cells(FILE *out, const struct l1_stats_row *row, const struct l1_stats_row *all);

/* "12 more rows ..." where a table ends before its rows do. */
void html_left_out(FILE *out, size_t count, const char *what);

#endif
