/* SPDX-License-Identifier: Apache-2.0 */
#include "plot_page.h"

#include "line_walk.h"
#include "plot_script.h"

#include <inttypes.h>
#include <string.h>

uint32_t plot_page_titles_height(const char *titles)
{
	uint32_t lines = 0;

	for (const char *s = titles; s && *s; s++)
		lines += *s == '\n';
	return lines * PLOT_LINE_PIXELS + PLOT_LINE_PIXELS / 2;
}

void plot_page_begin(const struct plot_page *p, FILE *out)
{
	static const struct {
		const char *name, *unit;
	} terminals[] = {
#define PLOT_FORMAT(name, is_drawn, terminal, unit, head, tail) { terminal, unit },
#include "plot_formats.def"
#undef PLOT_FORMAT
	};
	const char *unit = terminals[p->format].unit;

	fputs("# gnuplot reads this and draws to its standard output.\nset encoding utf8\n", out);
	fprintf(out, "set terminal %s noenhanced size %" PRIu32 "%s,%" PRIu32 "%s\nset output\n",
	        terminals[p->format].name, p->width, unit, p->height, unit);
	fputs("set border 3 lc rgb '#808080'\nset tics out nomirror tc rgb '#000000'\n", out);
}

void plot_page_at(const struct plot_page *p, double left, double bottom, FILE *out)
{
	fprintf(out, "at screen %.6f, %.6f", left / p->width, bottom / p->height);
}

void plot_page_titles(const struct plot_page *p, const char *titles, FILE *out)
{
	struct line_walk walk = line_walk_string(titles);
	struct line line;

	while (line_walk_next(&walk, &line)) {
		uint32_t i = (uint32_t)walk.number;

		fprintf(out, "set label %" PRIu32 " ", i);
		plot_script_quote(line.text, line.length, out);
		fputc(' ', out);
		plot_page_at(p, 20, p->height - (i * PLOT_LINE_PIXELS - PLOT_LINE_PIXELS / 4.0),
		             out);
		fputs(" left noenhanced", out);
		if (i == 1)
			plot_page_font(p, 18, out);
		fputc('\n', out);
	}
}

/* An SVG's sizes are pixels, of which a point has 4/3; the others' are points. */
void plot_page_font(const struct plot_page *p, uint32_t size, FILE *out)
{
	fprintf(out, " font ',%" PRIu32 "'",
	        p->format == PLOT_FORMAT_svg ? (size * 5 + 2) / 4 : size);
}

void plot_page_place(const struct plot_page *p, const struct plot_box *box, FILE *out)
{
	fprintf(out,
	        "set lmargin at screen %.6f\nset rmargin at screen %.6f\n"
	        "set bmargin at screen %.6f\nset tmargin at screen %.6f\n",
	        (double)box->left / p->width, (double)box->right / p->width,
	        (double)box->bottom / p->height, (double)box->top / p->height);
}

void plot_page_quote(const char *text, FILE *out)
{
	plot_script_quote(text, strlen(text), out);
}
