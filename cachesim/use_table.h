/*
 * use_table - sums for each line that an SM's L1 had (private to this room): open addressing with
 * linear probing, at most 3/4 full, doubling. 24 bytes per place.
 */
#ifndef USE_TABLE_H
#define USE_TABLE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct l1_residency;

struct use_entry {
	uint64_t line;
	uint32_t stays; /* 0: the place is free */
	uint32_t first_bytes;
	uint32_t bytes_moved;
	uint32_t uses;
};

/* Empty: all zeros except the limit. */
struct use_table {
	struct use_entry *places;
	size_t count;
	size_t capacity;    /* 0, or a power of two */
	size_t limit_count; /* lines */
};

enum use_outcome { USE_ADDED, USE_DROPPED, USE_FAILED };

/* Add a stay to its line; it is dropped if that would exceed the limit of lines or its sums do
 * not fit; fails if out of memory. */
enum use_outcome use_table_add(struct use_table *t, const struct l1_residency *x);

/* Free. Accepts a zeroed struct. */
void use_table_release(struct use_table *t);

#endif
