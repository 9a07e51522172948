/* SPDX-License-Identifier: Apache-2.0 */
#include "address_map.h"
#include "command.h"
#include "err.h"
#include "file.h"
#include "gpu.h"
#include "gpu_choice.h"
#include "launch_choice.h"
#include "launch_reader.h"
#include "recording.h"
#include "reorder_config.h"
#include "reorder_plan.h"
#include "str.h"
#include "trace_source.h"

#include <string.h>

static const size_t TEXT_LIMIT_BYTES = (size_t)1 << 30;

struct reorder_settings {
	struct gpu_choice gpu;
	struct option_number launch;
	const char *output;
};

static const struct option_row rows[] = {
	{ .name = "output",
	  .argument = "FILE",
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct reorder_settings, output),
	  .text = "write the configuration to FILE (default: -, stdout)",
	  .letter = 'o' },
	{ .name = "launch",
	  .argument = "N",
	  .kind = OPTION_NUMBER,
	  .offset = offsetof(struct reorder_settings, launch),
	  .max = UINT32_MAX,
	  .text = "the launch, counted from 0 (default: 0)" },
	GPU_CHOICE_ROWS(struct reorder_settings, gpu),
};
const struct option_table reorder_options = { rows, sizeof(rows) / sizeof(rows[0]),
	                                      sizeof(struct reorder_settings) };

static int read_group(void *context, uint64_t group, struct group_events *out, struct err *err)
{
	return launch_reader_packed(context, group, out, err);
}

/* Make the configuration of a launch; *is_whole: its file lacks nothing. */
static int make(struct reorder_config *config, const struct gpu *gpu, const struct recording *r,
                size_t launch, bool *is_whole, struct err *err)
{
	struct trace_source *source = NULL;
	struct launch_reader *reader = NULL;
	struct address_map *map = NULL;
	const struct recorded_launch *l = &r->launches[launch];
	int ret = recording_open_launch(r, launch, &source, &reader, err);

	if (!ret)
		ret = address_map_create(&map, r, launch, err);
	if (!ret) {
		const struct schedule_input input = {
			.shape = launch_reader_shape(reader),
			.table = &r->kernels[l->kernel].table,
			.map = map,
			.groups = { .context = reader, .read = read_group },
		};

		*is_whole = launch_reader_is_whole(reader) && !l->dropped_events;
		ret = reorder_plan_make(config, gpu, &input, err);
	}
	address_map_free(map);
	launch_reader_close(reader);
	trace_source_close(source);
	return ret;
}

static int write_text(const struct reorder_config *config, const char *file, struct err *err)
{
	struct str text;
	int ret;

	str_init(&text, TEXT_LIMIT_BYTES);
	ret = reorder_config_print(config, &text, err);
	if (!ret && file && strcmp(file, "-") != 0) {
		ret = file_write(file, text.text, text.length, err);
	} else if (!ret) {
		fwrite(text.text, 1, text.length, stdout);
		ret = command_flush(stdout, "standard output", err);
	}
	str_release(&text);
	return ret;
}

static int verdict(const struct recording *r, bool is_whole)
{
	int ret = command_verdict("reorder", r);

	if (ret || is_whole)
		return ret;
	command_say("reorder", "%s: the launch's file lacks accesses", r->dir);
	return EXIT_INCOMPLETE;
}

int cmd_reorder(const void *settings, const struct operands *operands, struct err *err)
{
	const struct reorder_settings *s = settings;
	const struct option_number launch = { true, s->launch.value };
	struct reorder_config config = { 0 };
	struct recording *recording = NULL;
	struct launch_choice choice;
	struct gpu gpu;
	bool is_whole = true;
	int ret = gpu_choice_load(&s->gpu, &gpu, err);

	if (!ret)
		ret = recording_open(&recording, operands->items[0], err);
	if (ret)
		return ret;
	choice = launch_choice_make(recording, &launch);
	ret = launch_choice_check(&choice, err);
	if (!ret)
		ret = make(&config, &gpu, recording, choice.first, &is_whole, err);
	if (!ret)
		ret = write_text(&config, s->output, err);
	if (!ret)
		ret = verdict(recording, is_whole);
	reorder_config_release(&config);
	recording_close(recording);
	return ret;
}
