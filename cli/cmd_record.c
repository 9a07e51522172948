/* SPDX-License-Identifier: Apache-2.0 */
#include "app.h"
#include "command.h"
#include "err.h"
#include "install.h"
#include "launch_summary.h"
#include "recording.h"
#include "recording_dir.h"
#include "recording_writer.h"

#include <stdlib.h>

struct record_settings {
	const char *output;
};

static const struct option_row rows[] = {
	{ .name = "output",
	  .letter = 'o',
	  .argument = "DIR",
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct record_settings, output),
	  .text = "the recording to make (default: warpline.data; an older one moves to DIR.old)" },
};
const struct option_table record_options = { rows, sizeof(rows) / sizeof(rows[0]),
	                                     sizeof(struct record_settings) };

/* What was recorded, on stderr: stdout is the program's. Failures are told, not returned: the
 * program ran, and its status is the answer. */
static void summarise(const char *dir)
{
	struct err err = { 0 };
	struct recording *r = NULL;
	struct launch_summary s = { 0 };
	int ret = recording_open(&r, dir, &err);

	if (!ret)
		ret = launch_summary_make(&s, r, &err);
	if (ret) {
		command_say("record", "%s", err.msg);
	} else {
		fprintf(stderr, "warpline record: %s\n", dir);
		launch_summary_print(&s, stderr);
		command_verdict("record", r);
	}
	launch_summary_release(&s);
	recording_close(r);
}

static void finish(const char *dir, int status)
{
	struct err err = { 0 };

	if (!recording_dir_is_recording(dir)) {
		command_say(
			"record",
			"no OpenCL call was seen, so nothing was recorded; check that the program "
			"uses OpenCL, that it is neither static nor set-uid, and that it passes "
			"its environment on to the programs that it starts");
		return;
	}
	if (recording_append_exit(dir, status, &err))
		command_say("record", "%s", err.msg);
	summarise(dir);
}

static int record(char **argv, const char *dir, struct err *err)
{
	char *library = install_part("libwarpline.so", err), *instrument = NULL, *absolute = NULL;
	int ret = ERR_IO;

	if (library)
		instrument = install_part("warpline-instrument", err);
	if (instrument && !recording_dir_make_room(dir, err))
		absolute = recording_dir_absolute(dir, err);
	if (absolute)
		ret = app_run(argv, &(struct app_recorder){ library, instrument, absolute }, err);
	if (ret >= 0)
		finish(dir, ret);
	else
		ret = err->code;
	free(library);
	free(instrument);
	free(absolute);
	return ret;
}

int cmd_record(const void *settings, const struct operands *operands, struct err *err)
{
	const struct record_settings *s = settings;
	int found = app_check(operands->items[0], err);

	if (found != EXIT_DONE) {
		command_say("record", "%s", err->msg);
		return found;
	}
	return record(operands->items, s->output ? s->output : RECORDING_DIR_DEFAULT, err);
}
