/*
 * reuse_stack - the LRU stack distances of reads in each set of a cache, whatever its ways (private
 * to this room).
 *
 * A read of distance d is a hit in a cache with these sets if and only if it has more than d ways,
 * as long as sets are replaced by LRU. One set: the fully associative cache of d + 1 lines.
 *
 * Memory: 4 bytes for each line number, and for each set what reuse_order.h says; none for sets
 * that no line came to.
 */
#ifndef REUSE_STACK_H
#define REUSE_STACK_H

#include "reuse_order.h"
#include "set_index.h"

struct err;

struct reuse_stack {
	struct set_index index;
	struct reuse_order *sets;
	uint32_t *places; /* by number of a line */
	uint32_t place_count;
	bool is_failed;
};

/* Make empty sets. Returns 0 or ERR_NOMEM. */
int reuse_stack_init(struct reuse_stack *s, const struct set_index *index, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void reuse_stack_release(struct reuse_stack *s);

/*
 * A read of a line, whose number is below `limit` (line_numbers.h). Returns its distance, or
 * REUSE_NEVER: it was not read before, or REUSE_TAKEN: it was taken out since.
 */
uint32_t reuse_stack_read(struct reuse_stack *s, uint64_t line, uint32_t number, uint32_t limit);

/* A write or an atomic takes the line out of the cache, if it is there. */
void reuse_stack_take(struct reuse_stack *s, uint64_t line, uint32_t number);

/* Whether memory ran out: the distances are then not to be used. */
bool reuse_stack_has_failed(const struct reuse_stack *s);

#endif
