/*
 * issue_order - which of its ready warps a scheduler issues next.
 *
 * Knows warps as numbers and when each is ready, nothing else. Deterministic: ties go to the warp
 * that the order names, in the end to the lowest.
 */
#ifndef ISSUE_ORDER_H
#define ISSUE_ORDER_H

#include <stdint.h>

struct err;

enum issue_order_kind {
#define ISSUE_ORDER(name, fallback, text) ISSUE_ORDER_##name,
#include "issue_orders.def"
#undef ISSUE_ORDER
};

/* Zeroed: lrr. */
struct issue_order {
	enum issue_order_kind kind;
	uint32_t fetch_warps; /* N of twolevel: warps i with the same i / N are a fetch group */
};

/* The warps of one scheduler. A warp that cannot become ready by itself has ready UINT64_MAX: at a
 * barrier, finished, or not there. */
struct issue_queue {
	uint64_t *ready; /* cycle, of `count` warps */
	uint64_t *since; /* a number that grows: gto: when the warp began; fifo: when it issued
	                    last, or began */
	uint32_t count;
	uint32_t turn;   /* lrr, prr, twolevel: where the search begins */
	uint64_t greedy; /* gto: `since` of the warp that issued last */
};

/*
 * Read "NAME" or "NAME:N". Returns 0 or ERR_USAGE, whose message lists the names, or says that N
 * is missing where there is none, or outside 1..1024.
 */
int issue_order_parse(struct issue_order *o, const char *text, struct err *err);

enum { ISSUE_ORDER_BYTES = 32 };

/* The order as issue_order_parse() reads it; returns `text`. */
const char *issue_order_text(char text[ISSUE_ORDER_BYTES], const struct issue_order *o);

/*
 * The warp that issues in cycle `now`, or q->count when none can; *wake then gets the first cycle
 * in which one may, UINT64_MAX for none. Nothing is changed but where prr passes warps that are
 * not there.
 */
uint32_t issue_order_choose(const struct issue_order *o, struct issue_queue *q, uint64_t now,
                            uint64_t *wake);

/* The chosen warp has issued; `number` grows from call to call. */
void issue_order_issued(const struct issue_order *o, struct issue_queue *q, uint32_t warp,
                        uint64_t number);

#endif
