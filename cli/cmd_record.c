/* SPDX-License-Identifier: Apache-2.0 */
#include "app.h"
#include "command.h"
#include "count_report.h"
#include "err.h"
#include "install.h"
#include "launch_summary.h"
#include "record_options.h"
#include "recording.h"
#include "recording_dir.h"
#include "recording_writer.h"
#include "str.h"

#include <stdlib.h>

/* The kernels that came in by another door than the first, and why. */
static void print_doors(const struct recording *r)
{
	const char *head = "door      ";

	for (size_t i = 0; i < r->kernel_count; i++) {
		const struct recorded_kernel *k = &r->kernels[i];

		if (!*k->door || !k->reason)
			continue;
		fprintf(stderr, "%s%s: %s (%s)\n", head, k->table.name, k->door, k->reason);
		head = "          ";
	}
}

/* What was recorded, on stderr: stdout is the program's. Failures are told, not returned: the
 * program ran, and its status is the answer. */
static void summarise(const char *dir)
{
	struct err err = { 0 };
	struct recording *r = NULL;
	struct launch_summary s = { 0 };
	const char *why;
	int ret = recording_open(&r, dir, &err);

	if (!ret)
		ret = launch_summary_make(&s, r, &err);
	if (ret) {
		command_say("record", "%s", err.msg);
	} else {
		fprintf(stderr, "warpline record: %s\n", dir);
		launch_summary_print(&s, stderr);
		count_report_kernels(stderr, r);
		print_doors(r);
		if (launch_summary_is_empty(&s, &why))
			command_say("record", "%s", why);
		command_verdict("record", r);
	}
	launch_summary_release(&s);
	recording_close(r);
}

/* DIR.2 and so on: what other processes of the program recorded. */
static void summarise_others(const char *dir)
{
	for (int i = 2;; i++) {
		char *other = str_format(NULL, "%s.%d", dir, i);
		bool is_there = other && recording_dir_is_recording(other);

		if (is_there)
			summarise(other);
		free(other);
		if (!is_there)
			return;
	}
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
	summarise_others(dir);
}

static int record(char **argv, const char *dir, const struct recorder_variables *variables,
                  struct err *err)
{
	char *library = install_part("libwarpline.so", err), *instrument = NULL, *absolute = NULL;
	int ret = ERR_IO;

	if (library)
		instrument = install_part("warpline-instrument", err);
	if (instrument && !recording_dir_make_room(dir, err))
		absolute = recording_dir_absolute(dir, err);
	if (absolute)
		ret = app_run(argv,
		              &(struct app_recorder){ library, instrument, absolute,
		                                      variables->items, variables->count },
		              err);
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
	const struct record_options *o = settings;
	struct recorder_variables variables;
	int ret = recorder_variables_init(&variables, o, err);

	if (!ret) {
		ret = app_check(operands->items[0], err);
		if (ret > 0)
			command_say("record", "%s", err->msg);
	}
	if (!ret)
		ret = record(operands->items, o->output ? o->output : RECORDING_DIR_DEFAULT,
		             &variables, err);
	recorder_variables_release(&variables);
	return ret;
}
