/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "err.h"
#include "out_file.h"
#include "plot_job.h"
#include "plot_output.h"
#include "progress_line.h"
#include "recording.h"
#include "replay_choice.h"
#include "say.h"

#include <string.h>

struct plot_settings {
	struct replay_choice replay;
	const char *output;
	struct option_number group, sm, from, to, window;
	struct option_list buffers;
	uint32_t what, colour, by, format;
};

#define PLOT_KIND(name, text) #name "|"
static const char kind_words[] =
#include "plot_kinds.def"
	"all";
#undef PLOT_KIND
#define ORDER_COLOUR(name, label) "|" #name
static const char colour_words[] =
#include "order_colours.def"
	;
#undef ORDER_COLOUR
#define PLOT_FORMAT(name, is_drawn, terminal, unit, head, tail) "|" #name
static const char format_words[] = "by-name"
#include "plot_formats.def"
	;
#undef PLOT_FORMAT

#define NUMBER(option, top, sentence)                                                              \
	{ .name = #option,                                                                         \
	  .argument = "N",                                                                         \
	  .kind = OPTION_NUMBER,                                                                   \
	  .offset = offsetof(struct plot_settings, option),                                        \
	  .max = (top),                                                                            \
	  .text = (sentence) }
#define WORDS(option, label, list, sentence)                                                       \
	{ .name = #option,                                                                         \
	  .argument = (label),                                                                     \
	  .kind = OPTION_CHOICE,                                                                   \
	  .offset = offsetof(struct plot_settings, option),                                        \
	  .words = (list),                                                                         \
	  .text = (sentence) }

static const struct option_row rows[] = {
	WORDS(what, "KIND", kind_words,
	      "what to draw (default: order, the elements of buffers against order of access); "
	      "order, sets and warps are of the first recorded launch, or --launch; all: "
	      "FILE-KIND.png for each"),
	{ .name = "output",
	  .argument = "FILE",
	  .is_output = true,
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct plot_settings, output),
	  .text = "the picture, FILE.png, .svg or .pdf; .gp: its script; .csv: its numbers; -: "
	          "stdout",
	  .letter = 'o' },
	WORDS(format, "FORMAT", format_words, "what FILE is, whatever its name says"),
#define REPLAY_ROWS_TYPE   struct plot_settings
#define REPLAY_ROWS_MEMBER replay
#include "replay_rows.def"
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

/* The options that only some kinds take. */
enum { ORDER = 1 << PLOT_KIND_order, SETS = 1 << PLOT_KIND_sets, WARPS = 1 << PLOT_KIND_warps };

static const struct {
	const char *option;
	uint32_t kinds;
} limits[] = {
	{ "buffer", ORDER }, { "group", ORDER },  { "sm", ORDER }, { "from", ORDER },
	{ "to", ORDER },     { "colour", ORDER }, { "by", SETS },  { "window", SETS | WARPS },
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

/* Check that every given option applies to the kind. */
static int check_options(const struct plot_settings *s, struct err *err)
{
	for (size_t i = 0; i < sizeof(limits) / sizeof(limits[0]); i++) {
		size_t first = 0;

		if (!is_given(find_row(limits[i].option), s) ||
		    (s->what < PLOT_KINDS && limits[i].kinds & 1u << s->what))
			continue;
		while (!(limits[i].kinds & 1u << first))
			first++;
		return err_set(
			err, ERR_USAGE, "--%s: does not apply to --what %s; it does to --what %s",
			limits[i].option, plot_kind_name(s->what), plot_kind_name((uint32_t)first));
	}
	if (s->window.is_given && !s->window.value)
		return err_set(err, ERR_USAGE, "--window: expected at least 1 cycle");
	if (s->what == PLOT_KINDS && s->output && out_file_is_stdout(s->output))
		return err_set(err, ERR_USAGE,
		               "--what all: expected -o FILE, to whose name the kind is added, "
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

/* Choose the requested launch, or the first recorded one; or all. */
static int choose_launch(struct plot_job *job, const struct plot_settings *s, struct err *err)
{
	const struct recording *r = job->player.launches.recording;
	struct option_number launch = { true, s->replay.launch.value };
	struct launch_choice choice;

	for (size_t i = 0; !s->replay.launch.is_given && i < r->launch_count; i++)
		if (r->launches[i].fate == LAUNCH_TRACED) {
			launch.value = r->launches[i].number;
			break;
		}
	choice = launch_choice_make(r, option_number_given(&launch));
	job->launch = choice.first;
	job->player.launches = launch_choice_make(r, option_number_given(&s->replay.launch));
	return launch_choice_check(&choice, err);
}

/* Draw the picture of an open recording. */
static int run(struct plot_job *job, const struct plot_settings *s, struct err *err)
{
	struct player_outcome outcome = { 0 };
	struct err why = { 0 };
	int ret = choose_launch(job, s, err);

	if (ret)
		return ret;
	if (s->what == PLOT_KINDS)
		ret = plot_job_draw_all(job, s->output, &outcome, &why);
	else
		ret = plot_job_draw(job, s->what, s->output, &outcome, &why);
	if (ret)
		return err_set(err, (enum err_code)why.code, "%s", why.msg);
	return say_player_verdict("plot", job->player.launches.recording, &outcome, job->player.gpu,
	                          err);
}

/* Set up everything that needs no recording. */
static int choose(struct plot_job *job, const struct plot_settings *s, struct replay_setup *setup,
                  struct err *err)
{
	int ret = check_options(s, err);

	if (!ret)
		ret = choose_format(job, s, err);
	if (!ret)
		ret = replay_choice_setup(setup, &s->replay, err);
	if (!ret)
		ret = plot_output_check(job->format, err);
	if (!ret)
		gpu_choice_say("plot", &setup->gpu);
	return ret;
}

int cmd_plot(const void *settings, const struct operands *operands, struct err *err)
{
	const struct plot_settings *s = settings;
	struct recording *recording = NULL;
	struct replay_setup setup = { 0 };
	struct progress_line wait;
	struct plot_job job = { .player = { .watch = progress_line_watch(&wait, "plot",
		                                                         operands->common.is_quiet),
		                            .gpu = &setup.gpu },
		                .choice = &s->replay,
		                .group = s->group,
		                .sm = s->sm,
		                .from = s->from,
		                .to = s->to,
		                .window = s->window,
		                .buffers = { s->buffers.items, s->buffers.count },
		                .colour = (enum order_colour)s->colour,
		                .by = (enum plot_by)s->by };
	int ret = choose(&job, s, &setup, err);

	if (!ret)
		ret = launch_pick_open(&s->replay.pick, &recording, operands->items[0], err);
	if (!ret)
		ret = replay_choice_recording(&setup, &s->replay, "plot", recording, err);
	if (!ret) {
		job.player.launches.recording = recording;
		job.player.options = setup.options;
		job.player.registers = setup.registers;
		ret = run(&job, s, err);
	}
	replay_setup_release(&setup);
	recording_close(recording);
	return ret;
}
