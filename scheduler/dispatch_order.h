/*
 * dispatch_order - which SM gets the next work-group, of those that have a slot free for it.
 *
 * Knows SMs as numbers and their free slots, no time: who may choose when is the dispatcher's.
 *
 * breadth is what was found on NVIDIA's Pascal, Volta and Turing: the next SM is the one that has
 * most left to give (Gilman, Ogden, Guo and Walls 2020, on the placement policies of NVIDIA's
 * scheduler of groups). All groups of a launch need the same,
 * so that is the one with the fewest groups; its first groups lie where those of roundrobin do,
 * and the two part where several SMs end groups in the same cycle.
 */
#ifndef DISPATCH_ORDER_H
#define DISPATCH_ORDER_H

#include <stdbool.h>
#include <stdint.h>

struct err;

enum dispatch_order_kind {
#define DISPATCH_ORDER(name, takes_seed, text) DISPATCH_##name,
#include "dispatch_orders.def"
#undef DISPATCH_ORDER
};

/* Zeroed: roundrobin. */
struct dispatch_order {
	enum dispatch_order_kind kind;
	uint64_t seed; /* of random */
};

/* An SM that may get the group. */
struct dispatch_candidate {
	uint32_t sm;
	uint32_t free; /* slots, >= 1 */
};

/* Read "NAME" or "NAME:SEED". Returns 0 or ERR_USAGE, whose message lists the names. */
int dispatch_order_parse(struct dispatch_order *o, const char *text, struct err *err);

enum { DISPATCH_ORDER_BYTES = 32 };

/* The order as dispatch_order_parse() reads it; returns `text`. */
const char *dispatch_order_text(char text[DISPATCH_ORDER_BYTES], const struct dispatch_order *o);

/*
 * The place among `count` (>= 1) candidates, ascending by SM, of the one that gets `group`.
 * is_first: no group has run yet. random takes candidate floor(h * count / 2^64), where h is
 * output number `group` (from 0) of splitmix64 seeded with the seed.
 */
uint32_t dispatch_order_choose(const struct dispatch_order *o,
                               const struct dispatch_candidate *candidates, uint32_t count,
                               uint64_t group, bool is_first);

#endif
