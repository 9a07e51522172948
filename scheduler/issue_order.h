/*
 * issue_order - chooses which of its ready warps a scheduler issues next.
 *
 * It knows only the numbers of warps and when each is ready. A "warp" here may be a large warp or a
 * single work-item (sm.h has the consequences for time). Deterministic: ties go to the warp that
 * the order prefers, and then to the lowest; `random` draws from its seed.
 *
 * `lwf` and `reorder` choose as lrr does; they differ before this step (stream_maker.h) and after
 * it (reorder_unit.h).
 */
#ifndef ISSUE_ORDER_H
#define ISSUE_ORDER_H

#include <stdbool.h>
#include <stdint.h>

/*
 * ready_set - a set of numbers from which one is drawn at random, so its k-th element must be
 * found.
 *
 * It has a bit for each number and a count for each 64 numbers. Finding the k-th of a few thousand
 * takes tens of steps.
 */

struct err;

struct ready_set {
	uint64_t *bits; /* NULL: the set is not used */
	uint8_t *counts;
	uint32_t count; /* in the set */
};

/* Make *s an empty set of numbers below `size`. Returns 0 or ERR_NOMEM; release in any case. */
int ready_set_init(struct ready_set *s, uint32_t size, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void ready_set_release(struct ready_set *s);

enum issue_order_kind {
#define ISSUE_ORDER(name, unit, number, fallback, min, max, text) ISSUE_ORDER_##name,
#include "issue_orders.def"
#undef ISSUE_ORDER
};

/* The units that take turns. */
enum issue_unit { ISSUE_WARPS, ISSUE_LARGE_WARPS, ISSUE_ITEMS };

/* Zeroed: lrr. */
struct issue_order {
	enum issue_order_kind kind;
	uint64_t number; /* twolevel: N, warps i with the same i / N are a fetch group; lwf: N,
	                    lanes of a large warp; random: the seed */
};

/* The warps of one scheduler. A warp that cannot become ready on its own has ready UINT64_MAX: it
 * is at a barrier, finished, or absent. */
struct issue_queue {
	uint64_t *ready; /* cycle, of `count` warps */
	uint64_t *since; /* a number that grows: gto, sequential: when the warp began; fifo: when it
	                    issued last, or began */
	uint32_t count;
	uint32_t turn;            /* lrr, prr, twolevel, roundrobin: where the search begins */
	uint64_t greedy;          /* gto: `since` of the warp that issued last */
	uint64_t draws;           /* random: state of the generator, see issue_order_seed() */
	struct ready_set waiting; /* those neither at a barrier nor finished; updated by
	                             issue_order_woken() and issue_order_stopped() */
	bool is_woken;            /* sequential: a warp older than `turn` may have become ready */
};

/*
 * Read "NAME" or "NAME:NUMBER". Returns 0 or ERR_USAGE; its message lists the names, or says that
 * the number is missing, not allowed, or out of range.
 */
int issue_order_parse(struct issue_order *o, const char *text, struct err *err);

enum { ISSUE_ORDER_BYTES = 40 };

/* Write the order as issue_order_parse() reads it. Returns `text`. */
const char *issue_order_text(char text[ISSUE_ORDER_BYTES], const struct issue_order *o);

/* Return what takes turns under this order, and how many lanes each has on a GPU with `warp_lanes`
 * lanes a warp. */
enum issue_unit issue_order_unit(const struct issue_order *o);
uint32_t issue_order_lanes(const struct issue_order *o, uint32_t warp_lanes);

/* Returns 0, or ERR_CONFIG if the lanes of a large warp are not a multiple of those of a warp. */
int issue_order_check(const struct issue_order *o, uint32_t warp_lanes, struct err *err);

/* Returns the initial queue->draws for the only scheduler of SM `sm`: each SM has its own sequence.
 */
uint64_t issue_order_seed(const struct issue_order *o, uint32_t sm);

/*
 * Returns the warp that issues in cycle `now`, or q->count if none can; then *wake becomes the
 * first cycle in which one may, or UINT64_MAX for none. Changes nothing, except that prr passes
 * over absent warps, and that random draws: of n > 0 ready warps the (r modulo n)-th, where r is
 * the next number of splitmix64 (Steele, Lea, Flood 2014). sequential and random are for
 * work-items: when one is chosen, all are ready except those at a barrier or finished (sm.h). prr
 * must be called in each cycle in which a warp begins or a barrier opens, because turns pass then.
 */
uint32_t issue_order_choose(const struct issue_order *o, struct issue_queue *q, uint64_t now,
                            uint64_t *wake);

/* A warp has begun or passed a barrier (woken); it has reached one or finished (stopped). */
void issue_order_woken(struct issue_queue *q, uint32_t warp);
void issue_order_stopped(struct issue_queue *q, uint32_t warp);

/* The chosen warp has issued; `number` grows from call to call. */
void issue_order_issued(const struct issue_order *o, struct issue_queue *q, uint32_t warp,
                        uint64_t number);

#endif
