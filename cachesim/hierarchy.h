/*
 * hierarchy - what lies below the L1s of all SMs: L2, DRAM, and the ways between (private to this
 * room; SEMANTICS 5).
 *
 * L1s put messages into their outboxes while SMs run; hierarchy_settle() serves those of all SMs in
 * the order of time: by cycle, then SM, then the order sent. So the result does not depend on which
 * thread ran what when.
 *
 * What L2 has is in L1 horizon = l1_hit_cycles + l2_hit_cycles after the L1 sent its request; what
 * comes from DRAM dram_cycles later; what is already on its way from there when it comes, but not
 * before that horizon. All of it is way, none is waiting: neither L2 nor DRAM is ever busy.
 * With latency = off the L1s wait for nothing and are told nothing of data; the horizon is then
 * 1024, the delay of invalidations.
 *
 * l2_inclusion:
 *   non_inclusive  what L2 replaces stays in L1s.
 *   inclusive      it leaves all L1s that read it since it came into L2, horizon after L2 replaced
 *                  it, but not before its data has come there. So a line in an L1 is in L2, but for
 *                  those whose invalidation is on its way.
 *   exclusive      what an L1 replaces comes into L2, of a line on its way what is already there;
 *                  see l2.h.
 */
#ifndef HIERARCHY_H
#define HIERARCHY_H

#include "counters.h"
#include "outbox.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * answer_queue - answers to one L1, put in the order of their cycles (private to this room).
 *
 * They are found out in the order of the requests, which is not that of the cycles: what comes from
 * DRAM is there later than what L2 has. Most of either come in order, so there is a queue of each,
 * and what is out of place is moved to where it belongs.
 */

struct answer_queue {
	struct fifo prompt; /* of struct below_answer, cycles ascending */
	struct fifo late;   /* the same */
	struct fifo merged; /* what answer_queue_take() gave out, where both queues had some */
};

/* Make an empty one. No allocation. */
void answer_queue_init(struct answer_queue *q);

/* Accepts a zeroed struct. */
void answer_queue_release(struct answer_queue *q);

/* Put an answer in; `is_late` when it comes from, or had to wait for, DRAM. Of answers of one cycle
 * the late ones come first, else in the order of the calls. Out of memory: it is lost. */
void answer_queue_put(struct answer_queue *q, const struct below_answer *a, bool is_late);

/* The cycle of the first answer; UINT64_MAX when there is none. */
static inline uint64_t answer_queue_next(const struct answer_queue *q)
{
	const struct below_answer *prompt = fifo_peek(&q->prompt), *late = fifo_peek(&q->late);
	uint64_t next = prompt ? prompt->cycle : UINT64_MAX;

	return late && late->cycle < next ? late->cycle : next;
}

/* Take out those of cycles < before, cycles ascending: *count of them, valid until the next
 * call that is not answer_queue_next(). */
const struct below_answer *answer_queue_take(struct answer_queue *q, uint64_t before,
                                             size_t *count);

/* 0, or ERR_NOMEM when an answer was lost. */
int answer_queue_status(const struct answer_queue *q, struct err *err);

/*
 * hierarchy_counts - what was counted below the L1s during a launch.
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

/* Add the sums of *more to those of *sum, which has no lists, and whether it is on. */
void hierarchy_counts_sum(struct hierarchy_counts *sum, const struct hierarchy_counts *more);

/* Free the lists. Accepts a zeroed struct. */
void hierarchy_counts_release(struct hierarchy_counts *c);

struct err;
struct gpu;
struct hierarchy;
struct l2;

/* For a GPU with l2 = on and messages of site_count sites. Returns 0, what gpu_check() does, or
 * ERR_NOMEM. Free it with hierarchy_free(). */
int hierarchy_create(struct hierarchy **out, const struct gpu *gpu, size_t site_count,
                     struct err *err);

/* Free. NULL is allowed. */
void hierarchy_free(struct hierarchy *h);

/* Where the L1 of an SM, below sm_count, sends its messages. Borrowed until hierarchy_free(). */
struct outbox *hierarchy_outbox(struct hierarchy *h, uint32_t sm);

/* No answer is there before its message's cycle + this. */
uint64_t hierarchy_horizon(const struct hierarchy *h);

/* Serve the messages of cycles < until: all of these have been sent. `until` never decreases. No
 * other call at the same time. */
void hierarchy_settle(struct hierarchy *h, uint64_t until);

/*
 * Take answers to an SM out, cycles ascending: *count of them, valid until the next call. They are
 * those that are there before `until` of the last hierarchy_settle() + horizon, so that none that
 * is found out later is earlier; or before `before` if that is more. From one thread for each SM.
 */
const struct below_answer *hierarchy_answers(struct hierarchy *h, uint32_t sm, uint64_t before,
                                             size_t *count);

/* The cycle of the first answer of an SM that has not been taken; UINT64_MAX: there is none. */
uint64_t hierarchy_next_answer(const struct hierarchy *h, uint32_t sm);

/* Once, after all messages have been served: write what is dirty in L2 to DRAM. */
void hierarchy_finish(struct hierarchy *h);

/* Copy the counts to *out (release it in every case). Returns 0 or ERR_NOMEM, also when memory ran
 * out meanwhile: there are no counts then. */
int hierarchy_count(const struct hierarchy *h, struct hierarchy_counts *out, struct err *err);

/* For tests. */
const struct l2 *hierarchy_l2(const struct hierarchy *h);

#endif
