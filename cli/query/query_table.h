/*
 * query_table - the tables of `warpline query`: their columns, and how their rows are made.
 *
 * Tables are the rows of query_tables.def, columns those of query_columns.def.
 */
#ifndef QUERY_TABLE_H
#define QUERY_TABLE_H

#include "player.h"
#include "query_rows.h"
#include "replay_choice.h"

struct err;
struct recording;
struct site;
struct work_watch;

/* A query under way. */
struct query_job {
	const struct recording *recording;
	const struct replay_choice *choice;
	struct query_rows *rows;
	struct replay_setup setup; /* of tables that are played: query_job_setup() */
	void *owned;               /* that its rows point into until they are written; */
	void (*release)(void *owned);
	struct player_outcome outcome;
	struct work_watch *watch; /* NULL: nobody */
};

struct query_table {
	const char *name;
	const char *text; /* what a row is */
	struct query_columns columns;
	query_get get;
	bool is_played; /* by a replay, whatever is asked for */
	/* Offer the rows. Returns 0 or a negative ERR_*. */
	int (*run)(struct query_job *job, struct err *err);
};

/* All of them; *count. Static storage. */
const struct query_table *query_table_list(size_t *count);

/* Make job->setup ready. As replay_choice_recording(). */
int query_job_setup(struct query_job *job, struct err *err);

/* Print the columns of a table. */
void query_table_describe(const struct query_table *t, FILE *out);

/* Numbers of the columns of each table. */
enum query_access_column {
#define ACCESS_COLUMN(name, type, level, is_shown, is_played, unit, help, value)                   \
	QUERY_ACCESS_##name,
#include "query_columns.def"
#undef ACCESS_COLUMN
};
enum query_request_column {
#define REQUEST_COLUMN(name, type, level, is_shown, is_played, unit, help, value)                  \
	QUERY_REQUEST_##name,
#include "query_columns.def"
#undef REQUEST_COLUMN
};

enum query_site_column {
#define SITE_COLUMN(name, type, level, is_shown, is_played, unit, help, value) QUERY_SITE_##name,
#include "query_columns.def"
#undef SITE_COLUMN
};
enum query_line_column {
#define LINE_COLUMN(name, type, level, is_shown, is_played, unit, help, value) QUERY_LINE_##name,
#include "query_columns.def"
#undef LINE_COLUMN
};
enum query_kernel_column {
#define KERNEL_COLUMN(name, type, level, is_shown, is_played, unit, help, value)                   \
	QUERY_KERNEL_##name,
#include "query_columns.def"
#undef KERNEL_COLUMN
};
enum query_buffer_column {
#define BUFFER_COLUMN(name, type, level, is_shown, is_played, unit, help, value)                   \
	QUERY_BUFFER_##name,
#include "query_columns.def"
#undef BUFFER_COLUMN
};
enum query_launch_column {
#define LAUNCH_COLUMN(name, type, level, is_shown, is_played, unit, help, value)                   \
	QUERY_LAUNCH_##name,
#include "query_columns.def"
#undef LAUNCH_COLUMN
};

/* Cells that several tables have: a number of a site's place, a text that may be "", the name of an
 * address space. */
struct cell query_place(const struct site *site, uint32_t number);
struct cell query_words(const char *text);
const char *query_space_name(uint32_t space);

/* The rows of each table, and the cells of a row. */
#define QUERY_TABLE(name, is_played, text)                                                         \
	int query_run_##name(struct query_job *job, struct err *err);                              \
	struct cell query_get_##name(const void *row, uint32_t column);
#include "query_tables.def"
#undef QUERY_TABLE

#endif
