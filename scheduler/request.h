/*
 * request - what one warp instruction asks of one line: the data that leaves
 * the scheduler.
 */
#ifndef REQUEST_H
#define REQUEST_H

#include "kernel_table.h"

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
	uint64_t group;
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

/*
 * Where requests go. The scheduler calls request() in the order of the SM's
 * time; the answer is the cycle, >= now_cycles, at which the data is there for
 * the warp. Writes may answer now_cycles: no warp waits for them.
 */
struct memory_port {
	void *context;
	uint64_t (*request)(void *context, uint32_t sm, const struct request *r,
	                    uint64_t now_cycles);
	/* NULL for none: called when a warp memory instruction issues, before its requests. What
	   goes beside L1 is none. Lanes cost memory and time only when it is there. */
	void (*access)(void *context, uint32_t sm, const struct warp_access *a,
	               uint64_t now_cycles);
};

#endif
