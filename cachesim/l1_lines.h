/*
 * l1_lines - allocation and eviction of lines in an L1 that is not plain (for l1*.c only).
 */
#ifndef L1_LINES_H
#define L1_LINES_H

#include "l1_private.h"

struct l1_visit;

/* Returns the number of the chain with the fills of a line of this set, or, at_miss, of its slot.
 */
static inline uint32_t l1_chain_of(const struct l1 *l1, uint32_t slot, uint32_t set)
{
	return l1->is_at_fill ? set : slot;
}

/* Returns the first fill of a line, or L1_FILL_NONE. */
static inline uint32_t l1_first_fill(const struct l1 *l1, uint32_t slot, uint32_t set,
                                     uint64_t line)
{
	uint32_t chain = l1_chain_of(l1, slot, set);

	if (chain == CACHE_ARRAY_NONE)
		return L1_FILL_NONE;
	return l1_fills_find(&l1->fills, l1->fills.firsts[chain], line);
}

/* Process all arrivals up to this cycle. */
void l1_lines_arrive(struct l1 *l1, uint64_t until);

/* Allocate a slot of its set to a line. The evicted line is counted for *origin. */
void l1_lines_place(struct l1 *l1, uint32_t slot, uint64_t line, uint32_t set,
                    const struct l1_origin *origin, uint64_t cycle);

/* Remove a line that is there (in `slot`) or on its way. */
void l1_lines_remove(struct l1 *l1, uint32_t slot, uint64_t line, uint32_t set, uint64_t cycle,
                     enum l1_leave reason);

/* Begin a line's stay for the observer (l1_stays.h). */
uint32_t l1_lines_begin_stay(struct l1 *l1, uint64_t line, uint32_t set,
                             const struct l1_origin *origin, uint64_t cycle);

/* Request the sectors v->fetched from below. Returns the fill's name, or L1_FILL_NONE if out of
 * memory. When the caller has completed it, l1_lines_expect() lets it arrive. */
uint32_t l1_lines_fetch(struct l1 *l1, const struct l1_visit *v);
void l1_lines_expect(struct l1 *l1, const struct l1_visit *v, uint32_t name);

/* Send a message about the access of *origin, if there is a level below. */
void l1_lines_send(struct l1 *l1, const struct l1_origin *origin, const struct message *m);

/* Send dirty sectors that *v touches below; their line stays, or remains on its way. */
void l1_lines_write_back(struct l1 *l1, const struct l1_visit *v);

/* Evict everything. */
void l1_lines_end(struct l1 *l1);

#endif
