/* SPDX-License-Identifier: Apache-2.0 */
#include "counters.h"

void counters_add(struct counters *sum, const struct counters *more)
{
#define COUNTER(name, unit, text) sum->name += more->name;
#include "counters.def"
#undef COUNTER
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
