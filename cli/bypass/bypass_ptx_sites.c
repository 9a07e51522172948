/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_ptx_matcher.h"

#include "bypass_sites.h"
#include "err.h"
#include "ptx_origin.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* The loads of a line, and the sites of the recording there among which one is sought. */
struct candidates {
	struct ptx_line_load *loads; /* borrowed; load_count of them */
	size_t load_count;
	size_t *sites; /* numbers, ascending */
	size_t site_count;
	size_t site; /* the one that is sought */
};

/* What is compared by some property of loads and sites. */
typedef int64_t (*load_key)(const struct bypass_ptx_matcher *x, const struct ptx_line_load *load);
typedef int64_t (*site_key)(const struct site *site);

static const struct site *site_at(const struct bypass_ptx_matcher *x, size_t site)
{
	return &x->kernel->table.sites[site];
}

/* Whether the site is a read of global memory, perhaps through a generic pointer. */
static bool is_read(const struct site *s)
{
	return s->kind == SITE_READ && (s->space == SPACE_GLOBAL || s->space == SPACE_GENERIC);
}

static bool is_same_line(const struct place *a, const struct place *b)
{
	return a->line == b->line && a->file && b->file && !strcmp(a->file, b->file);
}

static int64_t column_of_load(const struct bypass_ptx_matcher *x, const struct ptx_line_load *load)
{
	return load->column;
}

static int64_t column_of_site(const struct site *site)
{
	return site->place.column;
}

static int64_t origin_of_load(const struct bypass_ptx_matcher *x, const struct ptx_line_load *load)
{
	return x->origins ? x->origins[load->load] : PTX_ORIGIN_UNKNOWN;
}

static int64_t argument_of_site(const struct site *site)
{
	return site->argument;
}

/* Whether each load has the key of some site, and each site that of some load; no key below 0. */
static bool is_telling(const struct bypass_ptx_matcher *x, const struct candidates *c,
                       load_key of_load, site_key of_site)
{
	for (size_t i = 0; i < c->load_count; i++) {
		int64_t key = of_load(x, &c->loads[i]);
		bool has_site = false;

		for (size_t s = 0; s < c->site_count && !has_site; s++)
			has_site = of_site(site_at(x, c->sites[s])) == key;
		if (key < 0 || !has_site)
			return false;
	}
	for (size_t s = 0; s < c->site_count; s++) {
		int64_t key = of_site(site_at(x, c->sites[s]));
		bool has_load = false;

		for (size_t i = 0; i < c->load_count && !has_load; i++)
			has_load = of_load(x, &c->loads[i]) == key;
		if (key < 0 || !has_load)
			return false;
	}
	return c->load_count && c->site_count;
}

/* Keep the loads and sites that have the sought site's key, if the key tells them apart. */
static void narrow(const struct bypass_ptx_matcher *x, struct candidates *c, load_key of_load,
                   site_key of_site)
{
	int64_t key = of_site(site_at(x, c->site));
	size_t loads = 0, sites = 0;

	if (!is_telling(x, c, of_load, of_site))
		return;
	for (size_t i = 0; i < c->load_count; i++)
		if (of_load(x, &c->loads[i]) == key)
			c->loads[loads++] = c->loads[i];
	for (size_t s = 0; s < c->site_count; s++)
		if (of_site(site_at(x, c->sites[s])) == key)
			c->sites[sites++] = c->sites[s];
	c->load_count = loads;
	c->site_count = sites;
}

/* Of m sites and n loads: all of them, or each m-th from the site's place on. */
static int choose_of(struct bypass_ptx_matcher *x, size_t rule, const struct candidates *c)
{
	const struct place *place = &site_at(x, c->site)->place;
	size_t m = c->site_count, rank = 0;
	bool are_all = true;
	int ret = 0;

	for (size_t s = 0; s < m; s++) {
		are_all = are_all && x->is_wanted[c->sites[s]];
		rank = c->sites[s] == c->site ? s : rank;
	}
	if (!are_all && c->load_count % m != 0)
		return bypass_ptx_fails(x, rule,
		                        "%s:%" PRIu32
		                        " has %zu loads that may be of its %zu reads, and which is "
		                        "which cannot be told; line:%" PRIu32 " takes them all",
		                        place->file, place->line, c->load_count, m, place->line);
	for (size_t i = are_all ? 0 : rank; !ret && i < c->load_count; i += are_all ? 1 : m)
		ret = bypass_ptx_choose(x, rule, c->loads[i].load);
	if (!ret && !are_all)
		ret = bypass_ptx_note(x,
		                      "%s: site %zu is taken for load %zu of %zu at %s:%" PRIu32
		                      " by their order, which compilers may change",
		                      x->f->name, c->site, rank + 1, m, place->file, place->line);
	return ret;
}

/* With the recording. */
static int match_known(struct bypass_ptx_matcher *x, size_t rule)
{
	const struct kernel_table *t = &x->kernel->table;
	uint64_t number = x->list->rules[rule].number;
	const struct site *site = number < t->site_count ? &t->sites[number] : NULL;
	struct candidates c = { .loads = x->found, .site = (size_t)number };
	int ret;

	if (!site || !is_read(site))
		return bypass_ptx_fails(x, rule, "%s",
		                        site ? "it is no read of global memory"
		                             : "the kernel has no such site");
	if (!site->place.file || !site->place.line)
		return bypass_ptx_fails(x, rule, "its place in the source is not known");
	c.load_count = ptx_lines_find(&x->lines, x->m, x->f, bypass_ptx_file(site->place.file),
	                              site->place.line, x->found);
	if (!c.load_count)
		return bypass_ptx_fails(x, rule, "no load is of %s:%" PRIu32, site->place.file,
		                        site->place.line);
	c.sites = array_alloc(t->site_count, sizeof(*c.sites), "sites", x->err);
	if (!c.sites)
		return ERR_NOMEM;
	for (size_t s = 0; s < t->site_count; s++)
		if (is_read(&t->sites[s]) && is_same_line(&t->sites[s].place, &site->place))
			c.sites[c.site_count++] = s;
	narrow(x, &c, column_of_load, column_of_site);
	narrow(x, &c, origin_of_load, argument_of_site);
	ret = choose_of(x, rule, &c);
	free(c.sites);
	return ret;
}

/* How many of the loads are of this column; 0 also when all are of one, which tells nothing. */
static size_t keep_column(struct ptx_line_load *loads, size_t count, uint32_t column)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		kept += loads[i].column == column;
	if (kept == count || !kept)
		return 0;
	kept = 0;
	for (size_t i = 0; i < count; i++)
		if (loads[i].column == column)
			loads[kept++] = loads[i];
	return kept;
}

/* From the place alone that the list tells. */
static int match_told(struct bypass_ptx_matcher *x, size_t rule)
{
	const struct bypass_rule *r = &x->list->rules[rule];
	const struct bypass_place *place = &r->place;
	size_t count, kept;
	int ret = 0;

	if (!place->file)
		return bypass_ptx_fails(x, rule,
		                        "the list does not say where it is, and without the "
		                        "recording nothing else does");
	count = ptx_lines_find(&x->lines, x->m, x->f, bypass_ptx_file(place->file), place->line,
	                       x->found);
	kept = keep_column(x->found, count, place->column);
	for (size_t i = 0; !ret && i < kept; i++)
		ret = bypass_ptx_choose(x, rule, x->found[i].load);
	if (kept)
		return ret;
	if (!count || place->ordinal > count || (!place->ordinal && count > 1))
		return bypass_ptx_fails(
			x, rule, "%s:%" PRIu32 " has %zu load%s, and it is %s%" PRIu32, place->file,
			place->line, count, count == 1 ? "" : "s",
			place->ordinal ? "number " : "one of them: ", place->ordinal);
	ret = bypass_ptx_choose(x, rule, x->found[place->ordinal ? place->ordinal - 1 : 0].load);
	if (!ret && count > 1)
		ret = bypass_ptx_note(x,
		                      "%s: site %" PRIu64 " is taken for load %" PRIu32
		                      " of the %zu at %s:%" PRIu32
		                      " by their order, which compilers may change; the recording "
		                      "tells more",
		                      x->f->name, r->number, place->ordinal, count, place->file,
		                      place->line);
	return ret;
}

int bypass_ptx_match_site(struct bypass_ptx_matcher *x, size_t rule)
{
	if (!x->lines.count && x->f->load_count)
		return bypass_ptx_fails(x, rule,
		                        "the PTX does not say which lines it comes from: compile "
		                        "it with -lineinfo");
	return x->kernel ? match_known(x, rule) : match_told(x, rule);
}

static int check_place(const struct bypass_ptx_matcher *x, const struct bypass_rule *r)
{
	struct bypass_place own = bypass_place_of(&x->kernel->table, (size_t)r->number);

	if (!r->place.file || bypass_place_fits(&r->place, &own))
		return 0;
	return err_set(x->err, ERR_USAGE,
	               "kernel %s: site %" PRIu64 " is at %s:%" PRIu32 ":%" PRIu32 " #%" PRIu32
	               " in the list and at %s:%" PRIu32 ":%" PRIu32 " #%" PRIu32
	               " in the recording: the list is of another one",
	               x->kernel->table.name, r->number, r->place.file, r->place.line,
	               r->place.column, r->place.ordinal, own.file ? own.file : "", own.line,
	               own.column, own.ordinal);
}

int bypass_ptx_want_sites(struct bypass_ptx_matcher *x)
{
	size_t count = x->kernel ? x->kernel->table.site_count : 0;
	int ret = 0;

	x->is_wanted = array_alloc(count, sizeof(*x->is_wanted), "sites", x->err);
	if (!x->is_wanted)
		return ERR_NOMEM;
	for (size_t i = 0; !ret && i < x->rule_count; i++) {
		const struct bypass_rule *r = &x->list->rules[x->rules[i]];

		if (r->kind != BYPASS_SITE || r->number >= count || !bypass_ptx_is_of(x, r))
			continue;
		x->is_wanted[r->number] = true;
		ret = check_place(x, r);
	}
	return ret;
}
