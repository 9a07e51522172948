/* SPDX-License-Identifier: Apache-2.0 */
#include "curve_report.h"

#include "curve_set.h"
#include "sweep_axes.h"

#include <inttypes.h>

static void write_point(const struct curve_walk *w, FILE *out)
{
	const struct curve_set *c = w->set;
	const struct curve_mark *mark = curve_set_mark(c, w->curve, w->ways);
	char index[SWEEP_INDEX_BYTES];

	fprintf(out,
	        "%s,%" PRIu32 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%" PRIu64
	        ",%.6f,%s,%.0f,%.0f\n",
	        w->curve ? sweep_axes_index(index, c->curves[w->curve].index.kind) : "full",
	        c->curves[w->curve].sets, w->ways, curve_set_bytes(c, w->curve, w->ways), w->reads,
	        w->misses, curve_walk_ratio(w), mark ? mark->name : "", w->error,
	        w->ways_error * (double)curve_set_bytes(c, w->curve, 1));
}

void curve_csv_write(const struct curve_set *c, FILE *out)
{
	fputs("index,sets,ways,bytes,reads,misses,miss_rate,mark,misses_error,bytes_error\n", out);
	for (size_t i = 0; i < c->curve_count; i++) {
		struct curve_walk walk = curve_walk_begin(c, i);

		while (curve_walk_next(&walk))
			write_point(&walk, out);
	}
}
