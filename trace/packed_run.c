/* SPDX-License-Identifier: Apache-2.0 */
#include "packed_run.h"

#include "kernel_table.h"

/* Whether the events are the parts of a record at `site`, all with iteration 0, except the first of
 * a grid. */
static bool are_parts(const struct event *parts, uint32_t count, uint32_t site)
{
	for (uint32_t i = 0; i < count; i++)
		if (parts[i].point != (EVENT_PART | site) ||
		    (parts[i].iteration != 0 && (i != 0 || count != EVENT_GRID_PARTS)))
			return false;
	return true;
}

uint32_t packed_run_get(struct packed_run *r, const struct event *events, uint64_t left)
{
	uint32_t parts = left ? event_parts(events[0].point) : 0;
	uint32_t site = parts ? events[0].point & EVENT_ID_MASK : 0;

	if (!parts || left <= parts || !are_parts(events + 1, parts, site))
		return 0;
	*r = (struct packed_run){ .is_grid = parts == EVENT_GRID_PARTS,
		                  .site = site,
		                  .count = events[0].iteration,
		                  .address = events[0].value,
		                  .first = events[1].value,
		                  .stride = events[2].value };
	if (r->is_grid) {
		r->rows = events[1].iteration;
		r->row_stride = events[3].value;
		if (events[4].value != 0)
			return 0;
	}
	return 1 + parts;
}

uint32_t packed_run_put(const struct packed_run *r, struct event *events)
{
	uint32_t part = EVENT_PART | r->site;

	events[0] = (struct event){ r->address, (r->is_grid ? EVENT_GRID : EVENT_RUN) | r->site,
		                    r->count };
	events[1] = (struct event){ r->first, part, r->rows };
	events[2] = (struct event){ r->stride, part, 0 };
	if (!r->is_grid)
		return 1 + EVENT_RUN_PARTS;
	events[3] = (struct event){ r->row_stride, part, 0 };
	events[4] = (struct event){ 0, part, 0 };
	return 1 + EVENT_GRID_PARTS;
}

const char *packed_run_fault(const struct packed_run *r, const struct kernel_table *t)
{
	uint64_t steps = r->is_grid ? r->rows : r->count, end;
	const struct site *s;

	if (r->site >= t->site_count)
		return "its site is not in the table";
	s = &t->sites[r->site];
	if (t->is_irreducible)
		return "the kernel's control flow is irreducible";
	if (s->loop < 0)
		return "its site lies in no loop";
	if (r->is_grid && t->loops[s->loop].parent < 0)
		return "its site lies in one loop only";
	if (!s->bytes)
		return "its site has no size";
	if (!r->count || !steps)
		return "it stands for no access";
	if (__builtin_add_overflow(r->first, steps, &end))
		return "its iterations do not fit in 64 bits";
	return NULL;
}
