/* SPDX-License-Identifier: Apache-2.0 */
#include "import_recording.h"

#include "err.h"
#include "interrupt.h"
#include "recording_dir.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Write the entries of device, program and kernels of a trace; borrows the tables. */
static int write_head(struct recording_writer *w, const struct import_head *head, struct err *err)
{
	char name[] = "imported trace", none[] = "", imported[] = "imported";
	struct recorded_device device = { name, none, none, none, none, head->address_bits };
	struct recorded_program program = { .options = none, .origin = imported };
	struct recorded_kernel facts = { .door = imported };
	uint32_t kernel;
	int ret;

	device.platform = head->platform;
	ret = recording_writer_device(w, &device, &facts.device, err);
	if (!ret)
		ret = recording_writer_program(w, &program, NULL, 0, &facts.program, err);
	for (size_t i = 0; !ret && i < head->count; i++) {
		facts.table = head->tables[i];
		facts.reason = head->reasons ? head->reasons[i] : NULL;
		ret = recording_writer_kernel(w, &facts, &kernel, err);
	}
	return ret;
}

int import_recording_launch(struct recording_writer *w, struct recorded_launch *launch,
                            const struct kernel_table *table, import_groups write, void *input,
                            struct err *err)
{
	struct launch_writer *file = NULL;
	uint32_t id;
	int ret = recording_writer_launch(w, launch, &id, err);

	if (!ret)
		ret = recording_writer_open_launch(w, id, &launch->shape, table, &file, err);
	if (ret)
		return ret;
	ret = write(file, input, err);
	if (launch_writer_close(file, !ret, &launch->totals, err) && !ret)
		ret = err->code;
	return ret ? ret : recording_writer_fate(w, id, launch, err);
}

/* A recording being written. */
struct making {
	const struct import_head *head;
	import_launches write;
	const void *input;
};

static int write_recording(const char *dir, const struct making *m, struct err *err)
{
	char *command[] = { (char[]){ "warpline" }, (char[]){ "import" }, NULL, NULL };
	struct recording_writer *w = NULL;
	int ret = recording_writer_create(&w, dir, WARPLINE_VERSION, command, err);

	if (!ret)
		ret = write_head(w, m->head, err);
	if (!ret)
		ret = m->write(w, m->input, err);
	if (!ret)
		ret = recording_writer_end(w, err);
	recording_writer_close(w);
	return ret;
}

int import_recording_make(const char *dir, const struct import_head *head, import_launches write,
                          const void *input, struct err *err)
{
	const struct making making = { head, write, input };
	size_t length = strlen(dir);
	char *made = str_format(err, "%.*s.importing",
	                        (int)(length - (length && dir[length - 1] == '/')), dir);
	int ret = made ? 0 : ERR_NOMEM, kept = 0;
	sigset_t before;

	if (!ret && recording_dir_is_recording(made))
		ret = recording_dir_remove(made, err);
	if (!ret && access(made, F_OK)) /* keep anything that is not our recording */
		kept = interrupt_keep(made, INTERRUPT_DIR);
	if (!ret)
		ret = write_recording(made, &making, err);
	interrupt_hold(&before);
	if (!ret)
		ret = recording_dir_replace(made, dir, err);
	interrupt_forget(kept);
	interrupt_let(&before);
	if (ret && made && recording_dir_is_recording(made))
		recording_dir_remove(made, NULL);
	free(made);
	return ret;
}
