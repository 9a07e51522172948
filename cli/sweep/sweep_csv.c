/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep_csv.h"

#include "str.h"
#include "text.h"
#include "sweep_run.h"

#include <inttypes.h>

enum { POLICY_TEXT_BYTES = 4096 };

void sweep_csv_head(const struct sweep_axes *axes, FILE *out)
{
	fputs("line_bytes,index,sets,ways,l1_bytes", out);
	if (axes->names_policies)
		fputs(",policy,latency,pending_hits", out);
	fputs(""
#define SWEEP_COLUMN(counter) "," #counter
#include "sweep_columns.def"
#undef SWEEP_COLUMN
	      ",miss_rate\n",
	      out);
}

static void write_cell(const struct sweep_run *r, size_t geometry, size_t way, const char *policy,
                       FILE *out)
{
	const struct sweep_geometry *g =
		(const struct sweep_geometry *)r->geometries.data + geometry;
	uint32_t line_bytes = r->gpu.l1_line_bytes, ways = r->axes->ways.numbers[way];
	char index[SWEEP_INDEX_BYTES];
	struct counters c;

	if (!sweep_run_cell(r, geometry, way, &c))
		return;
	fprintf(out, "%" PRIu32 ",%s,%" PRIu32 ",%" PRIu32 ",%" PRIu64, line_bytes,
	        sweep_axes_index(index, g->index), g->sets, ways,
	        (uint64_t)g->sets * ways * line_bytes);
	if (r->axes->names_policies) {
		fputc(',', out);
		text_write_csv(out, policy);
		fprintf(out, ",%s,%" PRIu64, r->axes->has_latency ? "on" : "off", c.pending_hits);
	}
#define SWEEP_COLUMN(counter) fprintf(out, ",%" PRIu64, c.counter);
#include "sweep_columns.def"
#undef SWEEP_COLUMN
	fprintf(out, ",%.6f\n", counters_miss_rate(&c));
}

int sweep_csv_write(const struct sweep_run *r, FILE *out, struct err *err)
{
	struct str policy;
	int ret;

	str_init(&policy, POLICY_TEXT_BYTES);
	ret = sweep_axes_policy(&policy, &r->gpu.l1_policy, err);
	for (size_t g = 0; !ret && g < r->geometries.count; g++)
		for (size_t i = 0; i < r->axes->ways.count; i++)
			write_cell(r, g, i, policy.text, out);
	str_release(&policy);
	return ret;
}
