/*
 * address_map - replay addresses: where a GPU's allocator would place the buffers.
 *
 * Recorded addresses come from the host's allocator and differ from run to run. Each buffer without
 * a parent gets a synthetic base, 256-byte aligned, in order of allocation, from 0x10000000 up; no
 * address is reused. A sub-buffer is placed in its parent. An access outside all buffers of the
 * launch keeps its address and is counted as unmapped.
 */
#ifndef ADDRESS_MAP_H
#define ADDRESS_MAP_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct recording;
struct address_map;

/* Create the map of one launch of a recording; borrows nothing. Free with address_map_free(). For a
 * recording without buffers (imported) the map is the identity. Returns 0; ERR_USAGE if there is no
 * such launch; ERR_FORMAT for buffers that overlap in the launch or are outside the 64-bit space;
 * ERR_NOMEM. */
int address_map_create(struct address_map **out, const struct recording *r, size_t launch,
                       struct err *err);

/* Free. NULL is allowed. */
void address_map_free(struct address_map *map);

/* Recorded addresses begin..last, all in one buffer, or all in none (buffer -1, delta 0). */
struct address_range {
	uint64_t begin;
	uint64_t last;  /* inclusive: the space has no 2^64 */
	uint64_t delta; /* replay address - recorded address, modulo 2^64 */
	int32_t buffer;
};

/* The range that holds a recorded address. A NULL map is one range without buffer. */
struct address_range address_map_range(const struct address_map *map, uint64_t address);

/* Returns whether `map` is NULL or made from a recording without buffers: then no access counts as
 * unmapped. */
bool address_map_is_identity(const struct address_map *map);

#endif
