/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "err.h"
#include "json_out.h"
#include "launch_summary_text.h"
#include "player.h"
#include "progress_line.h"
#include "recording.h"
#include "replay_choice.h"
#include "replay_report.h"
#include "say.h"
#include "stats_report.h"
#include "stats_run.h"

#include <stdlib.h>
#include <string.h>

struct replay_settings {
	struct replay_choice replay;
	const char *classes, *json, *stats;
	struct option_number top, window;
};

static const struct option_row rows[] = {
#define REPLAY_ROWS_TYPE   struct replay_settings
#define REPLAY_ROWS_MEMBER replay
#include "replay_rows.def"
	{ .name = "classes",
	  .argument = "on|off",
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct replay_settings, classes),
	  .text = "off: do not classify misses, which saves a third of the time and changes "
	          "no other count (default: on)" },
	{ .name = "stats",
	  .argument = "LIST",
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct replay_settings, stats),
	  .text = "tables of misses and of how lines are used, comma-separated, or all:"
#define STATS_SECTION(name, text) " " #name
#include "stats_sections.def"
#undef STATS_SECTION
	},
	{ .name = "top",
	  .argument = "N",
	  .kind = OPTION_NUMBER,
	  .offset = offsetof(struct replay_settings, top),
	  .max = UINT32_MAX,
	  .text = "rows of each table of --stats in the text (default: 10; 0: all)" },
	{ .name = "window",
	  .argument = "CYCLES",
	  .kind = OPTION_NUMBER,
	  .offset = offsetof(struct replay_settings, window),
	  .max = UINT32_MAX,
	  .text = "length of a window of --stats windows (default: what makes at most 64)" },
	JSON_ROW(struct replay_settings),
};
const struct option_table replay_options = { rows, sizeof(rows) / sizeof(rows[0]),
	                                     sizeof(struct replay_settings) };

/* A replay in progress. */
struct replay_run {
	const struct recording *recording;
	struct replay_setup setup;
	FILE *text;              /* NULL: none */
	struct replay_json json; /* if requested */
	struct replay_total total;
	struct stats_run stats;
	struct player_outcome outcome;
};

static bool is_word(const char *word, size_t length, const char *name)
{
	return strlen(name) == length && !memcmp(word, name, length);
}

/* Read a word of --stats. */
static int add_wanted(struct stats_run *s, const char *word, size_t length, struct err *err)
{
	for (size_t i = 0; i < STATS_SECTIONS; i++)
		if (is_word(word, length, stats_section_name((enum stats_section)i))) {
			s->is_wanted[i] = true;
			return 0;
		}
	if (is_word(word, length, "all")) {
		memset(s->is_wanted, true, sizeof(s->is_wanted));
		return 0;
	}
	return err_set(err, ERR_USAGE, "--stats: unknown section '%.*s'; there are: all"
#define STATS_SECTION(name, text) " " #name
#include "stats_sections.def"
#undef STATS_SECTION
	               ,
	               length > 40 ? 40 : (int)length, word);
}

/* Read --stats, --top and --window; there is no launch yet. */
static int choose_stats(struct stats_run *s, const struct replay_settings *c, struct err *err)
{
	const char *word = c->stats;
	int ret = 0;

	*s = (struct stats_run){ .top = c->top.is_given ? c->top.value : TOP_BY_DEFAULT,
		                 .window_cycles = c->window.value,
		                 .is_any_wanted = c->stats != NULL };
	if (!s->top)
		s->top = UINT64_MAX;
	while (word && !ret) {
		size_t length = strcspn(word, ",");

		ret = add_wanted(s, word, length, err);
		word = word[length] ? word + length + 1 : NULL;
	}
	if (!ret && c->top.is_given && !s->is_any_wanted)
		ret = err_set(err, ERR_USAGE, "--top: expected --stats with it");
	if (!ret && c->window.is_given && !s->is_wanted[STATS_windows])
		ret = err_set(err, ERR_USAGE, "--window: expected --stats windows with it");
	if (!ret && c->window.is_given && !c->window.value)
		ret = err_set(err, ERR_USAGE, "--window: expected at least 1 cycle");
	return ret;
}

static int choose_classes(struct replay_options *options, const struct replay_settings *s,
                          struct err *err)
{
	if (!s->classes || !strcmp(s->classes, "on"))
		return 0;
	if (strcmp(s->classes, "off") != 0)
		return err_set(err, ERR_USAGE, "--classes: '%s' is neither on nor off", s->classes);
	if (s->stats)
		return err_set(
			err, ERR_USAGE,
			"--classes off: --stats needs the classes of misses; give one of the two");
	options->is_unclassified = true;
	return 0;
}

/* Report the statistics of --stats, after the rest. */
static int report_stats(struct replay_run *run, size_t launch, json_t *row, struct err *err)
{
	const struct stats_source from = stats_run_source(&run->stats, run->recording, launch);
	int ret = 0;

	if (!run->stats.is_any_wanted)
		return 0;
	if (run->text)
		ret = stats_text_launch(run->text, &run->stats, &from, err);
	if (!ret && row)
		ret = stats_json_launch(&run->json.document.out, row, &run->stats, &from, err);
	return ret;
}

static void add_to_total(struct replay_total *total, const struct replay_result *result,
                         const struct replay_options *options)
{
	total->launches++;
	total->lanes += result->schedule.lanes;
	total->requests += result->schedule.requests;
	counters_add(&total->l1, &result->total);
	counters_add(&total->read_only, &result->read_only);
	total->has_read_only = options->read_only.count;
	total->has_bypass = options->bypass;
	hierarchy_counts_sum(&total->below, &result->below);
}

/* The callbacks of struct player_visitor. */
static int begin_launch(void *context, size_t launch, struct replay_options *options,
                        struct err *err)
{
	struct replay_run *run = context;

	return stats_run_begin(&run->stats, run->recording, launch, &run->setup.gpu, options, err);
}

static int report_launch(void *context, size_t launch, const struct replay_result *result,
                         struct err *err)
{
	struct replay_run *run = context;
	const struct replayed_launch l = { &run->setup.gpu, run->recording, launch, result };
	bool has_json = replay_json_is_open(&run->json);
	json_t *row = NULL;
	int ret = stats_run_end(&run->stats, run->recording, launch, err);

	if (ret)
		return ret;
	add_to_total(&run->total, result, &run->setup.options);
	if (has_json)
		row = replay_json_object(&run->json, &l);
	if (run->text)
		replay_text_launch(run->text, &l);
	ret = report_stats(run, launch, row, err);
	if (has_json)
		replay_json_launch(&run->json, row);
	return ret;
}

static void release_launch(void *context)
{
	struct replay_run *run = context;

	stats_run_release(&run->stats);
}

static int skip(void *context, size_t launch, const char *why, struct err *err)
{
	struct replay_run *run = context;

	if (run->text)
		replay_text_skipped(run->text, run->recording, launch, why);
	if (!replay_json_is_open(&run->json))
		return 0;
	return replay_json_skip(&run->json, launch, why, err);
}

static int play(struct replay_run *run, const struct launch_choice *choice, bool is_quiet,
                struct err *err)
{
	const struct player_visitor visitor = { .context = run,
		                                .begin = begin_launch,
		                                .end = report_launch,
		                                .release = release_launch,
		                                .refused = skip };
	struct progress_line wait;
	struct player player = { .watch = progress_line_watch(&wait, "replay", is_quiet),
		                 .launches = *choice,
		                 .gpu = &run->setup.gpu,
		                 .registers = run->setup.registers,
		                 .options = run->setup.options };
	int ret = player_play(&player, &visitor, err);

	run->outcome = player.outcome;
	run->outcome.refusal.code = 0; /* each was listed with its reason */
	return ret;
}

static int play_all(struct replay_run *run, const struct replay_settings *s, bool is_quiet,
                    struct err *err)
{
	const struct launch_choice choice =
		launch_choice_make(run->recording, option_number_given(&s->replay.launch));
	int ret = launch_choice_check(&choice, err);

	if (!ret && run->text)
		replay_text_head(run->text, &run->setup.gpu, &run->setup.options);
	if (!ret)
		ret = play(run, &choice, is_quiet, err);
	if (!ret && run->text && !s->replay.launch.is_given)
		launch_summary_print_tallies(run->text, run->recording, "\nNot replayed: ");
	if (!ret && run->text && run->total.launches > 1)
		replay_text_total(run->text, &run->setup.gpu, &run->total);
	if (!ret && run->text && run->total.launches > 1)
		ret = stats_text_sum(run->text, &run->stats, &run->stats.sum, err);
	return ret;
}

/* Write the end of the JSON, after the launches. */
static int end_json(struct replay_run *run, struct err *err)
{
	bool is_complete =
		!run->outcome.lacks_accesses && recording_is_complete(run->recording, NULL);
	json_t *total = replay_json_total(&run->json, &run->total);
	int ret = 0;

	if (run->stats.is_any_wanted)
		ret = stats_json_sum(&run->json.document.out, total, &run->stats, &run->stats.sum,
		                     err);
	if (!ret)
		return replay_json_end(&run->json, run->recording, is_complete, total, err);
	json_decref(total);
	return ret;
}

int cmd_replay(const void *settings, const struct operands *operands, struct err *err)
{
	const struct replay_settings *s = settings;
	bool is_json_only = s->json && out_file_is_stdout(s->json);
	struct replay_run run = { .text = is_json_only ? NULL : stdout };
	struct recording *recording = NULL;
	int ret = choose_stats(&run.stats, s, err);

	if (!ret)
		ret = replay_choice_setup(&run.setup, &s->replay, err);
	if (!ret)
		ret = choose_classes(&run.setup.options, s, err);
	if (!ret)
		ret = launch_pick_open(&s->replay.pick, &recording, operands->items[0], err);
	if (!ret)
		ret = replay_choice_recording(&run.setup, &s->replay, "replay", recording, err);
	if (ret)
		goto out;
	run.recording = recording;
	if (s->json)
		ret = replay_json_begin(&run.json, s->json, &run.setup.gpu, &run.setup.options,
		                        err);
	if (!ret)
		ret = play_all(&run, s, operands->common.is_quiet, err);
	if (!ret && run.text)
		ret = say_flush(run.text, "standard output", err);
	if (!ret && s->json)
		ret = end_json(&run, err);
	if (!ret)
		ret = say_player_verdict("replay", recording, &run.outcome, &run.setup.gpu, err);
out:
	replay_json_release(&run.json);
	stats_run_free(&run.stats);
	replay_setup_release(&run.setup);
	recording_close(recording);
	return ret;
}
