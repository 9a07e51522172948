/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "err.h"
#include "html_page.h"
#include "json_out.h"
#include "launch_summary.h"
#include "out_file.h"
#include "player.h"
#include "progress_line.h"
#include "recording.h"
#include "replay_choice.h"
#include "report_data.h"
#include "report_output.h"
#include "say.h"

#include <string.h>

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

/* The findings that --fail-on reports by the exit status. */
struct fail_on {
	bool is_asked; /* the option was given */
	bool rules[FINDING_NAMES];
	bool has_severity;
	enum finding_severity severity; /* findings of any rule from this one on */
};

static bool is_word(const char *word, size_t length, const char *name)
{
	return strlen(name) == length && !memcmp(word, name, length);
}

/* Read a severity, or "any". */
static bool take_severity(struct fail_on *f, const char *word, size_t length)
{
	for (int s = FINDING_MINOR; s <= FINDING_SEVERE; s++) {
		enum finding_severity severity = (enum finding_severity)s;

		if (!is_word(word, length, finding_severity_name(severity)) &&
		    (s != FINDING_MINOR || !is_word(word, length, "any")))
			continue;
		if (!f->has_severity || severity < f->severity)
			f->severity = severity;
		f->has_severity = true;
		return true;
	}
	return false;
}

static int take(struct fail_on *f, const char *word, size_t length, struct err *err)
{
	enum finding_rule rule = finding_find(word, length);

	if (take_severity(f, word, length))
		return 0;
	if (rule == FINDING_NAMES)
		return err_set(
			err, ERR_USAGE,
			"--fail-on: '%.*s' is not a rule; there are: any minor notable severe"
#define FINDING(NAME, name, most, title, advice) " " name
#include "findings.def"
#undef FINDING
			,
			length > 40 ? 40 : (int)length, word);
	f->rules[rule] = true;
	return 0;
}

/* Read comma-separated rules and severities, or "any"; NULL: none. */
static int parse_fail_on(struct fail_on *f, const char *list, struct err *err)
{
	int ret = 0;

	*f = (struct fail_on){ .is_asked = list != NULL };
	while (list && !ret) {
		size_t length = strcspn(list, ",");

		ret = take(f, list, length, err);
		list = list[length] ? list + length + 1 : NULL;
	}
	return ret;
}

/* Returns how many findings --fail-on names. */
static size_t count_named(const struct fail_on *f, const struct finding_list *list)
{
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++)
		count += f->rules[list->items[i].rule] ||
		         (f->has_severity && list->items[i].severity >= f->severity);
	return count;
}

/* Returns a rule that --fail-on names and that could not be checked; a severity names all rules.
 * FINDING_NAMES: there is none. */
static enum finding_rule blind_rule(const struct fail_on *f, const struct finding_list *list)
{
	size_t rule = 0;

	while (rule < FINDING_NAMES &&
	       !(list->not_looked[rule] &&
	         (f->rules[rule] || (f->has_severity && rule < FINDING_RULES))))
		rule++;
	return (enum finding_rule)rule;
}

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

/* Write the text, the JSON and the page; one of the latter may go to stdout instead of the text. */
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
		ret = html_page_save(d, s->html, common->is_quiet, err);
	if (!ret && s->html && !is_stdout)
		printf("\nThe page is %s\n", s->html);
	return ret ? ret : say_flush(stdout, "standard output", err);
}

/* Fail because nothing was checked: a kernel may have been renamed. */
static int say_nothing_judged(const struct report_data *d)
{
	char kernels[LAUNCHED_KERNELS_BYTES];

	say_line("report",
	         "%s: --fail-on checked nothing, no launch was replayed; kernels launched: %s",
	         d->recording->dir, launched_kernels_text(kernels, d->recording));
	return EXIT_INCOMPLETE;
}

/* Returns the exit status. Launches that the GPU cannot hold are a failure, as in replay; requested
 * findings take precedence over an incomplete recording. */
static int verdict(const struct report_data *d, const struct fail_on *fail_on, struct err *err)
{
	const struct player_outcome outcome = report_data_outcome(d);
	int ret = say_player_verdict("report", d->recording, &outcome, &d->setup->gpu, err);
	size_t found = count_named(fail_on, &d->findings);
	enum finding_rule blind = blind_rule(fail_on, &d->findings);

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
	int ret = parse_fail_on(&fail_on, s->fail_on, err);

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
