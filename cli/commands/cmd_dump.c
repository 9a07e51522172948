/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "dump.h"
#include "err.h"
#include "launch_pick.h"
#include "player.h"
#include "progress_line.h"
#include "say.h"

#include <inttypes.h>
#include <unistd.h>

struct dump_settings {
	struct option_number launch;
	struct launch_pick pick;
	struct option_number group;
	uint32_t format;
};

static const struct dump_format *const formats[] = { &dump_text, &dump_json, &dump_csv,
	                                             &dump_ancestor };

static const struct option_row rows[] = {
	{ .name = "launch",
	  .argument = "N",
	  .kind = OPTION_NUMBER,
	  .offset = offsetof(struct dump_settings, launch),
	  .max = UINT32_MAX,
	  .text = "only launch N, counted from 0 (default: all)" },
	LAUNCH_PICK_ROWS(struct dump_settings, pick, "only "),
	{ .name = "group",
	  .argument = "G",
	  .kind = OPTION_NUMBER,
	  .offset = offsetof(struct dump_settings, group),
	  .max = INT64_MAX,
	  .text = "only work-group G of the launch, counted from 0 (default: all)" },
	{ .name = "format",
	  .argument = "FORMAT",
	  .kind = OPTION_CHOICE,
	  .offset = offsetof(struct dump_settings, format),
	  .words = "text|json|csv|ancestor",
	  .text = "how to print (default: text); ancestor is the 2014 format" },
};
const struct option_table dump_options = { rows, sizeof(rows) / sizeof(rows[0]),
	                                   sizeof(struct dump_settings) };

static int dump_all(struct dump *d, const struct dump_settings *s, struct progress_line *wait,
                    bool *is_whole, struct err *err)
{
	const struct dump_format *format = formats[s->format];
	const struct launch_choice choice =
		launch_choice_make(d->recording, option_number_given(&s->launch));
	int ret = launch_choice_check(&choice, err);

	if (!ret && s->group.is_given && choice.end - choice.first > 1)
		ret = err_set(err, ERR_USAGE,
		              "--group: expected --launch N with it: there are %zu launches",
		              choice.end);
	if (!ret && format->head)
		fputs(format->head, d->out);
	d->is_first = true;
	atomic_store(&wait->watch.total, ret ? 0 : launch_choice_accesses(&choice));
	for (d->launch = choice.first; !ret && d->launch < choice.end; d->launch++) {
		if (!s->launch.is_given && d->recording->launches[d->launch].fate != LAUNCH_TRACED)
			continue;
		ret = dump_launch(d, format, s->group.is_given ? &s->group.value : NULL, is_whole,
		                  err);
		d->is_first = false;
	}
	return ret;
}

int cmd_dump(const void *settings, const struct operands *operands, struct err *err)
{
	struct recording *recording = NULL;
	struct progress_line wait;
	bool is_whole = true;
	int ret = launch_pick_open(&((const struct dump_settings *)settings)->pick, &recording,
	                           operands->items[0], err);
	struct dump d = { .out = stdout, .recording = recording, .played = &wait.watch.done };

	if (ret)
		return ret;
	/* On a terminal what is printed says how far it is. */
	progress_line_begin(&wait, "dump", 0, operands->common.is_quiet || isatty(STDOUT_FILENO));
	ret = dump_all(&d, settings, &wait, &is_whole, err);
	progress_line_end(&wait);
	if (!ret)
		ret = say_flush(stdout, "standard output", err);
	if (!ret) {
		dump_say_losses(&d, "dump");
		ret = say_verdict("dump", recording,
		                  is_whole ? NULL : "a launch's file lacks groups");
	}
	recording_close(recording);
	return ret;
}
