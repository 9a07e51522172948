/*
 * l1_bypass - reads that go past an L1 (private to this room; SEMANTICS 5).
 *
 * Such a read takes its turn at the port. Nobody looks whether its line is there: nothing of L1
 * changes, it is no reference for classes, needs no MSHR and shares none. It fetches the sectors of
 * min(32, line) bytes that it touches, each time; data l1_hit_cycles + l2_cycles after it was asked
 * for, or when what lies below answers. Dirty sectors of L1 that it touches, there or on their way,
 * are written back before; they stay, clean.
 */
#ifndef L1_BYPASS_H
#define L1_BYPASS_H

#include "l1.h"

struct l1_visit;

/* As l1_request(), of a read that bypasses. */
uint64_t l1_read_past(struct l1 *l1, const struct request *r, uint64_t now_cycles,
                      struct counters *counters);

/* The same of an L1 that is not plain, in v->cycle (for l1*.c only). */
void l1_bypass_serve(struct l1 *l1, struct l1_visit *v);

/* What such a read fetches, or an atomic is answered with (for l1*.c only). */
uint32_t l1_bypass_bytes(const struct l1 *l1, const struct request *r);

#endif
