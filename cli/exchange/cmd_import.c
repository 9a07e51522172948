/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "err.h"
#include "import_addresses.h"
#include "import_ancestor.h"
#include "recording_dir.h"

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
	  .words = "ancestor|din|u64",
	  .text = "what FILE is: ancestor, the 2014 text format (the default), din, the text of "
	          "Dinero, or u64, byte addresses of 64 bits" },
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

int cmd_import(const void *settings, const struct operands *operands, struct err *err)
{
	const struct import_settings *s = settings;
	const char *dir = s->output ? s->output : RECORDING_DIR_DEFAULT;
	const char *file = operands->items[0];

	if (s->most.is_given && !s->format)
		return err_set(err, ERR_USAGE,
		               "--max-accesses: expected --format din or u64 with it");
	if (s->most.is_given && !s->most.value)
		return err_set(err, ERR_USAGE, "--max-accesses: expected a number from 1");
	if (!s->format)
		return import_ancestor(file, dir, err);
	return import_addresses(file, s->format == 1 ? ADDRESS_DIN : ADDRESS_U64,
	                        s->most.is_given ? s->most.value : UINT64_MAX, dir, err);
}
