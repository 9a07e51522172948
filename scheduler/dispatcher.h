/*
 * dispatcher - dispatches the groups of a launch to SMs, in ascending order (SEMANTICS 3).
 *
 * A group is dispatched as soon as a slot is free: in cycle 0, when all slots are, and then
 * whenever a group ends. The SMs with a free slot in the earliest such cycle are candidates, and
 * the dispatch_order chooses one of them. If a group ends in the cycle in which it began, because
 * it has no accesses, its slot is free for the next round of that cycle, after the other slots have
 * been filled. So placements depend only on the cycles in which groups end, not on when they are
 * requested: SMs may run one after the other or at the same time.
 *
 * A sample simulates SMs floor(k * sm_count / played), k = 0 .. played - 1. They are evenly spread,
 * so that SMs with one group more or fewer, and columns of groups, are sampled in proportion. SM 0,
 * which is the first in turn, is among them. The first groups of an SM are the same as when all SMs
 * are simulated. For later ones this is not known: an SM that is not simulated is assumed to free a
 * slot whenever the next lower simulated SM does.
 *
 * No locking: the caller locks.
 */
#ifndef DISPATCHER_H
#define DISPATCHER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * dispatch_order - chooses which SM gets the next work-group, of those with a free slot.
 *
 * It knows only the numbers of SMs and their free slots, not time: the dispatcher decides which SMs
 * are candidates, and when.
 *
 * breadth was found on NVIDIA's Pascal, Volta and Turing: the next SM is the one with the most
 * resources left (Gilman, Ogden, Guo and Walls 2020, on NVIDIA's placement of groups). All groups
 * of a launch need the same resources, so that is the SM with the fewest groups. The first groups
 * are placed as by roundrobin; the two differ when several SMs end groups in the same cycle.
 */

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

struct dispatcher_setup {
	struct dispatch_order order;
	uint32_t sm_count;
	uint32_t played; /* SMs to simulate, 1 .. sm_count */
	uint32_t slots;  /* of an SM, >= 1 */
	/* Returns the first group >= `group` to simulate, or UINT64_MAX. */
	uint64_t (*next)(void *context, uint64_t group);
	void *context;
};

/* A point of time: round of a cycle. */
struct dispatch_time {
	uint64_t cycle;
	uint64_t round;
};

struct dispatcher_sm {
	uint32_t free;     /* slots */
	uint32_t stand_in; /* simulated SM that stands for it; itself if it is simulated */
	/* With free slots: since when. Without: the time up to which all ends are known, inclusive.
	 */
	struct dispatch_time time;
};

struct dispatcher {
	struct dispatcher_setup setup;
	struct dispatcher_sm *sms;
	struct dispatch_candidate *candidates; /* at `time`, not yet given all their groups */
	uint32_t candidate_count;
	struct dispatch_time time;
	uint64_t next_group; /* UINT64_MAX: all have been dispatched */
};

/* A group and the SM that it begins on. */
struct placement {
	uint64_t group;
	uint32_t sm;
};

/* Returns 0 or ERR_NOMEM; release in any case. */
int dispatcher_init(struct dispatcher *d, const struct dispatcher_setup *setup, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void dispatcher_release(struct dispatcher *d);

/* Returns whether SM number `sm` is simulated if `played` of sm_count SMs are. */
bool dispatcher_plays(uint32_t sm, uint32_t sm_count, uint32_t played);

/*
 * Fill *out with the next group that begins on a simulated SM, if that is decided. Returns false if
 * it depends on SMs that have to run first, or if all groups have been dispatched. Call it until it
 * returns false before any SM continues.
 */
bool dispatcher_place(struct dispatcher *d, struct placement *out);

/* Returns whether all groups have been dispatched. */
bool dispatcher_is_done(const struct dispatcher *d);

/* Returns whether a simulated SM must wait for groups before it continues. */
bool dispatcher_holds(const struct dispatcher *d, uint32_t sm);

/* Returns the cycle up to which an SM at cycle `now` runs when several run at the same time: the
 * next cycle that another SM waits for, but at least 256 and at most 4096 cycles later. */
uint64_t dispatcher_turn(const struct dispatcher *d, uint64_t now);

/* Report that `count` groups have ended on a simulated SM in `cycle`. Nothing has issued on it in
 * that cycle yet, and no earlier end is unreported. */
void dispatcher_ended(struct dispatcher *d, uint32_t sm, uint64_t cycle, uint32_t count);

/* Report that no group has ended on a simulated SM up to and in `cycle` since the last call for it.
 */
void dispatcher_passed(struct dispatcher *d, uint32_t sm, uint64_t cycle);

#endif
