/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "err.h"
#include "gpu.h"
#include "gpu_choice.h"
#include "launch_choice.h"
#include "out_file.h"
#include "plot_job.h"
#include "plot_kind.h"
#include "plot_launches.h"
#include "plot_output.h"
#include "processors.h"
#include "read_only_choice.h"
#include "read_rules.h"
#include "recording.h"
#include "register_choice.h"

#include <stdlib.h>
#include <string.h>

struct plot_settings {
	struct gpu_choice gpu;
	struct register_choice registers;
	const char *schedule, *dispatch, *read_only, *bypass, *output;
	struct option_number launch, group, sm, from, to, window;
	struct option_list buffers;
	uint32_t what, colour, by, format;
};

#define PLOT_KIND(name, text) #name "|"
static const char kind_words[] =
#include "plot_kinds.def"
	"all";
#undef PLOT_KIND
#define PLOT_COLOUR(name, label, text) "|" #name
static const char colour_words[] =
#include "plot_colours.def"
	;
#undef PLOT_COLOUR
#define PLOT_FORMAT(name, is_drawn, terminal, unit, head, tail) "|" #name
static const char format_words[] = "by-name"
#include "plot_formats.def"
	;
#undef PLOT_FORMAT

#define NUMBER(option, top, sentence)                                                              \
	{                                                                                          \
		.name = #option, .argument = "N", .kind = OPTION_NUMBER,                           \
		.offset = offsetof(struct plot_settings, option), .max = (top), .text = (sentence) \
	}
#define WORDS(option, label, list, sentence)                                                       \
	{                                                                                          \
		.name = #option, .argument = (label), .kind = OPTION_CHOICE,                       \
		.offset = offsetof(struct plot_settings, option), .words = (list),                 \
		.text = (sentence)                                                                 \
	}

static const struct option_row rows[] = {
	WORDS(what, "KIND", kind_words,
	      "what to draw (default: order, the elements of buffers against order of access); "
	      "all: "
	      "FILE-KIND.png for each"),
	{ .name = "output",
	  .argument = "FILE",
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct plot_settings, output),
	  .text = "the picture, FILE.png, .svg or .pdf; .gp: its script; .csv: its numbers; -: "
	          "stdout",
	  .letter = 'o' },
	WORDS(format, "FORMAT", format_words, "what FILE is, whatever its name says"),
	NUMBER(launch, UINT32_MAX,
	       "the launch, counted from 0 (default: the first recorded one; curve, reuse, sets "
	       "--by "
	       "kernel: all)"),
	{ .name = "schedule",
	  .argument = "ORDER",
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct plot_settings, schedule),
	  .text = "order of an SM's warps, as of 'warpline replay' (default: lrr)" },
	{ .name = "dispatch",
	  .argument = "ORDER",
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct plot_settings, dispatch),
	  .text = "how groups go to SMs, as of 'warpline replay' (default: roundrobin)" },
	GPU_CHOICE_ROWS(struct plot_settings, gpu),
#define CACHE_OPTION(member, option, value, key, text)                                             \
	CACHE_CHOICE_ROW(offsetof(struct plot_settings, gpu.cache), member, option, value, text)
#include "cache_options.def"
#undef CACHE_OPTION
	{ .name = "read-only",
	  .argument = "LIST",
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct plot_settings, read_only),
	  .text = "reads that go through the read-only cache, as of 'warpline replay'" },
	{ .name = "bypass",
	  .argument = "LIST",
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct plot_settings, bypass),
	  .text = "reads that go past L1, as of 'warpline replay'" },
	REGISTER_CHOICE_ROWS(struct plot_settings, registers),
	{ .name = "buffer",
	  .argument = "B",
	  .kind = OPTION_LIST,
	  .offset = offsetof(struct plot_settings, buffers),
	  .text = "order: only buffer B: its number, or an argument's name; may be repeated" },
	NUMBER(group, INT64_MAX, "order: only accesses of work-group N"),
	NUMBER(sm, UINT32_MAX, "order: only accesses on SM N"),
	NUMBER(from, INT64_MAX, "order: only accesses from number N on, counted from 0"),
	NUMBER(to, INT64_MAX, "order: only accesses up to number N"),
	WORDS(colour, "BY", colour_words + 1,
	      "order: what colours a dot (default: item, the work-item)"),
	WORDS(by, "COLUMNS", "time|kernel", "sets: what a column is (default: time)"),
	NUMBER(window, UINT32_MAX, "sets, warps: cycles of a column, at least"),
};
const struct option_table plot_options = { rows, sizeof(rows) / sizeof(rows[0]),
	                                   sizeof(struct plot_settings) };

/* Options that not all kinds take. */
static const struct {
	const char *option;
	uint32_t kinds;
} limits[] = {
#define PLOT_TAKES(kind)          (1u << PLOT_KIND_##kind)
#define PLOT_LIMIT(option, kinds) { option, kinds },
#include "plot_limits.def"
#undef PLOT_LIMIT
#undef PLOT_TAKES
};

static bool is_given(const struct option_row *row, const struct plot_settings *s)
{
	const void *target = (const char *)s + row->offset;

	switch (row->kind) {
	case OPTION_NUMBER:
		return ((const struct option_number *)target)->is_given;
	case OPTION_LIST:
		return ((const struct option_list *)target)->count > 0;
	case OPTION_CHOICE:
		return *(const uint32_t *)target > 0;
	case OPTION_TEXT:
		return *(const char *const *)target != NULL;
	case OPTION_FLAG:
		break;
	}
	return *(const bool *)target;
}

static const struct option_row *find_row(const char *name)
{
	size_t i = 0;

	while (strcmp(rows[i].name, name) != 0)
		i++;
	return &rows[i];
}

/* Every option that was given means something to the kind. */
static int check_options(const struct plot_settings *s, struct err *err)
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		size_t first = 0;

		if (!is_given(find_row(limits[i].option), s) ||
		    (s->what < PLOT_KINDS && limits[i].kinds & 1u << s->what))
			continue;
		while (!(limits[i].kinds & 1u << first))
			first++;
		return err_set(err, ERR_USAGE, "--%s: means nothing to --what %s, but to --what %s",
		               limits[i].option, plot_kind_name(s->what),
		               plot_kind_name((uint32_t)first));
	}
	if (s->what == PLOT_KINDS && s->output && out_file_is_stdout(s->output))
		return err_set(err, ERR_USAGE,
		               "--what all: expected -o FILE, which gets the kind into its name, "
		               "not '%s'",
		               s->output);
	return 0;
}

static int choose_format(struct plot_job *job, const struct plot_settings *s, struct err *err)
{
	if (!s->output || !*s->output)
		return err_set(err, ERR_USAGE, "expected -o FILE, such as order.png");
	if (s->format) {
		job->format = (enum plot_format)(s->format - 1);
		return 0;
	}
	return plot_output_format(&job->format, s->output, err);
}

static int choose_orders(struct replay_options *options, const struct plot_settings *s,
                         const struct gpu *gpu, struct err *err)
{
	struct err why = { 0 };

	if (s->schedule && (issue_order_parse(&options->order, s->schedule, &why) ||
	                    issue_order_check(&options->order, gpu->warp_lanes, &why)))
		return err_set(err, ERR_USAGE, "--schedule: %s", why.msg);
	if (s->dispatch && dispatch_order_parse(&options->dispatch, s->dispatch, &why))
		return err_set(err, ERR_USAGE, "--dispatch: %s", why.msg);
	options->jobs = processors_jobs(&(struct option_number){ .is_given = false });
	return 0;
}

/* The launch that is asked for, or the first one that was recorded; and all. */
static int choose_launch(struct plot_job *job, const struct plot_settings *s, struct err *err)
{
	const struct recording *r = job->recording;
	struct option_number launch = { true, s->launch.value };
	struct launch_choice choice;

	for (size_t i = 0; !s->launch.is_given && i < r->launch_count; i++)
		if (r->launches[i].fate == LAUNCH_TRACED) {
			launch.value = r->launches[i].number;
			break;
		}
	choice = launch_choice_make(r, &launch);
	job->launch = choice.first;
	job->launches = launch_choice_make(r, &s->launch);
	return launch_choice_check(&choice, err);
}

/* Registers of each kernel, to be freed; NULL after an error. */
static uint32_t *find_registers(const struct recording *r, const struct register_choice *choice,
                                struct err *err)
{
	struct register_source source;
	uint32_t *registers = NULL;

	if (!register_source_open(&source, choice, err))
		registers = register_source_kernels(&source, "plot", r, err);
	register_source_release(&source);
	return registers;
}

static int verdict(const struct plot_job *job, const struct plot_outcome *outcome, struct err *err)
{
	int ret = command_verdict("plot", job->recording);

	if (!ret && !outcome->is_whole) {
		command_say("plot", "%s: the launch's file lacks accesses", job->recording->dir);
		ret = EXIT_INCOMPLETE;
	}
	return outcome->refused ? plot_outcome_verdict(outcome, job->gpu, err) : ret;
}

/* With a recording that is open. */
static int run(struct plot_job *job, const struct plot_settings *s, struct bypass_list *bypass,
               struct err *err)
{
	struct plot_outcome outcome = { .is_whole = true };
	struct err why = { 0 };
	int ret = choose_launch(job, s, err);

	if (!ret)
		ret = read_only_choice_load(&job->options.read_only, s->read_only, job->recording,
		                            job->gpu, err);
	if (!ret)
		ret = read_rules_load_or_kept(bypass, s->bypass, job->recording, job->gpu, err);
	job->options.bypass = bypass->count ? bypass : NULL;
	if (ret)
		return ret;
	if (s->what == PLOT_KINDS)
		ret = plot_kind_draw_all(job, s->output, &outcome, &why);
	else
		ret = plot_kind_draw(job, s->what, s->output, &outcome, &why);
	if (ret)
		return err_set(err, (enum err_code)why.code, "%s", why.msg);
	return verdict(job, &outcome, err);
}

/* All that needs no recording. */
static int choose(struct plot_job *job, const struct plot_settings *s, struct gpu *gpu,
                  struct err *err)
{
	int ret = check_options(s, err);

	if (!ret)
		ret = choose_format(job, s, err);
	if (!ret)
		ret = gpu_choice_load(&s->gpu, gpu, err);
	if (!ret)
		ret = choose_orders(&job->options, s, gpu, err);
	return ret ? ret : plot_output_check(job->format, s->output, err);
}

int cmd_plot(const void *settings, const struct operands *operands, struct err *err)
{
	const struct plot_settings *s = settings;
	struct recording *recording = NULL;
	struct bypass_list bypass = { 0 };
	uint32_t *registers = NULL;
	struct gpu gpu;
	struct plot_job job = { .gpu = &gpu,
		                .gpu_choice = &s->gpu,
		                .read_only = s->read_only,
		                .bypass = s->bypass,
		                .group = s->group,
		                .sm = s->sm,
		                .from = s->from,
		                .to = s->to,
		                .window = s->window,
		                .buffers = &s->buffers,
		                .colour = (enum plot_colour)s->colour,
		                .by = (enum plot_by)s->by };
	int ret = choose(&job, s, &gpu, err);

	if (!ret)
		ret = recording_open(&recording, operands->items[0], err);
	if (!ret) {
		job.recording = recording;
		registers = find_registers(recording, &s->registers, err);
		job.registers = registers;
		ret = registers ? run(&job, s, &bypass, err) : err->code;
	}
	bypass_list_release(&job.options.read_only);
	bypass_list_release(&bypass);
	free(registers);
	recording_close(recording);
	return ret;
}
