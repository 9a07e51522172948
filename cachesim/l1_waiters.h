/*
 * l1_waiters - requests that wait for fills whose cycle is not known yet (private to this room).
 *
 * A request waits for one fill or, with sectors, for several. It is answered by the latest of them,
 * but not before the cycle in which a hit would have had its data. Answers are first in, first out.
 */
#ifndef L1_WAITERS_H
#define L1_WAITERS_H

#include "fifo.h"

#include <stdint.h>

struct memory_answer;

#define L1_WAITER_NONE UINT32_MAX

struct l1_waiters {
	struct array requests; /* of struct waiting */
	struct array links;    /* of struct link: request and fill */
	uint32_t free_request;
	uint32_t free_link;
	struct fifo answers; /* of struct memory_answer */
	bool is_failed;      /* out of memory */
};

/* Nobody waits. No allocation. */
void l1_waiters_init(struct l1_waiters *w);

/* Free what it owns. Accepts a zeroed struct. */
void l1_waiters_release(struct l1_waiters *w);

/* Add a request of this waiter (request.h), not answered before this cycle, which waits for
 * nothing yet. Returns its name, or L1_WAITER_NONE if out of memory. */
uint32_t l1_waiters_add(struct l1_waiters *w, uint32_t waiter, uint64_t cycle);

/* Let it also wait for the fill whose list begins at *first; L1_WAITER_NONE is an empty list. */
void l1_waiters_wait(struct l1_waiters *w, uint32_t request, uint32_t *first);

/* The fill whose list begins at *first arrives in this cycle: answer the requests that waited
 * for nothing else. */
void l1_waiters_come(struct l1_waiters *w, uint32_t *first, uint64_t cycle);

/* Answer a request that has not been added. */
void l1_waiters_answer(struct l1_waiters *w, uint32_t waiter, uint64_t cycle);

/* Remove the next answer; false if there is none. */
bool l1_waiters_next(struct l1_waiters *w, struct memory_answer *out);

static inline bool l1_waiters_have_failed(const struct l1_waiters *w)
{
	return w->is_failed || w->answers.is_failed;
}

#endif
