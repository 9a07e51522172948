/*
 * dispatcher - gives the groups of a launch to SMs, in the order of their numbers (SEMANTICS 3).
 *
 * A group goes out as soon as a slot is free. That is in cycle 0, where all slots are, and then
 * whenever a group ends. The SMs that have a slot free in the earliest such cycle are candidates,
 * and the dispatch_order takes one of them; a slot that a group leaves in the cycle in which it
 * began (it did nothing) is free for the next round of that cycle, when the others have been given
 * out. So what is given to whom follows from the cycles in which groups end, whenever it is asked:
 * SMs may run one after the other or at the same time.
 *
 * A sample plays SMs floor(k * sm_count / played), k = 0 .. played - 1: evenly spread, so that SMs
 * with one group more or less than others and columns of groups have their share, and SM 0, which
 * is never behind others, is among them. The first groups of an SM are then those that it has when
 * all are played. Of the later ones that is not known: an SM that is not played is taken to free a
 * slot whenever the played one does that stands for it, the next one below.
 *
 * No threads: the caller locks.
 */
#ifndef DISPATCHER_H
#define DISPATCHER_H

#include <stdbool.h>
#include <stdint.h>

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

struct dispatcher_setup {
	struct dispatch_order order;
	uint32_t sm_count;
	uint32_t played; /* of them, 1 .. sm_count */
	uint32_t slots;  /* of an SM, >= 1 */
	/* The first group >= `group` that is to be played, or UINT64_MAX. */
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
	uint32_t stand_in; /* the SM that is played for it; itself when it is */
	/* With slots free: since when. Without: up to and with when all ends are known. */
	struct dispatch_time time;
};

struct dispatcher {
	struct dispatcher_setup setup;
	struct dispatcher_sm *sms;
	struct dispatch_candidate *candidates; /* at `time`, not yet given all their groups */
	uint32_t candidate_count;
	struct dispatch_time time;
	uint64_t next_group; /* UINT64_MAX: all are given out */
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

/* Whether an SM of a GPU with sm_count is among the played. */
bool dispatcher_plays(uint32_t sm, uint32_t sm_count, uint32_t played);

/*
 * The next group that begins on a played SM, if that is decided. False when it depends on SMs that
 * have to run on first, or when all are given out. Call it until it is false before any SM runs
 * on.
 */
bool dispatcher_place(struct dispatcher *d, struct placement *out);

/* All groups have been given out: slots stay free. */
bool dispatcher_is_done(const struct dispatcher *d);

/* Whether a played SM has to wait for groups before it runs on. */
bool dispatcher_holds(const struct dispatcher *d, uint32_t sm);

/* Until when an SM that is at cycle `now` runs, where several run at a time: to the next cycle for
 * which another waits, but for no less than 256 and no more than 4096 cycles. */
uint64_t dispatcher_turn(const struct dispatcher *d, uint64_t now);

/* `count` groups have ended on a played SM in `cycle`, in which nothing has issued on it yet; and
 * none before. */
void dispatcher_ended(struct dispatcher *d, uint32_t sm, uint64_t cycle, uint32_t count);

/* No group has ended on a played SM up to and in `cycle` since the last call for it. */
void dispatcher_passed(struct dispatcher *d, uint32_t sm, uint64_t cycle);

#endif
