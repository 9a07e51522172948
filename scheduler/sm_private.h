/*
 * sm_private - the internals of an SM: warp slots, schedulers, and how a warp progresses (private
 * to this room).
 *
 * sm.c starts and ends groups, advances time and begins rounds; sm_issue.c lets schedulers issue.
 * Both use the definitions here of a warp's state.
 */
#ifndef SM_PRIVATE_H
#define SM_PRIVATE_H

#include "group_stream.h"
#include "kept_requests.h"
#include "sm.h"
#include "stream_bundle.h"

#define NEVER   UINT64_MAX
#define NO_WARP UINT32_MAX

/* A warp slot. */
struct sm_warp {
	struct stream_cursor next; /* its next instruction */
	uint64_t data;    /* cycle in which all data it has requested arrives, as far as known */
	uint32_t awaited; /* requests whose answers come later */
	uint32_t group_slot;
	uint32_t warp;                  /* number in its group */
	struct sm_scheduler *scheduler; /* fixed for the slot */
	uint64_t *ready, *since;        /* its entries in that scheduler's queue */
};

struct sm_group {
	const struct group_stream *stream; /* NULL: the slot is empty */
	uint32_t unfinished;               /* warps */
	uint32_t waiting;                  /* of these, at a barrier */
};

/*
 * Warp slot s is warp s / schedulers of scheduler s % schedulers. The times of a scheduler's warps
 * are contiguous: ready[first warp of the scheduler + warp]. NEVER: at a barrier, in its channel of
 * the reorder unit, finished or absent. MEMORY_LATER: it waits for data whose cycle is not known
 * yet.
 */
struct sm_scheduler {
	struct issue_queue queue;
	uint64_t wake; /* no warp is ready before this cycle */
	uint32_t held; /* warp of the queue that still has sub-warps to issue, or NO_WARP */
};

struct sm {
	struct sm_shape shape;
	const struct kernel_table *table;
	const struct memory_port *port;
	uint64_t now;
	uint64_t next_end;   /* no warp finishes before this cycle */
	uint64_t port_free;  /* the memory port takes no access before this cycle */
	uint64_t busy_until; /* is_one_by_one: nothing issues before the later of port_free and
	                        busy_data */
	uint64_t busy_data;  /* cycle in which the data of the last access arrives */
	uint64_t next_grant; /* the reorder unit sends no access before this cycle */
	uint32_t first;      /* scheduler that issues first in a cycle */
	uint32_t resident;   /* groups */
	struct sm_group *groups;
	struct sm_warp *warps;
	uint64_t *ready; /* of all warps, by scheduler */
	uint64_t *since; /* of all warps, by scheduler */
	uint64_t number; /* last number given to issue_queue.since */
	struct sm_scheduler *schedulers;
	bool has_port_limit;  /* an access may have to wait for the memory port */
	bool is_one_by_one;   /* orders of work-items: one access after another */
	bool *is_independent; /* per site: whether its instructions need not wait for data; NULL
	                         unless in_order */
	struct reorder_unit *reorder; /* or NULL */
	struct sm_counts counts;
	uint64_t horizon;          /* no request of a later cycle goes out in this round */
	uint64_t awaited;          /* requests of all warps whose answers come later */
	uint64_t sent_until;       /* the port's next free cycle by request_cycles alone */
	struct kept_requests kept; /* requests beyond the horizon */
};

/* Whether a warp has no more instructions. */
static inline bool sm_warp_is_at_end(const struct sm_warp *w)
{
	return w->next.at == w->next.end;
}

/* Set the cycle in which a warp can continue, or finishes if it has no more instructions. */
static inline void sm_set_ready(struct sm *sm, uint32_t warp_slot, uint64_t cycle)
{
	const struct sm_warp *w = &sm->warps[warp_slot];

	*w->ready = cycle;
	if (sm_warp_is_at_end(w) && cycle < sm->next_end)
		sm->next_end = cycle;
	if (!sm_warp_is_at_end(w) && cycle < w->scheduler->wake)
		w->scheduler->wake = cycle;
}

/* A warp has begun or passed a barrier: it can continue, or finishes, at `cycle`. */
static inline void sm_wake(struct sm *sm, uint32_t warp_slot, uint64_t cycle)
{
	struct sm_scheduler *s = sm->warps[warp_slot].scheduler;

	sm_set_ready(sm, warp_slot, cycle);
	issue_order_woken(&s->queue, warp_slot / sm->shape.schedulers);
	if (sm->shape.order.kind == ISSUE_ORDER_prr && sm->now < s->wake)
		s->wake = sm->now; /* its turn may come before it can continue */
}

/* A warp has reached a barrier or finished. */
static inline void sm_stop(struct sm *sm, uint32_t warp_slot)
{
	*sm->warps[warp_slot].ready = NEVER;
	issue_order_stopped(&sm->warps[warp_slot].scheduler->queue,
	                    warp_slot / sm->shape.schedulers);
}

/* If all unfinished warps of a group wait at a barrier, let them continue at `cycle`. */
void sm_open_barrier(struct sm *sm, uint32_t slot, uint64_t cycle);

/* Update port_free from port->port_free(), which must not be NULL, and wake the schedulers if that
 * is earlier than before. Does nothing while requests are kept. */
void sm_update_port(struct sm *sm);

/* Let each scheduler issue in this cycle if it can, then let the reorder unit send. */
void sm_issue(struct sm *sm);

#endif
