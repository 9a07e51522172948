/*
 * kept_requests - requests of accesses that go out in a later round, first in, first out (private
 * to this room).
 *
 * They are copied with their masks, because nobody waits for a write: its group may have ended
 * before its last requests go out.
 */
#ifndef KEPT_REQUESTS_H
#define KEPT_REQUESTS_H

#include "array.h"
#include "request.h"

struct kept_request {
	struct request request;
	uint64_t cycle; /* in which it goes out */
};

struct kept_requests {
	struct array requests; /* struct kept_request */
	struct array masks;    /* uint64_t: equally many for each */
	bool is_out_of_memory; /* some are lost */
};

/* None. No allocation. */
void kept_requests_init(struct kept_requests *k);

/* Free what it owns. Accepts a zeroed struct. */
void kept_requests_release(struct kept_requests *k);

/* Keep a copy of *r, whose mask has `words`: as those of all others; cycles ascend. */
void kept_requests_add(struct kept_requests *k, const struct request *r, uint32_t words,
                       uint64_t cycle);

/* Number `i` of those kept (< k->requests.count): borrowed, valid until the next call. */
const struct kept_request *kept_requests_at(struct kept_requests *k, size_t i);

/* The first `count` have gone out. */
void kept_requests_drop(struct kept_requests *k, size_t count);

#endif
