/* SPDX-License-Identifier: Apache-2.0 */
/* `plot --what reuse`: the view of a reuse_picture. */
#include "plot_job.h"

#include "cell_table.h"
#include "curve_set.h"
#include "err.h"
#include "gpu.h"
#include "plot_page.h"
#include "plot_titles.h"
#include "reuse_picture.h"
#include "shape_text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* --- titles ---------------------------------------------------------------------------------- */

static int add_amounts(struct str *out, const struct reuse_picture *p, struct err *err)
{
	uint64_t lines = 0;
	char reads[SHAPE_TEXT_BYTES], stays[COUNT_TEXT_BYTES], beside[COUNT_TEXT_BYTES];
	int ret;

	for (size_t i = 0; i < L1_STATS_USES; i++)
		lines += p->lines.uses[i].lines;
	ret = str_printf(out, err, "%s; lines came into L1 %s times",
	                 amount_text(reads, reuse_counts_reads(p->set), "read request"),
	                 count_text(stays, lines));
	if (!ret && p->full->unknown)
		ret = str_printf(out, err, "; distances from %" PRIu64 " lines on are of a sample",
		                 p->full->limit);
	if (!ret && p->player.beside)
		ret = str_printf(out, err, "; not shown: %s through read-only caches",
		                 count_text(beside, p->player.beside));
	return ret ? ret : str_printf(out, err, "\n");
}

/* Returns the share of reads that would miss in this L1 with whole lines and LRU. */
static double own_rate(const struct reuse_picture *p)
{
	uint64_t reads = reuse_counts_reads(p->set);

	return reads ? (double)reuse_counts_misses(p->set, p->player.gpu->l1_ways) / (double)reads
	             : 0;
}

/* Write the titles to *out, on the heap, even after a failure. */
static int find_titles(char **out, const struct plot_job *job, const struct reuse_picture *p,
                       struct err *err)
{
	struct str titles;
	int ret;

	str_init(&titles, PLOT_TITLES_BYTES);
	ret = plot_titles_begin(&titles, job, &p->player, err);
	if (!ret)
		ret = plot_titles_curve(&titles, p->player.gpu, counters_miss_rate(&p->player.l1),
		                        own_rate(p), err);
	if (!ret)
		ret = add_amounts(&titles, p, err);
	if (!ret)
		ret = plot_titles_missing(&titles, job, !p->player.outcome.lacks_accesses, err);
	*out = str_take(&titles);
	return ret;
}

/* --- CSV ------------------------------------------------------------------------------------- */

enum { TABLE, WHAT, FIRST, LAST, COUNT, MOVED, USED, COLUMNS };

static const struct cell_column columns[COLUMNS] = {
	[TABLE] = { "table", "", "", CELL_TEXT },
	[WHAT] = { "what", "", "", CELL_TEXT },
	[FIRST] = { "first", "", "", CELL_NUMBER },
	[LAST] = { "last", "", "", CELL_NUMBER },
	[COUNT] = { "count", "", "", CELL_NUMBER },
	[MOVED] = { "bytes_moved", "bytes", "", CELL_NUMBER },
	[USED] = { "bytes_used", "bytes", "", CELL_NUMBER },
};

/* Write a row: of a bar, or, if `bin` is NULL, of a count without numbers; of bytes if `uses` is
 * not NULL. */
static int put_row(struct cell_table *t, const char *table, const char *what,
                   const struct plot_bin *bin, uint64_t count, const struct l1_stats_uses *uses)
{
	const struct cell cells[COLUMNS] = {
		[TABLE] = cell_text(table),
		[WHAT] = cell_text(what),
		[FIRST] = bin ? cell_number(bin->first) : cell_none(),
		[LAST] = bin ? cell_number(bin->last) : cell_none(),
		[COUNT] = cell_number(count),
		[MOVED] = uses ? cell_number(uses->bytes_moved) : cell_none(),
		[USED] = uses ? cell_number(uses->bytes_used) : cell_none(),
	};

	return t->format->row(t, cells, NULL);
}

static void put_distances(struct cell_table *t, const char *table, const struct reuse_counts *full,
                          const struct plot_bins *bins)
{
	for (size_t i = 0; i < bins->count; i++)
		put_row(t, table, "distance", &bins->bins[i], bins->bins[i].count, NULL);
	put_row(t, table, "cold", NULL, reuse_counts_cold(full), NULL);
	put_row(t, table, "taken", NULL, reuse_counts_taken(full), NULL);
}

static int write_csv(const struct reuse_picture *p, FILE *out, struct err *err)
{
	static const char *const reasons[] = { [L1_LEAVE_REPLACED] = "replaced",
		                               [L1_LEAVE_WRITTEN] = "written",
		                               [L1_LEAVE_ATOMIC] = "atomic",
		                               [L1_LEAVE_INVALIDATED] = "invalidated",
		                               [L1_LEAVE_END] = "end" };
	struct cell_table t = { .out = out, .format = &cell_table_as_csv };
	struct plot_bins bins;
	int ret = cell_table_begin(&t, columns, COLUMNS, err);

	reuse_picture_full_bins(p, &bins);
	put_distances(&t, "sm", p->full, &bins);
	reuse_picture_set_bins(p, &bins);
	put_distances(&t, "set", p->full, &bins);
	reuse_picture_use_bins(p, &bins);
	for (size_t i = 0; i < bins.count; i++)
		put_row(&t, "lines", "uses", &bins.bins[i], bins.bins[i].count, &p->lines.uses[i]);
	for (size_t i = 0; i <= L1_LEAVE_END; i++)
		put_row(&t, "left", reasons[i], NULL, p->lines.reasons[i], NULL);
	return ret;
}

/* --- script ---------------------------------------------------------------------------------- */

/* Pixels. */
enum { WIDTH = 1280, LEFT = 100, RIGHT = 24, PANEL = 210, GAP = 150, TOP = 84, BOTTOM = 84 };

enum { PANELS = 3, TEXT_BYTES = 160 };

/* The line between them distinguishes them as well. */
static const char SAVED[] = "#365c8d", MISSED[] = "#e08a3c";

/* One histogram. */
struct panel {
	struct plot_bins bins;
	uint64_t all; /* the whole of the shares */
	/* Counts without a number, after the bars; NULL: none. */
	const char *names[2];
	uint64_t others[2];
	const char *title, *x_label, *y_label;
	char mark[TEXT_BYTES]; /* label of the edge */
	bool is_low_bad;       /* the bars left of the edge are misses, not those right of it */
};

static double share(uint64_t part, uint64_t all)
{
	return all ? 100.0 * (double)part / (double)all : 0;
}

/* Fill in the panel of distances, whose edge is the size of L1. */
static void fill_distances(struct panel *p, const struct reuse_picture *reuse,
                           const struct reuse_counts *c, const char *unit, uint64_t held)
{
	const struct gpu *gpu = reuse->player.gpu;
	char amount[SHAPE_TEXT_BYTES];
	uint64_t misses = reuse_counts_misses(c, held);

	p->all = reuse_counts_reads(c);
	p->names[0] = "first\\nread";
	p->names[1] = "written\\nsince";
	p->others[0] = reuse_counts_cold(reuse->full);
	p->others[1] = reuse_counts_taken(reuse->full);
	p->y_label = "reads";
	(void)snprintf(p->mark, sizeof(p->mark),
	               "%s%s: left of this line %.2f%% of reads hit; all others, %.2f%%, miss",
	               amount_text(amount, held, unit),
	               curve_set_is_exact_for(gpu) ? "" : " (were it LRU of whole lines)",
	               100 - share(misses, p->all), share(misses, p->all));
}

static void fill_uses(struct panel *p)
{
	for (size_t i = 0; i < p->bins.count; i++)
		p->all += p->bins.bins[i].count;
	p->y_label = "stays of lines";
	p->is_low_bad = true;
	(void)snprintf(p->mark, sizeof(p->mark),
	               "left of this line: no use, %.2f%% of all; right: reads that L1 saved",
	               share(p->bins.count ? p->bins.bins[0].count : 0, p->all));
}

static void fill_panels(const struct reuse_picture *reuse, struct panel panels[PANELS])
{
	const struct gpu *gpu = reuse->player.gpu;

	panels[0].title = "Reuse distance on the SM: other lines used since the last read of the "
			  "line, were L1 fully associative";
	panels[0].x_label = "lines between";
	reuse_picture_full_bins(reuse, &panels[0].bins);
	fill_distances(&panels[0], reuse, reuse->full, "line",
	               (uint64_t)gpu->l1_sets * gpu->l1_ways);
	panels[1].title = "Reuse distance in the set: other lines of the set used since the last "
			  "read of the line";
	panels[1].x_label = "lines of the set between";
	reuse_picture_set_bins(reuse, &panels[1].bins);
	fill_distances(&panels[1], reuse, reuse->set, "way", gpu->l1_ways);
	panels[2].title = "Further reads of a line before it left L1";
	panels[2].x_label = "further reads";
	reuse_picture_use_bins(reuse, &panels[2].bins);
	fill_uses(&panels[2]);
}

/* Returns the right end of the axis. */
static double end_of(const struct panel *p)
{
	return (double)p->bins.count + (p->names[0] ? 2.4 : -0.3);
}

/* The others stand one place after the bars. */
static double place_of_other(const struct panel *p, size_t other)
{
	return (double)(p->bins.count + other) + 0.7;
}

static void write_bar(double place, uint64_t count, const struct panel *p, FILE *out)
{
	double part = share(count, p->all);

	if (count)
		fprintf(out, part < 0.05 ? "%g %.6f \"<0.1%%\"\n" : "%g %.6f \"%.1f%%\"\n", place,
		        part, part);
}

/* Write the bars left of the edge, those right of it, and those without a number. The first of each
 * is outside the axes: gnuplot needs one. */
static void write_numbers(const struct panel *p, size_t panel, FILE *out)
{
	fprintf(out, "$low%zu << END\n-9 0 \"\"\n", panel);
	for (size_t i = 0; i < p->bins.edge && i < p->bins.count; i++)
		write_bar((double)i, p->bins.bins[i].count, p, out);
	fprintf(out, "END\n$high%zu << END\n-9 0 \"\"\n", panel);
	for (size_t i = p->bins.edge; i < p->bins.count; i++)
		write_bar((double)i, p->bins.bins[i].count, p, out);
	fprintf(out, "END\n$other%zu << END\n-9 0 \"\"\n", panel);
	for (size_t i = 0; i < 2 && p->names[i]; i++)
		write_bar(place_of_other(p, i), p->others[i], p, out);
	fputs("END\n", out);
}

static double highest(const struct panel *p)
{
	uint64_t most = 0;

	for (size_t i = 0; i < p->bins.count; i++)
		if (p->bins.bins[i].count > most)
			most = p->bins.bins[i].count;
	for (size_t i = 0; i < 2; i++)
		if (p->others[i] > most)
			most = p->others[i];
	return most ? share(most, p->all) : 1;
}

static void write_tics(const struct panel *p, const struct plot_page *page, FILE *out)
{
	fputs("set xtics (", out);
	for (size_t i = 0; i < p->bins.count; i++) {
		const struct plot_bin *b = &p->bins.bins[i];

		fprintf(out,
		        b->first == b->last ? "%s\"%" PRIu64 "\" %zu"
		                            : "%s\"%" PRIu64 "\\n–%" PRIu64 "\" %zu",
		        i ? ", " : "", b->first, b->first == b->last ? i : b->last, i);
	}
	for (size_t i = 0; i < 2 && p->names[i]; i++)
		fprintf(out, "%s\"%s\" %g", p->bins.count + i ? ", " : "", p->names[i],
		        place_of_other(p, i));
	fputs(") scale 0", out);
	plot_page_font(page, 10, out);
	fputc('\n', out);
}

/* Write a line at the edge and its label, on the side with more room. */
static void write_mark(const struct panel *p, FILE *out)
{
	double at = (double)p->bins.edge - 0.5, end = end_of(p);
	bool is_left = at > end / 2;

	fprintf(out,
	        "set arrow 1 from first %g, graph 0 to first %g, graph 1.14 nohead dt 2 lw 1.5 lc "
	        "rgb '#404040'\nset label 20 ",
	        at, at);
	plot_page_quote(p->mark, out);
	fprintf(out, " at first %g, graph 1.09 %s offset %d, 0 noenhanced\n", at,
	        is_left ? "right" : "left", is_left ? -1 : 1);
}

static void write_panel(const struct panel *p, size_t i, const struct plot_page *page, FILE *out)
{
	static const char *const sets[] = { "low", "high", "other" };
	const char *colours[] = { p->is_low_bad ? MISSED : SAVED, p->is_low_bad ? SAVED : MISSED,
		                  "#a0a0a0" };

	fprintf(out, "set xrange [-0.7:%g]\nset yrange [0:%.6f]\n", end_of(p), 1.2 * highest(p));
	write_tics(p, page, out);
	write_mark(p, out);
	fputs("set label 21 ", out);
	plot_page_quote(p->title, out);
	fputs(" at graph 0, graph 1.23 left noenhanced", out);
	plot_page_font(page, 13, out);
	fputs("\nset xlabel ", out);
	plot_page_quote(p->x_label, out);
	fputs(" offset 0, -0.4\nset ylabel ", out);
	plot_page_quote(p->y_label, out);
	fputs("\nplot ", out);
	for (size_t k = 0; k < 3; k++)
		fprintf(out,
		        "$%s%zu using 1:2 with boxes fs solid 1 lc rgb '%s' notitle, \\\n     ",
		        sets[k], i, colours[k]);
	for (size_t k = 0; k < 3; k++) {
		fprintf(out, "$%s%zu using 1:2:3 with labels offset 0, 0.6", sets[k], i);
		plot_page_font(page, 10, out);
		fprintf(out, " notitle%s", k < 2 ? ", \\\n     " : "\n");
	}
}

static void write_script(const struct reuse_picture *reuse, const char *titles_text,
                         enum plot_format format, FILE *out)
{
	struct panel panels[PANELS] = { 0 };
	uint32_t titles = plot_page_titles_height(titles_text);
	const struct plot_page page = { WIDTH,
		                        titles + TOP + PANELS * PANEL + (PANELS - 1) * GAP + BOTTOM,
		                        format };
	uint32_t top = page.height - titles - TOP;

	fill_panels(reuse, panels);
	plot_page_begin(&page, out);
	for (size_t i = 0; i < PANELS; i++)
		write_numbers(&panels[i], i, out);
	plot_page_titles(&page, titles_text, out);
	fputs("set grid ytics lt 1 lw 0.6 lc rgb '#d0d0d0'\nset boxwidth 0.85\nset format y "
	      "'%g%%'\nunset key\n"
	      "set multiplot\n",
	      out);
	for (size_t i = 0; i < PANELS; i++) {
		plot_page_place(&page, &(struct plot_box){ LEFT, WIDTH - RIGHT, top - PANEL, top },
		                out);
		write_panel(&panels[i], i, &page, out);
		if (!i)
			fputs("unset label\n", out);
		top -= PANEL + GAP;
	}
	fputs("unset multiplot\n", out);
}

int plot_reuse_write(const struct plot_job *job, FILE *out, struct player_outcome *outcome,
                     struct err *err)
{
	struct reuse_picture p;
	char *titles = NULL;
	int ret = reuse_picture_make(&p, &job->player, err);

	*outcome = p.player.outcome;
	if (!ret && !reuse_counts_reads(p.set)) {
		err_set(err, ERR_USAGE, "there is no read request to draw");
		ret = PLOT_NOTHING;
	}
	if (!ret)
		ret = find_titles(&titles, job, &p, err);
	if (!ret && job->format == PLOT_FORMAT_csv)
		ret = write_csv(&p, out, err);
	else if (!ret)
		write_script(&p, titles, job->format, out);
	free(titles);
	reuse_picture_release(&p);
	return ret;
}
