/* SPDX-License-Identifier: Apache-2.0 */
#include "curve_run.h"

#include "array.h"
#include "err.h"
#include "gpu_choice.h"
#include "plot_curve_script.h"
#include "plot_titles.h"
#include "recording.h"

#include <stdlib.h>

enum { TITLE_BYTES = 1 << 16 };

int curve_run_init(struct curve_run *run, const struct gpu_choice *choice, bool is_exact,
                   struct err *err)
{
	struct gpu played, described;
	struct curve_gpu gpu = { .played = &played, .described = &described };
	struct array l1s = { 0 };
	int ret;

	*run = (struct curve_run){ 0 };
	ret = gpu_choice_load(choice, &played, err);
	if (!ret)
		ret = gpu_catalogue_load(&described, choice->gpu, choice->l1, err);
	if (!ret)
		ret = gpu_choice_l1s(choice, true, &l1s, err);
	gpu.l1s = l1s.data;
	gpu.l1_count = l1s.count;
	if (!ret)
		ret = curve_set_init(&run->set, &gpu, is_exact, err);
	array_release(&l1s);
	return ret;
}

void curve_run_release(struct curve_run *run)
{
	curve_set_release(&run->set);
	free(run->titles);
	run->titles = NULL;
}

/* player_visitor's. */
static int end_launch(void *context, size_t launch, const struct replay_result *result,
                      struct err *err)
{
	struct curve_run *run = context;

	(void)launch;
	(void)result;
	run->set.launches++;
	return miss_curve_end(run->set.counts, err);
}

static int find_titles(struct curve_run *run, struct err *err)
{
	struct str titles;
	int ret;

	str_init(&titles, TITLE_BYTES);
	ret = plot_titles_launches(&titles, &run->job, &run->player, err);
	if (!ret)
		ret = plot_titles_gpu(&titles, &run->job, err);
	if (!ret)
		ret = plot_titles_curve(&titles, run->job.gpu, run->facts.replay_rate,
		                        curve_set_own_rate(&run->set), err);
	if (!ret)
		ret = plot_titles_missing(&titles, &run->job, run->facts.is_whole, err);
	run->titles = str_take(&titles);
	return ret;
}

static int find_facts(struct curve_run *run, struct err *err)
{
	const struct recording *r = run->job.recording;
	int ret = 0;

	run->facts.replay_rate = counters_miss_rate(&run->player.l1);
	run->facts.is_whole = !run->player.outcome.lacks_accesses;
	if (run->player.played == 1) {
		const struct recorded_launch *l = &r->launches[run->player.first];

		run->facts.kernel = r->kernels[l->kernel].table.name;
		run->facts.launch = l->number;
	}
	if (run->player.played)
		ret = find_titles(run, err);
	run->facts.titles = run->titles;
	return ret;
}

int curve_run_play(struct curve_run *run, const struct plot_job *job, struct err *err)
{
	const struct player_visitor visitor = { .context = run, .end = end_launch };
	int ret;

	run->job = *job;
	run->job.gpu = &run->set.gpu;
	run->job.options.request = miss_curve_request;
	run->job.options.request_context = run->set.counts;
	run->player = plot_job_player(&run->job);
	ret = player_play(&run->player, &visitor, err);
	return ret ? ret : find_facts(run, err);
}

int curve_run_write(const struct curve_run *run, enum plot_format format, FILE *out,
                    struct err *err)
{
	if (!reuse_counts_reads(miss_curve_counts(run->set.counts, 0))) {
		err_set(err, ERR_USAGE, "there is no read request to draw");
		return PLOT_NOTHING;
	}
	if (format == PLOT_FORMAT_csv)
		curve_csv_write(&run->set, out);
	else
		plot_curve_script_write(&run->set, &run->facts, format, out);
	return 0;
}
