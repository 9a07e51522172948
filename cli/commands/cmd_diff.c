/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "diff_report.h"
#include "err.h"
#include "json_out.h"
#include "out_file.h"
#include "player.h"
#include "progress_line.h"
#include "recording.h"
#include "replay_choice.h"
#include "say.h"

/* The options of replay that B can have separately; NULL and zero: not given. */
struct diff_options_b {
	const char *gpu, *l1, *read_only, *bypass, *ptxas;
	struct order_choice order;
	struct option_list set;
	struct option_number launch, registers;
	struct launch_pick pick;
	struct cache_choice cache;
};

struct diff_settings {
	struct replay_choice replay;
	struct diff_options_b b;
	const char *fail_above, *fail_on, *json, *csv;
	uint32_t fail_by;
	struct option_number top;
};

#define B_ROW(member, option, value, kind_, max_, text_)                                           \
	{ .name = (option),                                                                        \
	  .argument = (value),                                                                     \
	  .kind = OPTION_##kind_,                                                                  \
	  .offset = offsetof(struct diff_settings, b.member),                                      \
	  .max = (max_),                                                                           \
	  .text = (text_) }

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
	B_ROW(gpu, "gpu-b", "NAME", TEXT, 0, "B's GPU, or a description file"),
	B_ROW(l1, "l1-b", "NAME", TEXT, 0, "B's L1 configuration"),
	B_ROW(set, "set-b", "KEY=VALUE", LIST, 0, "change B's GPU; may be repeated"),
	B_ROW(launch, "launch-b", "N", NUMBER, UINT32_MAX, "only launch N of B"),
	B_ROW(pick.launches, "launches-b", "SPEC", TEXT, 0, "only these launches of B"),
	B_ROW(pick.kernel, "kernel-b", "REGEX", TEXT, 0,
	      "only launches of B of kernels whose name matches"),
	B_ROW(order.schedule, "schedule-b", "ORDER", TEXT, 0, "B's order"),
	B_ROW(order.dispatch, "dispatch-b", "ORDER", TEXT, 0, "SMs that get B's groups"),
	B_ROW(read_only, "read-only-b", "LIST", TEXT, 0, "B's reads through the read-only cache"),
	B_ROW(bypass, "bypass-b", "LIST", TEXT, 0, "B's reads that bypass L1"),
	B_ROW(registers, "registers-b", "N", NUMBER, 65536,
	      "registers that a work-item of B needs"),
	B_ROW(ptxas, "ptxas-b", "FILE[@sm_NN]", TEXT, 0,
	      "B's registers, from what 'ptxas -v' printed"),
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

/* Replace A's option by the one given for B. */
static void take_text(const char **to, const char *given)
{
	if (given)
		*to = given;
}

static void take_number(struct option_number *to, const struct option_number *given)
{
	if (given->is_given)
		*to = *given;
}

static int add_settings(struct option_list *to, const struct option_list *given, struct err *err)
{
	for (size_t i = 0; i < given->count; i++) {
		if (to->count == OPTION_LIST_LIMIT)
			return err_set(err, ERR_USAGE, "--set-b: more than %d with those of --set",
			               OPTION_LIST_LIMIT);
		to->items[to->count++] = given->items[i];
	}
	return 0;
}

/*
 * Choose B: A's options, unless given again with -b after their names. Another GPU has other L1
 * configurations: --gpu-b drops --l1. Returns 0, or ERR_USAGE for too many --set.
 */
static int choose_b(const struct diff_options_b *b, const struct replay_choice *a,
                    struct replay_choice *out, struct err *err)
{
	*out = *a;
	if (b->gpu)
		out->gpu.l1 = NULL;
	take_text(&out->gpu.gpu, b->gpu);
	take_text(&out->gpu.l1, b->l1);
	take_text(&out->order.schedule, b->order.schedule);
	take_text(&out->order.dispatch, b->order.dispatch);
	take_text(&out->read_only, b->read_only);
	take_text(&out->bypass, b->bypass);
	take_number(&out->launch, &b->launch);
	take_text(&out->pick.launches, b->pick.launches);
	take_text(&out->pick.kernel, b->pick.kernel);
	if (b->registers.is_given)
		out->registers.ptxas = NULL;
	if (b->ptxas)
		out->registers.registers.is_given = false;
	take_number(&out->registers.registers, &b->registers);
	take_text(&out->registers.ptxas, b->ptxas);
#define CACHE_OPTION(member, option, value, key, text)                                             \
	take_text(&out->gpu.cache.member, b->cache.member);
#include "cache_options.def"
#undef CACHE_OPTION
	return add_settings(&out->gpu.set, &b->set, err);
}

/* Open and replay a side, which is zeroed; release it in every case. */
static int play_side(struct diff_side *s, const struct replay_choice *choice, const char *dir,
                     bool is_quiet, struct err *err)
{
	struct progress_line wait;
	const struct report_request request = { .watch = progress_line_watch(&wait, "diff",
		                                                             is_quiet) };
	struct launch_choice launches;
	int ret = replay_choice_setup(&s->setup, choice, err);

	if (!ret)
		ret = launch_pick_open(&choice->pick, &s->recording, dir, err);
	if (!ret)
		ret = replay_choice_recording(&s->setup, choice, "diff", s->recording, err);
	if (ret)
		return ret;
	launches = launch_choice_make(s->recording, option_number_given(&choice->launch));
	return report_data_make(&s->data, &s->setup, &launches, &request, err);
}

static void release_side(struct diff_side *s)
{
	report_data_release(&s->data);
	replay_setup_release(&s->setup);
	recording_close(s->recording);
	*s = (struct diff_side){ 0 };
}

/* Returns the exit status. If one side has something that the other lacks, any difference is
 * doubtful. */
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

/* Replay both sides and report what differs. */
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
	int ret = choose_b(&s->b, &s->replay, &choice, err);

	if (!ret)
		ret = play_side(&a, &s->replay, operands->items[0], is_quiet, err);
	if (!ret)
		ret = play_side(&b, &choice, operands->items[1], is_quiet, err);
	if (!ret)
		ret = diff_make(&diff, &a.data, &b.data, err);
	if (!ret)
		ret = diff_judge_look(judge, &diff, err);
	if (!ret)
		ret = report(&r, s, err);
	diff_release(&diff);
	release_side(&a);
	release_side(&b);
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
