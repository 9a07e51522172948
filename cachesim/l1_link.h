/*
 * l1_link - how answers come to an L1 with bandwidth = on (private to this room; SEMANTICS 5).
 *
 * Their bytes come one after another, l1_fill_bytes in a cycle: of fills and of reads past L1 what
 * these fetch, of atomics the sectors of min(32, line) bytes that they touch. Those of an answer
 * that would come in cycle c without come from c on, behind those of the answers before it; it is
 * there in the cycle in which its last byte comes. So one that waits for none, and takes no more
 * than a cycle, comes as it would without.
 *
 * Answers are in the order of these cycles c, then in that of being asked for or answered. What an
 * invalidation takes out leaves in its cycle, but not before answers before it are there. What goes
 * below is not limited. With latency = off there is nothing to be late: no limit.
 */
#ifndef L1_LINK_H
#define L1_LINK_H

#include <stdint.h>

struct l1_link {
	uint32_t cycle_bytes; /* that come in a cycle; 0: any number */
	uint64_t end;         /* of what comes: cycle_bytes for each cycle */
};

/* When an answer of so many bytes, at least one, which would come in `cycle`, is there. */
static inline uint64_t l1_link_receive(struct l1_link *link, uint64_t cycle, uint32_t bytes)
{
	uint64_t first = cycle * link->cycle_bytes;

	if (!link->cycle_bytes)
		return cycle;
	link->end = (first > link->end ? first : link->end) + bytes;
	return (link->end - 1) / link->cycle_bytes;
}

/* When what would leave in `cycle` leaves. */
static inline uint64_t l1_link_leave(const struct l1_link *link, uint64_t cycle)
{
	uint64_t last = link->end ? (link->end - 1) / link->cycle_bytes : 0;

	return cycle > last ? cycle : last;
}

#endif
