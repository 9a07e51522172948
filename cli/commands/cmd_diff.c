/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "diff_choice.h"
#include "diff_report.h"
#include "err.h"
#include "json_out.h"
#include "out_file.h"
#include "player.h"
#include "recording.h"
#include "say.h"

struct diff_settings {
	struct replay_choice replay;
	struct diff_choice b;
	const char *fail_above, *fail_on, *json, *csv;
	uint32_t fail_by;
	struct option_number top;
};

static const struct option_row rows[] = {
	{ .name = "fail-above",
	  .argument = "PERCENT",
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct diff_settings, fail_above),
	  .text = "exit with 1 when B exceeds A by more than this percentage, for CI" },
	{ .name = "fail-on",
	  .argument = "LIST",
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct diff_settings, fail_on),
	  .values = "requests|misses|bytes_from_l2|bytes_to_l2|cycles",
	  .text = "metrics of --fail-above, comma-separated (default: "
	          "requests,misses,bytes_from_l2):"
#define DIFF_METRIC(name, title, verb, is_of, is_default, value) " " #name
#include "diff_metrics.def"
#undef DIFF_METRIC
	},
	{ .name = "fail-by",
	  .argument = "WHAT",
	  .kind = OPTION_CHOICE,
	  .offset = offsetof(struct diff_settings, fail_by),
	  .words = "total|kernel",
	  .text = "total: in the sum of all launches (default); kernel: in each kernel, too" },
	{ .name = "top",
	  .argument = "N",
	  .kind = OPTION_NUMBER,
	  .offset = offsetof(struct diff_settings, top),
	  .max = UINT32_MAX,
	  .text = "rows of each table of the text (default: 10; 0: all)" },
	JSON_ROW(struct diff_settings),
	{ .name = "csv",
	  .argument = "FILE",
	  .is_output = true,
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct diff_settings, csv),
	  .text = "write all rows as CSV to FILE; - for stdout, instead of the text" },
#define DIFF_OPTION(member, option, value, kind_, max_, text_)                                     \
	{ .name = (option),                                                                        \
	  .argument = (value),                                                                     \
	  .kind = OPTION_##kind_,                                                                  \
	  .offset = offsetof(struct diff_settings, b.member),                                      \
	  .max = (max_),                                                                           \
	  .text = (text_) },
#include "diff_options_b.def"
#undef DIFF_OPTION
#define CACHE_OPTION(member, option, value, key, text)                                             \
	CACHE_CHOICE_ROW(offsetof(struct diff_settings, b.cache), member, option "-b", value,      \
	                 "the same of B: " text)
#include "cache_options.def"
#undef CACHE_OPTION
#define REPLAY_ROWS_TYPE   struct diff_settings
#define REPLAY_ROWS_MEMBER replay
#include "replay_rows.def"
};
const struct option_table diff_options = { rows, sizeof(rows) / sizeof(rows[0]),
	                                   sizeof(struct diff_settings) };

/* What is known only of one side makes any difference doubtful. */
static int verdict(const struct diff_report *r, struct err *err)
{
	int worst = EXIT_DONE;

	for (size_t side = 0; side < DIFF_SIDES; side++) {
		const struct diff_side *s = r->side[side];
		const struct player_outcome outcome = report_data_outcome(&s->data);
		int ret = say_player_verdict("diff", s->recording, &outcome, &s->setup.gpu, err);

		if (!s->data.launches_played) {
			say_line("diff", "%s: no launch was replayed, so nothing is compared",
			         r->dir[side]);
			ret = EXIT_INCOMPLETE;
		}
		if (ret == EXIT_INCOMPLETE || worst == EXIT_DONE)
			worst = ret;
	}
	if (err->code)
		return err->code;
	if (worst != EXIT_INCOMPLETE && r->judge->found.count)
		return EXIT_FINDING;
	return worst;
}

static int report(const struct diff_report *r, const struct diff_settings *s, struct err *err)
{
	bool is_text = !(s->json && out_file_is_stdout(s->json)) &&
	               !(s->csv && out_file_is_stdout(s->csv));
	int ret = 0;

	if (is_text)
		ret = diff_text(r, stdout, err);
	if (!ret && is_text)
		ret = say_flush(stdout, "standard output", err);
	if (!ret && s->json)
		ret = diff_json(r, s->json, err);
	if (!ret && s->csv)
		ret = diff_csv(r, s->csv, err);
	return ret ? ret : verdict(r, err);
}

static int check_files(const struct diff_settings *s, struct err *err)
{
	if (s->json && s->csv && out_file_is_same(s->json, s->csv))
		return err_set(err, ERR_USAGE, "--json and --csv: expected two files");
	return 0;
}

/* Play both sides and tell what differs. */
static int compare(const struct diff_settings *s, struct diff_judge *judge,
                   const struct operands *operands, struct err *err)
{
	struct diff_side a = { 0 }, b = { 0 };
	struct diff diff = { 0 };
	const struct diff_report r = { &diff,
		                       { &a, &b },
		                       judge,
		                       { operands->items[0], operands->items[1] },
		                       !s->top.is_given ? 10
		                       : s->top.value   ? s->top.value
		                                        : UINT64_MAX };
	bool is_quiet = operands->common.is_quiet;
	struct replay_choice choice;
	int ret = diff_choice_of_b(&s->b, &s->replay, &choice, err);

	if (!ret)
		ret = diff_side_play(&a, &s->replay, operands->items[0], is_quiet, err);
	if (!ret)
		ret = diff_side_play(&b, &choice, operands->items[1], is_quiet, err);
	if (!ret)
		ret = diff_make(&diff, &a.data, &b.data, err);
	if (!ret)
		ret = diff_judge_look(judge, &diff, err);
	if (!ret)
		ret = report(&r, s, err);
	diff_release(&diff);
	diff_side_release(&a);
	diff_side_release(&b);
	return ret;
}

int cmd_diff(const void *settings, const struct operands *operands, struct err *err)
{
	const struct diff_settings *s = settings;
	struct diff_judge judge;
	int ret = diff_judge_init(&judge, s->fail_above, s->fail_on, s->fail_by != 0, err);

	if (!ret)
		ret = check_files(s, err);
	if (!ret)
		ret = compare(s, &judge, operands, err);
	diff_judge_release(&judge);
	return ret;
}
