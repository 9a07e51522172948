/*
 * answer_queue - answers to one L1, put in the order of their cycles (private to this room).
 *
 * They are found out in the order of the requests, which is not that of the cycles: what comes from
 * DRAM is there later than what L2 has. Most of either come in order, so there is a queue of each,
 * and what is out of place is moved to where it belongs.
 */
#ifndef ANSWER_QUEUE_H
#define ANSWER_QUEUE_H

#include "array.h"
#include "outbox.h"

struct answer_queue {
	struct array prompt;             /* of struct below_answer, cycles ascending */
	struct array late;               /* the same */
	struct array merged;             /* what answer_queue_take() gives out */
	size_t prompt_first, late_first; /* those before have been given out */
	bool is_failed;                  /* out of memory: an answer was lost */
};

/* Make an empty one. No allocation. */
void answer_queue_init(struct answer_queue *q);

/* Accepts a zeroed struct. */
void answer_queue_release(struct answer_queue *q);

/* Put an answer in; `is_late` when it comes from, or had to wait for, DRAM. Of answers of one cycle
 * the late ones come first, else in the order of the calls. Out of memory: it is lost. */
void answer_queue_put(struct answer_queue *q, const struct below_answer *a, bool is_late);

/* The cycle of the first answer; UINT64_MAX when there is none. */
uint64_t answer_queue_next(const struct answer_queue *q);

/* Take out those of cycles < before, cycles ascending: *count of them, valid until the next
 * call. */
const struct below_answer *answer_queue_take(struct answer_queue *q, uint64_t before,
                                             size_t *count);

/* 0, or ERR_NOMEM when an answer was lost. */
int answer_queue_status(const struct answer_queue *q, struct err *err);

#endif
