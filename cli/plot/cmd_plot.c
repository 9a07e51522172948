/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "err.h"
#include "gpu.h"
#include "gpu_choice.h"
#include "launch_choice.h"
#include "plot_job.h"
#include "plot_order.h"
#include "plot_output.h"
#include "recording.h"
#include "register_choice.h"

#include <stdlib.h>
#include <string.h>

struct plot_settings {
	struct gpu_choice gpu;
	struct register_choice registers;
	const char *schedule, *dispatch, *output;
	struct option_number launch, group, sm, from, to;
	struct option_list buffers;
	uint32_t what, colour, format;
};

#define PLOT_KIND(name, text) "|" #name
static const char kind_words[] =
#include "plot_kinds.def"
	;
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
	WORDS(what, "KIND", kind_words + 1,
	      "what to draw (default: order, the elements of buffers against order of access)"),
	{ .name = "output",
	  .argument = "FILE",
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct plot_settings, output),
	  .text = "the picture, FILE.png, .svg or .pdf; .gp: its script; .csv: its numbers; -: "
	          "stdout",
	  .letter = 'o' },
	WORDS(format, "FORMAT", format_words, "what FILE is, whatever its name says"),
	NUMBER(launch, UINT32_MAX, "the launch, counted from 0 (default: the first recorded one)"),
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
	REGISTER_CHOICE_ROWS(struct plot_settings, registers),
	{ .name = "buffer",
	  .argument = "B",
	  .kind = OPTION_LIST,
	  .offset = offsetof(struct plot_settings, buffers),
	  .text = "only buffer B: its number, or an argument's name; may be repeated" },
	NUMBER(group, INT64_MAX, "only accesses of work-group N"),
	NUMBER(sm, UINT32_MAX, "only accesses on SM N"),
	NUMBER(from, INT64_MAX, "only accesses from number N on, counted from 0"),
	NUMBER(to, INT64_MAX, "only accesses up to number N"),
	WORDS(colour, "BY", colour_words + 1, "what colours a dot (default: item, the work-item)"),
};
const struct option_table plot_options = { rows, sizeof(rows) / sizeof(rows[0]),
	                                   sizeof(struct plot_settings) };

static plot_write_fn *const writers[] = {
#define PLOT_KIND(name, text) plot_##name##_write,
#include "plot_kinds.def"
#undef PLOT_KIND
};

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
                         struct err *err)
{
	struct err why = { 0 };

	if (s->schedule && issue_order_parse(&options->order, s->schedule, &why))
		return err_set(err, ERR_USAGE, "--schedule: %s", why.msg);
	if (s->dispatch && dispatch_order_parse(&options->dispatch, s->dispatch, &why))
		return err_set(err, ERR_USAGE, "--dispatch: %s", why.msg);
	return 0;
}

/* Orders of work-items are of a whole launch and know no SMs: they are drawn on one, unless the
 * user wants another number. */
static void choose_sms(struct gpu *gpu, const struct plot_settings *s,
                       const struct issue_order *order)
{
	static const char key[] = "sm_count=";

	if (issue_order_unit(order) != ISSUE_ITEMS)
		return;
	for (size_t i = 0; i < s->gpu.set.count; i++)
		if (!strncmp(s->gpu.set.items[i], key, strlen(key)))
			return;
	gpu->sm_count = 1;
}

/* The launch that is asked for, or the first one that was recorded. */
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
	return launch_choice_check(&choice, err);
}

static int choose_registers(struct plot_job *job, const struct plot_settings *s, struct err *err)
{
	const struct recorded_launch *l = &job->recording->launches[job->launch];
	struct register_source source;
	int ret = register_source_open(&source, &s->registers, err);

	if (!ret)
		ret = register_source_find(&source, "plot",
		                           job->recording->kernels[l->kernel].table.name,
		                           &job->options.registers, err);
	register_source_release(&source);
	return ret;
}

/* What write_picture() needs. */
struct drawing {
	const struct plot_job *job;
	plot_write_fn *write;
	bool is_whole;
};

static int write_picture(void *context, FILE *out, struct err *err)
{
	struct drawing *d = context;

	return d->write(d->job, out, &d->is_whole, err);
}

/* Let the kind of picture write its script, and make the file of it. */
static int draw(const struct plot_job *job, const struct plot_settings *s, bool *is_whole,
                struct err *err)
{
	struct drawing drawing = { job, writers[s->what], *is_whole };
	int ret = plot_output_make(job->format, s->output, write_picture, &drawing, err);

	*is_whole = drawing.is_whole;
	return ret;
}

static int verdict(const struct plot_job *job, bool is_whole)
{
	int ret = command_verdict("plot", job->recording);

	if (ret || is_whole)
		return ret;
	command_say("plot", "%s: the launch's file lacks accesses", job->recording->dir);
	return EXIT_INCOMPLETE;
}

int cmd_plot(const void *settings, const struct operands *operands, struct err *err)
{
	const struct plot_settings *s = settings;
	struct recording *recording = NULL;
	struct gpu gpu;
	struct plot_job job = { .gpu = &gpu,
		                .group = s->group,
		                .sm = s->sm,
		                .from = s->from,
		                .to = s->to,
		                .buffers = &s->buffers,
		                .colour = (enum plot_colour)s->colour };
	bool is_whole = true;
	int ret = choose_format(&job, s, err);

	if (!ret)
		ret = choose_orders(&job.options, s, err);
	if (!ret)
		ret = gpu_choice_load(&s->gpu, &gpu, err);
	if (!ret) {
		choose_sms(&gpu, s, &job.options.order);
		ret = plot_output_check(job.format, s->output, err);
	}
	if (!ret)
		ret = recording_open(&recording, operands->items[0], err);
	if (ret)
		return ret;
	job.recording = recording;
	ret = choose_launch(&job, s, err);
	if (!ret)
		ret = choose_registers(&job, s, err);
	if (!ret)
		ret = draw(&job, s, &is_whole, err);
	if (!ret)
		ret = verdict(&job, is_whole);
	recording_close(recording);
	return ret;
}
