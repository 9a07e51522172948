/* SPDX-License-Identifier: Apache-2.0 */
/* `plot --what curve`: the view of a curve_run. */
#include "plot_curve.h"

#include "array.h"
#include "curve_report.h"
#include "curve_run.h"
#include "err.h"
#include "gpu_choice.h"
#include "plot_page.h"
#include "plot_titles.h"
#include "replay_choice.h"
#include "shape_text.h"

#include <inttypes.h>
#include <stdlib.h>

enum { WIDTH = 1280, HEIGHT = 840 };

/* The height of a row of the names of marks, as a share of the picture's height. */
static const double ROW = 0.0235;

static const struct plot_page page_size = { .width = WIDTH, .height = HEIGHT };

static void write_head(const char *titles, enum plot_format format, FILE *out)
{
	struct plot_page page = page_size;

	page.format = format;
	plot_page_begin(&page, out);
	plot_page_titles(&page, titles, out);
	fputs("set grid ytics lt 1 lw 0.6 lc rgb '#d0d0d0'\nset key noenhanced inside right top "
	      "vertical Left "
	      "reverse opaque\n"
	      "set lmargin 12\nset rmargin 4\nset bmargin 5\n",
	      out);
}

/* Returns where the titles and the note below them end. */
static double titles_end(const char *titles)
{
	return 1 - (double)(plot_page_titles_height(titles) + PLOT_LINE_PIXELS) / HEIGHT;
}

/* Returns the upper end of the axes, above which are the names of the marks. */
static double axes_top(const struct curve_set *c, const char *titles)
{
	return titles_end(titles) - ROW * (double)c->mark_count;
}

/* Write the note on what is drawn, below the titles. */
static void write_note(const struct curve_set *c, const char *titles, FILE *out)
{
	uint64_t reads = reuse_counts_reads(miss_curve_counts(c->counts, 0));
	const struct reuse_counts *counts = miss_curve_counts(c->counts, 0);
	const struct curve_error error = curve_set_error(c);
	char text[512], count[COUNT_TEXT_BYTES], exact[COUNT_TEXT_BYTES], sampled[160] = "";

	if (counts->unknown)
		(void)snprintf(sampled, sizeof(sampled),
		               "; from %s bytes on estimated from a sample, at most %.2f points "
		               "and %.1f%% of the bytes off (95%%)",
		               count_text(exact, counts->limit * c->gpu.l1_line_bytes),
		               100 * error.misses, 100 * error.ways);
	(void)snprintf(text, sizeof(text),
	               "%s read requests; caches of LRU and lines of %u bytes%s",
	               count_text(count, reads), c->gpu.l1_line_bytes, sampled);
	fputs("set label 9 ", out);
	plot_page_quote(text, out);
	fputc(' ', out);
	plot_page_at(&page_size, 20, titles_end(titles) * HEIGHT + 0.9 * PLOT_LINE_PIXELS, out);
	fprintf(out, " left noenhanced\nset tmargin at screen %.4f\n", axes_top(c, titles));
}

/* Returns the smallest size: of a line, or of a way. */
static uint64_t first_bytes(const struct curve_set *c)
{
	return c->gpu.l1_line_bytes;
}

/* Returns twice the largest size that is drawn. */
static uint64_t last_bytes(const struct curve_set *c)
{
	uint64_t last = first_bytes(c), end = first_bytes(c);

	for (size_t i = 0; i < c->curve_count; i++) {
		struct curve_walk walk = curve_walk_begin(c, i);

		while (curve_walk_next(&walk)) {
		}
		if (curve_set_bytes(c, i, walk.ways) > last)
			last = curve_set_bytes(c, i, walk.ways);
	}
	while (end < 2 * last)
		end *= 2;
	return end;
}

/* "256", "16k", "4M". */
static void write_size(uint64_t bytes, FILE *out)
{
	static const char units[] = " kMGTP";
	size_t unit = 0;

	for (; bytes >= 1024 && bytes % 1024 == 0 && units[unit + 1]; unit++)
		bytes /= 1024;
	fprintf(out, unit ? "'%" PRIu64 "%c'" : "'%" PRIu64 "'", bytes, units[unit]);
}

/* No cache misses more than that of one line. */
static void write_axes(const struct curve_set *c, uint64_t last, FILE *out)
{
	struct curve_walk walk = curve_walk_begin(c, 0);
	double top;
	uint64_t bytes = first_bytes(c);

	fprintf(out, "set logscale x 2\nset xrange [%" PRIu64 ":%" PRIu64 "]\nset xtics (", bytes,
	        last);
	for (; bytes <= last; bytes *= 2) {
		write_size(bytes, out);
		fprintf(out, " %" PRIu64 "%s", bytes, bytes < last ? ", " : ")\n");
	}
	curve_walk_next(&walk);
	top = 108 * curve_walk_ratio(&walk);
	fprintf(out, "set yrange [0:%.3f]\nset format y '%%g%%%%'\n",
	        top <= 0    ? 1
	        : top < 103 ? top
	                    : 103);
	fputs("set xlabel 'bytes of an SM''s L1'\nset ylabel 'read requests that miss' offset -1, "
	      "0\n",
	      out);
}

static void write_curve(const struct curve_set *c, size_t curve, uint64_t last, FILE *out)
{
	struct curve_walk walk = curve_walk_begin(c, curve);

	fprintf(out, "$curve%zu << END\n", curve);
	while (curve_walk_next(&walk))
		fprintf(out, "%" PRIu64 " %.6f\n", curve_set_bytes(c, curve, walk.ways),
		        100 * curve_walk_ratio(&walk));
	/* from there on nothing changes, or nothing is known */
	if (!curve || !miss_curve_counts(c->counts, curve)->unknown)
		fprintf(out, "%" PRIu64 " %.6f\n", last, 100 * curve_walk_ratio(&walk));
	fputs("END\n", out);
}

/* Returns how many marks are of smaller caches, or of equal ones before it. */
static size_t rank_of(const struct curve_set *c, size_t mark)
{
	size_t rank = 0;

	for (size_t i = 0; i < c->mark_count; i++)
		rank += c->marks[i].bytes < c->marks[mark].bytes ||
		        (c->marks[i].bytes == c->marks[mark].bytes && i < mark);
	return rank;
}

/* Write a line from the axis up to the name of each L1. The names are in rows to the right of their
 * lines, that of the smallest cache on top: so no line crosses a name. */
static void write_marks(const struct curve_set *c, const char *titles, FILE *out)
{
	for (size_t i = 0; i < c->mark_count; i++) {
		const struct curve_mark *mark = &c->marks[i];
		struct curve_walk walk = curve_walk_begin(c, mark->curve);
		double row = titles_end(titles) - ROW * ((double)rank_of(c, i) + 0.5);
		char text[2 * CURVE_NAME_BYTES];

		curve_walk_to(&walk, mark->ways);
		(void)snprintf(text, sizeof(text), "%s: %.2f%%", mark->name,
		               100 * curve_walk_ratio(&walk));
		fprintf(out,
		        "set arrow %zu from first %" PRIu64 ", graph 0 to first %" PRIu64
		        ", screen %.4f nohead dt 2 lc rgb '#606060'\nset label %zu ",
		        i + 1, mark->bytes, mark->bytes, row + ROW / 3, i + 10);
		plot_page_quote(text, out);
		fprintf(out, " at first %" PRIu64 ", screen %.4f left offset 0.5, 0 noenhanced\n",
		        mark->bytes, row);
		fprintf(out, "$mark%zu << END\n%" PRIu64 " %.6f\nEND\n", i, mark->bytes,
		        100 * curve_walk_ratio(&walk));
	}
}

static void write_script(const struct curve_set *c, const char *titles, enum plot_format format,
                         FILE *out)
{
	static const char *const colours[] = { "#000000", "#365c8d", "#d95f02", "#1fa187",
		                               "#b04a9a", "#7a9a01", "#46327e", "#a6761d" };
	uint64_t last = last_bytes(c);
	char name[CURVE_NAME_BYTES];

	_Static_assert(sizeof(colours) / sizeof(colours[0]) == MISS_CURVE_MAX, "one each");
	write_head(titles, format, out);
	write_note(c, titles, out);
	for (size_t i = 0; i < c->curve_count; i++)
		write_curve(c, i, last, out);
	write_axes(c, last, out);
	write_marks(c, titles, out);
	fputs("plot ", out);
	for (size_t i = 0; i < c->curve_count; i++) {
		fprintf(out, "$curve%zu using 1:2 with steps lw 2 dt %zu lc rgb '%s' title ", i,
		        i % 5 + 1, colours[i]);
		plot_page_quote(curve_set_name(c, i, name), out);
		fputs(", \\\n     ", out);
	}
	for (size_t i = 0; i < c->mark_count; i++)
		fprintf(out, "$mark%zu using 1:2 with points pt 7 ps 1.4 lc rgb '%s' notitle%s", i,
		        colours[c->marks[i].curve], i + 1 < c->mark_count ? ", \\\n     " : "\n");
}

int plot_curve_init(struct curve_run *run, const struct gpu_choice *choice, bool is_exact,
                    struct err *err)
{
	struct gpu played, described;
	struct curve_gpu gpu = { .played = &played, .described = &described };
	struct array l1s = { 0 };
	int ret;

	*run = (struct curve_run){ 0 };
	ret = gpu_choice_load(choice, &played, err);
	if (!ret)
		ret = gpu_catalogue_load(&described, choice->gpu, choice->l1, err);
	if (!ret)
		ret = gpu_choice_l1s(choice, true, &l1s, err);
	gpu.l1s = l1s.data;
	gpu.l1_count = l1s.count;
	if (!ret)
		ret = curve_run_init(run, &gpu, is_exact, err);
	array_release(&l1s);
	return ret;
}

/* Write the titles to *out, on the heap, even after a failure. */
static int find_titles(char **out, const struct plot_job *job, const struct curve_run *run,
                       struct err *err)
{
	struct plot_job own = *job;
	struct str titles;
	int ret;

	own.player.gpu = &run->set.gpu;
	str_init(&titles, PLOT_TITLES_BYTES);
	ret = plot_titles_begin(&titles, &own, &run->player, err);
	if (!ret)
		ret = plot_titles_curve(&titles, &run->set.gpu, run->replay_rate,
		                        curve_set_own_rate(&run->set), err);
	if (!ret)
		ret = plot_titles_missing(&titles, job, !run->player.outcome.lacks_accesses, err);
	*out = str_take(&titles);
	return ret;
}

int plot_curve_draw(const struct curve_run *run, const struct plot_job *job, FILE *out,
                    struct err *err)
{
	char *titles = NULL;
	int ret;

	if (!curve_run_reads(run)) {
		err_set(err, ERR_USAGE, "there is no read request to draw");
		return PLOT_NOTHING;
	}
	if (job->format == PLOT_FORMAT_csv)
		return curve_csv_write(&run->set, out, err);
	ret = find_titles(&titles, job, run, err);
	if (!ret)
		write_script(&run->set, titles, job->format, out);
	free(titles);
	return ret;
}

int plot_curve_write(const struct plot_job *job, FILE *out, struct player_outcome *outcome,
                     struct err *err)
{
	struct curve_run run;
	int ret = plot_curve_init(&run, &job->choice->gpu, false, err);

	if (!ret)
		ret = curve_run_play(&run, &job->player, err);
	if (!ret) {
		*outcome = run.player.outcome;
		ret = plot_curve_draw(&run, job, out, err);
	}
	curve_run_release(&run);
	return ret;
}
