/*
 * l1 - the L1 data cache of one SM (private to this room; SEMANTICS 5): tags and times, no data.
 *
 * Sets, ways, line, index and write policy come from the GPU. Replacement is LRU over reads.
 *
 *   read hit      the line is there. Data at now + l1_hit_cycles.
 *   read miss     the line is allocated now, in place of the least recently read of its set, and
 *                 is in flight until now + l1_hit_cycles + l2_cycles, when the data is there.
 *   pending hit   a read of a line in flight. Data when the fill comes, but not before
 *                 now + l1_hit_cycles. It makes the line the most recently read, like any hit.
 *   write         goes through to L2 and allocates nothing. If its line is there (in flight or not)
 *                 it is a write hit: with through_evict the line leaves, with through_update it
 *                 stays where it is in the order of replacement. No warp waits.
 *   atomic        is done in L2; a line that is there leaves under either policy. Data at
 *                 now + l1_hit_cycles + l2_cycles.
 *
 * With latency = off data is there at once, so that nothing is ever in flight.
 *
 * A line in flight may be replaced or taken out like any other: the warps that wait for it keep
 * their time, later reads miss and fetch it again. So hits + pending hits, misses and classes
 * follow from the order of requests alone, and LRU's inclusion laws hold; latencies decide only
 * which of the hits are pending. Limits on lines in flight (MSHRs) are not modelled.
 */
#ifndef L1_H
#define L1_H

#include "counters.h"
#include "l1_observer.h"
#include "outbox.h"
#include "request.h"

#include <stdbool.h>
#include <stddef.h>

struct err;
struct gpu;
struct l1;
struct memory_answer; /* request.h */

/* What goes beside the GPU. All borrowed until l1_free(). */
struct l1_setup {
	struct outbox *below;               /* NULL: a miss takes l1_hit_cycles + l2_cycles */
	const struct l1_observer *observer; /* NULL: nobody is told */
	uint64_t horizon_cycles;            /* with `below`: no answer comes sooner (request.h) */
	bool is_telling_victims;            /* MESSAGE_VICTIM is wanted below */
	uint32_t sm;                        /* number of the SM: random policies draw by it */
};

/* Create an empty one; free it with l1_free(). `setup` may be NULL: nothing beside the GPU. Returns
 * 0, ERR_CONFIG (l1_index and l1_sets do not go together, or more than 2^30 lines), ERR_NOMEM. */
int l1_create(struct l1 **out, const struct gpu *gpu, const struct l1_setup *setup,
              struct err *err);

/* Free. NULL is allowed. */
void l1_free(struct l1 *l1);

/*
 * Serve a read, write or atomic and add it to *counters. now_cycles never decreases from call to
 * call. Returns the cycle at which the warp has its data; now_cycles for a write.
 */
uint64_t l1_request(struct l1 *l1, const struct request *r, uint64_t now_cycles,
                    struct counters *counters);

/* The cycle from which it takes the next request: 0 for at once, MEMORY_LATER while a request is
 * held whose time is not known before l1_settle(). */
uint64_t l1_port_free(const struct l1 *l1);

/*
 * With an outbox: do what happens in L1 before cycle `until` of itself (fills, invalidations, what
 * they send), so that all messages of cycles before `until` are in the outbox. To be called before
 * these are taken.
 */
void l1_advance(struct l1 *l1, uint64_t until);

/*
 * What lies below answers: `count` answers, whose cycles ascend in this call and from call to
 * call, so that with one of cycle c all before c are known. Each answer to a message of cycle m,
 * and each invalidation, is later than all requests made so far. A held request that can be served
 * now sends its messages: at the end of a launch settle until the outbox stays empty.
 */
void l1_settle(struct l1 *l1, const struct below_answer *answers, size_t count);

/* The next of the requests answered with MEMORY_LATER whose time is known now; false: no more. */
bool l1_next_answer(struct l1 *l1, struct memory_answer *out);

/*
 * The launch ended in this cycle, or in that of the last thing that happened here, which is later:
 * after the last request and, with an outbox, the last settling. Written lines are sent below and
 * counted, the observer is told of all lines. The cache is not used any more.
 */
void l1_end(struct l1 *l1, uint64_t now_cycles);

/* 0, or ERR_NOMEM when memory ran out meanwhile: the counts are then not to be used. */
int l1_status(const struct l1 *l1, struct err *err);

#endif
