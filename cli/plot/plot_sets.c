/* SPDX-License-Identifier: Apache-2.0 */
#include "plot_sets.h"

#include "gpu.h"
#include "l1_observer.h"
#include "player.h"
#include "plot_heat_script.h"
#include "plot_titles.h"
#include "recording.h"
#include "request.h"
#include "shape_text.h"
#include "text.h"

#include <inttypes.h>
#include <stdlib.h>

enum plane { REQUESTS, READS, MISSES, PLANES };

/* Kernels: that are counted, those after them together in the last place; that are drawn. */
enum { KERNELS_MAX = 1024, KERNELS_DRAWN = 16, TITLE_BYTES = 1 << 16 };

struct plot_sets {
	struct plot_job job; /* of the launches of the picture */
	struct player player;
	struct l1_observer observer;
	struct plot_heat heat;
	uint32_t set_shift; /* a row is 2^set_shift sets */
	uint32_t kernel;    /* column of the launch at work */
	/* By kernel: the columns that are drawn. */
	uint32_t columns[KERNELS_DRAWN];
	const char *names[KERNELS_DRAWN];
	uint32_t count, left_out;
	uint64_t requests_left_out;
	char *titles;
};

static void count_request(void *context, const struct request *r, const struct l1_outcome *o)
{
	struct plot_sets *p = context;
	uint64_t time = p->job.by == PLOT_BY_KERNEL ? p->kernel : o->cycle;
	uint32_t row = o->set >> p->set_shift;

	plot_heat_add(&p->heat, REQUESTS, row, time, 1);
	if (r->kind == SITE_READ && o->event != L1_BYPASS)
		plot_heat_add(&p->heat, READS, row, time, 1);
	if (o->event >= L1_COLD && o->event <= L1_SECTOR)
		plot_heat_add(&p->heat, MISSES, row, time, 1);
}

static void ignore_line(void *context, const struct l1_residency *x)
{
	(void)context;
	(void)x;
}

static const struct l1_observer *observe(void *context, uint32_t sm)
{
	struct plot_sets *p = context;

	(void)sm;
	return &p->observer;
}

static int begin_launch(void *context, size_t launch, struct replay_options *options,
                        struct err *err)
{
	struct plot_sets *p = context;
	uint32_t kernel = p->job.recording->launches[launch].kernel;

	(void)err;
	p->kernel = kernel < KERNELS_MAX ? kernel : KERNELS_MAX - 1;
	options->observer = observe;
	options->observer_context = p;
	return 0;
}

static const char *column_name(const struct plot_sets *p, uint32_t column)
{
	const struct recording *r = p->job.recording;

	if (column == KERNELS_MAX - 1 && r->kernel_count > KERNELS_MAX)
		return "all others";
	return r->kernels[column].table.name;
}

/* The kernels with the most requests, by their number. */
static void choose_kernels(struct plot_sets *p)
{
	uint64_t drawn = 0;

	p->count = plot_heat_fullest(&p->heat, REQUESTS, p->columns, KERNELS_DRAWN);
	for (uint32_t i = 0; i < p->count; i++) {
		p->names[i] = column_name(p, p->columns[i]);
		drawn += plot_heat_column(&p->heat, REQUESTS, p->columns[i]);
	}
	for (uint32_t c = 0; c < p->heat.used; c++)
		p->left_out += plot_heat_column(&p->heat, REQUESTS, c) > 0;
	p->left_out -= p->count;
	p->requests_left_out = plot_heat_sum(&p->heat, REQUESTS) - drawn;
}

static int add_amounts(struct str *out, const struct plot_sets *p, struct err *err)
{
	char requests[SHAPE_TEXT_BYTES], misses[COUNT_TEXT_BYTES], reads[COUNT_TEXT_BYTES];
	char beside[COUNT_TEXT_BYTES];
	int ret = str_printf(out, err, "%s, %s of %s reads miss",
	                     amount_text(requests, plot_heat_sum(&p->heat, REQUESTS), "request"),
	                     count_text(misses, plot_heat_sum(&p->heat, MISSES)),
	                     count_text(reads, plot_heat_sum(&p->heat, READS)));

	if (!ret && p->player.beside)
		ret = str_printf(out, err, "; not shown: %s through read-only caches",
		                 count_text(beside, p->player.beside));
	if (!ret && p->left_out)
		ret = str_printf(out, err, "; not shown: %" PRIu32 " more kernels with %s requests",
		                 p->left_out, count_text(requests, p->requests_left_out));
	return ret;
}

/* The row that stands out the most of a plane, and how far. */
static int add_hottest(struct str *out, const struct plot_sets *p, enum plane plane,
                       const char *what, struct err *err)
{
	uint64_t sum = plot_heat_sum(&p->heat, plane), most = 0;
	uint32_t hottest = 0, unit = UINT32_C(1) << p->set_shift;
	char number[COUNT_TEXT_BYTES];

	for (uint32_t r = 0; r < p->heat.rows; r++)
		if (plot_heat_row(&p->heat, plane, r) > most) {
			most = plot_heat_row(&p->heat, plane, r);
			hottest = r;
		}
	if (!most)
		return 0;
	return str_printf(out, err, "; most %s: set%s %s, %.2f times the mean", what,
	                  unit > 1 ? "s from" : "", count_text(number, (uint64_t)hottest * unit),
	                  (double)most * p->heat.rows / (double)sum);
}

static int add_cells(struct str *out, const struct plot_sets *p, struct err *err)
{
	char cycles[SHAPE_TEXT_BYTES], sets[SHAPE_TEXT_BYTES];
	int ret = 0;

	if (p->job.by == PLOT_BY_TIME)
		ret = str_printf(out, err, "a column is %s",
		                 amount_text(cycles, p->heat.unit, "cycle"));
	else
		ret = str_printf(out, err, "a column is a kernel");
	if (!ret)
		ret = str_printf(out, err, ", a row %s",
		                 amount_text(sets, UINT64_C(1) << p->set_shift, "set"));
	if (!ret)
		ret = str_printf(out, err,
		                 "; the busiest row of a column has %.2f%% of it (alike: %.2f%%)",
		                 100 * plot_heat_focus(&p->heat, REQUESTS), 100.0 / p->heat.rows);
	return ret ? ret : str_printf(out, err, "; white: none; dashed: were all rows alike\n");
}

static int find_titles(struct plot_sets *p, struct err *err)
{
	struct str titles;
	int ret;

	str_init(&titles, TITLE_BYTES);
	ret = plot_titles_launches(&titles, &p->job, &p->player, err);
	if (!ret)
		ret = plot_titles_gpu(&titles, &p->job, err);
	if (!ret)
		ret = add_amounts(&titles, p, err);
	if (!ret)
		ret = add_hottest(&titles, p, REQUESTS, "requests", err);
	if (!ret)
		ret = add_hottest(&titles, p, MISSES, "misses", err);
	if (!ret)
		ret = str_printf(&titles, err, "\n");
	if (!ret)
		ret = add_cells(&titles, p, err);
	if (!ret)
		ret = plot_titles_missing(&titles, &p->job, !p->player.outcome.lacks_accesses, err);
	p->titles = str_take(&titles);
	return ret;
}

static int play(struct plot_sets *p, struct player_outcome *outcome, struct err *err)
{
	const struct player_visitor visitor = { .context = p, .begin = begin_launch };
	uint64_t unit = p->job.window.value ? p->job.window.value : 1;
	bool is_by_kernel = p->job.by == PLOT_BY_KERNEL;
	int ret;

	while ((p->job.gpu->l1_sets - 1) >> p->set_shift >= PLOT_HEAT_ROWS)
		p->set_shift++;
	ret = plot_heat_init(&p->heat, PLANES, ((p->job.gpu->l1_sets - 1) >> p->set_shift) + 1,
	                     is_by_kernel ? KERNELS_MAX : PLOT_HEAT_COLUMNS,
	                     is_by_kernel ? 1 : unit, err);
	if (!ret)
		ret = player_play(&p->player, &visitor, err);
	*outcome = p->player.outcome;
	if (ret)
		return ret;
	if (!p->heat.used) {
		err_set(err, ERR_USAGE, "there is no request to draw");
		return PLOT_NOTHING;
	}
	if (is_by_kernel)
		choose_kernels(p);
	return find_titles(p, err);
}

static void write_csv(const struct plot_sets *p, FILE *out)
{
	const struct plot_heat *h = &p->heat;
	bool is_by_kernel = p->job.by == PLOT_BY_KERNEL;

	fprintf(out, "%s,set,sets,requests,reads,misses\n",
	        is_by_kernel ? "kernel,name" : "cycle,cycles");
	for (uint32_t c = 0; c < h->used; c++)
		for (uint32_t r = 0; r < h->rows; r++) {
			if (!plot_heat_cell(h, REQUESTS, r, c))
				continue;
			fprintf(out, "%" PRIu64 ",", c * h->unit);
			if (is_by_kernel)
				text_write_csv(out, column_name(p, c));
			else
				fprintf(out, "%" PRIu64, h->unit);
			fprintf(out, ",%" PRIu64 ",%d,%" PRIu64 ",%" PRIu64 ",%" PRIu64 "\n",
			        (uint64_t)r << p->set_shift, 1 << p->set_shift,
			        plot_heat_cell(h, REQUESTS, r, c), plot_heat_cell(h, READS, r, c),
			        plot_heat_cell(h, MISSES, r, c));
		}
}

static void write_script(const struct plot_sets *p, FILE *out)
{
	const struct plot_heat_page page = {
		.heat = &p->heat,
		.titles = p->titles,
		.format = p->job.format,
		.panels = { { REQUESTS, "Requests: reads, writes and atomics", "requests" },
		            { MISSES, "Reads that miss", "misses" } },
		.row_name = "set",
		.row_numbers = UINT64_C(1) << p->set_shift,
		.columns = p->columns,
		.names = p->names,
		.count = p->count,
	};

	plot_heat_script(&page, out);
}

int plot_sets_write(const struct plot_job *job, FILE *out, struct player_outcome *outcome,
                    struct err *err)
{
	struct plot_sets p = { .job = *job };
	int ret;

	if (job->by == PLOT_BY_KERNEL && job->window.is_given)
		return err_set(err, ERR_USAGE, "--window: expected --by time with it");
	if (job->by == PLOT_BY_TIME)
		p.job.launches = plot_job_one(job);
	p.job.options.jobs = 1; /* all SMs count in one place */
	p.observer = (struct l1_observer){ &p, count_request, ignore_line };
	p.player = plot_job_player(&p.job);
	ret = play(&p, outcome, err);
	if (!ret && job->format == PLOT_FORMAT_csv)
		write_csv(&p, out);
	else if (!ret)
		write_script(&p, out);
	plot_heat_release(&p.heat);
	free(p.titles);
	return ret;
}
