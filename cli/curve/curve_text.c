/* SPDX-License-Identifier: Apache-2.0 */
#include "curve_report.h"

#include "curve_set.h"
#include "gpu_choice.h"
#include "shape_text.h"

#include <inttypes.h>
#include <string.h>

enum { COLUMN = 24 };

static void print_reads(FILE *out, const char *what, uint64_t reads, uint64_t all,
                        const char *meaning)
{
	char count[COUNT_TEXT_BYTES], share[COUNT_TEXT_BYTES];

	fprintf(out, "  %-8s %18s %8s  %s\n", what, count_text(count, reads),
	        share_text(share, reads, all), meaning);
}

static void print_head(const struct curve_set *c, const struct curve_facts *f, FILE *out)
{
	const struct reuse_counts *counts = miss_curve_counts(c->counts, 0);
	uint64_t reads = reuse_counts_reads(counts);
	bool is_estimate = counts->far && counts->unknown;
	char text[COUNT_TEXT_BYTES], other[CURVE_OTHER_BYTES];

	curve_set_other_cache(other, &c->gpu, f->replay_rate, curve_set_own_rate(c));
	fprintf(out, "Miss-ratio curves of %s, %s%s%s%s\n", c->gpu.title, c->marks[0].name,
	        gpu_choice_origin(&c->gpu), *other ? ": " : "", other);
	if (f->kernel)
		fprintf(out, "Launch %" PRIu64 ": %s\n", f->launch, f->kernel);
	else
		fprintf(out, "Launches: %zu\n", c->launches);
	if (!f->is_whole)
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

/* The least size behind which nothing changes, of the curves and the marks. */
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

/* The next power of two, or the size of a mark before it. */
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

/* What is not exact, and by how much. */
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

/* Where a fully associative cache has all that any could give, and what the L1 loses to its sets.
 */
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

void curve_text_write(const struct curve_set *c, const struct curve_facts *f, FILE *out)
{
	struct curve_walk walks[MISS_CURVE_MAX] = { 0 };
	uint64_t last = last_bytes(c), bytes = 0;

	print_head(c, f, out);
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
