/*
 * answer_queue - answers to one L1, put in the order of their cycles (private to this room).
 *
 * They become known in the order of the requests, which is not that of the cycles: answers from
 * DRAM arrive later than answers from L2. Most of each kind come in order, so each has a queue, and
 * answers out of order are moved to their place.
 */
#ifndef ANSWER_QUEUE_H
#define ANSWER_QUEUE_H

#include "outbox.h"

struct answer_queue {
	struct fifo prompt; /* of struct below_answer, cycles ascending */
	struct fifo late;   /* the same */
	struct fifo merged; /* the result of answer_queue_take(), if both queues had some */
};

/* Make an empty one. No allocation. */
void answer_queue_init(struct answer_queue *q);

/* Accepts a zeroed struct. */
void answer_queue_release(struct answer_queue *q);

/* Insert an answer; `is_late` if it comes from DRAM, or had to wait for it. In one cycle late
 * answers come first, otherwise the order is that of the calls. Out of memory: it is lost. */
void answer_queue_put(struct answer_queue *q, const struct below_answer *a, bool is_late);

/* The cycle of the first answer; UINT64_MAX if there is none. */
static inline uint64_t answer_queue_next(const struct answer_queue *q)
{
	const struct below_answer *prompt = fifo_peek(&q->prompt), *late = fifo_peek(&q->late);
	uint64_t next = prompt ? prompt->cycle : UINT64_MAX;

	return late && late->cycle < next ? late->cycle : next;
}

/* Remove those of cycles < before and return them, cycles ascending: *count of them, valid until
 * the next call that is not answer_queue_next(). */
const struct below_answer *answer_queue_take(struct answer_queue *q, uint64_t before,
                                             size_t *count);

/* 0, or ERR_NOMEM if an answer was lost. */
int answer_queue_status(const struct answer_queue *q, struct err *err);

#endif
