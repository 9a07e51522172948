/* SPDX-License-Identifier: Apache-2.0 */
#include "counters.h"

void dram_counters_add(struct dram_counters *sum, const struct dram_counters *more)
{
#define DRAM_COUNTER(name, unit, text) sum->name += more->name;
#include "dram_counters.def"
#undef DRAM_COUNTER
}

void l2_counters_add(struct l2_counters *sum, const struct l2_counters *more)
{
#define L2_COUNTER(name, unit, text) sum->name += more->name;
#include "l2_counters.def"
#undef L2_COUNTER
}

uint64_t l2_counters_requests(const struct l2_counters *c)
{
	return c->reads + c->writes + c->atomics + c->victims;
}

double l2_counters_miss_rate(const struct l2_counters *c)
{
	return c->reads ? (double)c->read_misses / (double)c->reads : 0;
}

void counters_add(struct counters *sum, const struct counters *more)
{
#define COUNTER(name, unit, text) sum->name += more->name;
#include "counters.def"
#undef COUNTER
}

void counters_count_lines(struct counters *c)
{
	c->sectors_hit = c->read_hits + c->pending_hits;
	c->sectors_missed = c->read_misses;
	c->write_sectors_hit = c->write_hits;
	c->write_sectors_missed = c->writes - c->write_hits;
}

uint64_t counters_requests(const struct counters *c)
{
	return c->reads + c->bypasses + c->writes + c->atomics;
}

double counters_miss_rate(const struct counters *c)
{
	uint64_t looked_up = c->read_hits + c->pending_hits + c->read_misses;

	return looked_up ? (double)c->read_misses / (double)looked_up : 0;
}

bool counters_are_classified(const struct counters *c)
{
	return c->cold + c->coherence + c->capacity + c->conflict + c->sector == c->read_misses;
}
