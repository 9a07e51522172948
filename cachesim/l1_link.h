/*
 * l1_link - how answers come to an L1 with bandwidth = on (private to this room; SEMANTICS 5).
 *
 * Their bytes arrive one after another, l1_fill_bytes per cycle: for fills and bypassing reads the
 * bytes fetched, for atomics the sectors of min(32, line) bytes that they touch. If an answer would
 * arrive in cycle c without the limit, its bytes arrive from c on, after those of the answers
 * before it. It is complete in the cycle in which its last byte arrives. So an answer that waits
 * for none, and takes no more than a cycle, arrives as without the limit.
 *
 * Answers are in the order of these cycles c, then in the order of requests or answers. Lines that
 * an invalidation removes leave in its cycle, but not before the answers before it have arrived.
 * Traffic to below is not limited, nor is anything with latency = off.
 */
#ifndef L1_LINK_H
#define L1_LINK_H

#include <stdint.h>

struct l1_link {
	uint32_t cycle_bytes; /* that arrive per cycle; 0: any number */
	uint64_t end;         /* of what comes: cycle_bytes for each cycle */
};

/* When an answer of this many bytes, at least one, which would arrive in `cycle`, is complete. */
static inline uint64_t l1_link_receive(struct l1_link *link, uint64_t cycle, uint32_t bytes)
{
	uint64_t first = cycle * link->cycle_bytes;

	if (!link->cycle_bytes)
		return cycle;
	link->end = (first > link->end ? first : link->end) + bytes;
	return (link->end - 1) / link->cycle_bytes;
}

/* When a line that would leave in `cycle` leaves. */
static inline uint64_t l1_link_leave(const struct l1_link *link, uint64_t cycle)
{
	uint64_t last = link->end ? (link->end - 1) / link->cycle_bytes : 0;

	return cycle > last ? cycle : last;
}

#endif
