/* SPDX-License-Identifier: Apache-2.0 */
/*
 * The command has three parts: a list put into PTX, a list shown as changes of the source, and,
 * from struct job on, the lists that replays find best.
 */
#include "bypass_ptx.h"
#include "bypass_report.h"
#include "bypass_source.h"
#include "command.h"
#include "err.h"
#include "file.h"
#include "gpu_choice.h"
#include "json_out.h"
#include "launch_pick.h"
#include "launch_summary_text.h"
#include "options.h"
#include "out_file.h"
#include "progress_line.h"
#include "read_rules.h"
#include "recording.h"
#include "register_choice.h"
#include "replay_choice.h"
#include "say.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

#define PTX_INPUT_BYTES_MAX  ((size_t)1 << 30)
#define PTX_OUTPUT_BYTES_MAX ((size_t)1 << 32)

_Static_assert((int)JOBS_MAX <= (int)BYPASS_RUN_JOBS_MAX, "--jobs: more than a search can use");

struct bypass_settings {
	struct gpu_choice gpu;
	struct order_choice order;
	const char *by, *objective, *list, *out, *json, *csv, *ptx, *cache_op;
	bool carveout, source;
	struct option_number launch, jobs, top, limit;
	struct launch_pick pick;
	struct register_choice registers;
};

#define TEXT_ROW(member, option, value, words_)                                                    \
	{ .name = (option),                                                                        \
	  .argument = (value),                                                                     \
	  .kind = OPTION_TEXT,                                                                     \
	  .offset = offsetof(struct bypass_settings, member),                                      \
	  .text = (words_) }

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

static bool takes_stdout(const char *name)
{
	return name && out_file_is_stdout(name);
}

static bool is_same(const char *a, const char *b)
{
	return a && b && out_file_is_same(a, b);
}

/* Refuse options that exclude each other. */
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

/* "mm: .cg on 2 of 6 loads of global memory" */
static void say_function(const struct ptx_module *m, const struct bypass_ptx_match *x,
                         size_t number, const char *cache_op)
{
	const struct ptx_module_function *f = ptx_module_function(m, number);
	size_t passing = 0, paired = 0;

	for (size_t i = 0; i < f->load_count; i++) {
		enum bypass_ptx_fate fate =
			bypass_ptx_fate(m, x, number, f->first_load + i, cache_op);

		passing += fate == BYPASS_PTX_PASSES;
		paired += fate == BYPASS_PTX_PAIRED;
	}
	if (paired)
		say_line("bypass",
		         "%s: %s on %zu of %zu loads of global memory, and on %zu in warps from "
		         "%u on",
		         f->name, cache_op, passing, f->load_count, paired, x->warps[number]);
	else if (passing)
		say_line("bypass", "%s: %s on %zu of %zu loads of global memory", f->name, cache_op,
		         passing, f->load_count);
	else if (f->is_entry)
		say_line("bypass", "%s: unchanged", f->name);
}

static void say_changes(const struct ptx_module *m, const struct bypass_ptx_match *x,
                        const char *cache_op)
{
	char *const *notes = x->notes.data;

	for (size_t i = 0; i < m->functions.count; i++)
		say_function(m, x, i, cache_op);
	for (size_t i = 0; i < x->notes.count; i++)
		say_line("bypass", "%s", notes[i]);
	if (x->notes_left)
		say_line("bypass", "and %zu more of such sentences", x->notes_left);
}

static int write_string(const char *path, const struct str *text, struct err *err)
{
	struct out_file file;
	int ret = out_file_open(&file, path, err);

	if (!ret && text->length)
		fwrite(text->text, 1, text->length, file.stream);
	if (!ret)
		ret = out_file_end(&file, err);
	out_file_release(&file);
	return ret;
}

/* Put a list into the PTX `input`. Returns 0; EXIT_UNMATCHED if it was written, but a rule could
 * not be applied; ERR_FORMAT with "FILE:LINE: ..." for anything that is not PTX; other errors. */
static int rewrite_text(const struct bypass_settings *s, const struct bypass_list *list,
                        const struct recording *recording, const struct str *input, struct err *err)
{
	const char *cache_op = s->cache_op && !strcmp(s->cache_op, "cs") ? ".cs" : ".cg";
	const char *name = !strcmp(s->ptx, "-") ? "stdin" : s->ptx;
	struct bypass_ptx_match match = { .left_rules = 0 };
	struct ptx_module module;
	struct str output;
	int ret =
		ptx_module_read(&module, name, input->text ? input->text : "", input->length, err);

	str_init(&output, PTX_OUTPUT_BYTES_MAX);
	if (!ret && !module.functions.count)
		ret = err_set(err, ERR_FORMAT, "%s: has no function with a body, expected PTX",
		              name);
	if (!ret)
		ret = bypass_ptx_match_init(&match, &module, list, recording, err);
	if (!ret)
		ret = bypass_ptx_edit(&module, &match, cache_op, &output, err);
	if (!ret)
		ret = write_string(s->out, &output, err);
	if (!ret)
		say_changes(&module, &match, cache_op);
	if (!ret && match.left_rules)
		ret = EXIT_UNMATCHED;
	bypass_ptx_match_release(&match);
	ptx_module_release(&module);
	str_release(&output);
	return ret;
}

static int rewrite_ptx(const struct bypass_settings *s, const char *dir, struct err *err)
{
	struct bypass_list list = { 0 };
	struct recording *recording = NULL;
	struct str input;
	int ret = load_list(&list, s->list, err);

	str_init(&input, PTX_INPUT_BYTES_MAX);
	if (!ret && dir)
		ret = recording_open(&recording, dir, err);
	if (!ret && s->cache_op && strcmp(s->cache_op, "cg") != 0 && strcmp(s->cache_op, "cs") != 0)
		ret = err_set(err, ERR_USAGE, "--cache-op: '%s' is not one of cg|cs", s->cache_op);
	if (!ret)
		ret = file_read(!strcmp(s->ptx, "-") ? "/dev/stdin" : s->ptx, &input, err);
	if (!ret)
		ret = rewrite_text(s, &list, recording, &input, err);
	str_release(&input);
	recording_close(recording);
	bypass_list_release(&list);
	return ret;
}

/* List the changes of the source for a list that is given. */
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

/* A search for the best lists. */
struct job {
	const struct bypass_settings *settings;
	struct gpu_choice choice; /* of the GPU, with this command's defaults */
	struct gpu gpu;
	struct recording *recording;
	struct launch_choice launches;
	uint32_t *registers;
	struct bypass_list given;
	struct bypass_study study;
};

/* Load the GPU; transfers take time unless the user says otherwise. */
static int choose_gpu(struct job *job, struct err *err)
{
	struct option_list *set = &job->choice.set;

	job->choice = job->settings->gpu;
	if (set->count == OPTION_LIST_LIMIT)
		return err_set(err, ERR_USAGE, "--set: at most %d of them can be given here",
		               OPTION_LIST_LIMIT - 1);
	memmove(&set->items[1], &set->items[0], set->count * sizeof(set->items[0]));
	set->items[0] = "bandwidth=on";
	set->count++;
	return gpu_choice_load(&job->choice, &job->gpu, err);
}

static int add_wanted(struct bypass_wish *wish, const char *word, size_t length, struct err *err)
{
	static const char *const names[] = {
#define BYPASS_WAY(name, text) #name,
#include "bypass_ways.def"
#undef BYPASS_WAY
	};

	for (size_t i = 0; i < BYPASS_WAYS; i++)
		if (strlen(names[i]) == length && !memcmp(names[i], word, length)) {
			wish->is_wanted[i] = true;
			return 0;
		}
	return err_set(err, ERR_USAGE, "--by: unknown kind '%.*s'; there are:"
#define BYPASS_WAY(name, text) " " #name
#include "bypass_ways.def"
#undef BYPASS_WAY
	               ,
	               length > 40 ? 40 : (int)length, word);
}

/* Read --by; NULL: all kinds. */
static int add_all_wanted(struct bypass_wish *wish, const char *by, struct err *err)
{
	int ret = 0;

	if (!by)
		memset(wish->is_wanted, true, sizeof(wish->is_wanted));
	while (by && !ret) {
		size_t length = strcspn(by, ",");

		ret = add_wanted(wish, by, length, err);
		by = by[length] ? by + length + 1 : NULL;
	}
	return ret;
}

/* Choose which lists to make, and by which objective. */
static int choose_lists(struct job *job, struct err *err)
{
	const struct bypass_settings *s = job->settings;
	struct bypass_wish *wish = &job->study.wish;
	int ret = 0;

	wish->top = s->top.is_given ? s->top.value : TOP_BY_DEFAULT;
	if (!wish->top)
		wish->top = UINT64_MAX;
	wish->limit = s->limit.is_given ? (uint32_t)s->limit.value : BYPASS_SEARCH_LIMIT;
	if (!wish->limit)
		return err_set(err, ERR_USAGE, "--limit: expected at least 1");
	if (s->by || !s->list)
		ret = add_all_wanted(wish, s->by, err);
	if (!ret && s->objective) {
		struct err why = { 0 };

		if (bypass_objective_read(&wish->objective, s->objective, &why))
			return err_set(err, ERR_USAGE, "--objective: %s", why.msg);
	}
	return ret;
}

/* Read the given list: that of --list, or the one that the recording was made with. */
static int choose_given(struct job *job, struct err *err)
{
	const char *text = job->settings->list;
	const struct recording *r = job->recording;
	struct err why = { 0 };
	int ret;

	if (text || r->bypass.file)
		job->study.wish.given = &job->given;
	if (text)
		return read_rules_load(&job->given, "--list", text, r, &job->gpu, err);
	job->study.wish.is_recorded = r->bypass.file != NULL;
	ret = recording_read_list(r, &r->bypass, &job->given, err);
	/* it may name kernels that did not run, which does not prevent the search for a better one
	 */
	if (!ret && read_rules_check(&job->given, r->bypass.file, r, &job->gpu, &why))
		say_line("bypass", "the list that the recording keeps: %s", why.msg);
	return ret;
}

static int begin(struct job *job, const char *dir, struct err *err)
{
	const struct bypass_settings *s = job->settings;
	struct bypass_run *run = &job->study.run;
	int ret = choose_gpu(job, err);

	if (!ret)
		ret = order_choice_read(&run->options, &s->order, &job->gpu, err);
	run->options.jobs = options_jobs(&s->jobs);
	if (!ret)
		ret = choose_lists(job, err);
	if (!ret)
		ret = launch_pick_open(&s->pick, &job->recording, dir, err);
	if (ret)
		return ret;
	job->launches = launch_choice_make(job->recording, option_number_given(&s->launch));
	ret = launch_choice_check(&job->launches, err);
	if (!ret) {
		job->registers =
			register_choice_kernels(&s->registers, "bypass", job->recording, err);
		ret = job->registers ? choose_given(job, err) : err->code;
	}
	run->recording = job->recording;
	run->gpu = &job->gpu;
	run->registers = job->registers;
	return ret;
}

/* Find the best lists and, with --carveout, measure them with each split of the SM's storage. */
static int search(struct job *job, bool is_quiet, struct err *err)
{
	struct progress_line wait;
	struct array gpus;
	int ret;

	progress_line_begin(&wait, "bypass", 0, is_quiet);
	job->study.run.watch = &wait.watch;
	ret = bypass_study_make(&job->study, &job->launches, err);
	if (!ret && job->settings->carveout) {
		ret = gpu_choice_l1s(&job->choice, false, &gpus, err);
		if (!ret)
			ret = bypass_study_split(&job->study, &gpus, &job->launches, err);
		array_release(&gpus);
	}
	progress_line_end(&wait);
	return ret;
}

static int write_text(const struct job *job, struct err *err)
{
	const struct bypass_settings *s = job->settings;
	int ret;

	if (takes_stdout(s->json) || takes_stdout(s->csv) || takes_stdout(s->out))
		return 0;
	ret = s->source ? bypass_text_sentence(stdout, &job->study, err)
	                : bypass_text_print(stdout, &job->study, err);
	if (s->source)
		fputc('\n', stdout);
	else if (!ret && !s->launch.is_given)
		launch_summary_print_tallies(stdout, job->recording, "\nNot replayed: ");
	return ret ? ret : say_flush(stdout, "standard output", err);
}

static int write_json(const struct job *job, struct err *err)
{
	struct json_out out = { 0 };
	json_t *root = bypass_json(&out, &job->study, err);

	json_out_bool(&out, root, "complete",
	              !job->study.run.outcome.lacks_accesses &&
	                      recording_is_complete(job->recording, NULL));
	json_out_value(&out, root, "left_out", launch_summary_tallies_json(&out, job->recording));
	return json_out_write(&out, root, job->settings->json, err);
}

/* Write the lists as CSV, or the best of them as a list. */
static int write_lists(const struct job *job, const char *name, bool is_csv, struct err *err)
{
	struct out_file file;
	int ret = out_file_open(&file, name, err);

	if (!ret)
		ret = is_csv ? bypass_csv_write(file.stream, &job->study, err)
		             : bypass_list_write(&job->study.best, file.stream, err);
	if (!ret)
		ret = out_file_end(&file, err);
	out_file_release(&file);
	return ret;
}

static int report(const struct job *job, struct err *err)
{
	const struct bypass_settings *s = job->settings;
	int ret = write_text(job, err);

	if (!ret && s->json)
		ret = write_json(job, err);
	if (!ret && s->csv)
		ret = write_lists(job, s->csv, true, err);
	if (!ret && s->out)
		ret = write_lists(job, s->out, false, err);
	return ret;
}

static int find_lists(const struct bypass_settings *s, const char *dir, bool is_quiet,
                      struct err *err)
{
	struct job *job = array_alloc(1, sizeof(*job), "settings", err);
	int ret, listed = 0;

	if (!job)
		return ERR_NOMEM;
	job->settings = s;
	ret = begin(job, dir, err);
	if (!ret)
		ret = search(job, is_quiet, err);
	if (!ret)
		ret = report(job, err);
	if (!ret && s->source)
		listed = bypass_source_write(
			&(struct bypass_source_job){ stdout, &job->study.best, job->recording },
			err);
	if (listed < 0)
		ret = listed;
	if (!ret)
		ret = say_player_verdict("bypass", job->recording, &job->study.run.outcome,
		                         &job->gpu, err);
	bypass_study_release(&job->study);
	bypass_list_release(&job->given);
	free(job->registers);
	recording_close(job->recording);
	free(job);
	return ret ? ret : listed;
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
	return find_lists(s, dir, operands->common.is_quiet, err);
}
