/* SPDX-License-Identifier: Apache-2.0 */
#include "stats_row.h"

#include "array.h"
#include "err.h"
#include "kernel_table.h"

#include <stdlib.h>
#include <string.h>

uint64_t stats_row_requests(const struct l1_stats_row *row)
{
	return row->reads + row->bypasses + row->writes + row->atomics;
}

static bool is_same_line(const struct place *a, const struct place *b)
{
	return a->file && b->file && a->line && a->line == b->line && !strcmp(a->file, b->file);
}

/* The first site of the source line of site `i`. */
static int64_t first_site(const struct kernel_table *t, size_t i)
{
	for (size_t k = 0; k < i; k++)
		if (is_same_line(&t->sites[k].place, &t->sites[i].place))
			return (int64_t)k;
	return (int64_t)i;
}

/* Whose the row number `i` of the list is. */
static int64_t key_of(enum stats_row_key key, const struct kernel_table *t, size_t i)
{
	if (key == STATS_ROW_BY_LINE)
		return first_site(t, i);
	if (key == STATS_ROW_BY_ARGUMENT)
		return t->sites[i].argument;
	return key == STATS_ROW_BUFFERS ? (int64_t)i - 1 : (int64_t)i;
}

/* The row of `key` among the first `count`, or `count`. */
static size_t find(const struct stats_row *rows, size_t count, int64_t key)
{
	size_t i = 0;

	while (i < count && rows[i].key != key)
		i++;
	return i;
}

struct stats_row *stats_row_make(const struct l1_stats_list *list, enum stats_row_key key,
                                 const struct kernel_table *table, size_t *count, struct err *err)
{
	bool is_sum = key == STATS_ROW_BY_LINE || key == STATS_ROW_BY_ARGUMENT;
	struct stats_row *rows = array_alloc(list->count, sizeof(*rows), "statistics", err);

	*count = 0;
	for (size_t i = 0; rows && i < list->count; i++) {
		const struct l1_stats_row *row = &list->rows[i];
		int64_t whose = key_of(key, table, i);
		size_t at = *count;

		if (!stats_row_requests(row) && !row->lines)
			continue;
		if (is_sum)
			at = find(rows, *count, whose);
		if (at < *count)
			l1_stats_add(&rows[at].row, row);
		else
			rows[(*count)++] = (struct stats_row){ whose, *row };
	}
	return rows;
}

static int compare(const void *a, const void *b)
{
	const struct stats_row *x = a, *y = b;
	uint64_t of_x = stats_row_requests(&x->row), of_y = stats_row_requests(&y->row);

	if (x->row.read_misses != y->row.read_misses)
		return x->row.read_misses > y->row.read_misses ? -1 : 1;
	if (of_x != of_y)
		return of_x > of_y ? -1 : 1;
	return x->key < y->key ? -1 : x->key > y->key;
}

void stats_row_sort(struct stats_row *rows, size_t count)
{
	if (count)
		qsort(rows, count, sizeof(*rows), compare);
}
