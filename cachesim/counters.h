/*
 * counters - the counters of a cache: one struct, made from counters.def.
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

/* For a cache without sectors: derive the counters of sectors from its requests, a line being
 * one sector. */
void counters_count_lines(struct counters *c);

/* All kinds of requests: reads + bypasses + writes + atomics. */
uint64_t counters_requests(const struct counters *c);

/* read_misses / (read_hits + pending_hits + read_misses); 0 without reads (SEMANTICS 5). */
double counters_miss_rate(const struct counters *c);

/* Whether all misses have a class; false after a replay without classes, except for counters
 * without misses, or with sector misses only. */
bool counters_are_classified(const struct counters *c);

#endif
