/*
 * order_picture - plots the elements of each buffer against the order in which a launch accesses
 * them: panels of dots over a common axis of time.
 *
 * A panel shows one buffer's reads, writes or atomics. Of more than PLOT_PANELS_MAX panels, those
 * with the fewest accesses are left out and counted. The launch is replayed twice, because
 * numbering accesses in the order of time takes two passes (plot_clock.h); the first one also finds
 * the buffers.
 */
#ifndef ORDER_PICTURE_H
#define ORDER_PICTURE_H

#include "plot_clock.h"
#include "plot_places.h"
#include "plot_raster.h"
#include "replay.h"

#include <stdbool.h>

struct err;
struct gpu;
struct recording;
struct work_watch;

enum { PLOT_PANELS_MAX = 8, PLOT_COLUMNS_MAX = 640, PLOT_ROWS_ALL = 440 };

enum order_colour {
#define ORDER_COLOUR(name, label) ORDER_COLOUR_##name,
#include "order_colours.def"
#undef ORDER_COLOUR
};

/* What to draw; everything is borrowed. */
struct order_request {
	const struct recording *recording;
	size_t launch; /* index of a recorded launch */
	const struct gpu *gpu;
	struct replay_options options; /* with the launch's registers */
	const uint64_t *group,
		*sm; /* only the accesses of this group and SM, which must exist; NULL: all */
	const uint64_t *from, *to;        /* only accesses with these numbers, both included */
	const struct plot_names *buffers; /* only these buffers; none: all */
	enum order_colour colour;
	struct work_watch *watch; /* may be NULL */
};

struct plot_panel {
	const struct plot_place *place;
	enum plot_act act;
	uint32_t element_shift;
	struct plot_raster raster; /* x: number of the access; y: offset in bytes */
};

struct order_picture {
	struct plot_panel panels[PLOT_PANELS_MAX]; /* from top to bottom */
	size_t panel_count;
	size_t panels_left_out;
	uint64_t accesses_left_out;
	uint64_t accesses;     /* accesses selected by the request, apart from `from` and `to` */
	uint64_t from, to;     /* numbers of the drawn accesses */
	uint64_t colour_limit; /* the largest value of a dot */
	/* Of the whole launch. */
	uint64_t launch_accesses; /* to global memory */
	uint64_t side_accesses;   /* to local and constant memory, which are not drawn */
	bool is_whole;            /* its file is complete */
	/* Storage that panels point into. */
	struct plot_places places;
	struct plot_clock clock;
};

/*
 * Make the picture. Release it in every case. Returns 0; ERR_USAGE for a buffer that the launch
 * does not have, or when no access has a wanted number; or as replay_launch().
 */
int order_picture_make(struct order_picture *p, const struct order_request *request,
                       struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void order_picture_release(struct order_picture *p);

/* Returns the number of accesses in the dots of all panels. */
uint64_t order_picture_drawn(const struct order_picture *p);

#endif
