/*
 * counters - the counters of L1, L2 and a DRAM channel: a struct for each, generated from
 * counters.def.
 */
#ifndef COUNTERS_H
#define COUNTERS_H

#include <stdbool.h>
#include <stdint.h>

struct counters {
#define COUNTER(name, unit, text) uint64_t name;
#include "counters.def"
#undef COUNTER
};

/* Add every counter of *more to *sum. */
void counters_add(struct counters *sum, const struct counters *more);

/* For a cache without sectors: set the counters of sectors from those of requests, a line being one
 * sector. */
void counters_count_lines(struct counters *c);

/* All kinds of requests: reads + bypasses + writes + atomics. */
uint64_t counters_requests(const struct counters *c);

/* read_misses / (read_hits + pending_hits + read_misses); 0 without reads (SEMANTICS 5). */
double counters_miss_rate(const struct counters *c);

/* Returns whether all misses are classified. False after a replay without classes, unless there are
 * no misses, or only misses of sectors. */
bool counters_are_classified(const struct counters *c);

struct l2_counters {
#define L2_COUNTER(name, unit, text) uint64_t name;
#include "counters.def"
#undef L2_COUNTER
};

void l2_counters_add(struct l2_counters *sum, const struct l2_counters *more);

/* All requests from L1s: reads + writes + atomics + victims. */
uint64_t l2_counters_requests(const struct l2_counters *c);

/* read_misses / reads; 0 without reads. Pending hits are not misses. */
double l2_counters_miss_rate(const struct l2_counters *c);

struct dram_counters {
#define DRAM_COUNTER(name, unit, text) uint64_t name;
#include "counters.def"
#undef DRAM_COUNTER
};

void dram_counters_add(struct dram_counters *sum, const struct dram_counters *more);

/* The row of a counter of L1 in counters.def. */
struct counter_fact {
	const char *name, *unit, *text;
};

/* Returns NULL if there is no counter of that name. Static storage. */
const struct counter_fact *counter_fact_find(const char *name);

#endif
