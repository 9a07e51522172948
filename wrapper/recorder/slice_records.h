/*
 * slice_records - the records of a slice in the device buffer, indexed by work-item.
 *
 * The device's memory is not trusted: an out-of-bounds write of the application may have damaged
 * it. Impossible chunks are counted and ignored.
 */
#ifndef SLICE_RECORDS_H
#define SLICE_RECORDS_H

#include "slice_layout.h"

#include <stddef.h>
#include <stdint.h>

struct err;
struct group_rounds;
struct group_selection;
struct launch_shape;
struct probe_header;
struct slice;
struct slice_layout;

/*
 * slice_host - the host's side of a slice's device buffer (probe_abi.h): what it writes before the
 * slice runs, and what it finds in the header afterwards.
 */

/* The buffer from its beginning to the places, followed by the tables. */
struct slice_host {
	unsigned char *bytes;
	size_t size;           /* allocated */
	const uint32_t *skips; /* table of a slice with skips; borrowed */
};

/*
 * Fill it for a placed slice. Its first slice->places_offset bytes are for the buffer's beginning,
 * the slice->tables_bytes after them for slice->tables_offset. `selection` may be NULL. Returns 0
 * or ERR_NOMEM.
 */
int slice_host_fill(struct slice_host *host, const struct slice_layout *layout,
                    const struct launch_shape *shape, const struct group_selection *selection,
                    const struct slice *slice);

/* Free. Accepts a zeroed struct. */
void slice_host_release(struct slice_host *host);

/* Returns the number of chunks that a slice used; never more than it has, whatever its header says.
 */
uint32_t slice_host_used_chunks(const struct probe_header *header, const struct slice *slice);

/* Returns the least number of accesses whose records found no room; 0: all had room. */
uint64_t slice_host_lost_accesses(const struct probe_header *header);

/*
 * Returns the bytes of records that a slice would have written with enough room, if its lost events
 * need as much room as the `events` in the `bytes` that had room. Less than 2^60; 0: not known.
 */
uint64_t slice_host_needed_bytes(const struct probe_header *header, uint64_t bytes,
                                 uint64_t events);

struct slice_records {
	const struct launch_shape *shape;
	struct slice_layout layout;
	struct slice slice;
	const unsigned char *records; /* from the places on, as probe_abi.h says; borrowed */
	uint32_t used_chunks;
	bool has_chunks;               /* false: the slice has none to index */
	struct group_rounds *rounds;   /* the slice is one of these rounds; NULL: it is not */
	const uint64_t *differences;   /* reported by the slice (probe_abi.h); borrowed */
	uint32_t *heads;               /* per group and set of lanes: its first chunk, or NONE */
	uint32_t *links;               /* per chunk: the next of the same set, or NONE */
	size_t head_count, link_count; /* allocated */
	uint64_t damaged;              /* chunks that belong to no place in the slice */
	uint64_t sets;                 /* sets of lanes with a chunk */
};

#define SLICE_RECORDS_NONE UINT32_MAX
/* Begin for a launch; `shape` is borrowed. No allocation. Release with slice_records_release(). */
void slice_records_init(struct slice_records *r, const struct launch_shape *shape,
                        const struct slice_layout *layout);

/* Free. Accepts a zeroed struct. */
void slice_records_release(struct slice_records *r);

/* Set the records of another slice. Call slice_records_index() next. */
void slice_records_set(struct slice_records *r, const struct slice *slice, const void *records,
                       uint32_t used_chunks);

/* Index the chunks by their sets of lanes; counts `damaged` and `sets`. Returns 0 or ERR_NOMEM. */
int slice_records_index(struct slice_records *r, struct err *err);

/* Return the first chunk of the set of lanes of work-item `item` in group g, and the next; or NONE.
 */
uint32_t slice_records_first(const struct slice_records *r, uint64_t g, uint32_t item);

uint32_t slice_records_next(const struct slice_records *r, uint32_t chunk);

/* Returns a chunk's index among those of its set, from 0, according to its header. */
uint32_t slice_records_order(const struct slice_records *r, uint32_t chunk);

/* Returns the first word of work-item `item` in a chunk; word w is at [w * lanes]. */
const uint64_t *slice_records_chunk_words(const struct slice_records *r, uint32_t chunk,
                                          uint32_t item);

/* Returns the places of group g of n work-items: word w of work-item i is at [w * n + i]. */
const uint64_t *slice_records_places(const struct slice_records *r, uint64_t g);

#endif
