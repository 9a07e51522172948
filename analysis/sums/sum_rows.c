/* SPDX-License-Identifier: Apache-2.0 */
#include "sum_rows.h"

#include "array.h"
#include "err.h"
#include "kernel_table.h"

#include <stdlib.h>
#include <string.h>

static bool is_of_sites(enum sum_kind kind)
{
	return kind == SUM_LINES || kind == SUM_ARGUMENTS;
}

enum l1_stats_table sum_rows_table(enum sum_kind kind)
{
	static const enum l1_stats_table tables[SUM_KINDS] = {
		[SUM_LINES] = L1_STATS_SITES,     [SUM_BUFFERS] = L1_STATS_BUFFERS,
		[SUM_ARGUMENTS] = L1_STATS_SITES, [SUM_SETS] = L1_STATS_SETS,
		[SUM_GROUPS] = L1_STATS_GROUPS,   [SUM_WINDOWS] = L1_STATS_WINDOWS,
	};

	return tables[kind];
}

static bool is_counted(const struct l1_stats_row *l1)
{
	return l1_stats_requests(l1) || l1->lines;
}

static bool has_line(const struct site *s)
{
	return s->place.file && s->place.line;
}

static int compare_lines(const struct site *x, const struct site *y)
{
	int order = has_line(y) - has_line(x);

	if (!order && has_line(x))
		order = strcmp(x->place.file, y->place.file);
	if (!order && has_line(x))
		order = (x->place.line > y->place.line) - (x->place.line < y->place.line);
	return order;
}

/* For qsort(): makes the sites of a line, or of an argument, adjacent, in the order of the table.
 */
static int by_line(const void *a, const void *b)
{
	const struct site *x = *(const struct site *const *)a, *y = *(const struct site *const *)b;
	int order = compare_lines(x, y);

	return order ? order : (x > y) - (x < y);
}

static int by_argument(const void *a, const void *b)
{
	const struct site *x = *(const struct site *const *)a, *y = *(const struct site *const *)b;
	int order = (x->argument > y->argument) - (x->argument < y->argument);

	return order ? order : (x > y) - (x < y);
}

static bool is_one_row(enum sum_kind kind, const struct site *x, const struct site *y)
{
	if (kind == SUM_ARGUMENTS)
		return x->argument == y->argument;
	return has_line(x) && has_line(y) && !compare_lines(x, y);
}

/* Add the rows of adjacent sites. */
static void add_sites(struct sum_rows *s, size_t count, const struct l1_stats_list *list,
                      const struct kernel_table *table, bool keeps_all)
{
	struct sum_row row = { 0 };

	for (size_t i = 0; i <= count; i++) {
		bool is_new =
			i == count || !i || !is_one_row(s->kind, s->sites[i - 1], s->sites[i]);

		if (is_new && i && (keeps_all || is_counted(&row.l1)))
			s->rows[s->count++] = row;
		if (i == count)
			break;
		if (is_new)
			row = (struct sum_row){ .key = s->kind == SUM_LINES
				                               ? s->sites[i] - table->sites
				                               : s->sites[i]->argument,
				                .sites = &s->sites[i] };
		row.site_count++;
		l1_stats_add(&row.l1, &list->rows[s->sites[i] - table->sites]);
	}
}

static int sum_sites(struct sum_rows *s, const struct l1_stats_list *list,
                     const struct kernel_table *table, const bool *is_part, struct err *err)
{
	size_t count = 0;

	s->sites = array_alloc(list->count, sizeof(const struct site *), "sites", err);
	if (!s->sites)
		return ERR_NOMEM;
	for (size_t i = 0; i < list->count; i++)
		if (!is_part || is_part[i])
			s->sites[count++] = &table->sites[i];
	if (count)
		qsort(s->sites, count, sizeof(const struct site *),
		      s->kind == SUM_LINES ? by_line : by_argument);
	add_sites(s, count, list, table, is_part != NULL);
	return 0;
}

static void take_rows(struct sum_rows *s, const struct l1_stats_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		if (is_counted(&list->rows[i]))
			s->rows[s->count++] =
				(struct sum_row){ .key = (int64_t)i - (s->kind == SUM_BUFFERS),
				                  .l1 = list->rows[i] };
}

static int compare(const void *a, const void *b)
{
	const struct sum_row *x = a, *y = b;
	uint64_t of_x = l1_stats_requests(&x->l1), of_y = l1_stats_requests(&y->l1);

	if (x->l1.read_misses != y->l1.read_misses)
		return x->l1.read_misses > y->l1.read_misses ? -1 : 1;
	if (of_x != of_y)
		return of_x > of_y ? -1 : 1;
	return x->key < y->key ? -1 : x->key > y->key;
}

int sum_rows_make(struct sum_rows *s, enum sum_kind kind, const struct l1_stats_list *list,
                  const struct kernel_table *table, const bool *is_part, struct err *err)
{
	int ret = 0;

	*s = (struct sum_rows){ .kind = kind, .unit = list->unit };
	s->rows = array_alloc(list->count, sizeof(*s->rows), "statistics", err);
	if (!s->rows)
		return ERR_NOMEM;
	if (is_of_sites(kind))
		ret = sum_sites(s, list, table, is_part, err);
	else
		take_rows(s, list);
	if (s->count && kind != SUM_WINDOWS)
		qsort(s->rows, s->count, sizeof(*s->rows), compare);
	return ret;
}

void sum_rows_release(struct sum_rows *s)
{
	free(s->rows);
	free(s->sites);
	*s = (struct sum_rows){ 0 };
}

uint64_t sum_rows_first(const struct sum_rows *s, const struct sum_row *row)
{
	return (uint64_t)row->key * s->unit;
}

void site_sums_add(struct site_sums *sum, const struct site_sums *more)
{
	l1_stats_add(&sum->l1, &more->l1);
	access_pattern_add(&sum->pattern, &more->pattern);
	line_share_add(&sum->sharing, &more->sharing);
	sum->atomic_waits += more->atomic_waits;
	sum->again.requests += more->again.requests;
	sum->again.bytes += more->again.bytes;
	side_counts_add(&sum->side, &more->side);
	reuse_bins_sum(&sum->distances, &more->distances);
}
