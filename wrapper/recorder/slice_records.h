/*
 * slice_records - what a slice left in the device buffer, and which of it is whose.
 *
 * The device's memory is not trusted: an application that writes out of bounds
 * may have hit it. Chunks that cannot be right are counted and left out.
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
 * slice_host - the host's side of the device buffer of a slice (probe_abi.h): what it writes before
 * the slice runs, and what the header then says.
 */

/* The buffer from its beginning to the places, followed by the tables. */
struct slice_host {
	unsigned char *bytes;
	size_t size;           /* allocated */
	const uint32_t *skips; /* what goes into the table of a slice with skips; borrowed */
};

/*
 * Fill it for a slice that has its layout; what is to go to the buffer's beginning are
 * slice->places_offset bytes, and to slice->tables_offset the slice->tables_bytes after them.
 * `selection` may be NULL. Returns 0 or ERR_NOMEM.
 */
int slice_host_fill(struct slice_host *host, const struct slice_layout *layout,
                    const struct launch_shape *shape, const struct group_selection *selection,
                    const struct slice *slice);

/* Free. Accepts a zeroed struct. */
void slice_host_release(struct slice_host *host);

/* Chunks that a slice filled; never more than it has, whatever its header says. */
uint32_t slice_host_used_chunks(const struct probe_header *header, const struct slice *slice);

/* Accesses that a slice made records of that found no room, at least; 0: it had room for all. */
uint64_t slice_host_lost_accesses(const struct probe_header *header);

/*
 * Bytes of records that a slice would have written with room enough, of which `bytes` with `events`
 * events had room: what was lost needs room as that does. Less than 2^60; 0: not known.
 */
uint64_t slice_host_needed_bytes(const struct probe_header *header, uint64_t bytes,
                                 uint64_t events);

struct slice_records {
	const struct launch_shape *shape;
	struct slice_layout layout;
	struct slice slice;
	const unsigned char *records; /* from the places on, as probe_abi.h says; borrowed */
	uint32_t used_chunks;
	bool has_chunks;               /* they are indexed; false: the slice has none */
	struct group_rounds *rounds;   /* the slice is one of them; NULL: it is not */
	const uint64_t *differences;   /* that the slice reported (probe_abi.h); borrowed */
	uint32_t *heads;               /* per group and set of lanes: its first chunk, or NONE */
	uint32_t *links;               /* per chunk: the next of the same set, or NONE */
	size_t head_count, link_count; /* allocated */
	uint64_t damaged;              /* chunks that name no place in the slice */
	uint64_t sets;                 /* sets of lanes that have a chunk */
};

#define SLICE_RECORDS_NONE UINT32_MAX
/* Begin for a launch; `shape` is borrowed. No allocation. Release with slice_records_release(). */
void slice_records_init(struct slice_records *r, const struct launch_shape *shape,
                        const struct slice_layout *layout);

/* Free. Accepts a zeroed struct. */
void slice_records_release(struct slice_records *r);

/* Take the records of another slice; index them before anything is asked of them. */
void slice_records_set(struct slice_records *r, const struct slice *slice, const void *records,
                       uint32_t used_chunks);

/* Sort the chunks by whose they are; counts `damaged` and `sets`. Returns 0 or ERR_NOMEM. */
int slice_records_index(struct slice_records *r, struct err *err);

/* First chunk of the set of lanes that work-item `item` of group g is in, and the next; or NONE. */
uint32_t slice_records_first(const struct slice_records *r, uint64_t g, uint32_t item);

uint32_t slice_records_next(const struct slice_records *r, uint32_t chunk);

/* The place of a chunk among those of its set, from 0, as it says. */
uint32_t slice_records_order(const struct slice_records *r, uint32_t chunk);

/* First word of work-item `item` in a chunk; word w is at [w * lanes]. */
const uint64_t *slice_records_chunk_words(const struct slice_records *r, uint32_t chunk,
                                          uint32_t item);

/* The places of group g of n work-items: word w of work-item i is at [w * n + i]. */
const uint64_t *slice_records_places(const struct slice_records *r, uint64_t g);

#endif
