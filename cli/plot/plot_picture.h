/*
 * plot_picture - panels of dots over one axis of time, with titles and a legend.
 *
 * A panel is what one buffer's reads, writes or atomics look like. Where there are more than
 * PLOT_PANELS_MAX, those with the fewest accesses are left out and counted.
 */
#ifndef PLOT_PICTURE_H
#define PLOT_PICTURE_H

#include "plot_places.h"
#include "plot_raster.h"
#include "str.h"

#include <stdbool.h>
#include <stdio.h>

struct err;

enum { PLOT_PANELS_MAX = 8, PLOT_COLUMNS_MAX = 640, PLOT_ROWS_ALL = 440 };

struct plot_panel {
	const struct plot_place *place;
	enum plot_act act;
	uint32_t element_shift;
	char *title;               /* owned */
	struct plot_raster raster; /* x: number of the access; y: offset in bytes */
};

struct plot_picture {
	struct plot_panel panels[PLOT_PANELS_MAX]; /* from top to bottom */
	size_t panel_count;
	size_t panels_left_out;
	uint64_t accesses_left_out;
	struct str titles;        /* lines, each ended by a newline */
	const char *colour_name;  /* for a column of numbers */
	const char *colour_label; /* for people */
	uint64_t colour_limit;    /* the largest value of a dot */
	bool is_count;            /* dots are coloured by how many accesses they hold */
};

/* Empty; release in every case. */
void plot_picture_init(struct plot_picture *p);
void plot_picture_release(struct plot_picture *p);

/*
 * A panel for each place and act that was noted and is wanted, with an x axis for the numbers
 * from..to. Returns 0 or ERR_NOMEM.
 */
int plot_picture_add_panels(struct plot_picture *p, const struct plot_places *places, uint64_t from,
                            uint64_t to, struct err *err);

/* Once per panel: its title. Returns 0 or ERR_NOMEM. */
int plot_panel_set_title(struct plot_panel *panel, const struct recording *r, size_t launch,
                         struct err *err);

/* Accesses in the dots of all panels. */
uint64_t plot_picture_accesses(const struct plot_picture *p);

/* The largest number of accesses in a dot. */
uint64_t plot_picture_fullest(const struct plot_picture *p);

#endif
