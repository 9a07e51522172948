/*
 * request - what one warp instruction requests of one line: the data that leaves the scheduler, and
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
	uint32_t warp;       /* of its group; a large warp or work-item where these take turns */
	uint32_t waiter;     /* of the SM; a later answer names it */
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
	const uint64_t *address; /* of each lane, as recorded */
};

/* The answer to a request whose time is not known yet: later than any cycle. */
#define MEMORY_LATER (UINT64_MAX - 1)

/* A later answer. */
struct memory_answer {
	uint32_t waiter; /* that of the request */
	uint64_t cycle;  /* when the data is there */
};

/*
 * Reads of a sequence (schedule.h): each goes out when the one before has its data, but not before
 * the next cycle, and not before the port is free.
 */
struct read_run {
	const uint64_t *lines; /* of each, as in struct request; borrowed */
	size_t count;
	uint64_t request_cycles; /* the least from one to the next */
	/* In and out: the earliest cycle of the next one, by the data of those before, and by the
	   port. */
	uint64_t now, port_free;
};

/*
 * The destination of requests. The scheduler calls request() in the order of the SM's time. The
 * result is the cycle, >= now_cycles, at which the warp has the data, or MEMORY_LATER. For writes
 * the result is ignored: no warp waits for them, and they get no later answer.
 *
 * Later answers, and what SMs share: with settle() SMs run in rounds, each up to a common cycle,
 * `until`; then settle(until) is called, and they continue with its answers. `until` grows from
 * call to call. At the call all requests of cycles before `until` have been made; of later ones at
 * most some of cycle `until`, which the call must not serve yet. The last call, when all groups
 * have ended, has until = UINT64_MAX. Each read and atomic that was answered MEMORY_LATER gets one
 * answer, in no particular order, of a cycle not before that of the request + horizon_cycles; this
 * may take several rounds. So nothing can happen in a cycle that an SM or its L1 has already
 * reached: a round takes horizon_cycles - 1.
 *
 * The requests of an access go out one after another, each in its given cycle, whatever port_free()
 * returns in between: a port that makes one wait makes the next ones wait. Those of cycles beyond
 * `until` go out in the next round.
 */
struct memory_port {
	void *context;
	uint64_t (*request)(void *context, uint32_t sm, const struct request *r,
	                    uint64_t now_cycles);
	/* NULL, or what request() does with each of run's reads, which are *r except for their
	   lines; for ports to which the bytes of a line do not matter. */
	void (*reads)(void *context, uint32_t sm, const struct request *r, struct read_run *run);
	/* NULL, or called when a warp memory instruction issues, before its requests; not for local
	   and constant memory. Lanes cost memory and time only if it is set. */
	void (*access)(void *context, uint32_t sm, const struct warp_access *a,
	               uint64_t now_cycles);

	/* NULL: everything is answered at once, and SMs are independent. Called by one thread while
	   no SM runs. */
	void (*settle)(void *context, uint64_t until);
	uint64_t horizon_cycles; /* with settle(): at least 2 */
	/* The next answer of settle() to an SM; false when there is none left. Called after each
	   settle(), by the thread that runs the SM. NULL: nothing is answered later. */
	bool (*next_answer)(void *context, uint32_t sm, struct memory_answer *out);
	/* NULL: the port takes an access whenever the scheduler has one. Otherwise returns the
	   cycle from which it takes the next one, 0 for any, or MEMORY_LATER if that depends on
	   answers: it is then not before the `until` of the settle() that finds it. Called after
	   the requests of each access, and after answers have been fetched; a returned cycle does
	   not change. */
	uint64_t (*port_free)(void *context, uint32_t sm);
};

#endif
