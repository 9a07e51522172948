/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "err.h"
#include "file.h"
#include "gpu.h"
#include "gpu_choice.h"
#include "player.h"
#include "progress_line.h"
#include "recording.h"
#include "reorder_config.h"
#include "replay.h"
#include "say.h"
#include "str.h"

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
	  .is_output = true,
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
		ret = say_flush(stdout, "standard output", err);
	}
	str_release(&text);
	return ret;
}

int cmd_reorder(const void *settings, const struct operands *operands, struct err *err)
{
	const struct reorder_settings *s = settings;
	const struct option_number launch = { true, s->launch.value };
	struct reorder_config config = { 0 };
	struct recording *recording = NULL;
	struct launch_choice choice;
	struct progress_line wait;
	struct gpu gpu;
	bool is_whole = true;
	int ret = gpu_choice_load(&s->gpu, &gpu, err);

	if (!ret)
		ret = recording_open(&recording, operands->items[0], err);
	if (ret)
		return ret;
	gpu_choice_say("reorder", &gpu);
	choice = launch_choice_make(recording, option_number_given(&launch));
	progress_line_begin(&wait, "reorder", 0, operands->common.is_quiet);
	ret = launch_choice_check(&choice, err);
	if (!ret)
		ret = replay_reorder_config(recording, choice.first, &gpu, &config, &is_whole, err);
	progress_line_end(&wait);
	if (!ret)
		ret = write_text(&config, s->output, err);
	if (!ret)
		ret = say_verdict("reorder", recording,
		                  is_whole ? NULL : "the launch's file lacks accesses");
	reorder_config_release(&config);
	recording_close(recording);
	return ret;
}
