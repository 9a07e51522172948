/* SPDX-License-Identifier: Apache-2.0 */
#include "command.h"
#include "err.h"
#include "out_file.h"
#include "perfetto.h"
#include "player.h"
#include "progress_line.h"
#include "query_table.h"
#include "recording.h"
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

static const struct option_row rows[] = {
	{ .name = "of",
	  .argument = "TABLE",
	  .kind = OPTION_TEXT,
	  .offset = offsetof(struct query_settings, of),
	  .values = "accesses|requests|sites|lines|kernels|launches|buffers",
	  .text = "the table (default: accesses):"
#define QUERY_TABLE(name, is_played, text) " " #name
#include "query_tables.def"
#undef QUERY_TABLE
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
const struct option_table query_options = { rows, sizeof(rows) / sizeof(rows[0]),
	                                    sizeof(struct query_settings) };

/* NULL with ERR_USAGE when there is none of that name. */
static const struct query_table *find_table(const struct query_settings *s, struct err *err)
{
	const char *name = s->of ? s->of : s->perfetto ? "launches" : "accesses";
	struct suggestion near;
	size_t count;
	const struct query_table *tables = query_table_list(&count);

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
#define QUERY_TABLE(name, is_played, text) " " #name
#include "query_tables.def"
#undef QUERY_TABLE
		        ,
		        name);
	return NULL;
}

static int check(const struct query_settings *s, const struct query_table *table, struct err *err)
{
	if (s->top.is_given && !s->top.value)
		return err_set(err, ERR_USAGE, "--top: expected at least 1");
	if (!s->perfetto)
		return 0;
	if (table->get != query_get_launches)
		return err_set(err, ERR_USAGE, "--perfetto: a timeline is of launches, not of %s",
		               table->name);
	if (s->sort || s->top.is_given || s->format || s->out)
		return err_set(err, ERR_USAGE, "--perfetto: %s goes not with it",
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

/* Write all rows to an open file. */
static int write_rows(struct query_job *job, const struct query_table *table, struct err *err)
{
	struct cell_table *w = job->rows->writer;
	int ret = w->format->begin ? w->format->begin(w, err) : 0;

	if (!ret)
		ret = table->run(job, err);
	return ret ? ret : query_rows_end(job->rows, err);
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
		         "%s: launches of which no time is known, which are instants: %" PRIu64
		         " of %" PRIu64,
		         s->perfetto, p->without_time, p->launches);
}

static int write_file(struct query_job *job, const struct query_settings *s,
                      const struct query_table *table, struct err *err)
{
	const char *name = s->perfetto ? s->perfetto : s->out ? s->out : "-";
	struct cell_table *w = job->rows->writer;
	struct perfetto timeline = { job->recording, PERFETTO_LIMIT_BYTES, 0, 0, 0, 0 };
	struct out_file file = { 0 };
	int ret = out_file_open(&file, name, err);

	w->format = s->perfetto ? &cell_table_as_perfetto : formats[s->format];
	w->context = &timeline;
	w->out = file.stream;
	if (!ret)
		ret = write_rows(job, table, err);
	if (!ret)
		ret = out_file_end(&file, err);
	out_file_release(&file);
	if (!ret && s->perfetto)
		say_left_out(s, &timeline);
	return ret ? ret
	           : say_player_verdict("query", job->recording, &job->outcome, &job->setup.gpu,
	                                err);
}

/* What to print, and in which order. */
static int choose(struct query_rows *r, const struct query_settings *s, struct err *err)
{
	int ret = s->perfetto ? query_rows_choose(r, PERFETTO_COLUMNS, err) : 0;

	if (!ret)
		ret = query_rows_choose(r, s->columns, err);
	return ret ? ret : query_rows_sort(r, s->sort, err);
}

/* ERR_USAGE when options would be passed over in silence. */
static int check_replay(const struct query_settings *s, const struct query_table *table,
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

static int run(const struct query_settings *s, const struct query_table *table,
               const struct query_expr *expr, const char *dir, bool is_quiet, struct err *err)
{
	struct cell_table writer = { 0 };
	struct query_rows kept = { .columns = &table->columns,
		                   .get = table->get,
		                   .expr = expr,
		                   .writer = &writer,
		                   .top = s->top.value };
	struct progress_line wait;
	struct query_job job = { .choice = &s->replay,
		                 .rows = &kept,
		                 .watch = progress_line_watch(&wait, "query", is_quiet) };
	struct recording *recording = NULL;
	int ret;

	query_rows_init(&kept);
	ret = choose(&kept, s, err);
	if (!ret)
		ret = check_replay(s, table, &kept, err);
	if (!ret)
		ret = launch_pick_open(&s->replay.pick, &recording, dir, err);
	job.recording = recording;
	if (!ret)
		ret = write_file(&job, s, table, err);
	query_rows_release(&kept);
	cell_table_release(&writer);
	if (job.release)
		job.release(job.owned);
	replay_setup_release(&job.setup);
	recording_close(recording);
	return ret;
}

/* A single operand that compares and names nothing on disk: EXPR, of the default recording. */
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
	const struct query_table *table = find_table(s, err);
	struct query_expr *expr = NULL;
	struct query_fault fault;
	int ret;

	if (!table)
		return ERR_USAGE;
	if (s->columns && !strcmp(s->columns, "help")) {
		query_table_describe(table, stdout);
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
