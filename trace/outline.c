/* SPDX-License-Identifier: Apache-2.0 */
#include "outline.h"

#include "array.h"
#include "err.h"
#include "expander.h"
#include "kernel_table.h"
#include "packed_run.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { RECORD_BITS = 64 - OUTLINE_INDEX_BITS };

struct outline {
	const struct kernel_table *table;
	struct expander *expander;
	struct array named; /* struct event: the stream, with sources instead of addresses */
};

int outline_create(struct outline **out, const struct kernel_table *t, struct err *err)
{
	struct outline *o = array_alloc(1, sizeof(*o), "outline", err);

	if (!o)
		return ERR_NOMEM;
	o->table = t;
	array_init(&o->named, sizeof(struct event), (size_t)1 << RECORD_BITS,
	           "events of a work-item");
	if (expander_create(&o->expander, t, err)) {
		outline_free(o);
		return ERR_NOMEM;
	}
	*out = o;
	return 0;
}

void outline_free(struct outline *o)
{
	if (!o)
		return;
	expander_free(o->expander);
	array_release(&o->named);
	free(o);
}

/* Returns the number of events of the record at events[0], or 0 if the record is invalid. */
static uint32_t check_record(const struct kernel_table *t, const struct event *events,
                             uint64_t left, const char **fault)
{
	uint32_t kind = events->point & EVENT_KIND_MASK, id = events->point & EVENT_ID_MASK, count;
	struct packed_run run;

	*fault = NULL;
	switch (kind) {
	case EVENT_SITE:
	case EVENT_SIZE:
		*fault = id < t->site_count ? NULL : "there is no such site";
		return !*fault;
	case EVENT_LOOP:
	case EVENT_EPOCH:
		*fault = id < t->loop_count ? NULL : "there is no such loop";
		return !*fault;
	default:
		count = packed_run_get(&run, events, left);
		*fault =
			count ? packed_run_fault(&run, t) : "it is not a record with all its parts";
		return *fault ? 0 : count;
	}
}

/* Check that a stream can be expanded, as far as single records show. Returns 0 or ERR_FORMAT. */
static int outline_check(const struct kernel_table *t, const struct event *events, uint64_t count,
                         struct err *err)
{
	for (uint64_t i = 0; i < count;) {
		const char *fault;
		uint32_t parts = check_record(t, events + i, count - i, &fault);

		if (!parts)
			return err_set(err, ERR_FORMAT, "event %" PRIu64 ": %s", i, fault);
		i += parts;
	}
	return 0;
}

/* Replace the addresses and strides of a checked stream by sources. */
static int name_sources(struct event *events, uint64_t count, struct err *err)
{
	for (uint64_t i = 0; i < count;) {
		uint32_t kind = events[i].point & EVENT_KIND_MASK;
		struct packed_run run;

		if (kind == EVENT_SITE) {
			events[i].value = i << OUTLINE_INDEX_BITS;
		} else if (kind == EVENT_RUN || kind == EVENT_GRID) {
			packed_run_get(&run, &events[i], count - i);
			if (packed_run_accesses(&run) >> OUTLINE_INDEX_BITS)
				return err_set(err, ERR_LIMIT,
				               "event %" PRIu64 ": a record of %" PRIu64
				               " accesses",
				               i, packed_run_accesses(&run));
			run.address = i << OUTLINE_INDEX_BITS;
			run.stride = 1;
			run.row_stride = run.is_grid ? run.count : 0;
			packed_run_put(&run, &events[i]);
		}
		i += 1 + event_parts(events[i].point);
	}
	return 0;
}

int outline_make(struct outline *o, const struct event *events, uint64_t count,
                 const struct event **made, uint64_t *made_count, struct err *err)
{
	struct event *named;
	int ret = outline_check(o->table, events, count, err);

	if (ret)
		return ret;
	array_clear(&o->named);
	*made = NULL;
	*made_count = 0;
	if (!count)
		return 0;
	if (count >> RECORD_BITS)
		return err_set(err, ERR_LIMIT, "%" PRIu64 " events of a work-item", count);
	named = array_push(&o->named, count, err);
	if (!named)
		return ERR_NOMEM;
	memcpy(named, events, count * sizeof(*named));
	ret = name_sources(named, count, err);
	return ret ? ret : expander_outline(o->expander, named, count, made, made_count, err);
}
