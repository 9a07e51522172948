/*
 * full_lru - a fully associative LRU cache of lines (private to this room): the shadow cache that
 * separates capacity misses from conflict misses.
 *
 * It holds exactly the `capacity` distinct lines touched last. So a line is in it if and only if
 * fewer than `capacity` other lines were touched since its own last touch: its LRU stack distance
 * (Mattson 1970) is below `capacity`. No distance is ever computed.
 *
 * A hash table with chains finds a line, and a ring in order of use the oldest: constant time,
 * designed for some hundred lines that stay in the host's first-level cache. Memory is touched only
 * when lines are inserted.
 */
#ifndef FULL_LRU_H
#define FULL_LRU_H

#include <stdbool.h>
#include <stdint.h>

struct err;

/* A held line. Node 0 is not a line: the ring begins and ends there. */
struct full_lru_node {
	uint64_t line;
	uint32_t newer; /* ring, in order of last touch */
	uint32_t older;
	uint32_t next; /* in the chain of its hash; 0 ends it */
};

struct full_lru {
	struct full_lru_node *nodes; /* 1 + capacity */
	uint32_t *heads;             /* first node of each chain, or 0 */
	uint32_t capacity;
	uint32_t count;
	uint32_t hash_shift; /* there are 2^(64 - hash_shift) chains */
};

/* Make an empty one for `capacity` lines, 1..2^30. Returns 0 or ERR_NOMEM. */
int full_lru_init(struct full_lru *lru, uint32_t capacity, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void full_lru_release(struct full_lru *lru);

/* Make `line` the one used last, replacing the oldest if full. Returns whether it was there. */
bool full_lru_touch(struct full_lru *lru, uint64_t line);

#endif
