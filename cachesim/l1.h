/*
 * l1 - the L1 data cache of one SM (private to this room; SEMANTICS 5): tags and times, no data.
 *
 * A line without sectors is one sector. A sector is on its way from the request that asks for it to
 * its fill, and there from then on; a line is there when it has a way.
 *
 *   read hit      all sectors asked for are there. Data at now + l1_hit_cycles.
 *   pending hit   what is not there is on its way. Data when the last of it comes, but not before
 *                 now + l1_hit_cycles.
 *   read miss     fetches what is neither; data as of a pending hit. A fill comes l1_hit_cycles +
 *                 l2_cycles after it was asked for, or when what lies below answers. Class sector
 *                 if the line is there or on its way, else that of miss_classes.h. In the last
 *                 line of its access it also fetches the sectors after the last one asked for, up
 *                 to the next multiple of l1_promotion_bytes, that are neither there nor on their
 *                 way (promotion), with the same fill. l1_promotion_bytes has no effect unless
 *                 more than a sector and at most a line.
 *   write         no warp waits for it; it is a hit when its line is there or on its way.
 *     through_evict     goes below. Its line leaves.
 *     through_update    goes below. Nothing changes, not even the order of replacement.
 *     through_allocate  goes below. The sectors that it writes whole are there; for them a line
 *                       comes in. Nothing is fetched.
 *     back_allocate     its line comes in, its sectors are dirty. Those written in part that are
 *                       neither there nor on their way are fetched. Dirty sectors go below when
 *                       their line leaves (write-back) or the launch ends.
 *                 With the last two, a write that finds its line or brings it in is a use in the
 *                 order of replacement and a reference for classes, as reads are.
 *   atomic        is done below; its line leaves. Data l1_hit_cycles + l2_cycles after it was
 *                 asked for, or as below answers.
 *
 * What leaves because of a write, an atomic or an invalidation leaves also where it is on its way:
 * who waits for it keeps his time, but nothing comes in, and later reads fetch it again.
 *
 * at_miss: a line takes a way at its miss, in place of another, on its way or not, which leaves as
 * above. at_fill: it takes one when its first fill comes; until then reads of it are no uses, and
 * what is written to it comes with its oldest fill. A line that is replaced while sectors of it are
 * on their way comes in again with these.
 *
 * So without limits, and at_miss, hits + pending hits, misses and classes follow from the order of
 * requests alone, and LRU's inclusion laws hold; latencies decide only which hits are pending.
 *
 * Limits: l1_mshr_entries fills are on their way at most; l1_mshr_merge requests share one at most,
 * the first, which asked for it, included, a write too (further writes need no place). With either,
 * at_miss, lines on their way are not replaced. A request that finds no entry, no place in each
 * fill that it needs, or no way, is a reservation fail: it stays at the head of the port, and is
 * looked up again in each cycle in which anything comes. The next one is taken l1_request_cycles
 * after it.
 *
 * With latency = off nothing is ever on its way. What comes in a cycle is there before that cycle's
 * requests. With bandwidth = on fills take time by their bytes (l1_private.h). Reads past L1:
 * l1_visit.h.
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
 * l1_setup - what an L1 is given beside the GPU (private to this room).
 */

struct l1_observer;
struct outbox;

/* All borrowed until l1_free(). */
struct l1_setup {
	struct outbox *below;               /* NULL: a miss takes l1_hit_cycles + l2_cycles */
	const struct l1_observer *observer; /* NULL: nobody is told */
	uint64_t horizon_cycles;            /* with `below`: no answer comes sooner (request.h) */
	bool is_telling_victims;            /* MESSAGE_VICTIM is wanted below */
	bool is_unclassified; /* no observer: misses are not told by class, all but `sector` */
	uint32_t sm;          /* number of the SM: random policies draw by it */
};

struct err;
struct gpu;
struct l1;
struct memory_answer; /* request.h */

/* Create an empty one; free it with l1_free(). `setup` may be NULL. Returns 0, ERR_CONFIG (keys
 * that do not go together, or more than 2^30 lines), ERR_NOMEM. */
int l1_create(struct l1 **out, const struct gpu *gpu, const struct l1_setup *setup,
              struct err *err);

/* Free. NULL is allowed. */
void l1_free(struct l1 *l1);

/*
 * Serve a read that looks up its line, a write or an atomic, in now_cycles or when the port is
 * free, and add it to *counters, which stays where it is. now_cycles never decreases from call to
 * call. Returns the cycle at which the warp has its data, or MEMORY_LATER; of a write nothing that
 * matters.
 */
uint64_t l1_request(struct l1 *l1, const struct request *r, uint64_t now_cycles,
                    struct counters *counters);

/* Whether its lines are cut into sectors. Without them its counters of sectors are those of
 * counters_count_lines(). */
bool l1_has_sectors(const struct l1 *l1);

/* The cycle from which it takes the next request, MEMORY_LATER while that is not known before
 * l1_settle(). */
uint64_t l1_port_free(const struct l1 *l1);

/*
 * With an outbox: do what happens in L1 before cycle `until` of itself (fills, invalidations, what
 * they send), so that all messages of cycles before `until` are in the outbox. To be called before
 * these are taken, and while the port holds requests at least once in horizon_cycles, each time
 * after l1_settle(): what comes is not looked at by held requests after this.
 */
void l1_advance(struct l1 *l1, uint64_t until);

/*
 * What lies below answers: `count` answers, whose cycles ascend in this call and from call to
 * call, so that with one of cycle c all before c are known. Each answer to a message of cycle m,
 * and each invalidation, of which there are none but with an inclusive L2, is later than all
 * requests made so far. A held request that can be served now sends its messages: at the end of a
 * launch settle until the outbox stays empty.
 */
void l1_settle(struct l1 *l1, const struct below_answer *answers, size_t count);

/* The next of the requests answered with MEMORY_LATER whose time is known now; false: no more. */
bool l1_next_answer(struct l1 *l1, struct memory_answer *out);

/*
 * The launch ended in this cycle, or in that of the last thing that happened here, which is later:
 * after the last request and, with an outbox, the last settling. Written lines are sent below in
 * that cycle, by set and way, and counted; the observer is told of all lines. The cache is not used
 * any more.
 */
void l1_end(struct l1 *l1, uint64_t now_cycles);

/* 0, or ERR_NOMEM when memory ran out meanwhile: the counts are then not to be used. */
int l1_status(const struct l1 *l1, struct err *err);

#endif
