/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "err.h"
#include "info.h"
#include "launch_summary.h"
#include "recording.h"

#include <stdlib.h>

struct info_settings {
	bool json;
};

static const struct option_row rows[] = {
	{ .name = "json",
	  .kind = OPTION_FLAG,
	  .offset = offsetof(struct info_settings, json),
	  .text = "print JSON (docs/json.md)" },
};
const struct option_table info_options = { rows, sizeof(rows) / sizeof(rows[0]),
	                                   sizeof(struct info_settings) };

int cmd_info(const void *settings, const struct operands *operands, struct err *err)
{
	const struct info_settings *s = settings;
	struct launch_summary summary = { 0 };
	struct recording *r = NULL;
	char *why = NULL;
	int ret = recording_open(&r, operands->items[0], err);

	if (!ret)
		ret = launch_summary_make(&summary, r, err);
	if (!ret && s->json) {
		recording_is_complete(r, &why);
		ret = info_print_json(r, &summary, why, err);
	} else if (!ret) {
		info_print_text(stdout, r, &summary);
		ret = command_flush(stdout, "standard output", err);
	}
	if (!ret)
		ret = command_verdict("info", r);
	free(why);
	launch_summary_release(&summary);
	recording_close(r);
	return ret;
}
