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
	uint32_t warp;       /* of its group */
	uint64_t group;
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
};

#endif
