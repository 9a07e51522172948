/* SPDX-License-Identifier: Apache-2.0 */
#include "flow_pack.h"

#include "nest_execution.h"

#include <stdlib.h>
#include <string.h>

bool flow_pack_can(const struct flow_run *r)
{
	if (r->program->table.loop_count > NEST_DEPTH_MAX)
		return false;
	for (uint32_t i = 0; i < r->item_count; i++)
		if (r->first_visit[i + 1] - r->first_visit[i] > NEST_ENTRIES_MAX)
			return false;
	return true;
}

uint64_t flow_pack_item(const struct flow_run *r, uint32_t item, uint64_t seed,
                        struct event *events)
{
	const struct kernel_table *t = &r->program->table;
	struct random random = { seed };
	struct nest_execution x = { .count = r->first_visit[item + 1] - r->first_visit[item] };
	uint64_t count;

	x.entries = calloc(x.count + 1, sizeof(*x.entries));
	if (!x.entries)
		abort();
	for (size_t i = 0; i < x.count; i++) {
		const struct flow_visit *v = &r->visits[r->first_visit[item] + i];

		x.entries[i] = (struct nest_entry){ .order = 2 * i,
			                            .loop = t->sites[v->site].loop,
			                            .site = (uint32_t)v->site,
			                            .value = v->value };
		memcpy(x.entries[i].path, v->iterations, sizeof(v->iterations));
	}
	nest_execution_pack(&random, t, &x);
	count = nest_execution_events(&x, t, events);
	free(x.entries);
	return count;
}
