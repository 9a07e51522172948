/* SPDX-License-Identifier: Apache-2.0 */
#include "plot_heat_map.h"

#include "cell_table.h"
#include "plot_page.h"
#include "shape_text.h"

#include <inttypes.h>
#include <string.h>

/* Pixels. */
enum {
	CELLS_WIDE = 900,
	CELLS_HIGH = 288,
	NAMED_WIDE = 220, /* a column with a name, at most */
	LEFT = 90,
	SPACE = 28, /* to the sums */
	SUMS = 150,
	RIGHT = 130,
	TOP = 40,
	GAP = 120,
	BOTTOM = 90,
	NAMES = 34, /* below columns with names */
	TICS_HIGH = 40,
	TICS_WIDE = 120,
	NAME_BYTES = 18,
};

struct layout {
	struct plot_page page;
	uint32_t panels;
	uint32_t columns, column_width;
	uint32_t height; /* of a panel */
	uint32_t top;    /* of the first one */
};

static uint32_t column_of(const struct plot_heat_map *p, uint32_t i)
{
	return p->names ? p->columns[i] : i;
}

static struct layout lay_out(const struct plot_heat_map *p)
{
	uint32_t titles = plot_page_titles_height(p->titles), row = CELLS_HIGH / p->heat->rows;
	struct layout l = { .columns = p->names ? p->count : p->heat->used };

	for (uint32_t i = 0; i < p->heat->planes; i++)
		l.panels += p->planes[i].title != NULL;
	l.column_width = CELLS_WIDE / l.columns;
	if (!l.column_width)
		l.column_width = 1;
	if (p->names && l.column_width > NAMED_WIDE)
		l.column_width = NAMED_WIDE;
	l.height = (row ? row : 1) * p->heat->rows;
	l.page.format = p->format;
	l.page.width = LEFT + SPACE + SUMS + RIGHT + CELLS_WIDE;
	l.page.height = titles + TOP + l.panels * l.height + GAP + BOTTOM +
	                (p->names ? l.panels * NAMES : 0);
	l.top = l.page.height - titles - TOP;
	return l;
}

static double row_number(const struct plot_heat_map *p, uint32_t row)
{
	return (double)(p->first_number + row * p->row_numbers) + (double)(p->row_numbers - 1) / 2;
}

/* Write the cells. gnuplot needs at least two rows and two columns; those that do not exist are
 * outside the axes. */
static void write_cells(const struct plot_heat_map *p, const struct layout *l, uint32_t plane,
                        FILE *out)
{
	uint32_t rows = p->heat->rows < 2 ? 2 : p->heat->rows;
	uint32_t columns = l->columns < 2 ? 2 : l->columns;

	fprintf(out, "$cells%" PRIu32 " << END\n", plane);
	for (uint32_t r = 0; r < rows; r++)
		for (uint32_t c = 0; c < columns; c++) {
			uint64_t count = 0;

			if (r < p->heat->rows && c < l->columns)
				count = plot_heat_cell(p->heat, plane, r, column_of(p, c));
			if (count)
				fprintf(out, "%" PRIu64, count);
			else
				fputs("NaN", out);
			fputc(c + 1 < columns ? ' ' : '\n', out);
		}
	fputs("END\n", out);
}

static uint64_t row_sum(const struct plot_heat_map *p, const struct layout *l, uint32_t plane,
                        uint32_t row)
{
	uint64_t sum = 0;

	for (uint32_t c = 0; c < l->columns; c++)
		sum += plot_heat_cell(p->heat, plane, row, column_of(p, c));
	return sum;
}

static void write_sums(const struct plot_heat_map *p, const struct layout *l, uint32_t plane,
                       FILE *out)
{
	fprintf(out, "$sums%" PRIu32 " << END\n", plane);
	for (uint32_t r = 0; r < p->heat->rows; r++)
		fprintf(out, "%.1f %" PRIu64 "\n", row_number(p, r), row_sum(p, l, plane, r));
	fputs("END\n", out);
}

/* Write the average row number in columns first..end - 1, as a piece of a line. */
static void write_mean(const struct plot_heat_map *p, uint32_t plane, uint32_t first, uint32_t end,
                       FILE *out)
{
	const struct plot_heat *h = p->heat;
	uint64_t count = 0;
	double sum = 0;

	for (uint32_t c = first; c < end; c++)
		for (uint32_t r = 0; r < h->rows; r++) {
			uint64_t cell = plot_heat_cell(h, plane, r, c);

			count += cell;
			sum += (double)cell * row_number(p, r);
		}
	if (count)
		fprintf(out, "%" PRIu64 " %.4f\n%" PRIu64 " %.4f\n\n", first * h->unit,
		        sum / (double)count, end * h->unit, sum / (double)count);
}

static void write_means(const struct plot_heat_map *p, uint32_t plane, FILE *out)
{
	uint32_t step = (p->heat->used + PLOT_HEAT_MEANS - 1) / PLOT_HEAT_MEANS;

	fprintf(out, "$mean%" PRIu32 " << END\n", plane);
	for (uint32_t c = 0; c < p->heat->used; c += step)
		write_mean(p, plane, c, c + step < p->heat->used ? c + step : p->heat->used, out);
	fputs("END\n", out);
}

static void write_numbers(const struct plot_heat_map *p, const struct layout *l, FILE *out)
{
	for (uint32_t i = 0; i < p->heat->planes; i++) {
		if (!p->planes[i].title)
			continue;
		write_cells(p, l, i, out);
		write_sums(p, l, i, out);
		if (p->has_mean)
			write_means(p, i, out);
	}
}

/* Write the names of columns below them, truncated if they are long. */
static void write_names(const struct plot_heat_map *p, const struct plot_page *page, FILE *out)
{
	fputs("set xtics (", out);
	for (uint32_t i = 0; i < p->count; i++) {
		char name[NAME_BYTES + 4];

		(void)snprintf(name, sizeof(name), "%.*s%s", NAME_BYTES, p->names[p->columns[i]],
		               strlen(p->names[p->columns[i]]) > NAME_BYTES ? "..." : "");
		fputs(i ? ", " : "", out);
		plot_page_quote(name, out);
		fprintf(out, " %" PRIu32 ".5", i);
	}
	fputs(") rotate by 40 right noenhanced", out);
	plot_page_font(page, 10, out);
	fputc('\n', out);
}

static void write_x_axis(const struct plot_heat_map *p, const struct layout *l, FILE *out)
{
	uint64_t end = p->names ? p->count : p->heat->used * p->heat->unit;

	fprintf(out, "set xrange [0:%" PRIu64 "]\n", end);
	if (p->names) {
		write_names(p, &l->page, out);
		fputs("unset xlabel\n", out);
		return;
	}
	fputs("set xtics", out);
	plot_page_font(&l->page, 12, out);
	fputc('\n', out);
	plot_page_tics("x", plot_tics_make(0, end, l->columns * l->column_width / TICS_WIDE), true,
	               out);
	fputs("set xlabel 'cycles of the SMs'\n", out);
}

static void write_y_axis(const struct plot_heat_map *p, const struct layout *l, bool has_numbers,
                         FILE *out)
{
	uint64_t end = p->first_number + p->heat->rows * p->row_numbers;

	fprintf(out, "set yrange [%.1f:%.1f]\n", (double)p->first_number - 0.5, (double)end - 0.5);
	plot_page_tics("y", plot_tics_make(0, end - p->first_number, l->height / TICS_HIGH),
	               has_numbers, out);
	if (!has_numbers)
		return;
	fputs("set ylabel ", out);
	plot_page_quote(p->row_name, out);
	fputc('\n', out);
}

/* Write the legend of colours, from one count (or none) to the most in a cell. */
static void write_colours(const struct plot_heat_map *p, uint64_t most, FILE *out)
{
	bool is_log = p->is_log && most >= 10;

	fprintf(out, "%s logscale cb\nset cbrange [%d:%" PRIu64 "]\n", is_log ? "set" : "unset",
	        is_log ? 1 : 0, most ? most : 1);
	if (!is_log) {
		plot_page_tics("cb", plot_tics_make(0, most ? most : 1, 4), true, out);
		return;
	}
	fputs("set cbtics (", out);
	for (uint64_t at = 1; at <= most; at *= 10) {
		char number[COUNT_TEXT_BYTES];

		fprintf(out, "%s'%s' %" PRIu64, at > 1 ? ", " : "", count_text(number, at), at);
		if (at > most / 10)
			break;
	}
	fputs(")\n", out);
}

static void write_map(const struct plot_heat_map *p, uint32_t plane, const struct layout *l,
                      const struct plot_box *box, FILE *out)
{
	uint64_t most = 0, unit = p->names ? 1 : p->heat->unit;

	for (uint32_t r = 0; r < p->heat->rows; r++)
		for (uint32_t c = 0; c < l->columns; c++) {
			uint64_t cell = plot_heat_cell(p->heat, plane, r, column_of(p, c));

			most = cell > most ? cell : most;
		}
	plot_page_place(&l->page, box, out);
	write_x_axis(p, l, out);
	write_y_axis(p, l, true, out);
	write_colours(p, most, out);
	fprintf(out, "set colorbox user origin screen %.6f, %.6f size screen %.6f, %.6f\n",
	        (box->right + 2.0 * SPACE + SUMS) / l->page.width,
	        (double)box->bottom / l->page.height, 18.0 / l->page.width,
	        (double)l->height / l->page.height);
	fputs("set label 30 ", out);
	plot_page_quote(p->planes[plane].title, out);
	fputs(" at graph 0, graph 1 left offset 0, 0.9 noenhanced", out);
	plot_page_font(&l->page, 13, out);
	fputs("\nset cblabel ", out);
	plot_page_quote(p->planes[plane].name, out);
	fprintf(out,
	        " offset 0.8, 0\nplot $cells%" PRIu32 " matrix using (($1 + 0.5) * %" PRIu64
	        "):($2 * %" PRIu64 " + %.1f):3 with image notitle",
	        plane, unit, p->row_numbers, row_number(p, 0));
	if (p->has_mean)
		fprintf(out,
		        ", \\\n     $mean%" PRIu32 " using 1:2 with lines lw 3 lc rgb '#ffffff' "
		        "notitle, \\\n     $mean%" PRIu32
		        " using 1:2 with lines lw 1.4 lc rgb '#d02010' notitle",
		        plane, plane);
	fputs("\nunset label\nunset colorbox\n", out);
}

/* Write bars beside the map's rows, as long as their sums, and a line where all would end if they
 * were equal. */
static void write_bars(const struct plot_heat_map *p, uint32_t plane, const struct layout *l,
                       const struct plot_box *box, FILE *out)
{
	uint64_t most = 0, all = 0, half = p->row_numbers;

	for (uint32_t r = 0; r < p->heat->rows; r++) {
		uint64_t sum = row_sum(p, l, plane, r);

		most = sum > most ? sum : most;
		all += sum;
	}
	plot_page_place(&l->page, box, out);
	fprintf(out, "set xrange [0:%.1f]\n", most ? 1.08 * (double)most : 1.0);
	plot_page_tics("x", plot_tics_make(0, most ? most : 1, most < 1000000 ? 2 : 1), true, out);
	write_y_axis(p, l, false, out);
	fputs("unset ylabel\nset xlabel 'in all'\nset xtics norotate", out);
	plot_page_font(&l->page, 10, out);
	fputc('\n', out);
	if (!p->has_mean)
		fprintf(out,
		        "set arrow 1 from first %.3f, graph 0 to first %.3f, graph 1 nohead dt 2 "
		        "lw 1.5 lc rgb '#404040' front\n",
		        (double)all / p->heat->rows, (double)all / p->heat->rows);
	fprintf(out,
	        "plot $sums%" PRIu32 " using (0):1:(0):2:($1 - %.2f):($1 + %.2f) with boxxyerror "
	        "fs solid 1 noborder lc rgb '#277f8e' notitle\nunset arrow\n",
	        plane, 0.45 * (double)half, 0.45 * (double)half);
}

static void write_panel(const struct plot_heat_map *p, uint32_t plane, const struct layout *l,
                        uint32_t top, FILE *out)
{
	uint32_t right = LEFT + l->columns * l->column_width;
	const struct plot_box map = { LEFT, right, top - l->height, top };
	const struct plot_box bars = { right + SPACE, right + SPACE + SUMS, top - l->height, top };

	write_map(p, plane, l, &map, out);
	write_bars(p, plane, l, &bars, out);
}

static void write_script(const struct plot_heat_map *p, FILE *out)
{
	const struct layout l = lay_out(p);
	uint32_t top = l.top;

	plot_page_begin(&l.page, out);
	fputs("set palette defined (0 '#d6e26a', 1 '#a0da39', 2 '#4ac16d', 3 '#1fa187', "
	      "4 '#277f8e', 5 '#365c8d', 6 '#46327e', 7 '#440154')\nunset key\n",
	      out);
	write_numbers(p, &l, out);
	plot_page_titles(&l.page, p->titles, out);
	fputs("set multiplot\n", out);
	for (uint32_t i = 0; i < p->heat->planes; i++) {
		if (!p->planes[i].title)
			continue;
		write_panel(p, i, &l, top, out);
		top -= l.height + GAP + (p->names ? NAMES : 0);
	}
	fputs("unset multiplot\n", out);
}

enum { CSV_COLUMNS = 4 + PLOT_HEAT_PLANES };

/* Set the columns of CSV. Returns their number. */
static uint32_t csv_columns(const struct plot_heat_map *p, struct cell_column columns[CSV_COLUMNS])
{
	uint32_t count = 0;

	columns[count++] =
		(struct cell_column){ p->names ? "kernel" : "cycle", "", "", CELL_NUMBER };
	columns[count++] = p->names ? (struct cell_column){ "name", "", "", CELL_TEXT }
	                            : (struct cell_column){ "cycles", "", "", CELL_NUMBER };
	columns[count++] = (struct cell_column){ p->row_name, "", "", CELL_NUMBER };
	if (p->rows_name)
		columns[count++] = (struct cell_column){ p->rows_name, "", "", CELL_NUMBER };
	for (uint32_t i = 0; i < p->heat->planes; i++)
		columns[count++] = (struct cell_column){ p->planes[i].name, "", "", CELL_NUMBER };
	return count;
}

/* Write a cell of the map as a row, if it has a count. */
static int write_csv_row(const struct plot_heat_map *p, uint32_t column, uint32_t row,
                         struct cell_table *t, struct err *err)
{
	const struct plot_heat *h = p->heat;
	struct cell cells[CSV_COLUMNS];
	uint64_t any = 0;
	uint32_t count = 0;

	cells[count++] = cell_number(column * h->unit);
	cells[count++] = p->names ? cell_text(p->names[column]) : cell_number(h->unit);
	cells[count++] = cell_number(p->first_number + row * p->row_numbers);
	if (p->rows_name)
		cells[count++] = cell_number(p->row_numbers);
	for (uint32_t i = 0; i < h->planes; i++) {
		cells[count++] = cell_number(plot_heat_cell(h, i, row, column));
		any |= plot_heat_cell(h, i, row, column);
	}
	return any ? t->format->row(t, cells, err) : 0;
}

static int write_csv(const struct plot_heat_map *p, FILE *out, struct err *err)
{
	struct cell_table t = { .out = out, .format = &cell_table_as_csv };
	struct cell_column columns[CSV_COLUMNS];
	int ret = cell_table_begin(&t, columns, csv_columns(p, columns), err);

	for (uint32_t c = 0; c < p->heat->used; c++)
		for (uint32_t r = 0; !ret && r < p->heat->rows; r++)
			ret = write_csv_row(p, c, r, &t, err);
	return ret;
}

int plot_heat_map_write(const struct plot_heat_map *m, FILE *out, struct err *err)
{
	if (m->format == PLOT_FORMAT_csv)
		return write_csv(m, out, err);
	write_script(m, out);
	return 0;
}
