/* SPDX-License-Identifier: Apache-2.0 */
/* The cells of a panel are a path of horizontal strokes, one for each run of cells in a row: a few
 * bytes for each, whatever the number of accesses. */
#include "html_order.h"
#include "html_page.h"
#include "html_text.h"
#include "recording.h"
#include "report_data.h"

#include <inttypes.h>

/* The most fields of a panel, each of one or more cells of its raster. */
enum { COLUMNS_MAX = 256, ROWS_ALL = 192, ROWS_LEAST = 24, LEVELS = 3 };

struct panel_grid {
	const struct plot_raster *raster;
	uint32_t columns, rows;
	uint32_t column_shift, row_shift; /* a field is 2^shift cells wide and high */
	uint64_t most;                    /* the most accesses in a field */
};

static uint32_t shift_for(uint32_t count, uint32_t limit)
{
	uint32_t shift = 0;

	while (((count - 1) >> shift) + 1 > limit)
		shift++;
	return shift;
}

/* Accesses in a field. */
static uint64_t count_in(const struct panel_grid *g, uint32_t column, uint32_t row)
{
	const struct plot_raster *r = g->raster;
	uint64_t sum = 0;

	for (uint32_t y = row << g->row_shift; y < (row + 1) << g->row_shift; y++)
		for (uint32_t x = column << g->column_shift; x < (column + 1) << g->column_shift;
		     x++)
			if (x < r->x.count && y < r->y.count)
				sum += plot_raster_cell(r, x, y)->count;
	return sum;
}

static struct panel_grid make_grid(const struct plot_raster *r, size_t panels)
{
	uint32_t limit = ROWS_ALL / (uint32_t)panels;
	struct panel_grid g = { .raster = r };

	g.column_shift = shift_for(r->x.count, COLUMNS_MAX);
	g.row_shift = shift_for(r->y.count, limit < ROWS_LEAST ? ROWS_LEAST : limit);
	g.columns = ((r->x.count - 1) >> g.column_shift) + 1;
	g.rows = ((r->y.count - 1) >> g.row_shift) + 1;
	for (uint32_t y = 0; y < g.rows; y++)
		for (uint32_t x = 0; x < g.columns; x++) {
			uint64_t count = count_in(&g, x, y);

			g.most = count > g.most ? count : g.most;
		}
	return g;
}

/* 0 for an empty field; 1 up to the cube root of the most accesses, 2 up to its square, 3 beyond.
 */
static int level_of(const struct panel_grid *g, uint32_t column, uint32_t row)
{
	double count = (double)count_in(g, column, row), cube = count * count * count;
	double most = (double)g->most;

	if (count < 1)
		return 0;
	if (most > 1 && cube <= most)
		return 1;
	return most > 1 && cube <= most * most ? 2 : LEVELS;
}

static uint32_t run_from(const struct panel_grid *g, uint32_t column, uint32_t row, int level)
{
	uint32_t end = column;

	while (end < g->columns && level_of(g, end, row) == level)
		end++;
	return end - column;
}

static void write_path(FILE *out, const struct panel_grid *g, int level)
{
	for (uint32_t row = 0; row < g->rows; row++)
		for (uint32_t column = 0; column < g->columns; column++) {
			uint32_t run = run_from(g, column, row, level);

			if (!run)
				continue;
			fprintf(out, "M%" PRIu32 " %" PRIu32 "h%" PRIu32, column, g->rows - 1 - row,
			        run);
			column += run;
		}
}

static const char *names_of(const struct report_data *d, int64_t buffer)
{
	for (size_t i = 0; i < d->buffer_count; i++)
		if (d->buffers[i].buffer == buffer)
			return d->buffers[i].names;
	return "";
}

static void write_title(FILE *out, const struct report_data *d, const struct plot_panel *p)
{
	static const char *const acts[] = { "reads", "writes", "atomics" };
	const char *names = names_of(d, p->place->buffer);

	fputs("<h4>", out);
	html_string(out, names);
	if (p->place->buffer >= 0)
		fprintf(out, "%sbuffer %" PRId64, names && *names ? ", " : "", p->place->buffer);
	else
		fputs("In no buffer", out);
	fputs(": ", out);
	html_count(out, p->place->counts[p->act]);
	fprintf(out, " %s</h4>\n", acts[p->act]);
}

/* The element of a cell's first byte. */
static uint64_t element_of(const struct plot_panel *p, uint32_t row)
{
	return plot_axis_number(&p->raster.y, row) >> p->element_shift;
}

static void write_panel(FILE *out, const struct report_data *d, const struct plot_panel *p,
                        const struct panel_grid *g, uint64_t accesses)
{
	static const char *const acts[] = { "reads", "writes", "atomics" };

	fputs("<div class=panel>\n", out);
	write_title(out, d, p);
	fputs("<div class=up><span>", out);
	html_count(out, p->place->high >> p->element_shift);
	fputs("</span><span>element of<br>", out);
	html_count(out, UINT64_C(1) << p->element_shift);
	fputs(p->element_shift ? " bytes</span><span>" : " byte</span><span>", out);
	html_count(out, element_of(p, 0));
	fprintf(out,
	        "</span></div>\n<div class=ground><svg viewBox=\"0 0 %" PRIu32 " %" PRIu32
	        "\" preserveAspectRatio=none role=img aria-label=\"%s: elements against the order "
	        "of access\">",
	        g->columns, g->rows, acts[p->act]);
	for (int level = 1; level <= LEVELS; level++) {
		fprintf(out, "<path class=\"%s l%d\" transform=\"translate(0 .5)\" d=\"",
		        acts[p->act], level);
		write_path(out, g, level);
		fputs("\"/>", out);
	}
	fputs("</svg></div>\n<div class=along><span>0</span><span>number of the access</span>"
	      "<span>",
	      out);
	html_count(out, accesses - 1);
	fputs("</span></div>\n</div>\n", out);
}

static void write_caption(FILE *out, const struct html_page *page)
{
	const struct html_order *o = page->order;

	fprintf(out, "<p class=says>Launch %" PRIu64 ", ",
	        page->data->recording->launches[o->launch].number);
	html_string(out, o->table->name);
	fputs(", which has the most misses: all its ", out);
	html_count(out, o->picture.accesses);
	fputs(" accesses, in the order in which the GPU makes them. A field is marked if at least "
	      "one access lies in it, and the stronger the more do; none is left out. What to look "
	      "for: a slope is a walk "
	      "through "
	      "memory, bands that come back are reuse, a cloud is a gather, and steep stripes are "
	      "lanes far apart.</p>\n",
	      out);
}

int html_section_order(const struct html_page *page, FILE *out, struct err *err)
{
	const struct html_order *o = page->order;

	if (!o || !o->has_launch || !o->picture.panel_count) {
		fputs("<p class=note>Nothing is drawn: no launch that was replayed has accesses to "
		      "global memory, or all have more than 67,108,864. <code>warpline plot</code> "
		      "draws any of them.</p>\n",
		      out);
		return 0;
	}
	write_caption(out, page);
	for (size_t i = 0; i < o->picture.panel_count; i++) {
		struct panel_grid g =
			make_grid(&o->picture.panels[i].raster, o->picture.panel_count);

		write_panel(out, page->data, &o->picture.panels[i], &g, o->picture.accesses);
	}
	if (o->picture.panels_left_out) {
		fputs("<p class=note><b>Not shown:</b> ", out);
		html_count(out, o->picture.accesses_left_out);
		fputs(" accesses to other buffers; <code>warpline plot --buffer</code> draws "
		      "them.</p>\n",
		      out);
	}
	return 0;
}
