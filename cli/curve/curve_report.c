/* SPDX-License-Identifier: Apache-2.0 */
#include "curve_report.h"

#include "cell_table.h"
#include "curve_run.h"
#include "document.h"
#include "gpu_choice.h"
#include "recording.h"
#include "reuse_counts.h"
#include "shape_text.h"
#include "sweep_axes.h"

#include <inttypes.h>
#include <string.h>

/* --- text ------------------------------------------------------------------------------------ */

enum { COLUMN = 24 };

static void print_reads(FILE *out, const char *what, uint64_t reads, uint64_t all,
                        const char *meaning)
{
	char count[COUNT_TEXT_BYTES], share[COUNT_TEXT_BYTES];

	fprintf(out, "  %-8s %18s %8s  %s\n", what, count_text(count, reads),
	        share_text(share, reads, all), meaning);
}

static void print_head(const struct curve_run *run, FILE *out)
{
	const struct curve_set *c = &run->set;
	const struct reuse_counts *counts = miss_curve_counts(c->counts, 0);
	uint64_t reads = reuse_counts_reads(counts);
	bool is_estimate = counts->far && counts->unknown;
	char text[COUNT_TEXT_BYTES], other[CURVE_OTHER_BYTES];

	curve_set_other_cache(other, &c->gpu, run->replay_rate, curve_set_own_rate(c));
	fprintf(out, "Miss-ratio curves of %s, %s%s%s%s\n", c->gpu.title, c->marks[0].name,
	        gpu_choice_origin(&c->gpu), *other ? ": " : "", other);
	if (run->kernel)
		fprintf(out, "Launch %" PRIu64 ": %s\n", run->launch, run->kernel);
	else
		fprintf(out, "Launches: %zu\n", c->launches);
	if (run->player.outcome.lacks_accesses)
		fputs("Not whole: accesses are missing\n", out);
	if (c->gpu.sm_count == 1)
		fputs("The one SM", out);
	else
		fprintf(out, "Each of %u SMs", c->gpu.sm_count);
	fprintf(out,
	        " has a cache of its own, of LRU and lines of %u bytes, empty at the\n"
	        "start of a launch. Read requests come in the order in which this L1 makes them.\n",
	        c->gpu.l1_line_bytes);
	fprintf(out, "  %-8s %18s\n", "reads", count_text(text, reads));
	print_reads(out, is_estimate ? "~cold" : "cold", reuse_counts_cold(counts), reads,
	            "first use of the line on its SM: miss in any cache");
	print_reads(out, is_estimate ? "~taken" : "taken", reuse_counts_taken(counts), reads,
	            "a write or an atomic took the line out: miss in any cache");
}

static void print_titles(const struct curve_set *c, FILE *out)
{
	char name[CURVE_NAME_BYTES];

	fprintf(out, "\n  %15s", "bytes of an SM");
	for (size_t i = 0; i < c->curve_count; i++)
		fprintf(out, " %*s", COLUMN, curve_set_name(c, i, name));
	fputc('\n', out);
}

static void print_point(struct curve_walk *w, uint64_t bytes, FILE *out)
{
	uint64_t unit = curve_set_bytes(w->set, w->curve, 1);
	char cell[2 * SHAPE_TEXT_BYTES], amount[SHAPE_TEXT_BYTES];

	if (bytes < unit || bytes % unit) {
		fprintf(out, " %*s", COLUMN, "-");
		return;
	}
	curve_walk_to(w, bytes / unit);
	if (!w->is_known) {
		fprintf(out, " %*s", COLUMN, "-");
		return;
	}
	(void)snprintf(cell, sizeof(cell), "%s %s%6.2f%%",
	               amount_text(amount, w->ways, w->curve ? "way" : "line"),
	               curve_set_mark(w->set, w->curve, w->ways) ? "*"
	               : w->is_estimate                          ? "~"
	                                                         : " ",
	               100 * curve_walk_ratio(w));
	fprintf(out, " %*s", COLUMN, cell);
}

static void print_row(const struct curve_set *c, struct curve_walk *walks, uint64_t bytes,
                      FILE *out)
{
	char count[COUNT_TEXT_BYTES];
	const char *mark = "  * ";

	fprintf(out, "  %15s", count_text(count, bytes));
	for (size_t i = 0; i < c->curve_count; i++)
		print_point(&walks[i], bytes, out);
	for (size_t i = 0; i < c->mark_count; i++)
		if (c->marks[i].bytes == bytes) {
			fprintf(out, "%s%s", mark, c->marks[i].name);
			mark = ", ";
		}
	fputc('\n', out);
}

/* Returns the least size after which neither the curves nor the marks change. */
static uint64_t last_bytes(const struct curve_set *c)
{
	uint64_t last = 0;

	for (size_t i = 0; i < c->curve_count; i++) {
		uint64_t ways = reuse_counts_enough(miss_curve_counts(c->counts, i));

		if (curve_set_bytes(c, i, ways) > last)
			last = curve_set_bytes(c, i, ways);
	}
	for (size_t i = 0; i < c->mark_count; i++)
		if (c->marks[i].bytes > last)
			last = c->marks[i].bytes;
	return last;
}

/* Returns the next power of two, or the size of a mark before it. */
static uint64_t next_bytes(const struct curve_set *c, uint64_t bytes)
{
	uint64_t next = c->gpu.l1_line_bytes;

	while (next <= bytes)
		next *= 2;
	for (size_t i = 0; i < c->mark_count; i++)
		if (c->marks[i].bytes > bytes && c->marks[i].bytes < next)
			next = c->marks[i].bytes;
	return next;
}

/* Print which values are not exact, and their errors. */
static void print_error(const struct curve_set *c, FILE *out)
{
	const struct reuse_counts *counts = miss_curve_counts(c->counts, 0);
	const struct curve_error error = curve_set_error(c);
	char bytes[COUNT_TEXT_BYTES];

	if (!counts->unknown)
		return;
	fprintf(out,
	        "~: estimated from a sample of lines: at most %.2f points too high or too low, of "
	        "a cache at\nmost %.1f%% larger or smaller (95%% confidence). Exact, and known "
	        "with sets: up to %s bytes;\n--exact counts all.\n",
	        100 * error.misses, 100 * error.ways,
	        count_text(bytes, counts->limit * c->gpu.l1_line_bytes));
}

/* Print the size at which a fully associative cache has all possible hits, and what the L1 loses to
 * its sets. */
static void print_sum(const struct curve_set *c, FILE *out)
{
	const struct curve_mark *own = &c->marks[0];
	struct curve_walk walk = curve_walk_begin(c, own->curve), full = curve_walk_begin(c, 0);
	uint64_t lines = reuse_counts_enough(miss_curve_counts(c->counts, 0));
	char bytes[COUNT_TEXT_BYTES], amount[SHAPE_TEXT_BYTES];

	curve_walk_to(&walk, own->ways);
	curve_walk_to(&full, own->bytes / c->gpu.l1_line_bytes);
	fprintf(out,
	        "\n%s: %.2f%% of reads miss; %.2f%% would if it were fully associative.\n"
	        "From %s%s bytes on (%s, fully associative) a larger cache misses no less.\n",
	        own->name, 100 * curve_walk_ratio(&walk), 100 * curve_walk_ratio(&full),
	        miss_curve_counts(c->counts, 0)->unknown ? "about " : "",
	        count_text(bytes, lines * c->gpu.l1_line_bytes),
	        amount_text(amount, lines, "line"));
	print_error(c, out);
	if (c->left_out)
		fprintf(out, "Not marked, for want of room or of the same lines: %zu L1s\n",
		        c->left_out);
}

void curve_text_write(const struct curve_run *run, FILE *out)
{
	const struct curve_set *c = &run->set;
	struct curve_walk walks[MISS_CURVE_MAX] = { 0 };
	uint64_t last = last_bytes(c), bytes = 0;

	print_head(run, out);
	if (!reuse_counts_reads(miss_curve_counts(c->counts, 0))) {
		fputs("\nThere is no read request.\n", out);
		return;
	}
	print_titles(c, out);
	for (size_t i = 0; i < c->curve_count; i++)
		walks[i] = curve_walk_begin(c, i);
	while (bytes < last) {
		bytes = next_bytes(c, bytes);
		print_row(c, walks, bytes, out);
	}
	print_sum(c, out);
}

/* --- CSV ------------------------------------------------------------------------------------- */

static const struct cell_column csv_columns[] = {
	{ "index", "", "", CELL_TEXT },        { "sets", "", "", CELL_NUMBER },
	{ "ways", "", "", CELL_NUMBER },       { "bytes", "", "", CELL_NUMBER },
	{ "reads", "", "", CELL_NUMBER },      { "misses", "", "", CELL_NUMBER },
	{ "miss_rate", "", "", CELL_TEXT },    { "mark", "", "", CELL_TEXT },
	{ "misses_error", "", "", CELL_TEXT }, { "bytes_error", "", "", CELL_TEXT },
};

static int write_point(struct cell_table *t, const struct curve_walk *w, struct err *err)
{
	const struct curve_set *c = w->set;
	const struct curve_mark *mark = curve_set_mark(c, w->curve, w->ways);
	char index[SWEEP_INDEX_BYTES], rate[32], misses[32], bytes[32];
	const struct cell cells[] = {
		cell_text(w->curve ? sweep_axes_index(index, c->curves[w->curve].index.kind)
		                   : "full"),
		cell_number(c->curves[w->curve].sets),
		cell_number(w->ways),
		cell_number(curve_set_bytes(c, w->curve, w->ways)),
		cell_number(w->reads),
		cell_number(w->misses),
		cell_text(rate),
		cell_text(mark ? mark->name : NULL),
		cell_text(misses),
		cell_text(bytes),
	};

	(void)snprintf(rate, sizeof(rate), "%.6f", curve_walk_ratio(w));
	(void)snprintf(misses, sizeof(misses), "%.0f", w->error);
	(void)snprintf(bytes, sizeof(bytes), "%.0f",
	               w->ways_error * (double)curve_set_bytes(c, w->curve, 1));
	return t->format->row(t, cells, err);
}

int curve_csv_write(const struct curve_set *c, FILE *out, struct err *err)
{
	struct cell_table t = { .out = out, .format = &cell_table_as_csv };
	int ret = cell_table_begin(&t, csv_columns, sizeof(csv_columns) / sizeof(csv_columns[0]),
	                           err);

	for (size_t i = 0; i < c->curve_count; i++) {
		struct curve_walk walk = curve_walk_begin(c, i);

		while (!ret && curve_walk_next(&walk))
			ret = write_point(&t, &walk, err);
	}
	return ret;
}

/* --- JSON ------------------------------------------------------------------------------------ */

static json_t *points_json(struct json_out *out, const struct curve_set *c, size_t curve)
{
	struct curve_walk walk = curve_walk_begin(c, curve);
	json_t *list = json_array();

	while (curve_walk_next(&walk)) {
		const struct curve_mark *mark = curve_set_mark(c, curve, walk.ways);
		json_t *point = json_object();

		json_out_count(out, point, "ways", walk.ways);
		json_out_count(out, point, "bytes", curve_set_bytes(c, curve, walk.ways));
		json_out_count(out, point, "misses", walk.misses);
		json_out_real(out, point, "misses_error", walk.error);
		json_out_real(out, point, "bytes_error",
		              walk.ways_error * (double)curve_set_bytes(c, curve, 1));
		json_out_real(out, point, "miss_rate", curve_walk_ratio(&walk));
		json_out_text(out, point, "mark", mark ? mark->name : NULL);
		json_out_append(out, list, point);
	}
	return list;
}

/* Returns the largest cache of a curve whose misses are counted; null: all are. */
static json_t *exact_bytes(const struct curve_set *c, size_t curve)
{
	const struct reuse_counts *counts = miss_curve_counts(c->counts, curve);

	return counts->unknown ? json_integer((json_int_t)curve_set_bytes(c, curve, counts->limit))
	                       : json_null();
}

static json_t *curve_json(struct json_out *out, const struct curve_set *c, size_t i)
{
	json_t *curve = json_object();
	char index[SWEEP_INDEX_BYTES];

	json_out_text(out, curve, "index",
	              i ? sweep_axes_index(index, c->curves[i].index.kind) : "full");
	json_out_count(out, curve, "sets", c->curves[i].sets);
	json_out_value(out, curve, "exact_bytes", exact_bytes(c, i));
	json_out_value(out, curve, "points", points_json(out, c, i));
	return curve;
}

int curve_json_write(const struct curve_run *run, const char *file, struct err *err)
{
	const struct curve_set *c = &run->set;
	const struct recording *r = run->player.launches.recording;
	char other[CURVE_OTHER_BYTES];
	struct json_out out = { false };
	json_t *root = document_head(&out, "curve/1"), *curves = json_array();

	for (size_t i = 0; i < c->curve_count; i++)
		json_out_append(&out, curves, curve_json(&out, c, i));
	document_put_version(&out, root);
	document_put_gpu(&out, root, &c->gpu);
	json_out_count(&out, root, "line_bytes", c->gpu.l1_line_bytes);
	json_out_bool(&out, root, "exact", curve_set_is_exact(c));
	curve_set_other_cache(other, &c->gpu, run->replay_rate, curve_set_own_rate(c));
	json_out_text(&out, root, "other_cache", *other ? other : NULL);
	json_out_real(&out, root, "replay_miss_rate", run->replay_rate);
	json_out_real(&out, root, "mark_miss_rate", curve_set_own_rate(c));
	json_out_count(&out, root, "launches", c->launches);
	json_out_count(&out, root, "reads", curve_run_reads(run));
	json_out_value(&out, root, "curves", curves);
	json_out_bool(&out, root, "complete",
	              !run->player.outcome.lacks_accesses && recording_is_complete(r, NULL));
	return json_out_write(&out, root, file, err);
}
