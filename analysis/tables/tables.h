/*
 * tables - a recording as tables: their rows, columns and cells. `warpline query` selects, sorts
 * and prints them.
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

/* When a cell is known: with the row's launch, its site, or the row itself. */
enum table_level { TABLE_LAUNCH, TABLE_SITE, TABLE_ROW };

struct table_column {
	struct cell_column is;
	enum table_level level;
	bool is_shown;  /* by default */
	bool is_played; /* known only after a replay */
};

struct table_columns {
	const char *table; /* its name, for messages */
	const struct table_column *list;
	uint32_t count;
};

/* Returns the cell of a row. */
typedef struct cell (*table_get)(const void *row, uint32_t column);

/* Takes the rows. A row is valid only during the call, its CELL_TEXT cells until
 * table_job_release(). */
struct table_reader {
	void *context;
	/* Whether rows may be wanted, judging by the cells known at `level`, TABLE_LAUNCH or
	 * TABLE_SITE. */
	bool (*may_want)(void *context, const void *row, enum table_level level);
	/* Returns 0 or an error. */
	int (*take)(void *context, const void *row, struct err *err);
	/* Whether further rows cannot change anything. */
	bool (*has_enough)(void *context);
};

/* All pointers except `data` are borrowed. Release with table_job_release(). */
struct table_job {
	/* Set by the caller. */
	const struct recording *recording;
	const uint64_t *launch;           /* number of the only launch; NULL: all */
	const struct replay_setup *setup; /* NULL: no column with is_played is needed */
	const struct table_reader *reader;
	struct work_watch *watch; /* may be NULL */
	/* Results. */
	struct player_outcome outcome;
	struct report_data *data; /* storage that the rows point into */
};

struct table {
	const char *name;
	const char *text; /* description of a row */
	struct table_columns columns;
	table_get get;
	bool is_played; /* its rows come from a replay: the job needs a setup */
	/* Offer all rows to the reader. Returns 0 or an error. */
	int (*run)(struct table_job *job, struct err *err);
};

/* Returns all tables, *count of them. Static storage. */
const struct table *table_list(size_t *count);

/* Free the storage of the rows. Accepts a zeroed struct. */
void table_job_release(struct table_job *job);

/* Return cells that several tables have: a line or column of a site's place, a string or nothing
 for "", the name of an address space, the name of a kernel's argument (-1: none). */
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
