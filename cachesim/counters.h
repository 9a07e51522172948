/*
 * counters - what a cache counts: one struct, made from counters.def.
 */
#ifndef COUNTERS_H
#define COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

/*
 * dram_counters - what a channel of DRAM counts: one struct, made from dram_counters.def.
 */

struct dram_counters {
#define DRAM_COUNTER(name, unit, text) uint64_t name;
#include "dram_counters.def"
#undef DRAM_COUNTER
};

/* Add every counter of *more to *sum. */
void dram_counters_add(struct dram_counters *sum, const struct dram_counters *more);

/*
 * l2_counters - what L2 counts: one struct, made from l2_counters.def.
 */

struct l2_counters {
#define L2_COUNTER(name, unit, text) uint64_t name;
#include "l2_counters.def"
#undef L2_COUNTER
};

/* Add every counter of *more to *sum. */
void l2_counters_add(struct l2_counters *sum, const struct l2_counters *more);

/* All that came from L1s: reads + writes + atomics + victims. */
uint64_t l2_counters_requests(const struct l2_counters *c);

/* read_misses / reads, pending hits being none; 0 without reads. */
double l2_counters_miss_rate(const struct l2_counters *c);

struct counters {
#define COUNTER(name, unit, text) uint64_t name;
#include "counters.def"
#undef COUNTER
};

/* Add every counter of *more to *sum. */
void counters_add(struct counters *sum, const struct counters *more);

/* For a cache without sectors: count its lines as sectors, from its requests. */
void counters_count_lines(struct counters *c);

/* All kinds of requests: reads + bypasses + writes + atomics. */
uint64_t counters_requests(const struct counters *c);

/* read_misses / (read_hits + pending_hits + read_misses); 0 without reads (SEMANTICS 5). */
double counters_miss_rate(const struct counters *c);

/* Whether all misses are told by class; false after a replay that was not asked for classes, but
 * for counters without misses, or with misses of sectors alone. */
bool counters_are_classified(const struct counters *c);

#endif
