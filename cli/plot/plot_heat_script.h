/*
 * plot_heat_script - a heat map as a script for gnuplot: a panel for each plane that is shown, with
 * the sums of its rows at its right, and what a colour stands for.
 *
 * A cell is a whole number of pixels; one in which nothing was counted is white.
 */
#ifndef PLOT_HEAT_SCRIPT_H
#define PLOT_HEAT_SCRIPT_H

#include "plot_heat.h"
#include "plot_job.h"

enum { PLOT_HEAT_PANELS = 2, PLOT_HEAT_COLUMNS = 240, PLOT_HEAT_ROWS = 256, PLOT_HEAT_MEANS = 32 };

struct plot_heat_panel {
	uint32_t plane;
	const char *title;
	const char *unit; /* "requests" */
};

/* All borrowed. */
struct plot_heat_page {
	const struct plot_heat *heat;
	const char *titles; /* lines, plot_page.h */
	enum plot_format format;
	struct plot_heat_panel panels[PLOT_HEAT_PANELS];
	const char *row_name;  /* "set": what the rows are numbered by; */
	uint64_t first_number; /* of the first row, */
	uint64_t row_numbers;  /* and how many are in a row */
	bool has_mean;         /* the mean number in each of PLOT_HEAT_MEANS spans of time */
	bool is_log;           /* colours by the order of magnitude of a count */
	/* Instead of columns of time: these, with a name each. */
	const uint32_t *columns;
	const char *const *names;
	uint32_t count; /* of them; 0: of time */
};

void plot_heat_script(const struct plot_heat_page *p, FILE *out);

#endif
