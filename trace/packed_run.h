/*
 * packed_run - an EVENT_RUN or EVENT_GRID with its parts, as one struct.
 *
 * event.h defines them. The recorder's decoder makes them, writer and reader check them, and the
 * expander expands them.
 */
#ifndef PACKED_RUN_H
#define PACKED_RUN_H

#include "event.h"

#include <stdbool.h>

struct kernel_table;

#define PACKED_RUN_EVENTS_MAX (1 + EVENT_GRID_PARTS)

struct packed_run {
	bool is_grid;
	uint32_t site;
	uint32_t count; /* accesses, > 0; of a grid in each row */
	uint32_t rows;  /* of a grid, > 0; else 0 */
	uint64_t address;
	uint64_t first;      /* iteration of L, the site's loop or, of a grid, the loop around it */
	uint64_t stride;     /* per iteration of the site's loop */
	uint64_t row_stride; /* of a grid, per iteration of L; else 0 */
};

/* Returns the number of events that follow one of this kind and belong to it: 0 except for RUN and
 * GRID. */
static inline uint32_t event_parts(uint32_t point)
{
	uint32_t kind = point & EVENT_KIND_MASK;

	return kind == EVENT_RUN ? EVENT_RUN_PARTS : kind == EVENT_GRID ? EVENT_GRID_PARTS : 0;
}

/* Read the record at the beginning of `left` events. Returns its number of events, or 0 if it is
 * not a record or its parts are missing or malformed. */
uint32_t packed_run_get(struct packed_run *r, const struct event *events, uint64_t left);

/* Write the events of `r` to events[PACKED_RUN_EVENTS_MAX]. Returns their number. */
uint32_t packed_run_put(const struct packed_run *r, struct event *events);

/* Returns NULL if the kernel can make such a record, else the fault: "its site lies in no loop". */
const char *packed_run_fault(const struct packed_run *r, const struct kernel_table *t);

/* Returns the number of accesses that it stands for. */
static inline uint64_t packed_run_accesses(const struct packed_run *r)
{
	return r->is_grid ? (uint64_t)r->rows * r->count : r->count;
}

#endif
