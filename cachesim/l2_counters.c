/* SPDX-License-Identifier: Apache-2.0 */
#include "l2_counters.h"

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
