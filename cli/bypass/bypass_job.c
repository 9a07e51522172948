/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_job.h"

#include "bypass_carveout.h"
#include "bypass_report.h"
#include "bypass_source.h"
#include "err.h"
#include "launch_summary_text.h"
#include "options.h"
#include "out_file.h"
#include "progress_line.h"
#include "read_rules.h"
#include "recording.h"
#include "say.h"

#include <stdlib.h>
#include <string.h>

enum { TOP_BY_DEFAULT = 10 };

_Static_assert((int)JOBS_MAX <= (int)BYPASS_RUN_JOBS_MAX, "--jobs: more than a search can use");

/* A job under way. */
struct job {
	const struct bypass_settings *settings;
	struct gpu_choice choice; /* of the GPU, with our defaults */
	struct gpu gpu;
	struct recording *recording;
	struct launch_choice launches;
	uint32_t *registers;
	struct bypass_list given;
	struct bypass_wish wish;
	struct bypass_run run;
	struct progress_line wait;
	struct array kernels; /* struct bypass_kernel, until they are tried */
	struct bypass_try *tries;
	size_t count;
	struct bypass_list best; /* of all kernels */
	struct array splits;
};

static const char bandwidth_on[] = "bandwidth=on";

/* The GPU, with the time that transfers take unless the user says otherwise. */
static int choose_gpu(struct job *job, struct err *err)
{
	struct option_list *set = &job->choice.set;

	job->choice = job->settings->gpu;
	if (set->count == OPTION_LIST_LIMIT)
		return err_set(err, ERR_USAGE, "--set: at most %d of them can be given here",
		               OPTION_LIST_LIMIT - 1);
	memmove(&set->items[1], &set->items[0], set->count * sizeof(set->items[0]));
	set->items[0] = bandwidth_on;
	set->count++;
	return gpu_choice_load(&job->choice, &job->gpu, err);
}

/* Which lists to make, and for what. */
static int choose_lists(struct job *job, struct err *err)
{
	const struct bypass_settings *s = job->settings;
	struct bypass_wish *wish = &job->wish;
	int ret = 0;

	wish->top = s->top.is_given ? s->top.value : TOP_BY_DEFAULT;
	if (!wish->top)
		wish->top = UINT64_MAX;
	wish->limit = s->limit.is_given ? (uint32_t)s->limit.value : BYPASS_SEARCH_LIMIT;
	if (!wish->limit)
		return err_set(err, ERR_USAGE, "--limit: expected at least 1");
	if (s->by || !s->list)
		ret = bypass_wish_read(wish, s->by, err);
	if (!ret && s->objective) {
		struct err why = { 0 };

		if (bypass_objective_read(&wish->objective, s->objective, &why))
			return err_set(err, ERR_USAGE, "--objective: %s", why.msg);
	}
	return ret;
}

/* The list that is given: by --list, or by the recording, which was made with it. */
static int choose_given(struct job *job, struct err *err)
{
	const char *text = job->settings->list;
	const struct recording *r = job->recording;
	struct err why = { 0 };
	int ret;

	if (text || r->bypass.file)
		job->wish.given = &job->given;
	if (text)
		return read_rules_load(&job->given, "--list", text, r, &job->gpu, err);
	job->wish.is_recorded = r->bypass.file != NULL;
	ret = recording_read_list(r, &r->bypass, &job->given, err);
	/* it may be of kernels that did not run: no reason not to look for a better one */
	if (!ret && read_rules_check(&job->given, r->bypass.file, r, &job->gpu, &why))
		say_line("bypass", "the list that the recording keeps: %s", why.msg);
	return ret;
}

static int begin(struct job *job, const char *dir, struct err *err)
{
	int ret = choose_gpu(job, err);

	if (!ret)
		ret = order_choice_read(&job->run.options, &job->settings->order, &job->gpu, err);
	job->run.options.jobs = options_jobs(&job->settings->jobs);
	if (!ret)
		ret = choose_lists(job, err);
	if (!ret)
		ret = launch_pick_open(&job->settings->pick, &job->recording, dir, err);
	if (ret)
		return ret;
	job->launches =
		launch_choice_make(job->recording, option_number_given(&job->settings->launch));
	ret = launch_choice_check(&job->launches, err);
	if (!ret) {
		job->registers = register_choice_kernels(&job->settings->registers, "bypass",
		                                         job->recording, err);
		ret = job->registers ? choose_given(job, err) : err->code;
	}
	job->run.recording = job->recording;
	job->run.gpu = &job->gpu;
	job->run.registers = job->registers;
	return ret;
}

/* Try the kernels, one after another; each takes its struct out of the array. */
static int try_kernels(struct job *job, struct err *err)
{
	int ret = bypass_run_kernels(&job->run, &job->launches, &job->kernels, err);
	struct bypass_kernel *kernels = job->kernels.data;

	if (!ret) {
		job->tries = array_alloc(job->kernels.count, sizeof(*job->tries), "kernels", err);
		ret = job->tries ? 0 : ERR_NOMEM;
	}
	for (size_t i = 0; job->tries && i < job->kernels.count && !ret; i++) {
		struct bypass_try *t = &job->tries[i];

		t->kernel = kernels[i];
		job->count++;
		ret = bypass_try_play(t, &job->wish, job->launches.is_one, err);
	}
	for (size_t i = job->count; i < job->kernels.count; i++)
		bypass_kernel_release(&kernels[i]);
	return ret;
}

/* The best lists of all kernels as one. */
static int gather_best(struct job *job, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < job->count; i++) {
		const struct bypass_list *list = &job->tries[i].entries[job->tries[i].best].list;

		for (size_t r = 0; r < list->count && !ret; r++)
			ret = bypass_list_add(&job->best, &list->rules[r], err);
	}
	return ret;
}

static int write_list(const struct job *job, struct err *err)
{
	struct out_file file;
	int ret = out_file_open(&file, job->settings->out, err);

	if (!ret)
		ret = bypass_list_write(&job->best, file.stream, err);
	if (!ret)
		ret = out_file_end(&file, err);
	out_file_release(&file);
	return ret;
}

static int write_csv(const struct job *job, const struct bypass_report *report, struct err *err)
{
	struct out_file file;
	int ret = out_file_open(&file, job->settings->csv, err);

	if (!ret)
		ret = bypass_csv_write(file.stream, report, err);
	if (!ret)
		ret = out_file_end(&file, err);
	out_file_release(&file);
	return ret;
}

static int write_json(const struct job *job, const struct bypass_report *report, struct err *err)
{
	struct json_out out = { 0 };
	json_t *root = bypass_json(&out, report, err);

	json_out_bool(&out, root, "complete",
	              !job->run.outcome.lacks_accesses &&
	                      recording_is_complete(job->recording, NULL));
	json_out_value(&out, root, "left_out", launch_summary_tallies_json(&out, job->recording));
	return json_out_write(&out, root, job->settings->json, err);
}

/* What the best list does with each split of the SM's storage. */
static int play_splits(struct job *job, struct err *err)
{
	const struct bypass_list *best = job->best.count ? &job->best : NULL;
	struct array gpus;
	int ret = gpu_choice_l1s(&job->choice, false, &gpus, err);

	if (!ret)
		ret = bypass_carveout_play(&job->run, &gpus, &job->launches, best, &job->splits,
		                           err);
	array_release(&gpus);
	return ret;
}

static bool is_stdout(const char *name)
{
	return name && out_file_is_stdout(name);
}

static int write_text(const struct job *job, const struct bypass_report *report, struct err *err)
{
	const struct bypass_settings *s = job->settings;
	int ret;

	if (is_stdout(s->json) || is_stdout(s->csv) || is_stdout(s->out))
		return 0;
	ret = s->source ? bypass_text_sentence(stdout, report, err)
	                : bypass_text_print(stdout, report, err);
	if (s->source)
		fputc('\n', stdout);
	else if (!ret && !s->launch.is_given)
		launch_summary_print_tallies(stdout, job->recording, "\nNot played: ");
	return ret ? ret : say_flush(stdout, "standard output", err);
}

static int report(struct job *job, struct err *err)
{
	const struct bypass_settings *s = job->settings;
	struct bypass_report report = { .run = &job->run,
		                        .wish = &job->wish,
		                        .tries = job->tries,
		                        .count = job->count,
		                        .has_splits = s->carveout,
		                        .splits = job->splits.data,
		                        .split_count = job->splits.count };
	int ret;

	bypass_report_sum(&report);
	ret = write_text(job, &report, err);
	if (!ret && s->json)
		ret = write_json(job, &report, err);
	if (!ret && s->csv)
		ret = write_csv(job, &report, err);
	if (!ret && s->out)
		ret = write_list(job, err);
	return ret;
}

static void release(struct job *job)
{
	for (size_t i = 0; i < job->count; i++)
		bypass_try_release(&job->tries[i]);
	free(job->tries);
	array_release(&job->kernels);
	array_release(&job->splits);
	bypass_list_release(&job->best);
	bypass_list_release(&job->given);
	free(job->registers);
	recording_close(job->recording);
	free(job);
}

int bypass_job_run(const struct bypass_settings *s, const char *dir, bool is_quiet, struct err *err)
{
	struct job *job = array_alloc(1, sizeof(*job), "settings", err);
	int ret, listed = 0;

	if (!job)
		return ERR_NOMEM;
	job->settings = s;
	ret = begin(job, dir, err);
	progress_line_begin(&job->wait, "bypass", 0, is_quiet);
	job->run.watch = &job->wait.watch;
	if (!ret)
		ret = try_kernels(job, err);
	if (!ret)
		ret = gather_best(job, err);
	if (!ret && s->carveout)
		ret = play_splits(job, err);
	progress_line_end(&job->wait);
	if (!ret)
		ret = report(job, err);
	if (!ret && s->source)
		listed = bypass_source_write(
			&(struct bypass_source_job){ stdout, &job->best, job->recording }, err);
	if (listed < 0)
		ret = listed;
	if (!ret)
		ret = say_player_verdict("bypass", job->recording, &job->run.outcome, &job->gpu,
		                         err);
	release(job);
	return ret ? ret : listed;
}
