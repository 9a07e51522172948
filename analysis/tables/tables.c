/* SPDX-License-Identifier: Apache-2.0 */
#include "tables.h"

#include "kernel_table.h"
#include "report_data.h"

#include <stdlib.h>

#define COLUMN(name, type, level, is_shown, is_played, unit, help, value)                          \
	{ { #name, unit, help, CELL_##type }, TABLE_##level, is_shown, is_played },

static const struct table_column accesses[] = {
#define ACCESS_COLUMN COLUMN
#include "table_columns.def"
#undef ACCESS_COLUMN
};
static const struct table_column requests[] = {
#define REQUEST_COLUMN COLUMN
#include "table_columns.def"
#undef REQUEST_COLUMN
};

/* Counters by number, for table_sums.def. */
enum {
#define L1_STAT(name) STAT_##name,
#include "site_counters.def"
#undef L1_STAT
};

static const struct table_column sites[] = {
#define SITE_COLUMN COLUMN
#include "table_columns.def"
#undef SITE_COLUMN
};
static const struct table_column lines[] = {
#define LINE_COLUMN COLUMN
#include "table_columns.def"
#undef LINE_COLUMN
};
static const struct table_column kernels[] = {
#define KERNEL_COLUMN COLUMN
#include "table_columns.def"
#undef KERNEL_COLUMN
};
static const struct table_column buffers[] = {
#define BUFFER_COLUMN COLUMN
#include "table_columns.def"
#undef BUFFER_COLUMN
};
static const struct table_column launches[] = {
#define LAUNCH_COLUMN COLUMN
#include "table_columns.def"
#undef LAUNCH_COLUMN
};

static const struct table tables[] = {
#define TABLE(name, is_played, text)                                                               \
	{ #name,                                                                                   \
	  text,                                                                                    \
	  { #name, name, sizeof(name) / sizeof((name)[0]) },                                       \
	  table_get_##name,                                                                        \
	  is_played,                                                                               \
	  table_run_##name },
#include "tables.def"
#undef TABLE
};

const struct table *table_list(size_t *count)
{
	*count = sizeof(tables) / sizeof(tables[0]);
	return tables;
}

void table_job_release(struct table_job *job)
{
	if (job->data)
		report_data_release(job->data);
	free(job->data);
	job->data = NULL;
}

struct cell table_place(const struct site *site, uint32_t number)
{
	return site->place.file && number ? cell_number(number) : cell_none();
}

struct cell table_words(const char *text)
{
	return cell_text(text && *text ? text : NULL);
}

const char *table_space_name(uint32_t space)
{
	static const char *const names[] = { "private", "global", "constant", "local", "generic" };

	return space < sizeof(names) / sizeof(names[0]) ? names[space] : NULL;
}

const char *table_argument_name(const struct kernel_table *t, int64_t argument)
{
	return argument >= 0 && (uint64_t)argument < t->argument_count ? t->arguments[argument].name
	                                                               : NULL;
}
