/* SPDX-License-Identifier: Apache-2.0 */
#include "query_table.h"

#include "counters.h"
#include "recording.h"
#include "site.h"

#define COLUMN(name, type, level, is_shown, is_played, unit, help, value)                          \
	{ { #name, unit, help, CELL_##type }, QUERY_##level, is_shown, is_played },

static const struct query_column accesses[] = {
#define ACCESS_COLUMN COLUMN
#include "query_columns.def"
#undef ACCESS_COLUMN
};
static const struct query_column requests[] = {
#define REQUEST_COLUMN COLUMN
#include "query_columns.def"
#undef REQUEST_COLUMN
};

/* Counters by number, for query_sums.def. */
enum {
#define L1_STAT(name) STAT_##name,
#include "site_counters.def"
#undef L1_STAT
};

static const struct query_column sites[] = {
#define SITE_COLUMN COLUMN
#include "query_columns.def"
#undef SITE_COLUMN
};
static const struct query_column lines[] = {
#define LINE_COLUMN COLUMN
#include "query_columns.def"
#undef LINE_COLUMN
};
static const struct query_column kernels[] = {
#define KERNEL_COLUMN COLUMN
#include "query_columns.def"
#undef KERNEL_COLUMN
};
static const struct query_column buffers[] = {
#define BUFFER_COLUMN COLUMN
#include "query_columns.def"
#undef BUFFER_COLUMN
};
static const struct query_column launches[] = {
#define LAUNCH_COLUMN COLUMN
#include "query_columns.def"
#undef LAUNCH_COLUMN
};

static const struct query_table tables[] = {
#define QUERY_TABLE(name, is_played, text)                                                         \
	{ #name,                                                                                   \
	  text,                                                                                    \
	  { #name, name, sizeof(name) / sizeof((name)[0]) },                                       \
	  query_get_##name,                                                                        \
	  is_played,                                                                               \
	  query_run_##name },
#include "query_tables.def"
#undef QUERY_TABLE
};

const struct query_table *query_table_list(size_t *count)
{
	*count = sizeof(tables) / sizeof(tables[0]);
	return tables;
}

int query_job_setup(struct query_job *job, struct err *err)
{
	int ret = replay_choice_setup(&job->setup, job->choice, err);

	if (!ret)
		ret = replay_choice_recording(&job->setup, job->choice, "query", job->recording,
		                              err);
	if (!ret)
		gpu_choice_say("query", &job->setup.gpu);
	return ret;
}

void query_table_describe(const struct query_table *t, FILE *out)
{
	fprintf(out, "%s: %s\n", t->name, t->text);
	for (uint32_t i = 0; i < t->columns.count; i++) {
		const struct query_column *c = &t->columns.list[i];
		const struct counter_fact *f = c->is.help ? NULL : counter_fact_find(c->is.name);
		const char *unit = f ? f->unit : c->is.unit;

		fprintf(out, "  %c %-17s %-8s %s%s%s%s\n", c->is_shown ? '*' : ' ', c->is.name,
		        query_type_name(c->is.type), unit, *unit ? ": " : "",
		        f ? f->text : c->is.help,
		        c->is_played && !t->is_played ? " (by a replay)" : "");
	}
}

struct cell query_place(const struct site *site, uint32_t number)
{
	return site->place.file && number ? cell_number(number) : cell_none();
}

struct cell query_words(const char *text)
{
	return cell_text(text && *text ? text : NULL);
}

const char *query_space_name(uint32_t space)
{
	static const char *const names[] = { "private", "global", "constant", "local", "generic" };

	return space < sizeof(names) / sizeof(names[0]) ? names[space] : NULL;
}
