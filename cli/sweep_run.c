/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep_run.h"

#include "recording.h"

#include <inttypes.h>
#include <string.h>

enum { GEOMETRY_LIMIT = 65536 };

int sweep_run_init(struct sweep_run *r, struct err *err)
{
	const struct number_list *ways = &r->axes->ways;
	int ret;

	array_init(&r->geometries, sizeof(struct sweep_geometry), GEOMETRY_LIMIT, "geometries");
	r->is_whole = true;
	ret = sweep_axes_geometries(r->axes, &r->gpu, &r->geometries, &r->left_out, &r->why, err);
	if (ret)
		return ret;
	if (!r->geometries.count)
		return err_set(err, ERR_USAGE, "no such cache with lines of %" PRIu32 " bytes: %s",
		               r->gpu.l1_line_bytes, r->why.msg);
	return sweep_create(&r->sweep, &r->gpu, r->geometries.data, r->geometries.count,
	                    ways->numbers[ways->count - 1], err);
}

void sweep_run_release(struct sweep_run *r)
{
	sweep_free(r->sweep);
	array_release(&r->geometries);
}

/* Play one launch; one that the GPU cannot hold is counted, and the others are played. */
static int play(struct sweep_run *r, size_t launch)
{
	const struct recorded_launch *l = &r->recording->launches[launch];
	struct err why = { 0 };
	bool is_whole;
	int ret;

	if (l->fate != LAUNCH_TRACED)
		return 0;
	r->options.registers = r->registers[l->kernel];
	ret = sweep_launch(r->sweep, r->recording, launch, &r->options, &is_whole, &why);
	if (ret == ERR_CONFIG && !r->launches.is_one) {
		if (!r->refused++)
			r->refusal = why;
		return 0;
	}
	if (ret)
		return err_set(&r->err, (enum err_code)ret, "%s", why.msg);
	r->played++;
	r->is_whole = r->is_whole && is_whole;
	return 0;
}

void sweep_run_play(struct sweep_run *r)
{
	for (size_t i = r->launches.first; !r->ret && i < r->launches.end; i++)
		r->ret = play(r, i);
}

void sweep_run_head(FILE *out)
{
	fputs("line_bytes,index,sets,ways,l1_bytes"
#define SWEEP_COLUMN(counter) "," #counter
#include "sweep_columns.def"
#undef SWEEP_COLUMN
	      ",miss_rate\n",
	      out);
}

static void write_cell(const struct sweep_run *r, size_t geometry, uint32_t ways, FILE *out)
{
	const struct sweep_geometry *g =
		(const struct sweep_geometry *)r->geometries.data + geometry;
	uint32_t line_bytes = r->gpu.l1_line_bytes;
	char index[SWEEP_INDEX_BYTES];
	struct counters c;

	sweep_cell(r->sweep, geometry, ways, &c);
	fprintf(out, "%" PRIu32 ",%s,%" PRIu32 ",%" PRIu32 ",%" PRIu64, line_bytes,
	        sweep_axes_index(index, g->index), g->sets, ways,
	        (uint64_t)g->sets * ways * line_bytes);
#define SWEEP_COLUMN(counter) fprintf(out, ",%" PRIu64, c.counter);
#include "sweep_columns.def"
#undef SWEEP_COLUMN
	fprintf(out, ",%.6f\n", counters_miss_rate(&c));
}

void sweep_run_write(const struct sweep_run *r, FILE *out)
{
	for (size_t g = 0; g < r->geometries.count; g++)
		for (size_t i = 0; i < r->axes->ways.count; i++)
			write_cell(r, g, r->axes->ways.numbers[i], out);
}
