/*
 * address_ranges - allocations in a space of addresses, to find which one a pointer lies in.
 *
 * An array of them in order; no two overlap, since a newer one ends those whose place it takes. No
 * locking.
 */
#ifndef ADDRESS_RANGES_H
#define ADDRESS_RANGES_H

#include <stdbool.h>
#include <stdint.h>

struct array;

struct address_range {
	uint64_t address;
	uint64_t bytes;        /* >= 1 */
	uint32_t buffer_id;    /* in the recording */
	bool is_of_the_device; /* the host keeps off while a kernel runs */
};

/* Add one. Out of memory: it is not known. */
void address_ranges_put(struct array *ranges, const struct address_range *range);

/* The one that begins at `address` is no more; none that does is fine. */
void address_ranges_end(struct array *ranges, uint64_t address);

/* The one that holds `address`: fills *out and returns true. */
bool address_ranges_find(const struct array *ranges, uint64_t address, struct address_range *out);

#endif
