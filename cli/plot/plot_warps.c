/* SPDX-License-Identifier: Apache-2.0 */
#include "plot_warps.h"

#include "gpu.h"
#include "l1_observer.h"
#include "player.h"
#include "plot_heat_script.h"
#include "plot_titles.h"
#include "recording.h"
#include "request.h"
#include "shape_text.h"

#include <inttypes.h>
#include <stdlib.h>

enum plane { INSTRUCTIONS, REQUESTS, PLANES };

enum { TITLE_BYTES = 1 << 16 };

/* Row i is of i + 1 lanes. */
struct plot_warps {
	struct plot_job job; /* of one launch */
	struct player player;
	struct l1_observer observer;
	struct plot_heat heat;
	char *titles;
};

static void count_lanes(struct plot_warps *p, enum plane plane, uint32_t lanes, uint64_t cycle)
{
	uint32_t most = p->heat.rows;

	if (lanes)
		plot_heat_add(&p->heat, plane, (lanes < most ? lanes : most) - 1, cycle, 1);
}

static void count_instruction(void *context, uint32_t sm, const struct warp_access *a,
                              uint64_t now_cycles)
{
	(void)sm;
	count_lanes(context, INSTRUCTIONS, a->lane_count, now_cycles);
}

static void count_request(void *context, const struct request *r, const struct l1_outcome *o)
{
	count_lanes(context, REQUESTS, r->lanes, o->cycle);
}

static void ignore_line(void *context, const struct l1_residency *x)
{
	(void)context;
	(void)x;
}

static const struct l1_observer *observe(void *context, uint32_t sm)
{
	struct plot_warps *p = context;

	(void)sm;
	return &p->observer;
}

static uint64_t sum_lanes(const struct plot_warps *p, enum plane plane)
{
	uint64_t lanes = 0;

	for (uint32_t r = 0; r < p->heat.rows; r++)
		lanes += (r + 1) * plot_heat_row(&p->heat, plane, r);
	return lanes;
}

static double mean_lanes(const struct plot_warps *p, enum plane plane)
{
	uint64_t count = plot_heat_sum(&p->heat, plane);

	return count ? (double)sum_lanes(p, plane) / (double)count : 0;
}

static int add_amounts(struct str *out, const struct plot_warps *p, struct err *err)
{
	char instructions[COUNT_TEXT_BYTES], requests[COUNT_TEXT_BYTES], beside[COUNT_TEXT_BYTES];
	uint64_t count = plot_heat_sum(&p->heat, INSTRUCTIONS);
	int ret = str_printf(
		out, err,
		"%s warp instructions that access memory, of %.2f active lanes on average; "
		"%s requests, of %.2f lanes",
		count_text(instructions, count), mean_lanes(p, INSTRUCTIONS),
		count_text(requests, plot_heat_sum(&p->heat, REQUESTS)), mean_lanes(p, REQUESTS));

	if (!ret && p->player.beside)
		ret = str_printf(out, err, "; their %s requests of read-only caches not shown",
		                 count_text(beside, p->player.beside));
	return ret ? ret : str_printf(out, err, "\n");
}

static int find_titles(struct plot_warps *p, struct err *err)
{
	char cycles[SHAPE_TEXT_BYTES];
	struct str titles;
	int ret;

	str_init(&titles, TITLE_BYTES);
	ret = plot_titles_launches(&titles, &p->job, &p->player, err);
	if (!ret)
		ret = plot_titles_gpu(&titles, &p->job, err);
	if (!ret)
		ret = add_amounts(&titles, p, err);
	if (!ret)
		ret = str_printf(&titles, err,
		                 "a column is %s; white: none; red line: the mean of each 32nd of "
		                 "the time\n",
		                 amount_text(cycles, p->heat.unit, "cycle"));
	if (!ret)
		ret = plot_titles_missing(&titles, &p->job, !p->player.outcome.lacks_accesses, err);
	p->titles = str_take(&titles);
	return ret;
}

static int play(struct plot_warps *p, struct player_outcome *outcome, struct err *err)
{
	const struct player_visitor visitor = { 0 };
	int ret = plot_heat_init(&p->heat, PLANES, p->job.gpu->warp_lanes, PLOT_HEAT_COLUMNS,
	                         p->job.window.value ? p->job.window.value : 1, err);

	if (!ret)
		ret = player_play(&p->player, &visitor, err);
	*outcome = p->player.outcome;
	if (ret)
		return ret;
	if (p->heat.used)
		return find_titles(p, err);
	err_set(err, ERR_USAGE, "there is no access to draw");
	return PLOT_NOTHING;
}

static void write_csv(const struct plot_warps *p, FILE *out)
{
	const struct plot_heat *h = &p->heat;

	fputs("cycle,cycles,lanes,instructions,requests\n", out);
	for (uint32_t c = 0; c < h->used; c++)
		for (uint32_t r = 0; r < h->rows; r++) {
			uint64_t instructions = plot_heat_cell(h, INSTRUCTIONS, r, c);
			uint64_t requests = plot_heat_cell(h, REQUESTS, r, c);

			if (instructions || requests)
				fprintf(out,
				        "%" PRIu64 ",%" PRIu64 ",%" PRIu32 ",%" PRIu64 ",%" PRIu64
				        "\n",
				        c * h->unit, h->unit, r + 1, instructions, requests);
		}
}

static void write_script(const struct plot_warps *p, FILE *out)
{
	const struct plot_heat_page page = {
		.heat = &p->heat,
		.titles = p->titles,
		.format = p->job.format,
		.panels = { { INSTRUCTIONS,
		              "Active lanes of an instruction: fewer where warps diverge or end",
		              "instructions" },
		            { REQUESTS,
		              "Lanes that one request serves: fewer where lanes lie in other "
		              "lines",
		              "requests" } },
		.row_name = "lanes",
		.first_number = 1,
		.row_numbers = 1,
		.has_mean = true,
		.is_log = true,
	};

	plot_heat_script(&page, out);
}

int plot_warps_write(const struct plot_job *job, FILE *out, struct player_outcome *outcome,
                     struct err *err)
{
	struct plot_warps p = { .job = *job };
	int ret;

	if (issue_order_unit(&job->options.order) == ISSUE_ITEMS) {
		err_set(err, ERR_USAGE,
		        "--schedule: there are no warps to draw where work-items take turns");
		return PLOT_NOTHING;
	}
	p.job.launches = plot_job_one(job);
	p.job.options.jobs = 1; /* all SMs count in one place */
	p.job.options.access = count_instruction;
	p.job.options.access_context = &p;
	p.job.options.observer = observe;
	p.job.options.observer_context = &p;
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
