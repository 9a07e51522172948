/*
 * address_map_private - one piece of an address map at a time, for those who look up millions.
 */
#ifndef ADDRESS_MAP_PRIVATE_H
#define ADDRESS_MAP_PRIVATE_H

#include "address_map.h"

#include <stdbool.h>

/* Recorded addresses begin..last, all in one buffer, or all in none (buffer -1, delta 0). */
struct address_range {
	uint64_t begin;
	uint64_t last;  /* inclusive: the space has no 2^64 */
	uint64_t delta; /* replay address - recorded address, modulo 2^64 */
	int32_t buffer;
};

/* The range that holds a recorded address. A NULL map is one range without buffer. */
struct address_range address_map_range(const struct address_map *map, uint64_t address);

/* NULL, or made from a recording without buffers: then no access counts as unmapped. */
bool address_map_is_identity(const struct address_map *map);

#endif
