/*
 * sm_private - the inside of an SM: warp slots, schedulers, and what happens to a warp.
 *
 * sm.c starts and ends groups, moves time and begins rounds; sm_issue.c lets schedulers
 * issue. What an instruction is, and how a warp goes on to the next, is defined only here.
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
	struct stream_cursor next; /* what it does next */
	uint64_t data;             /* cycle when what it has asked for is there, as far as known */
	uint32_t awaited;          /* requests of which that will be known later */
	uint32_t group_slot;
	uint32_t warp;                  /* of its group */
	struct sm_scheduler *scheduler; /* that it belongs to, always the same */
	uint64_t *ready, *since;        /* its places in that scheduler's queue */
};

struct sm_group {
	const struct group_stream *stream; /* NULL: the slot is empty */
	uint32_t unfinished;               /* warps */
	uint32_t waiting;                  /* of which at a barrier */
};

/*
 * Warp slot s is scheduler s % schedulers' warp s / schedulers, and the times of a scheduler's
 * warps lie together: ready[scheduler * stride + warp]. NEVER: at a barrier, in its channel of the
 * reorder unit, or not there. MEMORY_LATER: it waits for data whose time is not known yet.
 */
struct sm_scheduler {
	struct issue_queue queue;
	uint64_t wake; /* no warp is ready before this cycle */
	uint32_t held; /* warp of the queue whose sub-warps are under way, or NO_WARP */
};

struct sm {
	struct sm_shape shape;
	const struct kernel_table *table;
	const struct memory_port *port;
	uint64_t now;
	uint64_t next_end;   /* no warp finishes before this cycle */
	uint64_t port_free;  /* the memory port takes no access before this cycle */
	uint64_t busy_until; /* one by one: nothing issues before this cycle, */
	uint64_t busy_data;  /* in which the port is free, and the data of the last access there */
	uint64_t next_grant; /* the reorder unit sends no access before this cycle */
	uint32_t first;      /* scheduler that issues first in a cycle */
	uint32_t resident;   /* groups */
	struct sm_group *groups;
	struct sm_warp *warps;
	uint64_t *ready; /* of all warps, by scheduler */
	uint64_t *since; /* likewise */
	uint64_t number; /* of what has happened in issue_queue.since */
	struct sm_scheduler *schedulers;
	bool has_port_limit;          /* it may have to wait for the memory port */
	bool is_one_by_one;           /* work-items: an access begins when the last one is done */
	bool *is_independent;         /* per site: what in_order need not wait for; or NULL */
	struct reorder_unit *reorder; /* or NULL */
	struct sm_counts counts;
	uint64_t horizon;          /* no request of a later cycle goes out */
	uint64_t awaited;          /* of all warps */
	uint64_t sent_until;       /* the last access' requests, without the port's own waits */
	struct kept_requests kept; /* beyond the horizon */
};

/* Whether a warp has no more instructions. */
static inline bool sm_warp_is_at_end(const struct sm_warp *w)
{
	return w->next.at == w->next.end;
}

/* Say when a warp can go on, or finishes. */
static inline void sm_set_ready(struct sm *sm, uint32_t warp_slot, uint64_t cycle)
{
	const struct sm_warp *w = &sm->warps[warp_slot];

	*w->ready = cycle;
	if (sm_warp_is_at_end(w) && cycle < sm->next_end)
		sm->next_end = cycle;
	if (!sm_warp_is_at_end(w) && cycle < w->scheduler->wake)
		w->scheduler->wake = cycle;
}

/* A warp has begun, or passed a barrier: it can go on at `cycle`. It waits at one, or is done. */
static inline void sm_wake(struct sm *sm, uint32_t warp_slot, uint64_t cycle)
{
	struct sm_scheduler *s = sm->warps[warp_slot].scheduler;

	sm_set_ready(sm, warp_slot, cycle);
	issue_order_woken(&s->queue, warp_slot / sm->shape.schedulers);
	if (sm->shape.order.kind == ISSUE_ORDER_prr && sm->now < s->wake)
		s->wake = sm->now; /* the turn may come to it before it can go on */
}

static inline void sm_stop(struct sm *sm, uint32_t warp_slot)
{
	*sm->warps[warp_slot].ready = NEVER;
	issue_order_stopped(&sm->warps[warp_slot].scheduler->queue,
	                    warp_slot / sm->shape.schedulers);
}

/* When all unfinished warps of a group wait at a barrier, they go on at `cycle`. */
void sm_open_barrier(struct sm *sm, uint32_t slot, uint64_t cycle);

/* The port says when it takes the next access; schedulers are woken if it is earlier than they
 * know. With requests kept it is not asked. */
void sm_ask_port(struct sm *sm);

/* Let each scheduler issue, if it can, in this cycle, and the reorder unit send. */
void sm_issue(struct sm *sm);

#endif
