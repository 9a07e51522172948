/*
 * hierarchy - the levels below the L1s of all SMs: L2, DRAM, and the latencies between (private to
 * this room; SEMANTICS 5).
 *
 * L1s put messages into their outboxes while SMs run; hierarchy_settle() serves the messages of all
 * SMs in the order of time: by cycle, then SM, then the order sent. So the result does not depend
 * on the scheduling of threads.
 *
 * Data that L2 has arrives in L1 horizon = l1_hit_cycles + l2_hit_cycles after the L1 sent its
 * request; data from DRAM dram_cycles later. Data already on its way from DRAM arrives with that
 * fetch, but not before the horizon. All of this is latency, none is queueing: neither L2 nor DRAM
 * is ever busy. With latency = off the L1s wait for nothing and get no answers with data; the
 * horizon is then 1024, the delay of invalidations.
 *
 * l2_inclusion:
 *   non_inclusive  lines that L2 replaces stay in L1s.
 *   inclusive      such a line leaves all L1s that read it since it came into L2, horizon after L2
 *                  replaced it, but not before its data has arrived there. So a line in an L1 is in
 *                  L2, except those whose invalidation is on its way.
 *   exclusive      a line that an L1 replaces goes to L2; of a line on its way, the part that is
 *                  already there; see l2.h.
 */
#ifndef HIERARCHY_H
#define HIERARCHY_H

#include "counters.h"
#include "outbox.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * answer_queue - the answers to one L1, ordered by cycle (private to this room).
 *
 * Answers are found in the order of the requests, which is not that of their cycles: data from DRAM
 * arrives later than data that L2 has. The answers of each kind are mostly in order, so each has
 * its own queue, and an answer out of order is moved to its place.
 */

struct answer_queue {
	struct fifo prompt; /* of struct below_answer, cycles ascending */
	struct fifo late;   /* struct below_answer, cycles ascending */
	struct fifo merged; /* the last result of answer_queue_take(), if both queues had answers */
};

/* Make an empty one. No allocation. */
void answer_queue_init(struct answer_queue *q);

/* Accepts a zeroed struct. */
void answer_queue_release(struct answer_queue *q);

/* Insert an answer; `is_late` if it comes from DRAM or had to wait for it. Of answers of one cycle
 * the late ones come first, then those of earlier calls. If out of memory, the answer is lost. */
void answer_queue_put(struct answer_queue *q, const struct below_answer *a, bool is_late);

/* Returns the cycle of the first answer; UINT64_MAX if there is none. */
static inline uint64_t answer_queue_next(const struct answer_queue *q)
{
	const struct below_answer *prompt = fifo_peek(&q->prompt), *late = fifo_peek(&q->late);
	uint64_t next = prompt ? prompt->cycle : UINT64_MAX;

	return late && late->cycle < next ? late->cycle : next;
}

/* Remove the answers of cycles < before and return them, cycles ascending: *count of them, valid
 * until the next call of a function other than answer_queue_next(). */
const struct below_answer *answer_queue_take(struct answer_queue *q, uint64_t before,
                                             size_t *count);

/* Returns 0, or ERR_NOMEM if an answer was lost. */
int answer_queue_status(const struct answer_queue *q, struct err *err);

/*
 * hierarchy_counts - the counters below the L1s of a launch.
 */

/* All 0 and NULL with l2 = off. */
struct hierarchy_counts {
	bool is_on;
	struct l2_counters l2;      /* all slices */
	struct l2_counters *sites;  /* all slices, per site of the kernel's table */
	struct l2_counters *slices; /* per slice */
	size_t site_count, slice_count;
	struct dram_counters dram;      /* all channels */
	struct dram_counters *channels; /* per channel */
	size_t channel_count;
};

/* Add the sums and is_on of *more to *sum, which has no lists. */
void hierarchy_counts_sum(struct hierarchy_counts *sum, const struct hierarchy_counts *more);

/* Free the lists. Accepts a zeroed struct. */
void hierarchy_counts_release(struct hierarchy_counts *c);

struct err;
struct gpu;
struct hierarchy;
struct l2;

/* Create the levels below L1 for a GPU with l2 = on and messages of site_count sites. Returns 0, an
 * error of gpu_check(), or ERR_NOMEM. Free it with hierarchy_free(). */
int hierarchy_create(struct hierarchy **out, const struct gpu *gpu, size_t site_count,
                     struct err *err);

/* Free. NULL is allowed. */
void hierarchy_free(struct hierarchy *h);

/* Returns the outbox for the L1 of an SM, below sm_count. Borrowed until hierarchy_free(). */
struct outbox *hierarchy_outbox(struct hierarchy *h, uint32_t sm);

/* No answer arrives before its message's cycle + this. */
uint64_t hierarchy_horizon(const struct hierarchy *h);

/* Serve the messages of cycles < until, which must all have been sent. `until` never decreases.
 * No other call at the same time. */
void hierarchy_settle(struct hierarchy *h, uint64_t until);

/*
 * Remove an SM's answers and return them, cycles ascending: *count of them, valid until the next
 * call. They are those that arrive before `until` of the last hierarchy_settle() + horizon, so that
 * no later answer precedes them, or before `before` if that is more. From one thread for each SM.
 */
const struct below_answer *hierarchy_answers(struct hierarchy *h, uint32_t sm, uint64_t before,
                                             size_t *count);

/* The cycle of an SM's first answer that has not been removed; UINT64_MAX: there is none. */
uint64_t hierarchy_next_answer(const struct hierarchy *h, uint32_t sm);

/* Write dirty data in L2 to DRAM. Once, after all messages have been served. */
void hierarchy_finish(struct hierarchy *h);

/* Copy the counts to *out (release it in every case). Returns 0 or ERR_NOMEM, also if memory ran
 * out earlier: then there are no counts. */
int hierarchy_count(const struct hierarchy *h, struct hierarchy_counts *out, struct err *err);

#endif
