/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "dump.h"
#include "err.h"
#include "launch_pick.h"
#include "player.h"
#include "progress_line.h"
#include "say.h"

#include <unistd.h>

struct dump_settings {
	struct option_number launch;
	struct launch_pick pick;
	struct option_number group;
	uint32_t format;
};

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

static int dump_all(struct dump *d, const struct dump_settings *s, struct err *err)
{
	const struct launch_choice *choice = &d->walk.launches;
	int ret = launch_choice_check(choice, err);

	if (!ret && s->group.is_given && choice->end - choice->first > 1)
		ret = err_set(err, ERR_USAGE,
		              "--group: expected --launch N with it: there are %zu launches",
		              choice->end);
	return ret ? ret : dump_write(d, (enum dump_format)s->format, err);
}

int cmd_dump(const void *settings, const struct operands *operands, struct err *err)
{
	const struct dump_settings *s = settings;
	/* on a terminal the output shows the progress */
	bool is_quiet = operands->common.is_quiet || isatty(STDOUT_FILENO);
	struct recording *recording = NULL;
	struct progress_line wait;
	struct dump d = { .out = stdout };
	int ret = launch_pick_open(&s->pick, &recording, operands->items[0], err);

	if (ret)
		return ret;
	d.walk = (struct access_walk){ .launches = launch_choice_make(
					       recording, option_number_given(&s->launch)),
		                       .group = option_number_given(&s->group),
		                       .watch = progress_line_watch(&wait, "dump", is_quiet) };
	ret = dump_all(&d, s, err);
	if (!ret)
		ret = say_flush(stdout, "standard output", err);
	if (!ret) {
		dump_ancestor_say_losses(&d, "dump");
		ret = say_verdict("dump", recording,
		                  d.walk.lacks_groups ? "a launch's file lacks groups" : NULL);
	}
	recording_close(recording);
	return ret;
}
