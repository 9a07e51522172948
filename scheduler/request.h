/*
 * request - what one warp instruction asks of one line: the data that leaves the scheduler, and
 * the answers that come back, at once or later.
 */
#ifndef REQUEST_H
#define REQUEST_H

#include "kernel_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct request {
	uint64_t line;        /* byte address of the line's first byte (replay address) */
	const uint64_t *used; /* bytes touched by active lanes, one bit each: bit i of word i/64;
	                         line_bytes / 64 words, at least one; borrowed */
	uint32_t bytes_used;  /* bits set in `used` */
	uint32_t sectors;     /* of 32 bytes with a bit set in `used` */
	uint32_t lanes;       /* active lanes with a byte in the line */
	uint32_t site;
	enum site_kind kind; /* READ, WRITE or ATOMIC */
	int32_t buffer;      /* recorded buffer that holds the first such lane's byte, or -1 */
	uint32_t warp;       /* of its group; large warp or work-item where these take turns */
	uint32_t waiter;     /* of the SM, who gets the answer: one that comes later names it */
	uint64_t group;
	bool is_last; /* no later request belongs to the same access */
};

/* A warp memory instruction (or that of a sub-warp, or of a work-item), lane by lane. The arrays
 * are borrowed until the call returns. */
struct warp_access {
	uint64_t group;
	uint32_t warp; /* as in struct request */
	uint32_t site; /* READ, WRITE or ATOMIC */
	uint32_t lane_count;
	const uint32_t *item;    /* local linear id of each active lane; ascends but in the
	                            sub-warps of large warps */
	const uint64_t *address; /* that each accesses, as recorded */
};

/* The answer to a request whose time is not known yet: later than any cycle. */
#define MEMORY_LATER (UINT64_MAX - 1)

/* An answer that has come later. */
struct memory_answer {
	uint32_t waiter; /* that of the request */
	uint64_t cycle;  /* when the data is there */
};

/*
 * Reads of a sequence (schedule.h): each goes when the one before has its data, but not before the
 * next cycle, and not before the port is free.
 */
struct read_run {
	const uint64_t *lines; /* of each, as in struct request; borrowed */
	size_t count;
	uint64_t request_cycles; /* from one to the next, at least */
	/* In and out: when the next one goes at the earliest, by the data of those before, and by
	   the port. */
	uint64_t now, port_free;
};

/*
 * Where requests go. The scheduler calls request() in the order of the SM's time; the answer is the
 * cycle, >= now_cycles, at which the data is there for the warp, or MEMORY_LATER. To writes it is
 * nothing: no warp waits for them, and they get no later answer.
 *
 * Later answers, and what SMs share: with settle() SMs run in rounds, each up to a common cycle,
 * `until`; then comes settle(until), and then they go on with its answers. `until` grows from call
 * to call. When it is called all requests of cycles before `until` have been made, and of later
 * ones none but some of `until` itself, which it is not to serve yet. The last call, when all
 * groups have ended, has until = UINT64_MAX. For each read and atomic that was answered
 * MEMORY_LATER there is one answer, in no certain order, of a cycle not before the request's +
 * horizon_cycles; it may need several rounds. So nothing can happen in a cycle to which an SM or
 * its L1 has come already: a round takes horizon_cycles - 1.
 *
 * The requests of an access go out one after another, each in the cycle that it is told, whatever
 * port_free() says in between: a port that makes one wait makes the next ones wait. Those of cycles
 * beyond `until` go out in the next round.
 */
struct memory_port {
	void *context;
	uint64_t (*request)(void *context, uint32_t sm, const struct request *r,
	                    uint64_t now_cycles);
	/* NULL: there is none. What request() would do with all of run's reads, which are *r but
	   for their lines; for ports that do not ask which bytes of a line are read. */
	void (*reads)(void *context, uint32_t sm, const struct request *r, struct read_run *run);
	/* NULL for none: called when a warp memory instruction issues, before its requests. What
	   goes beside L1 is none. Lanes cost memory and time only when it is there. */
	void (*access)(void *context, uint32_t sm, const struct warp_access *a,
	               uint64_t now_cycles);

	/* NULL: all is answered at once, and SMs know nothing of one another. One thread, while
	   none runs an SM. */
	void (*settle)(void *context, uint64_t until);
	uint64_t horizon_cycles; /* with settle(): at least 2 */
	/* An answer to an SM that settle() has found; false when there is none left. Asked after
	   each settle(), by the thread that runs the SM. NULL: nothing is answered later. */
	bool (*next_answer)(void *context, uint32_t sm, struct memory_answer *out);
	/* NULL: the port takes an access whenever the scheduler has one. Else the cycle from which
	   it takes the next one, 0 for any, or MEMORY_LATER when the answers will tell: then it is
	   not before the `until` of the settle() that knows it. Asked after the requests of
	   each access, and after answers have been fetched; a cycle that was told holds. */
	uint64_t (*port_free)(void *context, uint32_t sm);
};

#endif
