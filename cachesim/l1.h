/*
 * l1 - the L1 data cache of one SM (private to this room; SEMANTICS 5): tags and times, no data.
 *
 * A line without sectors is one sector. A sector is on its way from the request for it to its fill,
 * and valid from then on; a line is there while it has a way.
 *
 *   read hit      all requested sectors are valid. Data at now + l1_hit_cycles.
 *   pending hit   the other sectors are on their way. Data when the last of them arrives, but not
 *                 before now + l1_hit_cycles.
 *   read miss     fetches sectors that are neither; data as for a pending hit. A fill arrives
 *                 l1_hit_cycles + l2_cycles after its request, or when the level below answers.
 *                 Class sector if the line is there or on its way, else that of miss_classes.h. In
 *                 the last line of its access it also fetches, with the same fill, the sectors
 *                 after the last requested one, up to the next multiple of l1_promotion_bytes, that
 *                 are neither valid nor on their way (promotion). l1_promotion_bytes has an effect
 *                 only if it is more than a sector and at most a line.
 *   write         no warp waits for it; it is a hit if its line is there or on its way.
 *     through_evict     goes below. Its line is removed.
 *     through_update    goes below. Nothing changes, not even the order of replacement.
 *     through_allocate  goes below. Its line is allocated for the sectors that it writes whole,
 *                       which become valid. Nothing is fetched.
 *     back_allocate     its line is allocated, its sectors become dirty. Those written in part that
 *                       are neither valid nor on their way are fetched. Dirty sectors go below when
 *                       their line is evicted (write-back) or the launch ends.
 *                 With the last two, a write that finds or allocates its line is a use in the order
 *                 of replacement and a reference for classes, as a read is.
 *   atomic        is done below; its line is removed. Data l1_hit_cycles + l2_cycles after its
 *                 request, or when the level below answers.
 *
 * A write, an atomic or an invalidation removes its line even if it is on its way: requests that
 * wait for it keep their completion times, but nothing is filled, and later reads fetch it again.
 *
 * at_miss: a line gets a way at its miss, and replaces another line, on its way or not, which is
 * removed as above. at_fill: it gets a way when its first fill arrives; until then reads of it are
 * not uses, and data written to it arrives with its oldest fill. A line that is replaced while
 * sectors of it are on their way is allocated again with these.
 *
 * So without limits, and with at_miss, hits + pending hits, misses and classes follow from the
 * order of requests alone, and LRU's inclusion laws hold; latencies decide only which hits are
 * pending.
 *
 * Limits: at most l1_mshr_entries fills are on their way; at most l1_mshr_merge requests share one,
 * including the first, which caused it and may be a write (further writes need no place). With
 * either limit and at_miss, lines on their way are not replaced. A request that finds no entry, no
 * place in each fill that it needs, or no way, is a reservation fail: it stays at the head of the
 * port, and looks up again in each cycle in which anything arrives. The next request is taken
 * l1_request_cycles after it.
 *
 * With latency = off nothing is ever on its way. Data that arrives in a cycle is there before that
 * cycle's requests. With bandwidth = on fills take time in proportion to their bytes
 * (l1_private.h). Bypassing reads: l1_visit.h.
 */
#ifndef L1_H
#define L1_H

#include "counters.h"
#include "l1_observer.h"
#include "outbox.h"
#include "request.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * l1_setup - the settings of an L1 other than the GPU (private to this room).
 */

struct l1_observer;
struct outbox;

/* All borrowed until l1_free(). */
struct l1_setup {
	struct outbox *below;               /* NULL: a miss takes l1_hit_cycles + l2_cycles */
	const struct l1_observer *observer; /* NULL: none */
	uint64_t horizon_cycles;            /* with `below`: no answer comes sooner (request.h) */
	bool reports_victims;               /* MESSAGE_VICTIM is wanted below */
	bool is_unclassified; /* do not classify misses, except `sector`; only without an observer
	                       */
	uint32_t sm;          /* number of the SM, which seeds random policies */
};

struct err;
struct gpu;
struct l1;
struct memory_answer; /* request.h */

/* Create an empty L1; free it with l1_free(). `setup` may be NULL. Returns 0; ERR_CONFIG for keys
 * that contradict each other or more than 2^30 lines; or ERR_NOMEM. */
int l1_create(struct l1 **out, const struct gpu *gpu, const struct l1_setup *setup,
              struct err *err);

/* Free. NULL is allowed. */
void l1_free(struct l1 *l1);

/*
 * Serve a read that looks up its line, a write or an atomic, in now_cycles or when the port is
 * free, and add it to *counters, which must not move. now_cycles never decreases from call to call.
 * Returns the cycle at which the warp has its data, or MEMORY_LATER; for a write the result is
 * meaningless.
 */
uint64_t l1_request(struct l1 *l1, const struct request *r, uint64_t now_cycles,
                    struct counters *counters);

/* Returns whether its lines have sectors. Without sectors its counters of sectors are those of
 * counters_count_lines(). */
bool l1_has_sectors(const struct l1 *l1);

/* Returns the cycle from which it takes the next request; MEMORY_LATER if that is unknown until
 * l1_settle(). */
uint64_t l1_port_free(const struct l1 *l1);

/*
 * With an outbox: process the events of L1 before cycle `until` (fills, invalidations, the messages
 * they cause), so that all messages of cycles before `until` are in the outbox. Call it before
 * these are received and, while the port holds requests, at least once in horizon_cycles, each time
 * after l1_settle(): afterwards held requests ignore these arrivals.
 */
void l1_advance(struct l1 *l1, uint64_t until);

/*
 * Deliver `count` answers of the levels below. Their cycles ascend in this call and from call to
 * call, so that with an answer of cycle c all before c are known. Each answer, and each
 * invalidation (only with an inclusive L2), is later than all requests made so far. A held request
 * that can be served now sends its messages: at the end of a launch settle until the outbox stays
 * empty.
 */
void l1_settle(struct l1 *l1, const struct below_answer *answers, size_t count);

/* The next request answered with MEMORY_LATER whose time is now known; false: no more. */
bool l1_next_answer(struct l1 *l1, struct memory_answer *out);

/*
 * End the launch, after the last request and, with an outbox, the last settling. It ends in this
 * cycle, or in that of the last event here if that is later. Written lines are sent below in that
 * cycle, by set and way, and counted; all lines are reported to the observer. The cache must not be
 * used any more.
 */
void l1_end(struct l1 *l1, uint64_t now_cycles);

/* 0, or ERR_NOMEM if memory ran out: then the counts are invalid. */
int l1_status(const struct l1 *l1, struct err *err);

#endif
