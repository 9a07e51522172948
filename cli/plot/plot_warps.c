/* SPDX-License-Identifier: Apache-2.0 */
/* `plot --what warps`: the view of a heat_picture of warps. */
#include "plot_job.h"

#include "err.h"
#include "heat_picture.h"
#include "plot_heat_map.h"
#include "plot_titles.h"
#include "shape_text.h"

#include <stdlib.h>

static int add_amounts(struct str *out, const struct heat_picture *p, struct err *err)
{
	char instructions[COUNT_TEXT_BYTES], requests[COUNT_TEXT_BYTES], beside[COUNT_TEXT_BYTES];
	int ret = str_printf(
		out, err,
		"%s warp instructions that access memory, of %.2f active lanes on average; "
		"%s requests, of %.2f lanes",
		count_text(instructions, plot_heat_sum(&p->heat, HEAT_WARP_INSTRUCTIONS)),
		heat_picture_lanes(p, HEAT_WARP_INSTRUCTIONS),
		count_text(requests, plot_heat_sum(&p->heat, HEAT_WARP_REQUESTS)),
		heat_picture_lanes(p, HEAT_WARP_REQUESTS));

	if (!ret && p->player.beside)
		ret = str_printf(out, err, "; their %s requests of read-only caches not shown",
		                 count_text(beside, p->player.beside));
	return ret ? ret : str_printf(out, err, "\n");
}

/* Write the titles to *out, on the heap, even after a failure. */
static int find_titles(char **out, const struct plot_job *job, const struct heat_picture *p,
                       struct err *err)
{
	char cycles[SHAPE_TEXT_BYTES];
	struct str titles;
	int ret;

	str_init(&titles, PLOT_TITLES_BYTES);
	ret = plot_titles_begin(&titles, job, &p->player, err);
	if (!ret)
		ret = add_amounts(&titles, p, err);
	if (!ret)
		ret = str_printf(&titles, err,
		                 "a column is %s; white: none; red line: the mean of each 32nd of "
		                 "the time\n",
		                 amount_text(cycles, p->heat.unit, "cycle"));
	if (!ret)
		ret = plot_titles_missing(&titles, job, !p->player.outcome.lacks_accesses, err);
	*out = str_take(&titles);
	return ret;
}

static int write_map(const struct plot_job *job, const struct heat_picture *p, FILE *out,
                     struct err *err)
{
	struct plot_heat_map map = {
		.heat = &p->heat,
		.format = job->format,
		.planes = { [HEAT_WARP_INSTRUCTIONS] = { "instructions",
		                                         "Active lanes of an instruction: fewer "
		                                         "where warps diverge or end" },
		            [HEAT_WARP_REQUESTS] = { "requests",
		                                     "Lanes that one request serves: fewer where "
		                                     "lanes lie in other lines" } },
		.row_name = "lanes",
		.first_number = 1,
		.row_numbers = 1,
		.has_mean = true,
		.is_log = true,
	};
	char *titles = NULL;
	int ret = find_titles(&titles, job, p, err);

	map.titles = titles;
	if (!ret)
		ret = plot_heat_map_write(&map, out, err);
	free(titles);
	return ret;
}

int plot_warps_write(const struct plot_job *job, FILE *out, struct player_outcome *outcome,
                     struct err *err)
{
	const struct player player = plot_job_one(job);
	struct heat_picture picture;
	int ret;

	if (issue_order_unit(&player.options.order) == ISSUE_ITEMS) {
		err_set(err, ERR_USAGE,
		        "--schedule: there are no warps to draw where work-items take turns");
		return PLOT_NOTHING;
	}
	ret = heat_picture_warps(&picture, &player, job->window.value ? job->window.value : 1, err);
	*outcome = picture.player.outcome;
	if (!ret && !picture.heat.used) {
		err_set(err, ERR_USAGE, "there is no access to draw");
		ret = PLOT_NOTHING;
	}
	if (!ret)
		ret = write_map(job, &picture, out, err);
	heat_picture_release(&picture);
	return ret;
}
