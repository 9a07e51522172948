/*
 * item_numbers - the numbers of a work-item in the columns that have one for each event, and the
 * work-items behind it that have the same; private to trace/.
 *
 * It compares bytes, and knows nothing of what they say but that 0 is what was foreseen.
 */
#ifndef ITEM_NUMBERS_H
#define ITEM_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A place in the columns that have a number for each event. */
struct columns_place {
	const unsigned char *points, *iterations, *widths;
};

/* The numbers of a work-item with `count` events, and where the columns end. */
struct item_numbers {
	struct columns_place begin, end, last;
	size_t count;
};

/* Whether all numbers of the work-item, which has at least one event, were foreseen; whether those
 * in iterations were. */
bool item_numbers_were_foreseen(const struct item_numbers *n);
bool item_numbers_has_iterations(const struct item_numbers *n);

/*
 * How many work-items, of `items` behind the one with these numbers, have the same and so are it
 * moved (moved_items.h); `first` is where the first of them begins. Looks at about twice as much as
 * it finds.
 */
size_t item_numbers_count_same(const struct item_numbers *n, const uint64_t *first, size_t items);

/* How many have the same in points and iterations, which were foreseen. */
size_t item_numbers_count_alike(const struct item_numbers *n, const uint64_t *first, size_t items);

#endif
