/*
 * l2_counters - the counters of L2: one struct, made from l2_counters.def.
 */
#ifndef L2_COUNTERS_H
#define L2_COUNTERS_H

#include <stdint.h>

struct l2_counters {
#define L2_COUNTER(name, unit, text) uint64_t name;
#include "l2_counters.def"
#undef L2_COUNTER
};

/* Add every counter of *more to *sum. */
void l2_counters_add(struct l2_counters *sum, const struct l2_counters *more);

/* All requests from L1s: reads + writes + atomics + victims. */
uint64_t l2_counters_requests(const struct l2_counters *c);

/* read_misses / reads, where pending hits are not misses; 0 without reads. */
double l2_counters_miss_rate(const struct l2_counters *c);

#endif
