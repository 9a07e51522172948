/* SPDX-License-Identifier: Apache-2.0 */
/* `plot --what sets`: the view of a heat_picture of sets. */
#include "plot_job.h"

#include "err.h"
#include "heat_picture.h"
#include "plot_heat_map.h"
#include "plot_titles.h"
#include "recording.h"
#include "shape_text.h"

#include <inttypes.h>
#include <stdlib.h>

enum { KERNELS_DRAWN = 16 };

struct sets_view {
	const struct plot_job *job;
	struct heat_picture picture;
	/* By kernel: the names of all columns, the drawn ones, and those left out. */
	const char *names[HEAT_KERNELS];
	uint32_t columns[KERNELS_DRAWN];
	uint32_t count, left_out;
	uint64_t requests_left_out;
	char *titles;
};

/* Draw the kernels with the most requests, by their number. */
static void choose_kernels(struct sets_view *v)
{
	const struct plot_heat *h = &v->picture.heat;
	uint64_t drawn = 0;

	v->count = plot_heat_fullest(h, HEAT_SET_REQUESTS, v->columns, KERNELS_DRAWN);
	for (uint32_t i = 0; i < v->count; i++)
		drawn += plot_heat_column(h, HEAT_SET_REQUESTS, v->columns[i]);
	for (uint32_t c = 0; c < h->used; c++) {
		v->names[c] = heat_picture_kernel(&v->picture, c);
		v->left_out += plot_heat_column(h, HEAT_SET_REQUESTS, c) > 0;
	}
	v->left_out -= v->count;
	v->requests_left_out = plot_heat_sum(h, HEAT_SET_REQUESTS) - drawn;
}

static int add_amounts(struct str *out, const struct sets_view *v, struct err *err)
{
	const struct plot_heat *h = &v->picture.heat;
	char requests[SHAPE_TEXT_BYTES], misses[COUNT_TEXT_BYTES], reads[COUNT_TEXT_BYTES];
	char beside[COUNT_TEXT_BYTES];
	int ret = str_printf(out, err, "%s, %s of %s reads miss",
	                     amount_text(requests, plot_heat_sum(h, HEAT_SET_REQUESTS), "request"),
	                     count_text(misses, plot_heat_sum(h, HEAT_SET_MISSES)),
	                     count_text(reads, plot_heat_sum(h, HEAT_SET_READS)));

	if (!ret && v->picture.player.beside)
		ret = str_printf(out, err, "; not shown: %s through read-only caches",
		                 count_text(beside, v->picture.player.beside));
	if (!ret && v->left_out)
		ret = str_printf(out, err, "; not shown: %" PRIu32 " more kernels with %s requests",
		                 v->left_out, count_text(requests, v->requests_left_out));
	return ret;
}

/* Add the row of a plane with the largest sum, and its ratio to the average. */
static int add_hottest(struct str *out, const struct sets_view *v, uint32_t plane, const char *what,
                       struct err *err)
{
	const struct plot_heat *h = &v->picture.heat;
	uint32_t unit = UINT32_C(1) << v->picture.set_shift;
	uint64_t most, hottest = heat_picture_fullest_row(&v->picture, plane, &most);
	char number[COUNT_TEXT_BYTES];

	if (!most)
		return 0;
	return str_printf(out, err, "; most %s: set%s %s, %.2f times the mean", what,
	                  unit > 1 ? "s from" : "", count_text(number, hottest * unit),
	                  (double)most * h->rows / (double)plot_heat_sum(h, plane));
}

static int add_cells(struct str *out, const struct sets_view *v, struct err *err)
{
	const struct heat_picture *p = &v->picture;
	char cycles[SHAPE_TEXT_BYTES], sets[SHAPE_TEXT_BYTES];
	int ret = 0;

	if (!p->is_by_kernel)
		ret = str_printf(out, err, "a column is %s",
		                 amount_text(cycles, p->heat.unit, "cycle"));
	else
		ret = str_printf(out, err, "a column is a kernel");
	if (!ret)
		ret = str_printf(out, err, ", a row %s",
		                 amount_text(sets, UINT64_C(1) << p->set_shift, "set"));
	if (!ret)
		ret = str_printf(
			out, err, "; the busiest row of a column has %.2f%% of it (alike: %.2f%%)",
			100 * plot_heat_focus(&p->heat, HEAT_SET_REQUESTS), 100.0 / p->heat.rows);
	return ret ? ret : str_printf(out, err, "; white: none; dashed: were all rows alike\n");
}

static int find_titles(struct sets_view *v, struct err *err)
{
	const struct player *player = &v->picture.player;
	struct str titles;
	int ret;

	str_init(&titles, PLOT_TITLES_BYTES);
	ret = plot_titles_begin(&titles, v->job, player, err);
	if (!ret)
		ret = add_amounts(&titles, v, err);
	if (!ret)
		ret = add_hottest(&titles, v, HEAT_SET_REQUESTS, "requests", err);
	if (!ret)
		ret = add_hottest(&titles, v, HEAT_SET_MISSES, "misses", err);
	if (!ret)
		ret = str_printf(&titles, err, "\n");
	if (!ret)
		ret = add_cells(&titles, v, err);
	if (!ret)
		ret = plot_titles_missing(&titles, v->job, !player->outcome.lacks_accesses, err);
	v->titles = str_take(&titles);
	return ret;
}

static int write_map(struct sets_view *v, FILE *out, struct err *err)
{
	bool is_by_kernel = v->picture.is_by_kernel;
	struct plot_heat_map map = {
		.heat = &v->picture.heat,
		.format = v->job->format,
		.planes = { [HEAT_SET_REQUESTS] = { "requests",
		                                    "Requests: reads, writes and atomics" },
		            [HEAT_SET_READS] = { "reads", NULL },
		            [HEAT_SET_MISSES] = { "misses", "Reads that miss" } },
		.row_name = "set",
		.rows_name = "sets",
		.row_numbers = UINT64_C(1) << v->picture.set_shift,
		.names = is_by_kernel ? v->names : NULL,
		.columns = v->columns,
	};
	int ret;

	if (is_by_kernel)
		choose_kernels(v);
	map.count = v->count;
	ret = find_titles(v, err);
	map.titles = v->titles;
	return ret ? ret : plot_heat_map_write(&map, out, err);
}

int plot_sets_write(const struct plot_job *job, FILE *out, struct player_outcome *outcome,
                    struct err *err)
{
	bool is_by_kernel = job->by == PLOT_BY_KERNEL;
	const struct player player = is_by_kernel ? job->player : plot_job_one(job);
	struct sets_view v = { .job = job };
	int ret;

	if (is_by_kernel && job->window.is_given)
		return err_set(err, ERR_USAGE, "--window: expected --by time with it");
	ret = heat_picture_sets(&v.picture, &player, job->window.value ? job->window.value : 1,
	                        is_by_kernel, err);
	*outcome = v.picture.player.outcome;
	if (!ret && !v.picture.heat.used) {
		err_set(err, ERR_USAGE, "there is no request to draw");
		ret = PLOT_NOTHING;
	}
	if (!ret)
		ret = write_map(&v, out, err);
	heat_picture_release(&v.picture);
	free(v.titles);
	return ret;
}
