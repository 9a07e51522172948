/*
 * probe_buffer - the device buffer of one slice, for tests: laid out for a box of groups, and read
 * back as the events of its work-items.
 */
#ifndef PROBE_BUFFER_H
#define PROBE_BUFFER_H

#include "event_list.h"
#include "kernel_table.h"
#include "probe_abi.h"

#include <stddef.h>

/* A launch over two dimensions, and the box of its groups that is the slice. */
struct box {
	size_t global[2], local[2], offset[2]; /* of the launch */
	size_t first[2], count[2];             /* groups of the slice */
};

/* The most chunks and their words, and those of places; is_wide: addresses have more than 48 bits.
 */
struct probe_room {
	uint32_t chunk_count, chunk_words, place_words;
	bool is_wide;
	const uint32_t *selection; /* a bit per group of the slice; NULL: all */
};

/* A buffer for a slice, for free(): header, directory, bitmap; the rest is filled with rubbish. */
struct probe_header *probe_buffer_create(const struct kernel_table *t, const struct box *box,
                                         const struct probe_room *room, size_t *bytes);

/*
 * Append what the probes left of each work-item; addresses become relative to the argument of
 * their site. Fails the running test on anything that the ABI does not allow.
 */
void probe_buffer_decode(const struct probe_header *header, const struct box *box,
                         const struct kernel_table *t, struct event_list *l);

/* Count mode: add up what all work-items counted, per site. */
void probe_buffer_count(const struct probe_header *header, const struct box *box,
                        const struct kernel_table *t, uint64_t *counts);

#endif
