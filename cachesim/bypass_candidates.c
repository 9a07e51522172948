/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_candidates.h"

#include "array.h"
#include "bypass_sites.h"
#include "err.h"
#include "kernel_table.h"

#include <stdlib.h>

static struct bypass_rule rule_of(const struct kernel_table *table, enum bypass_kind kind,
                                  uint64_t number)
{
	return (struct bypass_rule){
		.kind = kind,
		.kernel = table->name && *table->name ? kernel_table_symbol(table) : NULL,
		.number = number,
		.sm = -1,
	};
}

static int by_weight(const void *a, const void *b)
{
	const struct bypass_candidate *x = a, *y = b;

	if (x->use.bytes_moved != y->use.bytes_moved)
		return x->use.bytes_moved > y->use.bytes_moved ? -1 : 1;
	if (x->reads != y->reads)
		return x->reads > y->reads ? -1 : 1;
	return (x->rule.number > y->rule.number) - (x->rule.number < y->rule.number);
}

/* Leave those that read anything, in order; their number. */
static size_t keep_readers(struct bypass_candidate *list, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		list[i].is_poor = address_use_is_poor(&list[i].use);
		if (list[i].reads)
			list[kept++] = list[i];
	}
	qsort(list, kept, sizeof(*list), by_weight);
	return kept;
}

static void add_row(struct bypass_candidate *c, const struct address_use_row *row)
{
	c->reads += row->reads;
	address_use_add(&c->use, &row->sum);
}

int bypass_candidates_sites(const struct address_use *use, const struct kernel_table *table,
                            struct bypass_candidate **out, size_t *count, struct err *err)
{
	const struct address_use_row *rows = address_use_sites(use);
	struct bypass_candidate *list =
		array_alloc(table->site_count, sizeof(*list), "candidates", err);

	if (!list)
		return ERR_NOMEM;
	for (size_t i = 0; i < table->site_count; i++) {
		list[i].rule = rule_of(table, BYPASS_SITE, i);
		list[i].rule.place = bypass_place_of(table, i);
		add_row(&list[i], &rows[i]);
	}
	*out = list;
	*count = keep_readers(list, table->site_count);
	return 0;
}

int bypass_candidates_arguments(const struct address_use *use, const struct kernel_table *table,
                                struct bypass_candidate **out, size_t *count, struct err *err)
{
	const struct address_use_row *rows = address_use_sites(use);
	struct bypass_candidate *list =
		array_alloc(table->argument_count, sizeof(*list), "candidates", err);

	if (!list)
		return ERR_NOMEM;
	for (size_t i = 0; i < table->argument_count; i++) {
		list[i].rule = rule_of(table, BYPASS_ARGUMENT, i);
		list[i].rule.name = table->arguments[i].name;
	}
	for (size_t i = 0; i < table->site_count; i++) {
		int32_t argument = table->sites[i].argument;

		if (argument < 0 || (size_t)argument >= table->argument_count)
			continue;
		if (list[argument].rule.name && *list[argument].rule.name)
			add_row(&list[argument], &rows[i]);
	}
	*out = list;
	*count = keep_readers(list, table->argument_count);
	return 0;
}

int bypass_candidates_buffers(const struct address_use *use, const struct kernel_table *table,
                              size_t buffer_count, struct bypass_candidate **out, size_t *count,
                              struct err *err)
{
	const struct address_use_row *rows = address_use_buffers(use);
	struct bypass_candidate *list = array_alloc(buffer_count, sizeof(*list), "candidates", err);

	if (!list)
		return ERR_NOMEM;
	for (size_t i = 0; i < buffer_count; i++) {
		list[i].rule = rule_of(table, BYPASS_BUFFER, i);
		add_row(&list[i], &rows[i + 1]);
	}
	*out = list;
	*count = keep_readers(list, buffer_count);
	return 0;
}
