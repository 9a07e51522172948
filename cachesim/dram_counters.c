/* SPDX-License-Identifier: Apache-2.0 */
#include "dram_counters.h"

void dram_counters_add(struct dram_counters *sum, const struct dram_counters *more)
{
#define DRAM_COUNTER(name, unit, text) sum->name += more->name;
#include "dram_counters.def"
#undef DRAM_COUNTER
}
