/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "curve_report.h"
#include "curve_run.h"
#include "err.h"
#include "gpu_choice.h"
#include "json_out.h"
#include "launch_pick.h"
#include "options.h"
#include "out_file.h"
#include "plot_curve.h"
#include "plot_output.h"
#include "progress_line.h"
#include "recording.h"
#include "register_choice.h"
#include "replay_choice.h"
#include "say.h"

#include <stdlib.h>

struct curve_settings {
	struct gpu_choice gpu;
	struct register_choice registers;
	struct order_choice order;
	const char *output, *json;
	struct option_number launch, jobs;
	struct launch_pick pick;
	uint32_t format;
	bool is_exact;
};

#define PLOT_FORMAT(name, is_drawn, terminal, unit, head, tail) "|" #name
static const char format_words[] = "by-name"
#include "plot_formats.def"
	;
#undef PLOT_FORMAT

#define TEXT_ROW(member, option, value, words_)                                                    \
	{ .name = (option),                                                                        \
	  .argument = (value),                                                                     \
	  .kind = OPTION_TEXT,                                                                     \
	  .offset = offsetof(struct curve_settings, member),                                       \
	  .text = (words_) }

static const struct option_row rows[] = {
	{ .name = "output",
	  .argument = "FILE",
	  .is_output = true,
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct curve_settings, output),
	  .text = "the picture, FILE.png, .svg or .pdf; .gp: its script; .csv: its numbers; -: "
	          "stdout (default: a table on stdout)",
	  .letter = 'o' },
	{ .name = "format",
	  .argument = "FORMAT",
	  .kind = OPTION_CHOICE,
	  .offset = offsetof(struct curve_settings, format),
	  .words = format_words,
	  .text = "what FILE is, whatever its name says" },
	JSON_ROW(struct curve_settings),
	{ .name = "exact",
	  .kind = OPTION_FLAG,
	  .offset = offsetof(struct curve_settings, is_exact),
	  .text = "sample nothing: caches of all sizes are exact, in memory that grows with the "
	          "data that an SM reads" },
	{ .name = "launch",
	  .argument = "N",
	  .kind = OPTION_NUMBER,
	  .offset = offsetof(struct curve_settings, launch),
	  .max = UINT32_MAX,
	  .text = "only launch N, counted from 0 (default: all)" },
	LAUNCH_PICK_ROWS(struct curve_settings, pick, "only "),
	GPU_CHOICE_ROWS(struct curve_settings, gpu),
#define CACHE_OPTION(member, option, value, key, text)                                             \
	CACHE_CHOICE_ROW(offsetof(struct curve_settings, gpu.cache), member, option, value, text)
#include "cache_options.def"
#undef CACHE_OPTION
	TEXT_ROW(order.schedule, "schedule", "ORDER",
	         "order of an SM's warps or work-items, as in replay (default: lrr)"),
	TEXT_ROW(order.dispatch, "dispatch", "ORDER",
	         "how groups go to SMs, as in replay (default: roundrobin)"),
	JOBS_ROW(struct curve_settings, jobs),
	REGISTER_CHOICE_ROWS(struct curve_settings, registers),
};
const struct option_table curve_options = { rows, sizeof(rows) / sizeof(rows[0]),
	                                    sizeof(struct curve_settings) };

static int choose_format(enum plot_format *format, const struct curve_settings *s, struct err *err)
{
	int ret = 0;

	if (!s->output && s->format)
		return err_set(err, ERR_USAGE, "--format: expected -o FILE with it");
	if (!s->output)
		return 0;
	if (s->format)
		*format = (enum plot_format)(s->format - 1);
	else
		ret = plot_output_format(format, s->output, err);
	return ret ? ret : plot_output_check(*format, err);
}

/* A run, and its output. */
struct curve_job {
	struct curve_run run;
	struct plot_job plot;
};

/* Writes the picture for plot_output_make(). */
static int write_file(void *context, FILE *out, struct err *err)
{
	const struct curve_job *job = context;

	return plot_curve_draw(&job->run, &job->plot, out, err);
}

static int write_all(struct curve_job *job, const struct curve_settings *s, struct err *err)
{
	const char *output = s->output;
	struct err why = { 0 };
	int ret = s->json ? curve_json_write(&job->run, s->json, err) : 0;

	if (ret || (s->json && !output && out_file_is_stdout(s->json)))
		return ret;
	if (!output) {
		curve_text_write(&job->run, stdout);
		return say_flush(stdout, "standard output", err);
	}
	ret = plot_output_make(job->plot.format, output, write_file, job, &why);
	if (ret == PLOT_NOTHING)
		return err_set(err, ERR_USAGE, "-o %s: %s", output, why.msg);
	return ret ? err_set(err, (enum err_code)ret, "%s", why.msg) : 0;
}

static int run_all(struct curve_job *job, const struct curve_settings *s,
                   const struct recording *recording, struct err *err)
{
	struct player *player = &job->plot.player;
	uint32_t *registers;
	int ret;

	player->launches = launch_choice_make(recording, option_number_given(&s->launch));
	ret = launch_choice_check(&player->launches, err);
	if (ret)
		return ret;
	registers = register_choice_kernels(&s->registers, "curve", recording, err);
	if (!registers)
		return err->code;
	player->registers = registers;
	ret = curve_run_play(&job->run, player, err);
	if (!ret)
		ret = write_all(job, s, err);
	free(registers);
	return ret ? ret
	           : say_player_verdict("curve", recording, &job->run.player.outcome,
	                                &job->run.set.gpu, err);
}

int cmd_curve(const void *settings, const struct operands *operands, struct err *err)
{
	const struct curve_settings *s = settings;
	struct progress_line wait;
	struct curve_job job = { .plot.player.watch = progress_line_watch(
					 &wait, "curve", operands->common.is_quiet) };
	struct replay_options *options = &job.plot.player.options;
	struct recording *recording = NULL;
	int ret = choose_format(&job.plot.format, s, err);

	if (!ret)
		ret = plot_curve_init(&job.run, &s->gpu, s->is_exact, err);
	if (!ret)
		ret = order_choice_read(options, &s->order, &job.run.set.gpu, err);
	options->jobs = options_jobs(&s->jobs);
	if (!ret)
		ret = launch_pick_open(&s->pick, &recording, operands->items[0], err);
	if (!ret)
		ret = run_all(&job, s, recording, err);
	curve_run_release(&job.run);
	recording_close(recording);
	return ret;
}
