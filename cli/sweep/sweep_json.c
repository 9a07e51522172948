/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep_json.h"

#include "document.h"
#include "out_file.h"
#include "recording.h"
#include "str.h"
#include "sweep_run.h"

enum { POLICY_TEXT_BYTES = 4096 };

static json_t *cell_json(struct json_out *out, const struct sweep_run *r, size_t geometry,
                         uint32_t ways, const struct counters *c)
{
	const struct sweep_geometry *g =
		(const struct sweep_geometry *)r->geometries.data + geometry;
	uint32_t line_bytes = r->gpu.l1_line_bytes;
	char index[SWEEP_INDEX_BYTES];
	json_t *cell = json_object();

	json_out_count(out, cell, "line_bytes", line_bytes);
	json_out_text(out, cell, "index", sweep_axes_index(index, g->index));
	json_out_count(out, cell, "sets", g->sets);
	json_out_count(out, cell, "ways", ways);
	json_out_count(out, cell, "l1_bytes", (uint64_t)g->sets * ways * line_bytes);
#define SWEEP_COLUMN(counter) json_out_count(out, cell, #counter, c->counter);
#include "sweep_columns.def"
#undef SWEEP_COLUMN
	json_out_count(out, cell, "pending_hits", c->pending_hits);
	json_out_real(out, cell, "miss_rate", counters_miss_rate(c));
	return cell;
}

static int put_cells(struct json_out *out, json_t *list, const struct sweep_run *r, struct err *err)
{
	struct str policy;
	int ret;

	str_init(&policy, POLICY_TEXT_BYTES);
	ret = sweep_axes_policy(&policy, &r->gpu.l1_policy, err);
	for (size_t g = 0; !ret && g < r->geometries.count; g++)
		for (size_t i = 0; i < r->axes->ways.count; i++) {
			struct counters c;
			json_t *cell;

			if (!sweep_run_cell(r, g, i, &c))
				continue;
			cell = cell_json(out, r, g, r->axes->ways.numbers[i], &c);
			json_out_text(out, cell, "policy", policy.text);
			json_out_append(out, list, cell);
		}
	str_release(&policy);
	return ret;
}

int sweep_json_write(const struct sweep_run *runs, size_t count, const char *file, struct err *err)
{
	struct json_out out = { false };
	json_t *root = document_head(&out, "sweep/1"), *cells = json_array();
	int ret = 0;

	for (size_t i = 0; !ret && i < count; i++)
		ret = put_cells(&out, cells, &runs[i], err);
	document_put_version(&out, root);
	json_out_text(&out, root, "gpu", runs->gpu.name);
	json_out_text(&out, root, "latency", runs->axes->has_latency ? "on" : "off");
	json_out_count(&out, root, "launches", runs->played);
	json_out_value(&out, root, "cells", cells);
	json_out_bool(&out, root, "complete",
	              !runs->outcome.lacks_accesses &&
	                      recording_is_complete(runs->recording, NULL));
	if (!ret)
		return json_out_write(&out, root, file, err);
	json_decref(root);
	return ret;
}
