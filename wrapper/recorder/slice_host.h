/*
 * slice_host - the host's side of the device buffer of a slice (probe_abi.h): what it writes before
 * the slice runs, and what the header then says.
 */
#ifndef SLICE_HOST_H
#define SLICE_HOST_H

#include <stddef.h>
#include <stdint.h>

struct group_selection;
struct launch_shape;
struct probe_header;
struct slice;
struct slice_layout;

/* From the beginning of the buffer to the places, and behind that the tables. */
struct slice_host {
	unsigned char *bytes;
	size_t size;           /* allocated */
	const uint32_t *skips; /* what goes into the table of a slice with skips; borrowed */
};

/*
 * Fill it for a slice that has its layout; what is to go to the buffer's beginning are
 * slice->places_offset bytes, and to slice->tables_offset the slice->tables_bytes behind them.
 * `selection` may be NULL. Returns 0 or ERR_NOMEM.
 */
int slice_host_fill(struct slice_host *host, const struct slice_layout *layout,
                    const struct launch_shape *shape, const struct group_selection *selection,
                    const struct slice *slice);

/* Free. Accepts a zeroed struct. */
void slice_host_release(struct slice_host *host);

/* Chunks that a slice filled; never more than it has, whatever its header says. */
uint32_t slice_host_used(const struct probe_header *header, const struct slice *slice);

/* Accesses that a slice made records of that found no room, at least; 0: it had room for all. */
uint64_t slice_host_lost(const struct probe_header *header);

/*
 * Bytes of records that a slice would have written with room enough, of which `bytes` with `events`
 * events had room: what was lost needs room as that does. Less than 2^60; 0: not known.
 */
uint64_t slice_host_needed(const struct probe_header *header, uint64_t bytes, uint64_t events);

#endif
