/*
 * l1_bypass - reads that bypass an L1 (private to this room; SEMANTICS 5).
 *
 * Such a read takes its turn at the port. It does not look up its line, changes nothing in L1, is
 * no reference for classes, and needs and shares no MSHR. It fetches the sectors of min(32, line)
 * bytes that it touches, each time. Its data arrives l1_hit_cycles + l2_cycles after the request,
 * or when the levels below answer. Dirty sectors of L1 that it touches, there or on their way, are
 * written back first; they stay, clean.
 */
#ifndef L1_BYPASS_H
#define L1_BYPASS_H

#include "l1.h"

struct l1_visit;

/* As l1_request(), for a bypassing read. */
uint64_t l1_read_past(struct l1 *l1, const struct request *r, uint64_t now_cycles,
                      struct counters *counters);

/* The same for an L1 that is not plain, in v->cycle (for l1*.c only). */
void l1_bypass_serve(struct l1 *l1, struct l1_visit *v);

/* The bytes that such a read fetches, or that answer an atomic (for l1*.c only). */
uint32_t l1_bypass_bytes(const struct l1 *l1, const struct request *r);

#endif
