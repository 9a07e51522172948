/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "err.h"
#include "fail_on.h"
#include "html_report.h"
#include "json_out.h"
#include "launch_summary.h"
#include "out_file.h"
#include "player.h"
#include "progress_line.h"
#include "recording.h"
#include "replay_choice.h"
#include "report_data.h"
#include "report_json.h"
#include "report_text.h"
#include "say.h"

#include <string.h>

enum { TOP_BY_DEFAULT = 10 };

struct report_settings {
	struct replay_choice replay;
	struct option_number top;
	const char *fail_on, *json, *html;
	bool is_annotated;
};

static const struct option_row rows[] = {
	{ .name = "top",
	  .argument = "N",
	  .kind = OPTION_NUMBER,
	  .offset = offsetof(struct report_settings, top),
	  .max = UINT32_MAX,
	  .text = "findings, and rows of each table (default: 10; 0: all)" },
	{ .name = "annotate",
	  .kind = OPTION_FLAG,
	  .offset = offsetof(struct report_settings, is_annotated),
	  .text = "also print the source, with requests, misses by class, lanes per request and "
	          "bytes used beside each line" },
	JSON_ROW(struct report_settings),
	{ .name = "html",
	  .argument = "FILE",
	  .is_output = true,
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct report_settings, html),
	  .text = "also write a page, whole in one file; -: the page alone, to stdout" },
	{ .name = "fail-on",
	  .argument = "LIST",
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct report_settings, fail_on),
	  .text = "exit with 1 when a rule of the list found something, comma-separated, or any, "
	          "minor, notable, severe: this severity and above; rules:"
#define FINDING(NAME, name, most, title, advice) " " name
#include "findings.def"
#undef FINDING
	},
#define REPLAY_ROWS_TYPE   struct report_settings
#define REPLAY_ROWS_MEMBER replay
#include "replay_rows.def"
};
const struct option_table report_options = { rows, sizeof(rows) / sizeof(rows[0]),
	                                     sizeof(struct report_settings) };

static int make_data(struct report_data *data, struct replay_setup *setup,
                     const struct launch_choice *launches, const struct report_settings *s,
                     bool is_quiet, struct err *err)
{
	struct progress_line wait;
	const struct report_request request = { .watch = progress_line_watch(&wait, "report",
		                                                             is_quiet),
		                                .has_curves = true,
		                                .has_set_curves = s->json || s->html,
		                                .has_patterns = true };

	return report_data_make(data, setup, launches, &request, err);
}

/* The text; and the JSON or the page, of which one may go to stdout instead. */
static int write_report(const struct report_data *d, const struct report_settings *s,
                        const struct option_common *common, struct err *err)
{
	uint64_t top = s->top.is_given ? s->top.value : TOP_BY_DEFAULT;
	bool is_stdout = (s->json && out_file_is_stdout(s->json)) ||
	                 (s->html && out_file_is_stdout(s->html));
	int ret = 0;

	if (!is_stdout) {
		report_text_print(stdout, d, top ? top : UINT64_MAX);
		if (s->is_annotated)
			report_annotate_print(stdout, d, &common->colour);
	}
	if (s->json)
		ret = report_json_write(s->json, d, err);
	if (!ret && s->html)
		ret = html_report_write(d, s->html, common->is_quiet, err);
	if (!ret && s->html && !is_stdout)
		printf("\nThe page is %s\n", s->html);
	return ret ? ret : say_flush(stdout, "standard output", err);
}

/* A check of nothing has not passed: a kernel may have got another name. */
static int say_nothing_judged(const struct report_data *d)
{
	char kernels[LAUNCHED_KERNELS_BYTES];

	say_line("report",
	         "%s: --fail-on checked nothing, no launch was replayed; kernels launched: %s",
	         d->recording->dir, launched_kernels_text(kernels, d->recording));
	return EXIT_INCOMPLETE;
}

/* Launches that the GPU could not hold are a failure, as for replay; what is incomplete, and
 * findings that were asked for, come behind. */
static int verdict(const struct report_data *d, const struct fail_on *fail_on, struct err *err)
{
	const struct player_outcome outcome = report_data_outcome(d);
	int ret = say_player_verdict("report", d->recording, &outcome, &d->setup->gpu, err);
	size_t found = fail_on_count(fail_on, &d->findings);
	enum finding_rule blind = fail_on_blind(fail_on, &d->findings);

	if (ret < 0)
		return ret;
	if (!ret && blind != FINDING_NAMES) {
		say_line("report", "--fail-on: %s was not looked for: %s", finding_name(blind),
		         d->findings.not_looked[blind]);
		ret = EXIT_INCOMPLETE;
	}
	if (found)
		say_line("report", "findings that --fail-on names: %zu", found);
	else if (fail_on->is_asked && !d->launches_played)
		ret = say_nothing_judged(d);
	return found ? EXIT_FINDING : ret;
}

int cmd_report(const void *settings, const struct operands *operands, struct err *err)
{
	const struct report_settings *s = settings;
	struct replay_setup setup = { 0 };
	struct recording *recording = NULL;
	struct report_data data = { 0 };
	struct launch_choice launches;
	struct fail_on fail_on;
	int ret = fail_on_parse(&fail_on, s->fail_on, err);

	if (!ret && s->json && s->html && out_file_is_same(s->json, s->html))
		ret = err_set(err, ERR_USAGE, "--json and --html: both to %s", s->html);
	if (!ret)
		ret = replay_choice_setup(&setup, &s->replay, err);
	if (!ret)
		ret = launch_pick_open(&s->replay.pick, &recording, operands->items[0], err);
	if (!ret)
		ret = replay_choice_recording(&setup, &s->replay, "report", recording, err);
	if (ret)
		goto out;
	launches = launch_choice_make(recording, option_number_given(&s->replay.launch));
	ret = make_data(&data, &setup, &launches, s, operands->common.is_quiet, err);
	if (ret)
		goto out;
	ret = write_report(&data, s, &operands->common, err);
	if (!ret)
		ret = verdict(&data, &fail_on, err);
out:
	report_data_release(&data);
	replay_setup_release(&setup);
	recording_close(recording);
	return ret;
}
