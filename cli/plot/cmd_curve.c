/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "curve_report.h"
#include "curve_set.h"
#include "err.h"
#include "gpu_choice.h"
#include "launch_choice.h"
#include "plot_output.h"
#include "processors.h"
#include "recording.h"
#include "register_choice.h"
#include "wait_line.h"

#include <inttypes.h>
#include <stdlib.h>

struct curve_settings {
	struct gpu_choice gpu;
	struct register_choice registers;
	const char *schedule, *dispatch, *output;
	struct option_number launch, jobs;
	uint32_t format;
};

#define PLOT_FORMAT(name, is_drawn, terminal, unit, head, tail) "|" #name
static const char format_words[] = "by-name"
#include "plot_formats.def"
	;
#undef PLOT_FORMAT

#define TEXT_ROW(member, option, value, words_)                                                    \
	{                                                                                          \
		.name = (option), .argument = (value), .kind = OPTION_TEXT,                        \
		.offset = offsetof(struct curve_settings, member), .text = (words_)                \
	}

static const struct option_row rows[] = {
	{ .name = "output",
	  .argument = "FILE",
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
	{ .name = "launch",
	  .argument = "N",
	  .kind = OPTION_NUMBER,
	  .offset = offsetof(struct curve_settings, launch),
	  .max = UINT32_MAX,
	  .text = "only launch N, counted from 0 (default: all)" },
	GPU_CHOICE_ROWS(struct curve_settings, gpu),
#define CACHE_OPTION(member, option, value, key, text)                                             \
	CACHE_CHOICE_ROW(offsetof(struct curve_settings, gpu.cache), member, option, value, text)
#include "cache_options.def"
#undef CACHE_OPTION
	TEXT_ROW(schedule, "schedule", "ORDER",
	         "order of an SM's warps or work-items, as in replay (default: lrr)"),
	TEXT_ROW(dispatch, "dispatch", "ORDER",
	         "how groups go to SMs, as in replay (default: roundrobin)"),
	JOBS_ROW(struct curve_settings, jobs),
	REGISTER_CHOICE_ROWS(struct curve_settings, registers),
};
const struct option_table curve_options = { rows, sizeof(rows) / sizeof(rows[0]),
	                                    sizeof(struct curve_settings) };

/* Curves under way. */
struct curve_run {
	const struct recording *recording;
	struct launch_choice launches;
	uint32_t *registers; /* of each kernel */
	struct replay_options options;
	struct curve_set set;
	struct curve_facts facts;
	struct wait_line wait;
	size_t refused; /* launches that the GPU cannot hold; the first: */
	struct err refusal;
	enum plot_format format; /* with an output */
};

static int choose_format(struct curve_run *run, const struct curve_settings *s, struct err *err)
{
	int ret = 0;

	if (!s->output && s->format)
		return err_set(err, ERR_USAGE, "--format: expected -o FILE with it");
	if (!s->output)
		return 0;
	if (s->format)
		run->format = (enum plot_format)(s->format - 1);
	else
		ret = plot_output_format(&run->format, s->output, err);
	return ret ? ret : plot_output_check(run->format, s->output, err);
}

static int choose_orders(struct curve_run *run, const struct curve_settings *s, struct err *err)
{
	struct replay_options *options = &run->options;
	struct err why = { 0 };

	if (s->schedule && (issue_order_parse(&options->order, s->schedule, &why) ||
	                    issue_order_check(&options->order, run->set.gpu.warp_lanes, &why)))
		return err_set(err, ERR_USAGE, "--schedule: %s", why.msg);
	if (s->dispatch && dispatch_order_parse(&options->dispatch, s->dispatch, &why))
		return err_set(err, ERR_USAGE, "--dispatch: %s", why.msg);
	options->jobs = processors_jobs(&s->jobs);
	options->request = miss_curve_request;
	options->request_context = run->set.counts;
	return 0;
}

static int find_registers(struct curve_run *run, const struct register_choice *choice,
                          struct err *err)
{
	struct register_source source;
	int ret = register_source_open(&source, choice, err);

	if (!ret)
		run->registers = register_source_kernels(&source, "curve", run->recording, err);
	register_source_release(&source);
	return run->registers ? 0 : err->code;
}

/* Play one launch; one that the GPU cannot hold is counted, and the others are played. */
static int play(struct curve_run *run, size_t launch, struct err *err)
{
	const struct recorded_launch *l = &run->recording->launches[launch];
	struct replay_result result = { 0 };
	struct err why = { 0 };
	int ret;

	if (l->fate != LAUNCH_TRACED)
		return 0;
	run->options.registers = run->registers[l->kernel];
	wait_line_what(&run->wait, "launch %" PRIu64 ", %s", l->number,
	               run->recording->kernels[l->kernel].table.name);
	ret = replay_launch(run->recording, launch, &run->set.gpu, &run->options, &result, &why);
	if (!ret) {
		run->facts.is_whole = run->facts.is_whole && result.is_whole;
		run->facts.kernel =
			run->set.launches ? NULL : run->recording->kernels[l->kernel].table.name;
		run->facts.launch = l->number;
		run->set.launches++;
		ret = miss_curve_end(run->set.counts, err);
	} else if (ret == ERR_CONFIG && !run->launches.is_one) {
		if (!run->refused++)
			run->refusal = why;
		ret = 0;
	} else {
		err_set(err, (enum err_code)ret, "%s", why.msg);
	}
	replay_result_release(&result);
	return ret;
}

/* plot_output_make()'s writer. */
static int write_file(void *context, FILE *out, struct err *err)
{
	const struct curve_run *run = context;

	(void)err;
	if (run->format == PLOT_FORMAT_csv)
		curve_csv_write(&run->set, out);
	else
		curve_script_write(&run->set, &run->facts, run->format, out);
	return 0;
}

static int write_all(struct curve_run *run, const char *output, struct err *err)
{
	uint64_t reads = reuse_counts_reads(miss_curve_counts(run->set.counts, 0));

	if (!output) {
		curve_text_write(&run->set, &run->facts, stdout);
		return command_flush(stdout, "standard output", err);
	}
	if (!reads)
		return err_set(err, ERR_USAGE, "-o %s: there is no read request to draw", output);
	return plot_output_make(run->format, output, write_file, run, err);
}

static int verdict(const struct curve_run *run, struct err *err)
{
	int ret = command_verdict("curve", run->recording);

	if (!ret && !run->facts.is_whole) {
		command_say("curve", "%s: a launch's file lacks accesses", run->recording->dir);
		ret = EXIT_INCOMPLETE;
	}
	if (run->refused)
		return err_set(err, ERR_CONFIG,
		               "launches that do not fit on %s and were not played: %zu (%s)",
		               run->set.gpu.name, run->refused, run->refusal.msg);
	return ret;
}

static int run_all(struct curve_run *run, const struct curve_settings *s, bool is_quiet,
                   struct err *err)
{
	uint64_t done = 0;
	int ret;

	run->launches = launch_choice_make(run->recording, &s->launch);
	ret = launch_choice_check(&run->launches, err);
	if (!ret)
		ret = find_registers(run, &s->registers, err);
	wait_line_begin(&run->wait, "curve", ret ? 0 : launch_choice_accesses(&run->launches),
	                is_quiet);
	run->options.played = &run->wait.done;
	for (size_t i = run->launches.first; !ret && i < run->launches.end; i++) {
		ret = play(run, i, err);
		done += launch_choice_accesses_of(run->recording, i);
		wait_line_reach(&run->wait, done);
	}
	wait_line_end(&run->wait);
	if (!ret)
		ret = write_all(run, s->output, err);
	return ret ? ret : verdict(run, err);
}

int cmd_curve(const void *settings, const struct operands *operands, struct err *err)
{
	const struct curve_settings *s = settings;
	struct curve_run run = { .facts.is_whole = true };
	struct recording *recording = NULL;
	int ret = choose_format(&run, s, err);

	if (!ret)
		ret = curve_set_init(&run.set, &s->gpu, err);
	if (!ret)
		ret = choose_orders(&run, s, err);
	if (!ret)
		ret = recording_open(&recording, operands->items[0], err);
	if (!ret) {
		run.recording = recording;
		ret = run_all(&run, s, operands->common.is_quiet, err);
	}
	curve_set_release(&run.set);
	recording_close(recording);
	free(run.registers);
	return ret;
}
