/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "err.h"
#include "info.h"
#include "json_out.h"
#include "launch_summary.h"
#include "out_file.h"
#include "recording.h"
#include "say.h"

struct info_settings {
	const char *json;
};

static const struct option_row rows[] = {
	JSON_ROW(struct info_settings),
};
const struct option_table info_options = { rows, sizeof(rows) / sizeof(rows[0]),
	                                   sizeof(struct info_settings) };

int cmd_info(const void *settings, const struct operands *operands, struct err *err)
{
	const struct info_settings *s = settings;
	struct launch_summary summary = { 0 };
	struct recording *r = NULL;
	struct completeness c = { 0 };
	int ret = recording_open(&r, operands->items[0], err);

	if (!ret)
		ret = launch_summary_make(&summary, r, err);
	if (!ret)
		completeness_make(&c, r, true);
	if (!ret && s->json)
		ret = info_print_json(r, &summary, &c, s->json, err);
	if (!ret && !(s->json && out_file_is_stdout(s->json))) {
		info_print_text(stdout, r, &summary, &c);
		ret = say_flush(stdout, "standard output", err);
	}
	if (!ret)
		ret = say_missing("info", r, &c, NULL);
	completeness_release(&c);
	launch_summary_release(&summary);
	recording_close(r);
	return ret;
}
