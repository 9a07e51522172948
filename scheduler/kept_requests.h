/*
 * kept_requests - a queue of requests that go out in a later round (private to this room).
 *
 * They are copied with their masks, because no warp waits for a write: its group may have ended
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
	struct array masks;    /* uint64_t: the same number of words for each request */
	bool is_out_of_memory; /* some requests are lost */
};

/* Make *k empty. No allocation. */
void kept_requests_init(struct kept_requests *k);

/* Free what it owns. Accepts a zeroed struct. */
void kept_requests_release(struct kept_requests *k);

/* Append a copy of *r. `words` is the length of its mask and the same in all calls; cycles ascend.
 */
void kept_requests_add(struct kept_requests *k, const struct request *r, uint32_t words,
                       uint64_t cycle);

/* Returns request number `i` (< k->requests.count), borrowed until the next call. */
const struct kept_request *kept_requests_at(struct kept_requests *k, size_t i);

/* Remove the first `count` requests. */
void kept_requests_drop(struct kept_requests *k, size_t count);

#endif
