/* SPDX-License-Identifier: Apache-2.0 */
/* `plot --what order`: the view of an order_picture. */
#include "plot_job.h"

#include "cell_table.h"
#include "err.h"
#include "gpu.h"
#include "plot_page.h"
#include "plot_titles.h"
#include "recording.h"
#include "shape_text.h"
#include "str.h"

#include <inttypes.h>
#include <stdlib.h>

/* Pixels of the picture, and around its panels. */
enum {
	DOTS_WIDE = 1280,
	DOTS_HIGH = 880,
	LEFT = 140,
	RIGHT = 170,
	GAP = 40, /* above each panel, with its title */
	BOTTOM = 80,
	TICS_HIGH = 50, /* a panel has a tic for about this many pixels */
	TICS_WIDE = 180,
	LEGEND_WIDE = 20,
};

static const struct {
	const char *name;  /* of the column of CSV */
	const char *label; /* of the legend */
} colours[] = {
#define ORDER_COLOUR(name, label) { #name, label },
#include "order_colours.def"
#undef ORDER_COLOUR
};

static const char *const acts[] = { "read", "write", "atomic" };

/* The picture, and what is written over it and its panels. */
struct order_view {
	const struct plot_job *job;
	struct order_picture picture;
	bool is_count; /* dots are coloured by the number of accesses that they hold */
	char *titles;
	char *panel_titles[PLOT_PANELS_MAX];
};

/* --- titles ---------------------------------------------------------------------------------- */

/* Add which part of the accesses is shown, and how. */
static int add_part(struct str *out, const struct order_view *v, struct err *err)
{
	const struct order_picture *p = &v->picture;
	uint64_t shown = order_picture_drawn(p), all = p->launch_accesses;
	uint32_t shift = p->panels[0].raster.x.shift;
	char number[COUNT_TEXT_BYTES], whole[COUNT_TEXT_BYTES], cell[COUNT_TEXT_BYTES];
	int ret = str_printf(out, err, shown == all ? "all %s accesses" : "%s of %s accesses",
	                     count_text(number, shown), count_text(whole, all));

	if (!ret && p->to - p->from + 1 < p->accesses)
		ret = str_printf(out, err, " (numbers %s to %s)", count_text(number, p->from),
		                 count_text(whole, p->to));
	if (!ret && !shift)
		return str_printf(out, err, ", each a dot of its own\n");
	if (!ret)
		ret = str_printf(out, err, "; a column of dots is %s accesses in a row",
		                 count_text(cell, UINT64_C(1) << shift));
	if (!ret && !v->is_count)
		ret = str_printf(out, err,
		                 "; a dot has the colour of one of its accesses, chosen by a hash");
	return ret ? ret : str_printf(out, err, "\n");
}

/* Add what is not shown. */
static int add_rest(struct str *out, const struct order_view *v, struct err *err)
{
	const struct order_picture *p = &v->picture;
	char count[COUNT_TEXT_BYTES], amount[SHAPE_TEXT_BYTES];
	int ret = 0;

	if (p->panels_left_out)
		ret = str_printf(out, err, "%s more with %s accesses not shown: --buffer chooses\n",
		                 amount_text(amount, p->panels_left_out, "panel"),
		                 count_text(count, p->accesses_left_out));
	if (!ret && p->side_accesses)
		ret = str_printf(out, err, "accesses to local and constant memory not shown: %s\n",
		                 count_text(count, p->side_accesses));
	return ret ? ret : plot_titles_missing(out, v->job, p->is_whole, err);
}

/* Add the names of the arguments through which the kernel sees a buffer. */
static int add_names(struct str *out, const struct recording *r, size_t launch, int64_t buffer,
                     struct err *err)
{
	const struct recorded_launch *l = &r->launches[launch];
	const struct kernel_table *t = &r->kernels[l->kernel].table;
	int ret = 0;

	for (size_t i = 0; !ret && i < l->argument_count; i++) {
		const struct recorded_argument *a = &l->arguments[i];

		if (a->buffer == buffer && a->index < t->argument_count)
			ret = str_printf(out, err, "%s%.60s", out->length ? ", " : "",
			                 t->arguments[a->index].name);
	}
	return ret;
}

/* Add the kind of a panel's accesses, and the size of its elements and dots. */
static int add_amounts(struct str *out, const struct plot_panel *panel, struct err *err)
{
	uint32_t unit = panel->raster.y.shift - panel->element_shift;
	char amount[SHAPE_TEXT_BYTES], size[SHAPE_TEXT_BYTES], count[COUNT_TEXT_BYTES];
	int ret =
		str_printf(out, err, ": %s, elements of %s%s",
	                   amount_text(amount, panel->place->counts[panel->act], acts[panel->act]),
	                   amount_text(size, UINT64_C(1) << panel->element_shift, "byte"),
	                   panel->place->buffer < 0 ? " from the lowest address on" : "");

	if (!ret && unit)
		ret = str_printf(out, err, ", %s to a dot", count_text(count, UINT64_C(1) << unit));
	return ret;
}

/* On the heap; NULL with *err set. */
static char *panel_title(const struct plot_job *job, const struct plot_panel *panel,
                         struct err *err)
{
	const struct recording *r = job->player.launches.recording;
	int64_t buffer = panel->place->buffer;
	struct str title;
	int ret;

	str_init(&title, PLOT_TITLES_BYTES);
	if (buffer >= 0)
		ret = add_names(&title, r, job->launch, buffer, err);
	else
		ret = str_printf(&title, err, r->buffer_count ? "in no buffer" : "global memory");
	if (!ret && buffer >= 0)
		ret = str_printf(&title, err, "%sbuffer %" PRId64, title.length ? ", " : "",
		                 buffer);
	if (!ret)
		ret = add_amounts(&title, panel, err);
	if (ret) {
		str_release(&title);
		return NULL;
	}
	return str_take(&title);
}

static int find_titles(struct order_view *v, struct err *err)
{
	struct str titles;
	int ret;

	str_init(&titles, PLOT_TITLES_BYTES);
	ret = plot_titles_begin(&titles, v->job, NULL, err);
	if (!ret)
		ret = add_part(&titles, v, err);
	if (!ret)
		ret = add_rest(&titles, v, err);
	v->titles = str_take(&titles);
	for (size_t i = 0; !ret && i < v->picture.panel_count; i++) {
		v->panel_titles[i] = panel_title(v->job, &v->picture.panels[i], err);
		ret = v->panel_titles[i] ? 0 : err->code;
	}
	return ret;
}

/* --- script ---------------------------------------------------------------------------------- */

/* Positions in the picture. */
struct layout {
	uint32_t width, height;
	uint32_t dot_width;
	uint32_t panels_width;
	uint32_t top; /* of the first panel, from above */
};

static uint32_t dot_height(const struct order_picture *p, const struct plot_panel *panel)
{
	uint32_t room = DOTS_HIGH / (uint32_t)p->panel_count;
	uint32_t pixels = room / panel->raster.y.count;

	return pixels ? pixels : 1;
}

static uint32_t panel_height(const struct order_picture *p, const struct plot_panel *panel)
{
	return dot_height(p, panel) * panel->raster.y.count;
}

static struct layout lay_out(const struct order_view *v)
{
	const struct order_picture *p = &v->picture;
	const struct plot_axis *x = &p->panels[0].raster.x;
	struct layout l = { .dot_width = DOTS_WIDE / x->count };

	l.panels_width = l.dot_width * x->count;
	l.width = LEFT + l.panels_width + RIGHT;
	l.top = plot_page_titles_height(v->titles) + GAP;
	l.height = l.top + BOTTOM - GAP;
	for (size_t i = 0; i < p->panel_count; i++)
		l.height += panel_height(p, &p->panels[i]) + GAP;
	return l;
}

static void write_head(const struct order_view *v, const struct plot_page *page, FILE *out)
{
	uint64_t limit = v->picture.colour_limit;

	plot_page_begin(page, out);
	fputs("set palette defined (0 '#440154', 1 '#46327e', 2 '#365c8d', 3 '#277f8e', "
	      "4 '#1fa187', 5 '#4ac16d', 6 '#a0da39', 7 '#e0c020')\n"
	      "unset key\n",
	      out);
	if (v->is_count && limit > 1)
		fputs("set logscale cb\nset format cb '%.0f'\n", out);
	fprintf(out, "set cbrange [%d:%" PRIu64 "]\n", v->is_count ? 1 : 0, limit ? limit : 1);
}

static void write_dot(const struct order_view *v, const struct plot_raster *r, uint32_t column,
                      uint32_t row, FILE *out)
{
	const struct plot_cell *cell = NULL;

	if (column < r->x.count && row < r->y.count)
		cell = plot_raster_cell(r, column, row);
	if (cell && cell->count)
		fprintf(out, "%" PRIu64, v->is_count ? cell->count : cell->value);
	else
		fputs("NaN", out);
}

/* Write the numbers of a panel: a line for each row of dots, from the lowest. gnuplot needs at
 * least two rows and two columns; those that do not exist are outside the axes. */
static void write_numbers(const struct order_view *v, size_t panel, FILE *out)
{
	const struct plot_raster *r = &v->picture.panels[panel].raster;
	uint32_t rows = r->y.count < 2 ? 2 : r->y.count;
	uint32_t columns = r->x.count < 2 ? 2 : r->x.count;

	fprintf(out, "$panel%zu << END\n", panel);
	for (uint32_t row = 0; row < rows; row++)
		for (uint32_t column = 0; column < columns; column++) {
			write_dot(v, r, column, row, out);
			fputc(column + 1 < columns ? ' ' : '\n', out);
		}
	fputs("END\n", out);
}

/* Write the legend beside all panels; its name is at the picture's edge, clear of the numbers. */
static void write_legend(const struct order_view *v, const struct layout *l, FILE *out)
{
	double height = l->height - l->top - BOTTOM;
	uint32_t right = LEFT + l->panels_width;

	fprintf(out,
	        "set colorbox user origin screen %.6f, %.6f size screen %.6f, %.6f\n"
	        "set label 99 ",
	        (right + 20.0) / l->width, (double)BOTTOM / l->height,
	        (double)LEGEND_WIDE / l->width, height / l->height);
	plot_page_quote(colours[v->job->colour].label, out);
	fprintf(out, " at screen %.6f, %.6f center rotate noenhanced\n",
	        (l->width - 20.0) / l->width, (BOTTOM + height / 2) / l->height);
	if (!v->is_count)
		plot_page_tics("cb",
		               plot_tics_make(0, v->picture.colour_limit,
		                              (uint32_t)height / TICS_HIGH / 2),
		               true, out);
}

static void write_axes(const struct order_picture *p, const struct plot_panel *panel,
                       const struct layout *l, bool has_numbers, FILE *out)
{
	const struct plot_axis *x = &panel->raster.x, *y = &panel->raster.y;
	uint32_t unit = y->shift - panel->element_shift;
	uint64_t left = x->first << x->shift, right = (x->first + x->count) << x->shift;
	uint64_t low = y->first << unit, high = (y->first + y->count) << unit;
	uint32_t most = panel_height(p, panel) / TICS_HIGH;

	fprintf(out, "set xrange [%" PRIu64 ":%" PRIu64 "]\n", left, right);
	fprintf(out, "set yrange [%" PRIu64 ":%" PRIu64 "]\n", low, high);
	plot_page_tics("x", plot_tics_make(left, right, l->panels_width / TICS_WIDE), has_numbers,
	               out);
	plot_page_tics("y", plot_tics_make(low, high, most ? most : 1), true, out);
}

static void write_panel(const struct order_view *v, size_t i, const struct layout *l,
                        uint32_t bottom, FILE *out)
{
	const struct order_picture *p = &v->picture;
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
	plot_page_quote(v->panel_titles[i], out);
	fputs(" noenhanced offset 0, -0.5\nset ylabel 'element'\n", out);
	fputs(is_last ? "set xlabel 'number of the access, in order of time'\n" : "unset xlabel\n",
	      out);
	fprintf(out,
	        "plot $panel%zu matrix using (($1 + %" PRIu64 ".5) * 2**%" PRIu32
	        "):(($2 + %" PRIu64 ".5) * 2**%" PRIu32 "):3 with image notitle\n",
	        i, x->first, x->shift, y->first, unit);
}

static void write_script(const struct order_view *v, FILE *out)
{
	const struct order_picture *p = &v->picture;
	const struct layout l = lay_out(v);
	const struct plot_page page = { l.width, l.height, v->job->format };
	uint32_t bottom = l.height - l.top;

	write_head(v, &page, out);
	for (size_t i = 0; i < p->panel_count; i++)
		write_numbers(v, i, out);
	plot_page_titles(&page, v->titles, out);
	write_legend(v, &l, out);
	fputs("set multiplot\n", out);
	for (size_t i = 0; i < p->panel_count; i++) {
		bottom -= panel_height(p, &p->panels[i]);
		write_panel(v, i, &l, bottom, out);
		if (!i)
			fputs("unset colorbox\nunset label\n", out);
		bottom -= GAP;
	}
	fputs("unset multiplot\n", out);
}

/* --- CSV ------------------------------------------------------------------------------------- */

static int write_csv_row(const struct order_view *v, const struct plot_panel *panel, uint32_t row,
                         struct cell_table *t, struct err *err)
{
	const struct plot_raster *r = &panel->raster;
	uint64_t element = plot_axis_number(&r->y, row) >> panel->element_shift;
	uint64_t elements = UINT64_C(1) << (r->y.shift - panel->element_shift);
	char buffer[24];
	int ret = 0;

	(void)snprintf(buffer, sizeof(buffer), "%" PRId64, panel->place->buffer);
	for (uint32_t column = 0; !ret && column < r->x.count; column++) {
		const struct plot_cell *dot = plot_raster_cell(r, column, row);
		const struct cell cells[] = {
			cell_text(buffer),
			cell_text(acts[panel->act]),
			cell_number(plot_axis_number(&r->x, column)),
			cell_number(element),
			cell_number(UINT64_C(1) << r->x.shift),
			cell_number(elements),
			cell_number(dot->count),
			cell_number(v->is_count ? dot->count : dot->value),
		};

		if (dot->count)
			ret = t->format->row(t, cells, err);
	}
	return ret;
}

/* Write a row for each dot: the buffer (-1: none), the kind of its accesses, the first number of an
 * access and the first element that it stands for, how many numbers and elements, how many
 * accesses, and the value that colours it. */
static int write_csv(const struct order_view *v, FILE *out, struct err *err)
{
	const struct cell_column columns[] = {
		{ "buffer", "", "", CELL_TEXT },
		{ "act", "", "", CELL_TEXT },
		{ "order", "", "", CELL_NUMBER },
		{ "element", "", "", CELL_NUMBER },
		{ "orders", "", "", CELL_NUMBER },
		{ "elements", "", "", CELL_NUMBER },
		{ "accesses", "", "", CELL_NUMBER },
		{ colours[v->job->colour].name, "", "", CELL_NUMBER },
	};
	const struct order_picture *p = &v->picture;
	struct cell_table t = { .out = out, .format = &cell_table_as_csv };
	int ret = cell_table_begin(&t, columns, sizeof(columns) / sizeof(columns[0]), err);

	for (size_t i = 0; i < p->panel_count; i++)
		for (uint32_t row = 0; !ret && row < p->panels[i].raster.y.count; row++)
			ret = write_csv_row(v, &p->panels[i], row, &t, err);
	return ret;
}

/* --- all ------------------------------------------------------------------------------------- */

static int check_choices(const struct plot_job *job, struct err *err)
{
	const struct recorded_launch *l = &job->player.launches.recording->launches[job->launch];
	const struct gpu *gpu = job->player.gpu;
	uint64_t groups = launch_shape_group_count(&l->shape);

	if (job->sm.is_given && job->sm.value >= gpu->sm_count)
		return err_set(err, ERR_USAGE, "--sm: %s has SMs 0..%" PRIu32 ", not %" PRIu64,
		               gpu->name, gpu->sm_count - 1, job->sm.value);
	if (job->group.is_given && job->group.value >= groups)
		return err_set(err, ERR_USAGE,
		               "--group: launch %" PRIu64 " has groups 0..%" PRIu64
		               ", not %" PRIu64,
		               l->number, groups - 1, job->group.value);
	return 0;
}

static int make_picture(struct order_view *v, struct player_outcome *outcome, struct err *err)
{
	const struct plot_job *job = v->job;
	const struct recording *r = job->player.launches.recording;
	const struct recorded_launch *l = &r->launches[job->launch];
	struct order_request request = { .recording = r,
		                         .launch = job->launch,
		                         .gpu = job->player.gpu,
		                         .options = job->player.options,
		                         .group = option_number_given(&job->group),
		                         .sm = option_number_given(&job->sm),
		                         .from = option_number_given(&job->from),
		                         .to = option_number_given(&job->to),
		                         .buffers = &job->buffers,
		                         .colour = job->colour,
		                         .watch = job->player.watch };
	int ret;

	request.options.registers = job->player.registers[l->kernel];
	ret = order_picture_make(&v->picture, &request, err);
	outcome->lacks_accesses |= !ret && !v->picture.is_whole;
	if (ret || v->picture.accesses)
		return ret;
	err_set(err, ERR_USAGE,
	        "there is nothing to draw: launch %" PRIu64 " has no accesses to global "
	        "memory, or --group, --sm and --buffer leave none",
	        l->number);
	return PLOT_NOTHING;
}

int plot_order_write(const struct plot_job *job, FILE *out, struct player_outcome *outcome,
                     struct err *err)
{
	struct order_view v = { .job = job, .is_count = job->colour == ORDER_COLOUR_count };
	int ret = check_choices(job, err);

	if (!ret)
		ret = make_picture(&v, outcome, err);
	if (!ret)
		ret = find_titles(&v, err);
	if (!ret && job->format == PLOT_FORMAT_csv)
		ret = write_csv(&v, out, err);
	else if (!ret)
		write_script(&v, out);
	order_picture_release(&v.picture);
	for (size_t i = 0; i < PLOT_PANELS_MAX; i++)
		free(v.panel_titles[i]);
	free(v.titles);
	return ret;
}
