/*
 * tables - a recording as tables: which rows there are, which columns, and what their cells hold.
 * `warpline query` selects, sorts and prints them.
 *
 * The tables are those of tables.def, the columns those of table_columns.def.
 */
#ifndef TABLES_H
#define TABLES_H

#include "cell.h"
#include "player.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;
struct kernel_table;
struct recording;
struct replay_setup;
struct report_data;
struct site;
struct work_watch;

/* From when on a cell is known: the row's launch, its site, or the row itself. */
enum table_level { TABLE_LAUNCH, TABLE_SITE, TABLE_ROW };

struct table_column {
	struct cell_column is;
	enum table_level level;
	bool is_shown;  /* unless others are asked for */
	bool is_played; /* only a replay knows it */
};

struct table_columns {
	const char *table; /* its name, for messages */
	const struct table_column *list;
	uint32_t count;
};

/* The cell of a row. */
typedef struct cell (*table_get)(const void *row, uint32_t column);

/* Whoever takes the rows. A row is valid during the call alone, its CELL_TEXT cells until
 * table_job_release(). */
struct table_reader {
	void *context;
	/* Whether rows may be wanted, by the cells known at `level`, TABLE_LAUNCH or TABLE_SITE. */
	bool (*may_want)(void *context, const void *row, enum table_level level);
	/* Returns 0 or an error. */
	int (*take)(void *context, const void *row, struct err *err);
	/* Whether no further row can change anything. */
	bool (*has_enough)(void *context);
};

/* All pointers are borrowed but `data`. Release with table_job_release(). */
struct table_job {
	/* Set by the caller. */
	const struct recording *recording;
	const uint64_t *launch;           /* number of the only launch; NULL: all */
	const struct replay_setup *setup; /* NULL: no column is needed that is_played */
	const struct table_reader *reader;
	struct work_watch *watch; /* may be NULL */
	/* Found. */
	struct player_outcome outcome;
	struct report_data *data; /* that the rows point into */
};

struct table {
	const char *name;
	const char *text; /* what a row is */
	struct table_columns columns;
	table_get get;
	bool is_played; /* its rows come from a replay: the job needs a setup */
	/* Offer all rows to the reader. Returns 0 or an error. */
	int (*run)(struct table_job *job, struct err *err);
};

/* All tables; *count of them. Static storage. */
const struct table *table_list(size_t *count);

/* Free what the rows pointed into. Accepts a zeroed struct. */
void table_job_release(struct table_job *job);

/* Cells of several tables: a line or column of a site's place, a string or nothing for "", the name
 * of an address space, the name of a kernel's argument (-1: none). */
struct cell table_place(const struct site *site, uint32_t number);
struct cell table_words(const char *text);
const char *table_space_name(uint32_t space);
const char *table_argument_name(const struct kernel_table *t, int64_t argument);

/* The rows of each table, and the cells of a row: table_accesses.c, table_requests.c, table_sums.c.
 */
#define TABLE(name, is_played, text)                                                               \
	int table_run_##name(struct table_job *job, struct err *err);                              \
	struct cell table_get_##name(const void *row, uint32_t column);
#include "tables.def"
#undef TABLE

#endif
