/* SPDX-License-Identifier: Apache-2.0 */
#include "address_use_private.h"

#include "array.h"
#include "bypass_list.h"
#include "err.h"

#include <stdlib.h>

static struct address_use_sum sum_of(const struct use_entry *e)
{
	return (struct address_use_sum){ e->stays, e->first_bytes, e->bytes_moved, e->uses };
}

static size_t count_lines(const struct address_use *u)
{
	size_t count = 0;

	for (uint32_t i = 0; i < u->setup.sm_count; i++)
		if (u->sms[i])
			count += u->sms[i]->lines.count;
	return count;
}

static struct address_use_line *gather(struct address_use_line *at, const struct use_table *t,
                                       int64_t sm)
{
	for (size_t i = 0; i < t->capacity; i++)
		if (t->places[i].stays)
			*at++ = (struct address_use_line){ t->places[i].line, sm,
				                           sum_of(&t->places[i]) };
	return at;
}

static int by_line(const void *a, const void *b)
{
	const struct address_use_line *x = a, *y = b;

	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return (x->sm > y->sm) - (x->sm < y->sm);
}

/* Rows of one line become one; how many are left. */
static size_t merge(struct address_use_line *rows, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		if (kept && rows[kept - 1].line == rows[i].line) {
			address_use_add(&rows[kept - 1].sum, &rows[i].sum);
			continue;
		}
		rows[kept] = rows[i];
		rows[kept++].sm = -1;
	}
	return kept;
}

int address_use_lines(const struct address_use *u, bool is_merged, struct address_use_line **rows,
                      size_t *count, struct err *err)
{
	struct address_use_line *at;

	*count = count_lines(u);
	*rows = at = array_alloc(*count, sizeof(**rows), "lines", err);
	if (!at)
		return ERR_NOMEM;
	for (uint32_t i = 0; i < u->setup.sm_count; i++)
		if (u->sms[i])
			at = gather(at, &u->sms[i]->lines, i);
	qsort(*rows, *count, sizeof(**rows), by_line);
	if (is_merged)
		*count = merge(*rows, *count);
	return 0;
}

int address_use_rules(const struct address_use *u, bool is_merged, char *kernel,
                      struct bypass_list *list, struct address_use_sum *taken, struct err *err)
{
	struct address_use_line *rows;
	size_t count;
	int ret = address_use_lines(u, is_merged, &rows, &count, err);

	if (taken)
		*taken = (struct address_use_sum){ 0 };
	for (size_t i = 0; i < count && !ret; i++) {
		struct bypass_rule rule = { .kind = BYPASS_ADDRESS,
			                    .number = rows[i].line,
			                    .sm = rows[i].sm };

		rule.kernel = kernel;
		if (!address_use_is_poor(&rows[i].sum))
			continue;
		ret = bypass_list_add(list, &rule, err);
		if (taken)
			address_use_add(taken, &rows[i].sum);
	}
	free(rows);
	return ret;
}
