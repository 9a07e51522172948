/*
 * html_order - what the page draws of the order of accesses: the elements of each buffer against
 * the order in which one launch accesses them, as `plot --what order` does.
 *
 * The launch is the one with the most misses among those of at most HTML_ORDER_ACCESSES_MAX
 * accesses, and is replayed twice for this.
 */
#ifndef HTML_ORDER_H
#define HTML_ORDER_H

#include "plot_clock.h"
#include "plot_picture.h"
#include "plot_places.h"

#include <stdbool.h>
#include <stddef.h>

struct err;
struct kernel_table;
struct report_data;

#define HTML_ORDER_ACCESSES_MAX (UINT64_C(1) << 26)

struct html_order {
	bool has_launch; /* else nothing is drawn: no launch is small enough, or none was played */
	size_t launch;   /* index in recording->launches */
	const struct kernel_table *table; /* of its kernel; borrowed */
	struct plot_picture picture;
	struct plot_places places;
	struct plot_clock clock;
};

/* Choose a launch and play it; with `is_quiet` no line on the terminal says how far that is.
 * Returns 0 or what replay_launch() does. Release in every case. */
int html_order_make(struct html_order *o, const struct report_data *d, bool is_quiet,
                    struct err *err);
void html_order_release(struct html_order *o);

#endif
