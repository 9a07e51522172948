/* SPDX-License-Identifier: Apache-2.0 */
#include "ancestor_events.h"
#include "command.h"
#include "err.h"
#include "recording_dir.h"
#include "recording_writer.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

struct import_settings {
	const char *output;
	uint32_t format;
};

static const struct option_row rows[] = {
	{ .name = "format",
	  .argument = "FORMAT",
	  .kind = OPTION_CHOICE,
	  .offset = offsetof(struct import_settings, format),
	  .words = "ancestor",
	  .text = "what FILE is (default: ancestor, the 2014 text format)" },
	{ .name = "output",
	  .letter = 'o',
	  .argument = "DIR",
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct import_settings, output),
	  .text = "the recording to make (default: warpline.data; an older one moves to DIR.old)" },
};
const struct option_table import_options = { rows, sizeof(rows) / sizeof(rows[0]),
	                                     sizeof(struct import_settings) };

static int write_groups(struct launch_writer *w, const struct ancestor_execution *x,
                        struct ancestor_events *events, struct err *err)
{
	uint64_t count = launch_shape_group_count(&x->shape);
	struct group_events group;
	size_t next = x->first;
	int ret = 0;

	for (uint64_t g = 0; !ret && g < count; g++) {
		ret = ancestor_events_group(events, x, g, &next, &group, err);
		if (!ret)
			ret = launch_writer_add(w, g, &group, err);
	}
	return ret;
}

static int write_launch(struct recording_writer *w, uint32_t kernel,
                        const struct ancestor_execution *x, struct ancestor_events *events,
                        struct err *err)
{
	struct recorded_launch launch = { .kernel = kernel,
		                          .shape = x->shape,
		                          .fate = LAUNCH_TRACED };
	struct launch_writer *file = NULL;
	uint32_t id;
	int ret = recording_writer_launch(w, &launch, &id, err);

	if (!ret)
		ret = recording_writer_open_launch(w, id, &x->shape, &events->kernel->table, &file,
		                                   err);
	if (ret)
		return ret;
	ret = write_groups(file, x, events, err);
	if (launch_writer_close(file, !ret, &launch.totals, err) && !ret)
		ret = err->code;
	return ret ? ret : recording_writer_fate(w, id, &launch, err);
}

/* What stands for the device, the program and the kernel of a trace; borrows the table. */
static int write_head(struct recording_writer *w, const struct kernel_table *table,
                      uint32_t *kernel, struct err *err)
{
	char name[] = "imported trace", none[] = "", imported[] = "imported";
	struct recorded_device device = { name, none, none, none, none, 32 };
	struct recorded_program program = { NULL, none, imported };
	struct recorded_kernel facts = { .door = imported, .table = *table };
	int ret = recording_writer_device(w, &device, &facts.device, err);

	if (!ret)
		ret = recording_writer_program(w, &program, NULL, 0, &facts.program, err);
	return ret ? ret : recording_writer_kernel(w, &facts, kernel, err);
}

static int write_recording(const char *dir, const struct ancestor_trace *trace,
                           const struct ancestor_kernel *kernel, struct err *err)
{
	char *command[] = { (char[]){ "warpline" }, (char[]){ "import" }, NULL, NULL };
	const struct ancestor_execution *x = trace->executions.data;
	struct recording_writer *w = NULL;
	struct ancestor_events events;
	uint32_t id;
	int ret;

	ancestor_events_init(&events, trace, kernel);
	ret = recording_writer_create(&w, dir, WARPLINE_VERSION, command, err);
	if (!ret)
		ret = write_head(w, &kernel->table, &id, err);
	for (size_t i = 0; !ret && i < trace->executions.count; i++)
		ret = write_launch(w, id, &x[i], &events, err);
	if (!ret)
		ret = recording_writer_end(w, err);
	recording_writer_close(w);
	ancestor_events_release(&events);
	return ret;
}

/* Write it beside `dir`, and put it there when it is whole: an older recording is then in nobody's
 * way, and stays when the trace turns out to make no sense. */
static int make_recording(const char *dir, const struct ancestor_trace *trace,
                          const struct ancestor_kernel *kernel, struct err *err)
{
	size_t length = strlen(dir);
	char *made = str_format(err, "%.*s.importing",
	                        (int)(length - (length && dir[length - 1] == '/')), dir);
	int ret = made ? 0 : ERR_NOMEM;

	if (!ret && recording_dir_is_recording(made))
		ret = recording_dir_remove(made, err);
	if (!ret)
		ret = write_recording(made, trace, kernel, err);
	if (!ret)
		ret = recording_dir_replace(made, dir, err);
	if (ret && made && recording_dir_is_recording(made))
		recording_dir_remove(made, NULL);
	free(made);
	return ret;
}

int cmd_import(const void *settings, const struct operands *operands, struct err *err)
{
	const struct import_settings *s = settings;
	const char *dir = s->output ? s->output : RECORDING_DIR_DEFAULT;
	struct ancestor_kernel *kernel = calloc(1, sizeof(*kernel));
	struct ancestor_trace trace;
	int ret;

	if (!kernel)
		return err_set(err, ERR_NOMEM, "out of memory for the kernel");
	ret = ancestor_trace_read(&trace, operands->items[0], err);
	if (!ret)
		ret = ancestor_kernel_infer(kernel, &trace, err);
	if (!ret)
		ret = make_recording(dir, &trace, kernel, err);
	ancestor_kernel_release(kernel);
	free(kernel);
	ancestor_trace_release(&trace);
	return ret;
}
