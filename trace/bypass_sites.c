/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_sites.h"

#include "kernel_table.h"

#include <string.h>

static bool is_same_line(const struct place *a, const struct place *b)
{
	return a->line == b->line && a->file && b->file && !strcmp(a->file, b->file);
}

struct bypass_place bypass_place_of(const struct kernel_table *table, size_t site)
{
	const struct place *place = &table->sites[site].place;
	struct bypass_place out = { place->file, place->line, place->column, 0 };

	for (size_t i = 0; i <= site; i++)
		out.ordinal += table->sites[i].kind == SITE_READ &&
		               is_same_line(&table->sites[i].place, place);
	return out;
}

/* "mm.cl" and "src/mm.cl", but not "m.cl". */
static bool is_tail(const char *tail, const char *path)
{
	size_t more = strlen(path), length = strlen(tail);

	if (more < length || strcmp(path + more - length, tail) != 0)
		return false;
	return more == length || path[more - length - 1] == '/';
}

bool bypass_place_fits(const struct bypass_place *a, const struct bypass_place *b)
{
	if (!a->file || !b->file || a->line != b->line || a->column != b->column)
		return false;
	if (a->ordinal && b->ordinal && a->ordinal != b->ordinal)
		return false;
	return is_tail(a->file, b->file) || is_tail(b->file, a->file);
}

bool bypass_rule_is_of(const struct bypass_rule *rule, const struct kernel_table *table)
{
	return !rule->kernel || (table->name && !strcmp(rule->kernel, table->name)) ||
	       (table->symbol && !strcmp(rule->kernel, table->symbol));
}

static bool is_site(const struct bypass_rule *rule, const struct kernel_table *table, size_t site)
{
	struct bypass_place place;

	if (rule->number != site || !rule->place.file)
		return rule->number == site;
	place = bypass_place_of(table, site);
	return bypass_place_fits(&rule->place, &place);
}

bool bypass_rule_names(const struct bypass_rule *rule, const struct kernel_table *table,
                       size_t number)
{
	const struct site *site = &table->sites[number];

	if (site->kind != SITE_READ || !bypass_rule_is_of(rule, table))
		return false;
	switch (rule->kind) {
	case BYPASS_SITE:
		return is_site(rule, table, number);
	case BYPASS_LINE:
		return rule->number == site->place.line;
	case BYPASS_ARGUMENT:
		return site->argument >= 0 && (size_t)site->argument < table->argument_count &&
		       !strcmp(table->arguments[site->argument].name, rule->name);
	case BYPASS_ALL:
		return true;
	case BYPASS_BUFFER:
	case BYPASS_WARPS:
	case BYPASS_ADDRESS:
		break;
	}
	return false;
}
