/*
 * plot_heat_map - the view of a heat map (plot_heat.h) over a table of its planes: as a script for
 * gnuplot, in which each plane is a panel with the sums of its rows at its right and the meaning of
 * its colours; and as CSV.
 *
 * A cell is a whole number of pixels; one in which nothing was counted is white.
 */
#ifndef PLOT_HEAT_MAP_H
#define PLOT_HEAT_MAP_H

#include "plot_heat.h"
#include "plot_job.h"

enum { PLOT_HEAT_PLANES = 4, PLOT_HEAT_MEANS = 32 };

struct plot_heat_plane {
	const char *name;  /* of its column of CSV, and the unit of its colours */
	const char *title; /* of its panel; NULL: only CSV has it */
};

/* All borrowed. */
struct plot_heat_map {
	const struct plot_heat *heat;
	const char *titles; /* lines, plot_page.h */
	enum plot_format format;
	struct plot_heat_plane planes[PLOT_HEAT_PLANES]; /* heat->planes of them */
	const char *row_name;                            /* "set": what the rows are numbered by; */
	const char *rows_name; /* CSV's column of row_numbers; NULL: none */
	uint64_t first_number; /* of the first row, */
	uint64_t row_numbers;  /* and how many are in a row */
	bool has_mean;         /* the mean number in each of PLOT_HEAT_MEANS spans of time */
	bool is_log;           /* colours by the order of magnitude of a count */
	/* Where columns are not spans of time: the name of each, and `count` that are drawn. */
	const char *const *names;
	const uint32_t *columns;
	uint32_t count;
};

/* Write what m->format needs. Returns 0 or ERR_NOMEM. */
int plot_heat_map_write(const struct plot_heat_map *m, FILE *out, struct err *err);

#endif
