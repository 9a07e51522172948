/*
 * html_order - the picture of the order of accesses on the page: the elements of each buffer
 * against the order in which one launch accesses them, as `plot --what order` shows them.
 *
 * The launch is the one with the most misses among those of at most HTML_ORDER_ACCESSES_MAX
 * accesses. It is replayed twice for the picture.
 */
#ifndef HTML_ORDER_H
#define HTML_ORDER_H

#include "order_picture.h"

#include <stdbool.h>
#include <stddef.h>

struct err;
struct kernel_table;
struct report_data;

#define HTML_ORDER_ACCESSES_MAX (UINT64_C(1) << 26)

struct html_order {
	bool has_launch; /* false: no launch is small enough, or none was replayed */
	size_t launch;   /* index in recording->launches */
	const struct kernel_table *table; /* of its kernel; borrowed */
	struct order_picture picture;
};

/* Choose a launch and make its picture; `is_quiet`: without a progress line. Returns 0 or as
 * order_picture_make(). Release in every case. */
int html_order_make(struct html_order *o, const struct report_data *d, bool is_quiet,
                    struct err *err);
void html_order_release(struct html_order *o);

#endif
