/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "counters.h"
#include "err.h"
#include "out_file.h"
#include "perfetto.h"
#include "player.h"
#include "progress_line.h"
#include "query_rows.h"
#include "recording.h"
#include "replay_choice.h"
#include "say.h"
#include "suggest.h"
#include "text.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct query_settings {
	struct replay_choice replay;
	const char *of, *columns, *sort, *out, *perfetto;
	struct option_number top;
	uint32_t format;
};

static const struct cell_table_format *const formats[] = { &cell_table_as_text, &cell_table_as_json,
	                                                   &cell_table_as_csv };

static const struct option_row option_rows[] = {
	{ .name = "of",
	  .argument = "TABLE",
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct query_settings, of),
	  .values = "accesses|requests|sites|lines|kernels|launches|buffers",
	  .text = "the table (default: accesses):"
#define TABLE(name, is_played, text) " " #name
#include "tables.def"
#undef TABLE
	},
	{ .name = "columns",
	  .argument = "LIST",
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct query_settings, columns),
	  .text = "what to print of a row, comma-separated, or all; help lists what there is" },
	{ .name = "sort",
	  .argument = "LIST",
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct query_settings, sort),
	  .text = "columns to sort by, comma-separated; - before one: descending, as in "
	          "-misses,line" },
	{ .name = "top",
	  .argument = "N",
	  .kind = OPTION_NUMBER,
	  .offset = offsetof(struct query_settings, top),
	  .max = UINT32_MAX,
	  .text = "only the first N rows (default: all)" },
	{ .name = "format",
	  .argument = "FORMAT",
	  .kind = OPTION_CHOICE,
	  .offset = offsetof(struct query_settings, format),
	  .words = "text|json|csv",
	  .text = "how to print (default: text): text, json (an object a line, NDJSON) or csv" },
	{ .name = "output",
	  .argument = "FILE",
	  .is_output = true,
	  .kind = OPTION_TEXT,
	  .letter = 'o',
	  .offset = offsetof(struct query_settings, out),
	  .text = "write to FILE (default: standard output)" },
	{ .name = "perfetto",
	  .argument = "FILE",
	  .is_output = true,
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct query_settings, perfetto),
	  .text = "write the launches as a timeline for ui.perfetto.dev or chrome://tracing, at "
	          "most 500 MB, instead of printing rows" },
#define REPLAY_ROWS_TYPE   struct query_settings
#define REPLAY_ROWS_MEMBER replay
#include "replay_rows.def"
};
const struct option_table query_options = { option_rows,
	                                    sizeof(option_rows) / sizeof(option_rows[0]),
	                                    sizeof(struct query_settings) };

/* Returns the table; NULL with ERR_USAGE if none has that name. */
static const struct table *find_table(const struct query_settings *s, struct err *err)
{
	const char *name = s->of ? s->of : s->perfetto ? "launches" : "accesses";
	struct suggestion near;
	size_t count;
	const struct table *tables = table_list(&count);

	suggestion_init(&near, name);
	for (size_t i = 0; i < count; i++) {
		if (!strcmp(tables[i].name, name))
			return &tables[i];
		suggestion_offer(&near, tables[i].name);
	}
	if (near.best)
		err_set(err, ERR_USAGE, "--of: there is no table '%.64s'; is '%s' meant?", name,
		        near.best);
	else
		err_set(err, ERR_USAGE, "--of: there is no table '%.64s'; there are:"
#define TABLE(name, is_played, text) " " #name
#include "tables.def"
#undef TABLE
		        ,
		        name);
	return NULL;
}

static int check(const struct query_settings *s, const struct table *table, struct err *err)
{
	if (s->top.is_given && !s->top.value)
		return err_set(err, ERR_USAGE, "--top: expected at least 1");
	if (!s->perfetto)
		return 0;
	if (table->get != table_get_launches)
		return err_set(err, ERR_USAGE, "--perfetto: a timeline is of launches, not of %s",
		               table->name);
	if (s->sort || s->top.is_given || s->format || s->out)
		return err_set(err, ERR_USAGE, "--perfetto: %s does not go with it",
		               s->sort           ? "--sort"
		               : s->top.is_given ? "--top"
		               : s->out          ? "--output"
		                                 : "--format");
	return 0;
}

/* Show the expression and, below it, where it is wrong. */
static void point_at(const char *text, const struct query_fault *fault)
{
	enum { BEFORE = 60, AFTER = 40 };
	size_t from = fault->at > BEFORE ? fault->at - BEFORE : 0, length = strlen(text);
	size_t end = length - fault->at > AFTER ? fault->at + AFTER : length;

	/* Not inside a character of UTF-8. */
	while (from && text_is_tail(text[from]))
		from--;
	fprintf(stderr, "  %s", from ? "..." : "");
	for (size_t i = from; i < end; i++)
		fputc((unsigned char)text[i] < 0x20 || text[i] == 0x7f ? ' ' : text[i], stderr);
	fprintf(stderr, "%s\n  %s", end < length ? "..." : "", from ? "   " : "");
	for (size_t i = from; i < fault->at; i++)
		if (!text_is_tail(text[i]))
			fputc(' ', stderr);
	fputc('^', stderr);
	for (size_t i = 1; i < fault->length && fault->at + i < end; i++)
		if (!text_is_tail(text[fault->at + i]))
			fputc('~', stderr);
	fputc('\n', stderr);
}

/* Print the columns of a table. */
static void describe(const struct table *t)
{
	static const char *const types[] = { "number", "address", "decimal", "text", "text" };

	printf("%s: %s\n", t->name, t->text);
	for (uint32_t i = 0; i < t->columns.count; i++) {
		const struct table_column *c = &t->columns.list[i];
		const struct counter_fact *f = c->is.help ? NULL : counter_fact_find(c->is.name);
		const char *unit = f ? f->unit : c->is.unit;

		printf("  %c %-17s %-8s %s%s%s%s\n", c->is_shown ? '*' : ' ', c->is.name,
		       types[c->is.type], unit, *unit ? ": " : "", f ? f->text : c->is.help,
		       c->is_played && !t->is_played ? " (by a replay)" : "");
	}
}

/* What run_table() needs besides the job. */
struct printing {
	const struct query_settings *settings;
	const struct table *table;
	struct query_rows *rows;
};

/* Write all rows to an open file. */
static int write_rows(struct table_job *job, const struct printing *p, struct err *err)
{
	int ret = cell_table_begin(p->rows->writer, NULL, 0, err);

	if (!ret)
		ret = p->table->run(job, err);
	return ret ? ret : query_rows_end(p->rows, err);
}

static void say_left_out(const struct query_settings *s, const struct perfetto *p)
{
	if (p->left_out)
		say_line("query",
		         "%s: left out for a limit of %" PRIu64 " bytes: the last %" PRIu64
		         " of %" PRIu64 " launches",
		         s->perfetto, p->limit_bytes, p->left_out, p->launches);
	if (p->without_time)
		say_line("query",
		         "%s: launches without a known time, shown as instants: %" PRIu64
		         " of %" PRIu64,
		         s->perfetto, p->without_time, p->launches);
}

static int write_file(struct table_job *job, const struct printing *p, struct err *err)
{
	const struct query_settings *s = p->settings;
	const char *name = s->perfetto ? s->perfetto : s->out ? s->out : "-";
	struct cell_table *w = p->rows->writer;
	struct perfetto timeline = { job->recording, PERFETTO_LIMIT_BYTES, 0, 0, 0, 0 };
	struct out_file file = { 0 };
	int ret = out_file_open(&file, name, err);

	w->format = s->perfetto ? &cell_table_as_perfetto : formats[s->format];
	w->context = &timeline;
	w->out = file.stream;
	if (!ret)
		ret = write_rows(job, p, err);
	if (!ret)
		ret = out_file_end(&file, err);
	out_file_release(&file);
	if (!ret && s->perfetto)
		say_left_out(s, &timeline);
	return ret ? ret
	           : say_player_verdict("query", job->recording, &job->outcome,
	                                job->setup ? &job->setup->gpu : NULL, err);
}

/* Set up the replay, if one is needed, and write the rows. */
static int run_table(struct table_job *job, const struct printing *p, struct err *err)
{
	const struct replay_choice *choice = &p->settings->replay;
	struct replay_setup setup = { 0 };
	int ret = 0;

	if (p->table->is_played || query_rows_are_played(p->rows)) {
		ret = replay_choice_setup(&setup, choice, err);
		if (!ret)
			ret = replay_choice_recording(&setup, choice, "query", job->recording, err);
		if (!ret)
			gpu_choice_say("query", &setup.gpu);
		job->setup = &setup;
	}
	if (!ret)
		ret = write_file(job, p, err);
	table_job_release(job);
	replay_setup_release(&setup);
	return ret;
}

/* Choose what to print, and in which order. */
static int choose(struct query_rows *r, const struct query_settings *s, struct err *err)
{
	int ret = s->perfetto ? query_rows_choose(r, PERFETTO_COLUMNS, err) : 0;

	if (!ret)
		ret = query_rows_choose(r, s->columns, err);
	return ret ? ret : query_rows_sort(r, s->sort, err);
}

/* Fail with ERR_USAGE if options would be ignored silently. */
static int check_replay(const struct query_settings *s, const struct table *table,
                        const struct query_rows *kept, struct err *err)
{
	if (table->is_played || query_rows_are_played(kept) || !replay_choice_is_given(&s->replay))
		return 0;
	if (!strcmp(table->name, "launches"))
		return err_set(
			err, ERR_USAGE,
			"--gpu and the other options of a replay change nothing in columns "
			"that are as recorded; expected one of a replay among the --columns, "
			"such as cycles or misses");
	return err_set(err, ERR_USAGE,
	               "--gpu and the other options of a replay change nothing in %s, which are "
	               "as recorded; --of requests shows a replay",
	               table->name);
}

static int run(const struct query_settings *s, const struct table *table,
               const struct query_expr *expr, const char *dir, bool is_quiet, struct err *err)
{
	struct cell_table writer = { 0 };
	struct query_rows rows = { .columns = &table->columns,
		                   .get = table->get,
		                   .expr = expr,
		                   .writer = &writer,
		                   .top = s->top.value };
	const struct table_reader reader = query_rows_reader(&rows);
	struct progress_line wait;
	struct table_job job = { .launch = option_number_given(&s->replay.launch),
		                 .reader = &reader,
		                 .watch = progress_line_watch(&wait, "query", is_quiet) };
	struct recording *recording = NULL;
	int ret;

	query_rows_init(&rows);
	ret = choose(&rows, s, err);
	if (!ret)
		ret = check_replay(s, table, &rows, err);
	if (!ret)
		ret = launch_pick_open(&s->replay.pick, &recording, dir, err);
	job.recording = recording;
	if (!ret)
		ret = run_table(&job, &(struct printing){ s, table, &rows }, err);
	query_rows_release(&rows);
	cell_table_release(&writer);
	recording_close(recording);
	return ret;
}

/* Whether a single operand is EXPR, for the default recording: it has a comparison and is not a
 * path. */
static bool is_expression(const struct operands *o)
{
	return o->count == 1 && strpbrk(o->items[0], "=<>~") && access(o->items[0], F_OK);
}

int cmd_query(const void *settings, const struct operands *operands, struct err *err)
{
	const struct query_settings *s = settings;
	size_t dirs = operands->count && !is_expression(operands);
	const char *dir = dirs ? operands->items[0] : NULL;
	const char *text = operands->count > dirs ? operands->items[dirs] : NULL;
	const struct table *table = find_table(s, err);
	struct query_expr *expr = NULL;
	struct query_fault fault;
	int ret;

	if (!table)
		return ERR_USAGE;
	if (s->columns && !strcmp(s->columns, "help")) {
		describe(table);
		return say_flush(stdout, "standard output", err);
	}
	ret = check(s, table, err);
	if (!ret && !dir)
		dir = command_default_dir(err);
	if (ret || !dir)
		return err->code;
	ret = query_expr_create(&expr, text, &table->columns, &fault, err);
	if (ret == ERR_USAGE && text) {
		say_line("query", "%s", err->msg);
		point_at(text, &fault);
		return EXIT_USAGE;
	}
	if (!ret)
		ret = run(s, table, expr, dir, operands->common.is_quiet, err);
	query_expr_free(expr);
	return ret;
}
