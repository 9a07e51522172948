/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "err.h"
#include "import.h"
#include "progress_line.h"
#include "recording.h"
#include "recording_dir.h"
#include "say.h"

/* In the order of the words of --format. */
enum import_format { IMPORT_ANCESTOR, IMPORT_DIN, IMPORT_U64, IMPORT_TRACEG, IMPORT_NVBIT };

struct import_settings {
	const char *output;
	uint32_t format;
	struct option_number most;
};

static const struct option_row rows[] = {
	{ .name = "format",
	  .argument = "FORMAT",
	  .kind = OPTION_CHOICE,
	  .offset = offsetof(struct import_settings, format),
	  .words = "ancestor|din|u64|traceg|nvbit",
	  .text = "what FILE is: ancestor, the 2014 text format (the default), din, the text of "
	          "Dinero, u64, byte addresses of 64 bits, traceg, Accel-Sim's trace of a kernel "
	          "or "
	          "list of such, or nvbit, what NVBit's mem_trace prints" },
	{ .name = "output",
	  .letter = 'o',
	  .argument = "DIR",
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct import_settings, output),
	  .text = "the recording to make (default: warpline.data; an older one moves to DIR.old)" },
	{ .name = "max-accesses",
	  .argument = "N",
	  .kind = OPTION_NUMBER,
	  .offset = offsetof(struct import_settings, most),
	  .max = UINT64_MAX,
	  .text = "only the first N accesses of a list of addresses (default: all)" },
};
const struct option_table import_options = { rows, sizeof(rows) / sizeof(rows[0]),
	                                     sizeof(struct import_settings) };

/* Report what the recording lacks of the trace. */
static int judge_recording(const char *dir, struct err *err)
{
	struct recording *recording = NULL;
	int ret = recording_open(&recording, dir, err);

	if (!ret)
		ret = say_verdict("import", recording, NULL);
	recording_close(recording);
	return ret;
}

static int import_any(const struct import_settings *s, const char *file, const char *dir,
                      struct err *err)
{
	uint64_t most = s->most.is_given ? s->most.value : UINT64_MAX;

	switch ((enum import_format)s->format) {
	case IMPORT_DIN:
		return import_addresses(file, ADDRESS_DIN, most, dir, err);
	case IMPORT_U64:
		return import_addresses(file, ADDRESS_U64, most, dir, err);
	case IMPORT_TRACEG:
		return import_traceg(file, dir, err);
	case IMPORT_NVBIT:
		return import_nvbit(file, dir, err);
	case IMPORT_ANCESTOR:
	default:
		return import_ancestor(file, dir, err);
	}
}

int cmd_import(const void *settings, const struct operands *operands, struct err *err)
{
	const struct import_settings *s = settings;
	const char *dir = s->output ? s->output : RECORDING_DIR_DEFAULT;
	struct progress_line wait;
	int ret;

	if (s->most.is_given && s->format != IMPORT_DIN && s->format != IMPORT_U64)
		return err_set(err, ERR_USAGE,
		               "--max-accesses: expected --format din or u64 with it");
	if (s->most.is_given && !s->most.value)
		return err_set(err, ERR_USAGE, "--max-accesses: expected a number from 1");
	progress_line_begin(&wait, "import", 0, operands->common.is_quiet);
	progress_line_what(&wait, "%s", operands->items[0]);
	ret = import_any(s, operands->items[0], dir, err);
	progress_line_end(&wait);
	return ret ? ret : judge_recording(dir, err);
}
