/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "err.h"
#include "json_out.h"
#include "launch_choice.h"
#include "launch_summary.h"
#include "recording.h"
#include "replay_choice.h"
#include "replay_output.h"
#include "replay_report.h"
#include "stats_report.h"
#include "stats_rows.h"
#include "stats_run.h"
#include "tally_report.h"
#include "wait_line.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

struct replay_settings {
	struct replay_choice replay;
	const char *classes, *json;
	struct stats_choice stats;
};

static const struct option_row rows[] = {
#define REPLAY_ROWS_TYPE   struct replay_settings
#define REPLAY_ROWS_MEMBER replay
#include "replay_rows.def"
	{ .name = "classes",
	  .argument = "on|off",
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct replay_settings, classes),
	  .text = "off: do not tell why reads missed, which takes a third of the time; misses are "
	          "exact (default: on)" },
	{ .name = "stats",
	  .argument = "LIST",
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct replay_settings, stats.sections),
	  .text = "tables of whose the misses are and how lines are used, with commas, or all:"
#define STATS_SECTION(name, text) " " #name
#include "stats_sections.def"
#undef STATS_SECTION
	},
	{ .name = "top",
	  .argument = "N",
	  .kind = OPTION_NUMBER,
	  .offset = offsetof(struct replay_settings, stats.top),
	  .max = UINT32_MAX,
	  .text = "rows of each table of --stats in the text (default: 10; 0: all)" },
	{ .name = "window",
	  .argument = "CYCLES",
	  .kind = OPTION_NUMBER,
	  .offset = offsetof(struct replay_settings, stats.window),
	  .max = UINT32_MAX,
	  .text = "length of a window of --stats windows (default: what makes at most 64)" },
	JSON_ROW(struct replay_settings),
};
const struct option_table replay_options = { rows, sizeof(rows) / sizeof(rows[0]),
	                                     sizeof(struct replay_settings) };

/* A replay under way. */
struct replay_run {
	const struct recording *recording;
	struct replay_setup setup;
	FILE *text;                /* NULL: none */
	struct replay_output json; /* where it is asked for */
	struct replay_total total;
	struct stats_run stats;
	struct wait_line wait;
	size_t refused; /* launches that the GPU cannot hold */
	bool is_whole;
};

static int choose_classes(struct replay_options *options, const struct replay_settings *s,
                          struct err *err)
{
	if (!s->classes || !strcmp(s->classes, "on"))
		return 0;
	if (strcmp(s->classes, "off") != 0)
		return err_set(err, ERR_USAGE, "--classes: '%s' is neither on nor off", s->classes);
	if (s->stats.sections)
		return err_set(err, ERR_USAGE,
		               "--classes off: --stats tells misses by class; give one of them");
	options->is_unclassified = true;
	return 0;
}

static int skip(struct replay_run *run, size_t launch, const char *reason, struct err *err)
{
	if (run->text)
		replay_text_skipped(run->text, run->recording, launch, reason);
	if (!replay_output_is_open(&run->json))
		return 0;
	return replay_output_skip(&run->json, launch, reason, err);
}

/* The statistics of --stats, behind the rest. */
static int report_stats(struct replay_run *run, size_t launch, json_t *row, struct err *err)
{
	const struct stats_source from = stats_run_source(&run->stats, run->recording, launch);
	int ret = 0;

	if (!run->stats.is_any_wanted)
		return 0;
	if (run->text)
		ret = stats_text_launch(run->text, &run->stats, &from, err);
	if (!ret && row)
		ret = stats_json_launch(&run->json.out, row, &run->stats, &from, err);
	return ret;
}

static int report(struct replay_run *run, size_t launch, const struct replay_result *result,
                  struct err *err)
{
	const struct replayed_launch l = { &run->setup.gpu, run->recording, launch, result };
	bool has_json = replay_output_is_open(&run->json);
	json_t *row = NULL;
	int ret;

	replay_total_add(&run->total, result, &run->setup.options);
	run->is_whole = run->is_whole && result->is_whole;
	if (has_json)
		row = replay_json_launch(&run->json.out, &l);
	if (run->text)
		replay_text_launch(run->text, &l);
	ret = report_stats(run, launch, row, err);
	if (has_json)
		replay_output_launch(&run->json, row);
	return ret;
}

/* Play one launch. One that this GPU cannot hold is listed, and the others are played. */
static int play(struct replay_run *run, size_t launch, bool is_chosen, struct err *err)
{
	const struct recorded_launch *l = &run->recording->launches[launch];
	struct replay_result result = { 0 };
	struct err why = { 0 };
	int ret;

	if (l->fate != LAUNCH_TRACED && !is_chosen)
		return skip(run, launch, launch_summary_reason(run->recording, launch), err);
	run->setup.options.registers = run->setup.registers[l->kernel];
	wait_line_what(&run->wait, "launch %" PRIu64 ", %s", l->number,
	               run->recording->kernels[l->kernel].table.name);
	ret = stats_run_begin(&run->stats, run->recording, launch, &run->setup.gpu,
	                      &run->setup.options, &why);
	if (!ret)
		ret = replay_launch(run->recording, launch, &run->setup.gpu, &run->setup.options,
		                    &result, &why);
	if (!ret)
		ret = stats_run_end(&run->stats, run->recording, launch, &why);
	if (!ret) {
		ret = report(run, launch, &result, err);
	} else if (ret == ERR_CONFIG && !is_chosen) {
		run->refused++;
		ret = skip(run, launch, why.msg, err);
	} else {
		err_set(err, (enum err_code)ret, "%s", why.msg);
	}
	replay_result_release(&result);
	stats_run_release(&run->stats);
	return ret;
}

static int play_choice(struct replay_run *run, const struct launch_choice *choice, bool is_quiet,
                       struct err *err)
{
	uint64_t done = 0;
	int ret = 0;

	wait_line_begin(&run->wait, "replay", launch_choice_accesses(choice), is_quiet);
	run->setup.options.played = &run->wait.done;
	for (size_t i = choice->first; !ret && i < choice->end; i++) {
		ret = play(run, i, choice->is_one, err);
		done += launch_choice_accesses_of(run->recording, i);
		wait_line_reach(&run->wait, done);
	}
	wait_line_end(&run->wait);
	return ret;
}

static int play_all(struct replay_run *run, const struct replay_settings *s, bool is_quiet,
                    struct err *err)
{
	const struct launch_choice choice = launch_choice_make(run->recording, &s->replay.launch);
	int ret = launch_choice_check(&choice, err);

	if (!ret && run->text)
		replay_text_head(run->text, &run->setup.gpu, &run->setup.options);
	if (!ret)
		ret = play_choice(run, &choice, is_quiet, err);
	if (!ret && run->text && !s->replay.launch.is_given)
		tally_report_print(run->text, run->recording, "\nNot played: ");
	if (!ret && run->text && run->total.launches > 1)
		replay_text_total(run->text, &run->setup.gpu, &run->total);
	if (!ret && run->text && run->total.launches > 1)
		ret = stats_text_sum(run->text, &run->stats, &run->stats.sum, err);
	return ret;
}

/* What follows the launches. */
static int end_json(struct replay_run *run, struct err *err)
{
	bool is_complete = run->is_whole && recording_is_complete(run->recording, NULL);
	json_t *total = replay_json_total(&run->json.out, &run->total);
	int ret = 0;

	if (run->stats.is_any_wanted)
		ret = stats_json_sum(&run->json.out, total, &run->stats, &run->stats.sum, err);
	if (!ret)
		return replay_output_end(&run->json, run->recording, is_complete, total, err);
	json_decref(total);
	return ret;
}

static int verdict(const struct replay_run *run, struct err *err)
{
	int ret = command_verdict("replay", run->recording);

	if (!ret && !run->is_whole) {
		command_say("replay", "%s: a launch's file lacks accesses", run->recording->dir);
		ret = EXIT_INCOMPLETE;
	}
	if (run->refused)
		return err_set(err, ERR_CONFIG,
		               "launches that do not fit on %s and were not played: %zu",
		               run->setup.gpu.name, run->refused);
	return ret;
}

int cmd_replay(const void *settings, const struct operands *operands, struct err *err)
{
	const struct replay_settings *s = settings;
	bool is_json_only = s->json && out_file_is_stdout(s->json);
	struct replay_run run = { .text = is_json_only ? NULL : stdout, .is_whole = true };
	struct recording *recording = NULL;
	int ret = stats_run_init(&run.stats, &s->stats, err);

	if (!ret)
		ret = replay_setup_init(&run.setup, &s->replay, err);
	if (!ret)
		ret = choose_classes(&run.setup.options, s, err);
	if (!ret)
		ret = launch_pick_open(&s->replay.pick, &recording, operands->items[0], err);
	if (!ret)
		ret = replay_setup_recording(&run.setup, &s->replay, "replay", recording, err);
	if (ret)
		goto out;
	run.recording = recording;
	if (s->json)
		ret = replay_output_begin(&run.json, s->json, &run.setup.gpu, &run.setup.options,
		                          err);
	if (!ret)
		ret = play_all(&run, s, operands->common.is_quiet, err);
	if (!ret && run.text)
		ret = command_flush(run.text, "standard output", err);
	if (!ret && s->json)
		ret = end_json(&run, err);
	if (!ret)
		ret = verdict(&run, err);
out:
	replay_output_release(&run.json);
	stats_run_free(&run.stats);
	replay_setup_release(&run.setup);
	recording_close(recording);
	return ret;
}
