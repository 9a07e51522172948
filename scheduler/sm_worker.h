/*
 * sm_worker - an SM with its slots and the streams in them: what one thread at a time works on
 * (private to this room).
 *
 * A slot is free, taken (its group is being formed), or has a stream, which is new until the SM
 * runs. Streams are borrowed: they come with sm_worker_give() and go with sm_worker_leave().
 */
#ifndef SM_WORKER_H
#define SM_WORKER_H

#include "sm.h"

struct sm_worker_slot {
	struct group_stream *stream;
	bool is_taken;
	bool is_new;
	bool has_ended; /* its stream waits for sm_worker_leave() */
};

struct sm_worker {
	struct sm *sm; /* NULL: not played */
	struct sm_worker_slot *slots;
	uint32_t slot_count;
	uint32_t unformed; /* slots taken and without a stream */
	uint32_t resident; /* groups, with those */
	bool is_running;   /* a thread is at it */
	uint64_t now;      /* sm_now() when it ran last */
	uint64_t horizon;  /* of the last round that it has joined */
};

/* `shape`, `table` and `port` as for sm_create(). Returns 0 or ERR_NOMEM; release in any case. */
int sm_worker_init(struct sm_worker *w, const struct sm_shape *shape,
                   const struct kernel_table *table, const struct memory_port *port,
                   struct err *err);

/* Free the SM and the slots. Accepts a zeroed struct. */
void sm_worker_release(struct sm_worker *w);

/* The lowest free slot, of which there is one, is taken for a group. */
uint32_t sm_worker_take(struct sm_worker *w);

/* The stream of the group for which a slot was taken. */
void sm_worker_give(struct sm_worker *w, uint32_t slot, struct group_stream *stream);

/*
 * Start what is new, lowest slot first, and run until `until`; with stops_at_end only to the first
 * cycle in which groups end. Returns how many did; they wait for sm_worker_leave().
 */
uint32_t sm_worker_run(struct sm_worker *w, uint64_t until, bool stops_at_end);

/* The stream of a group that has ended, whose slot is then free; NULL when there is none left. */
struct group_stream *sm_worker_leave(struct sm_worker *w);

#endif
