/*
 * sm_rounds - runs the SMs of a launch in common rounds, for a port that settles (request.h;
 * private to this room).
 *
 * All SMs run to the same cycle, the horizon. Then one thread settles the shared levels below the
 * SMs, and the next round begins. A round ends horizon_cycles - 1 after the earliest cycle in which
 * a request can still be made: the answers to that request come later. While no SM waits for an
 * answer, a round may begin later than the previous one ended.
 *
 * An SM joins a round with sm_rounds_join() when it first runs in it, or at the end of the round.
 *
 * No locking: the caller locks, except for sm_rounds_join().
 */
#ifndef SM_ROUNDS_H
#define SM_ROUNDS_H

#include "request.h"
#include "sm.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * sm_worker - an SM with its group slots and the streams in them, for one thread at a time (private
 * to this room).
 *
 * A slot is free, taken (its group is being formed), or has a stream, which is new until the SM
 * runs. Streams are borrowed from sm_worker_give() until sm_worker_leave().
 */

struct sm_worker_slot {
	struct group_stream *stream;
	bool is_taken;
	bool is_new;
	bool has_ended; /* sm_worker_leave() returns its stream */
};

struct sm_worker {
	struct sm *sm; /* NULL: not simulated */
	struct sm_worker_slot *slots;
	uint32_t slot_count;
	uint32_t unformed; /* slots that are taken but have no stream yet */
	uint32_t resident; /* groups, including unformed ones */
	bool is_running;   /* a thread runs it */
	uint64_t now;      /* sm_now() when it ran last */
	uint64_t horizon;  /* of the last round that it joined */
};

/* `shape`, `table` and `port` as for sm_create(). Returns 0 or ERR_NOMEM; release in any case. */
int sm_worker_init(struct sm_worker *w, const struct sm_shape *shape,
                   const struct kernel_table *table, const struct memory_port *port,
                   struct err *err);

/* Free the SM and the slots. Accepts a zeroed struct. */
void sm_worker_release(struct sm_worker *w);

/* Take the lowest free slot for a group; there must be one. */
uint32_t sm_worker_take(struct sm_worker *w);

/* Put the group's stream into the slot that was taken for it. */
void sm_worker_give(struct sm_worker *w, uint32_t slot, struct group_stream *stream);

/*
 * Start the new streams, lowest slot first, and run until cycle `until`; with stops_at_end, only up
 * to the first cycle in which groups end. Returns the number of groups that ended;
 * sm_worker_leave() returns their streams.
 */
uint32_t sm_worker_run(struct sm_worker *w, uint64_t until, bool stops_at_end);

/* Remove the stream of a group that has ended and free its slot. Returns NULL if there is none
 * left. */
struct group_stream *sm_worker_leave(struct sm_worker *w);

struct err;
struct sm_worker;

struct sm_rounds {
	const struct memory_port *port;
	uint64_t horizon; /* cycle to which SMs run; UINT64_MAX: there are no rounds */
};

/* Begin the first round, at cycle 0. `port` is borrowed. Returns 0, or ERR_CONFIG if its
 * horizon_cycles are fewer than 2. */
int sm_rounds_init(struct sm_rounds *r, const struct memory_port *port, struct err *err);

static inline bool sm_rounds_exist(const struct sm_rounds *r)
{
	return r->port->settle;
}

/* Let an SM that has not joined the round yet fetch its answers and make requests up to the
 * horizon. */
void sm_rounds_join(const struct sm_rounds *r, struct sm_worker *w);

/* Returns whether all SMs have reached the end of the round. An SM without groups has if no groups
 * are left to dispatch (!are_left). */
bool sm_rounds_is_over(const struct sm_rounds *r, const struct sm_worker *workers, uint32_t count,
                       bool are_left);

/* Settle and begin the next round. The round must be over, and some SM must have groups. */
void sm_rounds_next(struct sm_rounds *r, struct sm_worker *workers, uint32_t count, bool are_left);

/* All groups have ended: make the requests that are kept, and settle for the last time. */
void sm_rounds_end(struct sm_rounds *r, struct sm_worker *workers, uint32_t count);

#endif
