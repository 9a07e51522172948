/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_carveout.h"
#include "bypass_job.h"
#include "bypass_ptx.h"
#include "bypass_report.h"
#include "bypass_source.h"
#include "command.h"
#include "err.h"
#include "json_out.h"
#include "options.h"
#include "out_file.h"
#include "recording.h"

#include <stdlib.h>
#include <string.h>

#define TEXT_ROW(member, option, value, words_)                                                    \
	{                                                                                          \
		.name = (option), .argument = (value), .kind = OPTION_TEXT,                        \
		.offset = offsetof(struct bypass_settings, member), .text = (words_)               \
	}

static const struct option_row rows[] = {
	{ .name = "by",
	  .argument = "LIST",
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct bypass_settings, by),
	  .text = "kinds of lists to make, comma-separated (default: all):"
#define BYPASS_WAY(name, text) " " #name
#include "bypass_ways.def"
#undef BYPASS_WAY
	},
	TEXT_ROW(objective, "objective", "WORD",
	         "what to minimise (default: balanced): balanced (cycles, of lists that "
	         "move no more bytes from L2), cycles, bytes (between L1 and L2) or misses"),
	TEXT_ROW(list, "list", "LIST",
	         "a list to compare as well, a file or comma-separated rules: site:N, line:N, "
	         "argument:NAME, buffer:N, warps:PI, all; without --by it alone"),
	{ .name = "out",
	  .letter = 'o',
	  .argument = "FILE",
	  .is_output = true,
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct bypass_settings, out),
	  .text = "write the best list to FILE; with --ptx the changed PTX" },
	GPU_CHOICE_ROWS(struct bypass_settings, gpu),
#define CACHE_OPTION(member, option, value, key, text)                                             \
	CACHE_CHOICE_ROW(offsetof(struct bypass_settings, gpu.cache), member, option, value, text)
#include "cache_options.def"
#undef CACHE_OPTION
	{ .name = "launch",
	  .argument = "N",
	  .kind = OPTION_NUMBER,
	  .offset = offsetof(struct bypass_settings, launch),
	  .max = UINT32_MAX,
	  .text = "only launch N, counted from 0 (default: all)" },
	LAUNCH_PICK_ROWS(struct bypass_settings, pick, "only "),
	TEXT_ROW(order.schedule, "schedule", "ORDER",
	         "order of an SM's warps or work-items, as in replay (default: lrr)"),
	TEXT_ROW(order.dispatch, "dispatch", "ORDER",
	         "SMs that get groups: roundrobin, random:SEED or breadth (default: roundrobin)"),
	{ .name = "sms",
	  .argument = "N",
	  .kind = OPTION_NUMBER,
	  .offset = offsetof(struct bypass_settings, order.sms),
	  .max = UINT32_MAX,
	  .text = "a sample: replay only N of the GPU's SMs, evenly spread (default: all)" },
	JOBS_ROW(struct bypass_settings, jobs),
	REGISTER_CHOICE_ROWS(struct bypass_settings, registers),
	{ .name = "top",
	  .argument = "N",
	  .kind = OPTION_NUMBER,
	  .offset = offsetof(struct bypass_settings, top),
	  .max = UINT32_MAX,
	  .text = "reads and lines of memory in the tables (default: 10; 0: all)" },
	{ .name = "limit",
	  .argument = "N",
	  .kind = OPTION_NUMBER,
	  .offset = offsetof(struct bypass_settings, limit),
	  .max = 1 << 20,
	  .text = "lists that a search measures at most, for each kernel and kind (default: 512)" },
	{ .name = "carveout",
	  .kind = OPTION_FLAG,
	  .offset = offsetof(struct bypass_settings, carveout),
	  .text = "also compare the GPU's splits of L1 against local memory" },
	JSON_ROW(struct bypass_settings),
	{ .name = "csv",
	  .argument = "FILE",
	  .is_output = true,
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct bypass_settings, csv),
	  .text = "write all lists that were measured as CSV to FILE; - for stdout, instead of the "
	          "text" },
	TEXT_ROW(ptx, "ptx", "IN",
	         "put the list of --list into PTX, by cache operators on its loads, and write it "
	         "to -o FILE; DIR need not be given"),
	TEXT_ROW(cache_op, "cache-op", "cg|cs", "with --ptx: the operator (default: cg)"),
	{ .name = "source",
	  .kind = OPTION_FLAG,
	  .offset = offsetof(struct bypass_settings, source),
	  .text = "say which lines of the source to change, and how, for the list of --list, or "
	          "for the best that is found" },
};
const struct option_table bypass_options = { rows, sizeof(rows) / sizeof(rows[0]),
	                                     sizeof(struct bypass_settings) };

static int takes_stdout(const char *name)
{
	return name && out_file_is_stdout(name);
}

static bool is_same(const char *a, const char *b)
{
	return a && b && out_file_is_same(a, b);
}

/* What does not go together. */
static int check(const struct bypass_settings *s, struct err *err)
{
	const struct {
		bool is_wrong;
		const char *why;
	} rules[] = {
		{ s->ptx && (!s->list || !s->out),
		  "--ptx: expected --list LIST and -o FILE with it" },
		{ s->ptx && s->source, "--source: not together with --ptx" },
		{ s->ptx && (s->by || s->json || s->csv || s->carveout),
		  "--ptx: nothing is replayed: --by, --json, --csv and --carveout do not go with "
		  "it" },
		{ s->cache_op && !s->ptx, "--cache-op: expected --ptx with it" },
		{ s->source && s->list && (s->by || s->json || s->csv || s->carveout || s->out),
		  "--source: nothing is replayed with --list: --by, --json, --csv, --carveout "
		  "and -o do not go with it" },
		{ !s->ptx && takes_stdout(s->json) + takes_stdout(s->csv) + takes_stdout(s->out) +
		                             s->source >
		                     1,
		  "standard output is for one of --json, --csv, -o and --source" },
		{ !s->ptx && (is_same(s->json, s->csv) || is_same(s->json, s->out) ||
		              is_same(s->csv, s->out)),
		  "--json, --csv and -o: expected a file of its own for each" },
	};

	for (size_t i = 0; i < sizeof(rules) / sizeof(rules[0]); i++)
		if (rules[i].is_wrong)
			return err_set(err, ERR_USAGE, "%s", rules[i].why);
	return 0;
}

static int load_list(struct bypass_list *list, const char *text, struct err *err)
{
	struct err why = { 0 };
	int ret = bypass_list_load(list, text, &why);

	if (ret == ERR_USAGE)
		return err_set(err, ERR_USAGE, "--list: %s", why.msg);
	return ret ? err_set(err, (enum err_code)ret, "%s", why.msg) : 0;
}

static int rewrite_ptx(const struct bypass_settings *s, const char *dir, struct err *err)
{
	struct bypass_list list = { 0 };
	struct recording *recording = NULL;
	struct bypass_ptx_job job = {
		.input = s->ptx, .output = s->out, .list = &list, .cache_op = s->cache_op
	};
	int ret = load_list(&list, s->list, err);

	if (!ret && dir)
		ret = recording_open(&recording, dir, err);
	job.recording = recording;
	if (!ret)
		ret = bypass_ptx_rewrite(&job, err);
	recording_close(recording);
	bypass_list_release(&list);
	return ret;
}

/* The listing for a list that is given. */
static int list_source(const struct bypass_settings *s, const char *dir, struct err *err)
{
	struct bypass_list list = { 0 };
	struct recording *recording = NULL;
	int ret = load_list(&list, s->list, err);

	if (!ret)
		ret = recording_open(&recording, dir, err);
	if (!ret)
		ret = bypass_source_write(&(struct bypass_source_job){ stdout, &list, recording },
		                          err);
	recording_close(recording);
	bypass_list_release(&list);
	return ret;
}

int cmd_bypass(const void *settings, const struct operands *operands, struct err *err)
{
	const struct bypass_settings *s = settings;
	const char *dir = operands->count ? operands->items[0] : NULL;
	int ret = check(s, err);

	if (ret)
		return ret;
	if (s->ptx)
		return rewrite_ptx(s, dir, err);
	if (!dir)
		dir = command_default_dir(err);
	if (!dir)
		return err->code;
	if (s->source && s->list)
		return list_source(s, dir, err);
	return bypass_job_run(s, dir, operands->common.is_quiet, err);
}
