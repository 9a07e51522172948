/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep_files.h"

#include "cell_table.h"
#include "document.h"
#include "recording.h"
#include "str.h"
#include "sweep_run.h"

enum { POLICY_TEXT_BYTES = 4096 };

/* The counters of a cell that are written; a sweep knows their values. */
static const struct {
	const char *name;
	size_t offset;
} counters[] = {
#define COUNTER(name) { #name, offsetof(struct counters, name) }
	COUNTER(reads),         COUNTER(read_hits),   COUNTER(read_misses), COUNTER(cold),
	COUNTER(writes),        COUNTER(write_hits),  COUNTER(atomics),     COUNTER(evictions),
	COUNTER(bytes_from_l2), COUNTER(bytes_to_l2),
#undef COUNTER
};

enum { COUNTERS = sizeof(counters) / sizeof(counters[0]) };

static uint64_t counter_of(const struct counters *c, size_t i)
{
	return *(const uint64_t *)(const void *)((const char *)c + counters[i].offset);
}

/* An existing cell. */
struct sweep_point {
	const struct sweep_run *run;
	const char *policy;
	char index[SWEEP_INDEX_BYTES];
	uint32_t sets, ways;
	uint64_t l1_bytes;
	struct counters counters;
};

typedef int put_point(void *context, const struct sweep_point *p, struct err *err);

static int put_points(const struct sweep_run *r, struct sweep_point *p, put_point *put,
                      void *context, struct err *err)
{
	const struct sweep_geometry *geometries = r->geometries.data;
	int ret = 0;

	for (size_t g = 0; g < r->geometries.count; g++)
		for (size_t i = 0; !ret && i < r->axes->ways.count; i++) {
			if (!sweep_run_cell(r, g, i, &p->counters))
				continue;
			sweep_axes_index(p->index, geometries[g].index);
			p->sets = geometries[g].sets;
			p->ways = r->axes->ways.numbers[i];
			p->l1_bytes = (uint64_t)p->sets * p->ways * r->gpu.l1_line_bytes;
			ret = put(context, p, err);
		}
	return ret;
}

/* Put the cells of all runs. */
static int put_all(const struct sweep_run *runs, size_t count, put_point *put, void *context,
                   struct err *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < count; i++) {
		struct sweep_point point = { .run = &runs[i] };
		struct str policy;

		str_init(&policy, POLICY_TEXT_BYTES);
		ret = sweep_axes_policy(&policy, &runs[i].gpu.l1_policy, err);
		point.policy = policy.text;
		if (!ret)
			ret = put_points(&runs[i], &point, put, context, err);
		str_release(&policy);
	}
	return ret;
}

static int put_row(void *context, const struct sweep_point *p, struct err *err)
{
	const struct sweep_axes *axes = p->run->axes;
	struct cell_table *t = context;
	struct cell cells[CELL_TABLE_COLUMNS] = { cell_number(p->run->gpu.l1_line_bytes),
		                                  cell_text(p->index), cell_number(p->sets),
		                                  cell_number(p->ways), cell_number(p->l1_bytes) };
	uint32_t count = 5;
	char rate[32];

	if (axes->names_policies) {
		cells[count++] = cell_text(p->policy);
		cells[count++] = cell_text(axes->has_latency ? "on" : "off");
		cells[count++] = cell_number(p->counters.pending_hits);
	}
	for (size_t i = 0; i < COUNTERS; i++)
		cells[count++] = cell_number(counter_of(&p->counters, i));
	(void)snprintf(rate, sizeof(rate), "%.6f", counters_miss_rate(&p->counters));
	cells[count] = cell_text(rate);
	return t->format->row(t, cells, err);
}

int sweep_csv_write(const struct sweep_run *runs, size_t count, FILE *out, struct err *err)
{
	struct cell_column columns[CELL_TABLE_COLUMNS] = {
		{ "line_bytes", "bytes", "", CELL_NUMBER },
		{ "index", "", "", CELL_TEXT },
		{ "sets", "", "", CELL_NUMBER },
		{ "ways", "", "", CELL_NUMBER },
		{ "l1_bytes", "bytes", "", CELL_NUMBER },
		{ "policy", "", "", CELL_TEXT },
		{ "latency", "", "", CELL_TEXT },
		{ "pending_hits", "", "", CELL_NUMBER },
	};
	struct cell_table t = { .out = out, .format = &cell_table_as_csv };
	uint32_t columns_count = runs->axes->names_policies ? 8 : 5;
	int ret;

	for (size_t i = 0; i < COUNTERS; i++)
		columns[columns_count++] =
			(struct cell_column){ counters[i].name, "", NULL, CELL_NUMBER };
	columns[columns_count++] = (struct cell_column){ "miss_rate", "", "", CELL_TEXT };
	ret = cell_table_begin(&t, columns, columns_count, err);
	return ret ? ret : put_all(runs, count, put_row, &t, err);
}

/* The list that cells go to. */
struct json_cells {
	struct json_out *out;
	json_t *list;
};

static int put_json(void *context, const struct sweep_point *p, struct err *err)
{
	const struct json_cells *to = context;
	json_t *cell = json_object();

	(void)err;
	json_out_count(to->out, cell, "line_bytes", p->run->gpu.l1_line_bytes);
	json_out_text(to->out, cell, "index", p->index);
	json_out_count(to->out, cell, "sets", p->sets);
	json_out_count(to->out, cell, "ways", p->ways);
	json_out_count(to->out, cell, "l1_bytes", p->l1_bytes);
	for (size_t i = 0; i < COUNTERS; i++)
		json_out_count(to->out, cell, counters[i].name, counter_of(&p->counters, i));
	json_out_count(to->out, cell, "pending_hits", p->counters.pending_hits);
	json_out_real(to->out, cell, "miss_rate", counters_miss_rate(&p->counters));
	json_out_text(to->out, cell, "policy", p->policy);
	json_out_append(to->out, to->list, cell);
	return 0;
}

int sweep_json_write(const struct sweep_run *runs, size_t count, const char *file, struct err *err)
{
	struct json_out out = { false };
	json_t *root = document_head(&out, "sweep/1"), *cells = json_array();
	int ret = put_all(runs, count, put_json, &(struct json_cells){ &out, cells }, err);

	document_put_version(&out, root);
	json_out_text(&out, root, "gpu", runs->gpu.name);
	json_out_text(&out, root, "latency", runs->axes->has_latency ? "on" : "off");
	json_out_count(&out, root, "launches", runs->played);
	json_out_value(&out, root, "cells", cells);
	json_out_bool(&out, root, "complete",
	              !runs->outcome.lacks_accesses &&
	                      recording_is_complete(runs->player.launches.recording, NULL));
	if (!ret)
		return json_out_write(&out, root, file, err);
	json_decref(root);
	return ret;
}
