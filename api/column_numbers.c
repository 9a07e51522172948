/* SPDX-License-Identifier: Apache-2.0 */
/* A counter that has no column does not compile. */
#include "column_numbers.h"

#include "counters.h"
#include "l1_stats.h"

#include <string.h>

uint64_t column_of_counters(const struct counters *c, enum warpline_column column)
{
	switch ((int)column) {
	case WARPLINE_requests:
		return counters_requests(c);
#define COUNTER(name, unit, text)                                                                  \
	case WARPLINE_##name:                                                                      \
		return c->name;
#include "counters.def"
#undef COUNTER
	default:
		return WARPLINE_UNKNOWN;
	}
}

uint64_t column_of_stats(const struct l1_stats_row *row, enum warpline_column column)
{
	switch ((int)column) {
	case WARPLINE_requests:
		return l1_stats_requests(row);
#define L1_STAT(name)                                                                              \
	case WARPLINE_##name:                                                                      \
		return row->name;
#include "site_counters.def"
#undef L1_STAT
	default:
		return WARPLINE_UNKNOWN;
	}
}

uint64_t column_of_l2(const struct l2_counters *c, enum warpline_column column)
{
	switch ((int)column) {
	case WARPLINE_requests:
		return l2_counters_requests(c);
#define L2_COUNTER(name, unit, text)                                                               \
	case WARPLINE_##name:                                                                      \
		return c->name;
#include "counters.def"
#undef L2_COUNTER
	default:
		return WARPLINE_UNKNOWN;
	}
}

uint64_t column_of_dram(const struct dram_counters *c, enum warpline_column column)
{
	switch ((int)column) {
#define DRAM_COUNTER(name, unit, text)                                                             \
	case WARPLINE_##name:                                                                      \
		return c->name;
#include "counters.def"
#undef DRAM_COUNTER
	default:
		return WARPLINE_UNKNOWN;
	}
}

static const struct {
	const char *name, *unit, *help;
} columns[] = {
#define WARPLINE_COLUMN(name, number, unit, text) [number] = { #name, unit, text },
#include "warpline_replay_columns.def"
#undef WARPLINE_COLUMN
};

enum { COLUMNS = sizeof(columns) / sizeof(columns[0]) };

static int is_column(enum warpline_column column)
{
	return (int)column >= 0 && (int)column < (int)COLUMNS;
}

const char *warpline_column_name(enum warpline_column column)
{
	return is_column(column) ? columns[column].name : NULL;
}

const char *warpline_column_unit(enum warpline_column column)
{
	return is_column(column) ? columns[column].unit : NULL;
}

const char *warpline_column_help(enum warpline_column column)
{
	return is_column(column) ? columns[column].help : NULL;
}

enum warpline_column warpline_column_find(const char *name)
{
	for (int i = 0; i < (int)COLUMNS; i++)
		if (columns[i].name && !strcmp(columns[i].name, name))
			return (enum warpline_column)i;
	return WARPLINE_COLUMN_NONE;
}
