/*
 * alike_items - work-items that visit the sites that the one before did, in the same iterations, at
 * addresses of which some are new: the values of such are all that the columns tell of them;
 * private to trace/.
 *
 * What is read is what columns_reader would read event by event; here all that stays the same from
 * work-item to work-item is out of the loop, and differences are made of planes many at a time.
 */
#ifndef ALIKE_ITEMS_H
#define ALIKE_ITEMS_H

#include "columns_reader.h"

/* The work-items behind one whose events have been read. */
struct alike_items {
	struct event *before; /* its events, sites all and none of a guessed iteration; the others
	                         follow them */
	uint64_t count;       /* how many it has, > 0 */
	uint32_t items;       /* behind it, with the same numbers in points and iterations */
	uint32_t got;         /* of those: what was read */
};

/* Whether events, of which no iteration had to be told, are such that others may be like them. */
bool alike_items_are_likely(const struct launch_model *m, const struct event *events,
                            uint64_t count);

/*
 * Read the values of these work-items up to one of which everything was foreseen, and tell the
 * model. Of r->at only the widths go on. False when there are fewer values than events, or a width
 * that does not exist.
 */
bool alike_items_get(struct columns_reader *r, struct alike_items *a);

#endif
