/*
 * dram_counters - the counters of a channel of DRAM: one struct, made from dram_counters.def.
 */
#ifndef DRAM_COUNTERS_H
#define DRAM_COUNTERS_H

#include <stdint.h>

struct dram_counters {
#define DRAM_COUNTER(name, unit, text) uint64_t name;
#include "dram_counters.def"
#undef DRAM_COUNTER
};

/* Add every counter of *more to *sum. */
void dram_counters_add(struct dram_counters *sum, const struct dram_counters *more);

#endif
