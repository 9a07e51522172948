/* SPDX-License-Identifier: Apache-2.0 */
#include "plot_script.h"

#include "plot_page.h"
#include "plot_picture.h"
#include "plot_tics.h"
#include "text.h"

#include <inttypes.h>
#include <string.h>

/* Pixels of the picture, and of what lies around its panels. */
enum {
	DOTS_WIDE = 1280,
	DOTS_HIGH = 880,
	LEFT = 140,
	RIGHT = 170,
	GAP = 40, /* above each panel, with its title */
	BOTTOM = 80,
	TICS_HIGH = 50, /* a panel has a tic for about so many pixels, */
	TICS_WIDE = 180,
	LEGEND_WIDE = 20,
};

/* Where things are. */
struct layout {
	uint32_t width, height;
	uint32_t dot_width;
	uint32_t panels_width;
	uint32_t top; /* of the first panel, from above */
};

/* Bytes of the UTF-8 character at `s`, of `left` bytes; 0 when it is none, or a control. */
static size_t character_bytes(const char *s, size_t left)
{
	uint32_t code;
	size_t bytes = text_decode(s, left, &code);

	return bytes && !text_is_control(code) && (code & 0xfffe) != 0xfffe ? bytes : 0;
}

void plot_script_quote(const char *text, size_t length, FILE *out)
{
	fputc('\'', out);
	for (size_t i = 0; i < length;) {
		size_t count = character_bytes(text + i, length - i);

		if (!count)
			fputc('?', out);
		else if (text[i] == '\'')
			fputs("''", out);
		else
			fwrite(text + i, 1, count, out);
		i += count ? count : 1;
	}
	fputc('\'', out);
}

static uint32_t dot_height(const struct plot_picture *p, const struct plot_panel *panel)
{
	uint32_t room = DOTS_HIGH / (uint32_t)p->panel_count;
	uint32_t pixels = room / panel->raster.y.count;

	return pixels ? pixels : 1;
}

static uint32_t panel_height(const struct plot_picture *p, const struct plot_panel *panel)
{
	return dot_height(p, panel) * panel->raster.y.count;
}

static struct layout lay_out(const struct plot_picture *p)
{
	const struct plot_axis *x = &p->panels[0].raster.x;
	struct layout l = { .dot_width = DOTS_WIDE / x->count };

	l.panels_width = l.dot_width * x->count;
	l.width = LEFT + l.panels_width + RIGHT;
	l.top = plot_page_titles_height(p->titles.text) + GAP;
	l.height = l.top + BOTTOM - GAP;
	for (size_t i = 0; i < p->panel_count; i++)
		l.height += panel_height(p, &p->panels[i]) + GAP;
	return l;
}

static void write_head(const struct plot_picture *p, const struct plot_page *page, FILE *out)
{
	plot_page_begin(page, out);
	fputs("set palette defined (0 '#440154', 1 '#46327e', 2 '#365c8d', 3 '#277f8e', "
	      "4 '#1fa187', 5 '#4ac16d', 6 '#a0da39', 7 '#e0c020')\n"
	      "unset key\n",
	      out);
	if (p->is_count && p->colour_limit > 1)
		fputs("set logscale cb\nset format cb '%.0f'\n", out);
	fprintf(out, "set cbrange [%d:%" PRIu64 "]\n", p->is_count ? 1 : 0,
	        p->colour_limit ? p->colour_limit : 1);
}

static void write_dot(const struct plot_picture *p, const struct plot_raster *r, uint32_t column,
                      uint32_t row, FILE *out)
{
	const struct plot_cell *cell = NULL;

	if (column < r->x.count && row < r->y.count)
		cell = plot_raster_cell(r, column, row);
	if (cell && cell->count)
		fprintf(out, "%" PRIu64, p->is_count ? cell->count : cell->value);
	else
		fputs("NaN", out);
}

/* The numbers of a panel: a line for each row of dots, from the lowest. gnuplot wants two rows and
 * two columns at least; what there is not lies outside the axes. */
static void write_numbers(const struct plot_picture *p, size_t panel, FILE *out)
{
	const struct plot_raster *r = &p->panels[panel].raster;
	uint32_t rows = r->y.count < 2 ? 2 : r->y.count;
	uint32_t columns = r->x.count < 2 ? 2 : r->x.count;

	fprintf(out, "$panel%zu << END\n", panel);
	for (uint32_t row = 0; row < rows; row++)
		for (uint32_t column = 0; column < columns; column++) {
			write_dot(p, r, column, row, out);
			fputc(column + 1 < columns ? ' ' : '\n', out);
		}
	fputs("END\n", out);
}

/* The legend stands beside all panels; its name at the picture's edge, clear of the numbers. */
static void write_legend(const struct plot_picture *p, const struct layout *l, FILE *out)
{
	double height = l->height - l->top - BOTTOM;
	uint32_t right = LEFT + l->panels_width;

	fprintf(out,
	        "set colorbox user origin screen %.6f, %.6f size screen %.6f, %.6f\n"
	        "set label 99 ",
	        (right + 20.0) / l->width, (double)BOTTOM / l->height,
	        (double)LEGEND_WIDE / l->width, height / l->height);
	plot_script_quote(p->colour_label, strlen(p->colour_label), out);
	fprintf(out, " at screen %.6f, %.6f center rotate noenhanced\n",
	        (l->width - 20.0) / l->width, (BOTTOM + height / 2) / l->height);
	if (!p->is_count)
		plot_tics_write(
			"cb", plot_tics_make(0, p->colour_limit, (uint32_t)height / TICS_HIGH / 2),
			true, out);
}

static void write_axes(const struct plot_picture *p, const struct plot_panel *panel,
                       const struct layout *l, bool has_numbers, FILE *out)
{
	const struct plot_axis *x = &panel->raster.x, *y = &panel->raster.y;
	uint32_t unit = y->shift - panel->element_shift;
	uint64_t left = x->first << x->shift, right = (x->first + x->count) << x->shift;
	uint64_t low = y->first << unit, high = (y->first + y->count) << unit;
	uint32_t most = panel_height(p, panel) / TICS_HIGH;

	fprintf(out, "set xrange [%" PRIu64 ":%" PRIu64 "]\n", left, right);
	fprintf(out, "set yrange [%" PRIu64 ":%" PRIu64 "]\n", low, high);
	plot_tics_write("x", plot_tics_make(left, right, l->panels_width / TICS_WIDE), has_numbers,
	                out);
	plot_tics_write("y", plot_tics_make(low, high, most ? most : 1), true, out);
}

static void write_panel(const struct plot_picture *p, size_t i, const struct layout *l,
                        uint32_t bottom, FILE *out)
{
	const struct plot_panel *panel = &p->panels[i];
	const struct plot_axis *x = &panel->raster.x, *y = &panel->raster.y;
	uint32_t unit = y->shift - panel->element_shift;
	bool is_last = i + 1 == p->panel_count;

	plot_page_place(&(struct plot_page){ .width = l->width, .height = l->height },
	                &(struct plot_box){ .left = LEFT,
	                                    .right = LEFT + l->panels_width,
	                                    .bottom = bottom,
	                                    .top = bottom + panel_height(p, panel) },
	                out);
	write_axes(p, panel, l, is_last, out);
	fputs("set title ", out);
	plot_script_quote(panel->title, strlen(panel->title), out);
	fputs(" noenhanced offset 0, -0.5\nset ylabel 'element'\n", out);
	fputs(is_last ? "set xlabel 'number of the access, in order of time'\n" : "unset xlabel\n",
	      out);
	fprintf(out,
	        "plot $panel%zu matrix using (($1 + %" PRIu64 ".5) * 2**%" PRIu32
	        "):(($2 + %" PRIu64 ".5) * 2**%" PRIu32 "):3 with image notitle\n",
	        i, x->first, x->shift, y->first, unit);
}

void plot_script_write(const struct plot_picture *p, enum plot_format format, FILE *out)
{
	const struct layout l = lay_out(p);
	const struct plot_page page = { l.width, l.height, format };
	uint32_t bottom = l.height - l.top;

	write_head(p, &page, out);
	for (size_t i = 0; i < p->panel_count; i++)
		write_numbers(p, i, out);
	plot_page_titles(&page, p->titles.text, out);
	write_legend(p, &l, out);
	fputs("set multiplot\n", out);
	for (size_t i = 0; i < p->panel_count; i++) {
		bottom -= panel_height(p, &p->panels[i]);
		write_panel(p, i, &l, bottom, out);
		if (!i)
			fputs("unset colorbox\nunset label\n", out);
		bottom -= GAP;
	}
	fputs("unset multiplot\n", out);
}
