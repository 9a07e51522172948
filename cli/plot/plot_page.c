/* SPDX-License-Identifier: Apache-2.0 */
#include "plot_page.h"

#include "line_walk.h"
#include "shape_text.h"
#include "text.h"

#include <inttypes.h>
#include <string.h>

/* Bytes of the UTF-8 character at `s`, of `left` bytes; 0 if there is none, or it is a control
 * character. */
static size_t character_bytes(const char *s, size_t left)
{
	uint32_t code;
	size_t bytes = text_decode(s, left, &code);

	return bytes && !text_is_control(code) && (code & 0xfffe) != 0xfffe ? bytes : 0;
}

static void quote(const char *text, size_t length, FILE *out)
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

void plot_page_quote(const char *text, FILE *out)
{
	quote(text, strlen(text), out);
}

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
		quote(line.text, line.length, out);
		fputc(' ', out);
		plot_page_at(p, 20, p->height - (i * PLOT_LINE_PIXELS - PLOT_LINE_PIXELS / 4.0),
		             out);
		fputs(" left noenhanced", out);
		if (i == 1)
			plot_page_font(p, 18, out);
		fputc('\n', out);
	}
}

/* Sizes are pixels in an SVG, points (4/3 pixels) in other formats. */
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

/* The least power of two that fits `most` times or fewer in the range. */
static uint64_t binary_step(uint64_t range, uint32_t most)
{
	uint64_t step = 1;

	while (range / step > most)
		step *= 2;
	return step;
}

/* The least 1, 2 or 5 times a power of ten that fits `most` times or fewer in the range. */
static uint64_t decimal_step(uint64_t range, uint32_t most)
{
	static const uint64_t factors[] = { 1, 2, 5 };
	uint64_t power = 1;

	for (;; power *= 10)
		for (int i = 0; i < 3; i++)
			if (range / factors[i] / power <= most)
				return factors[i] * power;
}

struct plot_tics plot_tics_make(uint64_t low, uint64_t high, uint32_t most)
{
	uint64_t range = high - low, step = binary_step(range, most), before;

	if (!range || low % step || range % step || range / step < 4)
		step = decimal_step(range, most);
	before = low % step ? step - low % step : 0;
	return (struct plot_tics){ .first = low + before,
		                   .step = step,
		                   .count = before > range
		                                    ? 0
		                                    : (uint32_t)((range - before) / step) + 1 };
}

void plot_page_tics(const char *axis, struct plot_tics tics, bool has_numbers, FILE *out)
{
	char number[COUNT_TEXT_BYTES];

	fprintf(out, "set %stics (", axis);
	for (uint32_t i = 0; i < tics.count; i++) {
		uint64_t at = tics.first + i * tics.step;

		fprintf(out, "%s'%s' %" PRIu64, i ? ", " : "",
		        has_numbers ? count_text(number, at) : "", at);
	}
	fputs(")\n", out);
}
