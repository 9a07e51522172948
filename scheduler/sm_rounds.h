/*
 * sm_rounds - the common rounds of the SMs of a launch whose port settles (request.h; private to
 * this room).
 *
 * All SMs run to the same cycle, the horizon; then one thread settles what lies below them, and the
 * next round begins. It ends horizon_cycles - 1 after the earliest cycle in which something can yet
 * be asked: answers to that come behind its end. While no SM waits for an answer a round may begin
 * later than the last one ended.
 *
 * An SM takes part in a round when it runs in it first, by sm_rounds_join(), or at its end.
 *
 * No threads: the caller locks, but for sm_rounds_join().
 */
#ifndef SM_ROUNDS_H
#define SM_ROUNDS_H

#include "request.h"

#include <stdbool.h>
#include <stdint.h>

struct err;
struct sm_worker;

struct sm_rounds {
	const struct memory_port *port;
	uint64_t horizon; /* cycle to which SMs run, UINT64_MAX: there are no rounds */
};

/* The first round, from cycle 0. `port` is borrowed. Returns 0, or ERR_CONFIG when its
 * horizon_cycles are fewer than 2. */
int sm_rounds_init(struct sm_rounds *r, const struct memory_port *port, struct err *err);

static inline bool sm_rounds_are_there(const struct sm_rounds *r)
{
	return r->port->settle;
}

/* The SM gets its answers and makes requests up to the horizon, unless it has joined already. */
void sm_rounds_join(const struct sm_rounds *r, struct sm_worker *w);

/* Whether all SMs have come to the end; those without groups have when none are `left`. */
bool sm_rounds_is_over(const struct sm_rounds *r, const struct sm_worker *workers, uint32_t count,
                       bool are_left);

/* Settle and begin the next round; it is over, and some SM has groups. */
void sm_rounds_next(struct sm_rounds *r, struct sm_worker *workers, uint32_t count, bool are_left);

/* All groups have ended: make the requests that are left, and settle for the last time. */
void sm_rounds_end(struct sm_rounds *r, struct sm_worker *workers, uint32_t count);

#endif
