/* SPDX-License-Identifier: Apache-2.0 */
/* The tables of a replay: their columns, then their rows. A counter without a column does not
 * compile. */
#include "counters.h"
#include "handles.h"
#include "l1_stats.h"
#include "recording.h"

#include <string.h>

/* Each returns WARPLINE_UNKNOWN for a column that it does not have. */

static uint64_t column_of_counters(const struct counters *c, enum warpline_column column)
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

static uint64_t column_of_stats(const struct l1_stats_row *row, enum warpline_column column)
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

static uint64_t column_of_l2(const struct l2_counters *c, enum warpline_column column)
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

static uint64_t column_of_dram(const struct dram_counters *c, enum warpline_column column)
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

static bool is_column(enum warpline_column column)
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

/* The kind of sums that a table shows, or SUM_KINDS. */
static enum sum_kind kind_of(enum warpline_table table)
{
	switch ((int)table) {
	case WARPLINE_TABLE_LINES:
		return SUM_LINES;
	case WARPLINE_TABLE_BUFFERS:
		return SUM_BUFFERS;
	case WARPLINE_TABLE_ARGUMENTS:
		return SUM_ARGUMENTS;
	case WARPLINE_TABLE_SETS:
		return SUM_SETS;
	default:
		return SUM_KINDS;
	}
}

size_t warpline_replay_rows(const struct warpline_replay *replay, enum warpline_table table)
{
	const struct last_launch *p = &replay->last;
	enum sum_kind kind = kind_of(table);

	if (!p->launch)
		return 0;
	if (kind != SUM_KINDS)
		return p->sums[kind].count;
	switch ((int)table) {
	case WARPLINE_TABLE_LAUNCH:
		return 1;
	case WARPLINE_TABLE_SITES:
		return p->site_count;
	case WARPLINE_TABLE_SMS:
		return p->sm_count;
	case WARPLINE_TABLE_L2:
	case WARPLINE_TABLE_DRAM:
		return p->result.below.is_on;
	default:
		return 0;
	}
}

static uint64_t known(int64_t number)
{
	return number < 0 ? WARPLINE_UNKNOWN : (uint64_t)number;
}

/* Counters of L1; with classes=off those of the classes are not known. */
static uint64_t counter(const struct last_launch *p, const struct counters *c,
                        enum warpline_column column)
{
	if (!p->has_classes && column >= WARPLINE_cold && column <= WARPLINE_conflict)
		return WARPLINE_UNKNOWN;
	return column_of_counters(c, column);
}

/* A counter of L1, or else one of the statistics; `row` may be NULL. */
static uint64_t counter_or_stat(const struct last_launch *p, const struct counters *c,
                                const struct l1_stats_row *row, enum warpline_column column)
{
	uint64_t number = counter(p, c, column);

	return number == WARPLINE_UNKNOWN && row ? column_of_stats(row, column) : number;
}

static uint64_t of_launch(const struct last_launch *p, enum warpline_column column)
{
	const struct schedule_result *s = &p->result.schedule;

	switch ((int)column) {
	case WARPLINE_index:
		return p->launch->number;
	case WARPLINE_whole:
		return p->result.is_whole;
	case WARPLINE_groups:
		return s->groups;
	case WARPLINE_resident_groups:
		return s->residency.groups;
	case WARPLINE_cycles:
		return s->cycles;
	case WARPLINE_instructions:
		return s->instructions;
	case WARPLINE_unmapped_lanes:
		return s->unmapped_lanes;
	default:
		return counter_or_stat(p, &p->result.total,
		                       p->stats.l1 ? l1_stats_total(p->stats.l1) : NULL, column);
	}
}

/* The place of a site. */
static uint64_t of_place(const struct last_launch *p, size_t site, enum warpline_column column)
{
	switch ((int)column) {
	case WARPLINE_site:
		return site;
	case WARPLINE_line:
		return p->table->sites[site].place.line;
	default:
		return WARPLINE_UNKNOWN;
	}
}

static uint64_t of_site(const struct last_launch *p, size_t site, enum warpline_column column)
{
	uint64_t number = of_place(p, site, column);

	if (number != WARPLINE_UNKNOWN)
		return number;
	if (column == WARPLINE_column)
		return p->table->sites[site].place.column;
	if (column == WARPLINE_argument)
		return known(p->table->sites[site].argument);
	return counter_or_stat(p, &p->result.sites[site],
	                       p->stats.l1 ? &l1_stats_list(p->stats.l1, L1_STATS_SITES)->rows[site]
	                                   : NULL,
	                       column);
}

static uint64_t of_sm(const struct last_launch *p, size_t sm, enum warpline_column column)
{
	if (column == WARPLINE_sm)
		return sm;
	if (column == WARPLINE_groups)
		return p->result.schedule.sm_groups[sm];
	return counter(p, &p->result.sms[sm], column);
}

static uint64_t of_sums(const struct last_launch *p, enum sum_kind kind, size_t i,
                        enum warpline_column column)
{
	static const enum warpline_column keys[] = {
		[SUM_BUFFERS] = WARPLINE_buffer,
		[SUM_ARGUMENTS] = WARPLINE_argument,
		[SUM_SETS] = WARPLINE_set,
	};
	const struct sum_row *row = &p->sums[kind].rows[i];

	if (kind == SUM_LINES && (column == WARPLINE_site || column == WARPLINE_line))
		return of_place(p, (size_t)row->key, column);
	if (kind != SUM_LINES && column == keys[kind])
		return known(row->key);
	return column_of_stats(&row->l1, column);
}

uint64_t warpline_replay_number(const struct warpline_replay *replay, enum warpline_table table,
                                size_t row, enum warpline_column column)
{
	const struct last_launch *p = &replay->last;
	enum sum_kind kind = kind_of(table);

	if (row >= warpline_replay_rows(replay, table))
		return WARPLINE_UNKNOWN;
	if (kind != SUM_KINDS)
		return of_sums(p, kind, row, column);
	switch ((int)table) {
	case WARPLINE_TABLE_LAUNCH:
		return of_launch(p, column);
	case WARPLINE_TABLE_SITES:
		return of_site(p, p->sites[row], column);
	case WARPLINE_TABLE_SMS:
		return of_sm(p, p->sms[row], column);
	case WARPLINE_TABLE_L2:
		return column_of_l2(&p->result.below.l2, column);
	default:
		return column_of_dram(&p->result.below.dram, column);
	}
}

/* A recording has "" for what is not known. */
static const char *known_text(const char *text)
{
	return text && *text ? text : NULL;
}

static const char *text_of_site(const struct last_launch *p, size_t number,
                                enum warpline_column column)
{
	const struct site *site = &p->table->sites[number];

	switch ((int)column) {
	case WARPLINE_file:
		return known_text(site->place.file);
	case WARPLINE_function:
		return known_text(site->function);
	case WARPLINE_expression:
		return known_text(site->expression);
	case WARPLINE_kind:
		return site_kind_name(site->kind);
	default:
		return NULL;
	}
}

const char *warpline_replay_text(const struct warpline_replay *replay, enum warpline_table table,
                                 size_t row, enum warpline_column column)
{
	const struct last_launch *p = &replay->last;
	int64_t key;

	if (row >= warpline_replay_rows(replay, table))
		return NULL;
	if (table == WARPLINE_TABLE_LAUNCH)
		return column == WARPLINE_kernel ? p->table->name : NULL;
	if (table == WARPLINE_TABLE_SITES)
		return text_of_site(p, p->sites[row], column);
	if (table == WARPLINE_TABLE_LINES && column == WARPLINE_file)
		return text_of_site(p, (size_t)p->sums[SUM_LINES].rows[row].key, column);
	if (table != WARPLINE_TABLE_ARGUMENTS || column != WARPLINE_name)
		return NULL;
	key = p->sums[SUM_ARGUMENTS].rows[row].key;
	return key >= 0 && (size_t)key < p->table->argument_count
	               ? known_text(p->table->arguments[key].name)
	               : NULL;
}
