/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_ptx.h"

#include "bypass_list.h"
#include "bypass_sites.h"
#include "err.h"
#include "ptx_lines.h"
#include "recording.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NOTES_MAX = 100 };

struct matcher {
	struct bypass_ptx_match *out;
	const struct ptx_module *m;
	const struct bypass_list *list;
	const struct recording *recording; /* or NULL */
	size_t *rules;                     /* those that are not addresses; rule_count of them */
	size_t rule_count;
	bool *is_named; /* per load: a note says that it stays unchanged */
	bool *is_hit;   /* per rule: it chose something */
	char **why;     /* per rule: why it chose nothing, or NULL */
	/* Of the current function: */
	const struct ptx_module_function *f;
	const struct recorded_kernel *kernel; /* with its name; NULL: unknown */
	int32_t *origins;                     /* per load; NULL: unknown */
	bool *is_wanted;                      /* per site of the kernel: named by a rule */
	struct ptx_lines lines;
	struct ptx_line_load *found; /* with room for all loads of the lines */
	struct err *err;
};

/* Keep a note; at most NOTES_MAX are kept. Returns 0 or ERR_NOMEM. */
static int __attribute__((format(printf, 2, 3))) note(struct matcher *x, const char *fmt, ...)
{
	struct bypass_ptx_match *out = x->out;
	char **slot, *text = NULL;
	va_list args;
	int length;

	if (out->notes.count >= NOTES_MAX) {
		out->notes_left++;
		return 0;
	}
	va_start(args, fmt);
	length = vasprintf(&text, fmt, args);
	va_end(args);
	if (length < 0)
		return err_set(x->err, ERR_NOMEM, "out of memory for a note");
	slot = array_push(&out->notes, 1, x->err);
	if (!slot) {
		free(text);
		return x->err->code;
	}
	*slot = text;
	return 0;
}

/* Note why a rule chooses nothing here; the first such note is kept. Returns 0 or ERR_NOMEM. */
static int __attribute__((format(printf, 3, 4))) fails(struct matcher *x, size_t rule,
                                                       const char *fmt, ...)
{
	va_list args;
	int length;

	if (x->why[rule] || x->is_hit[rule])
		return 0;
	va_start(args, fmt);
	length = vasprintf(&x->why[rule], fmt, args);
	va_end(args);
	if (length >= 0)
		return 0;
	x->why[rule] = NULL;
	return err_set(x->err, ERR_NOMEM, "out of memory for a note");
}

/* Note, once, that a load of the current function stays unchanged, and why. */
static int name_obstacle(struct matcher *x, size_t load)
{
	const struct ptx_load *l = ptx_module_load(x->m, x->f->first_load + load);
	const struct ptx_place *place = ptx_module_place(x->m, l->place);

	if (x->is_named[x->f->first_load + load])
		return 0;
	x->is_named[x->f->first_load + load] = true;
	if (x->out->notes.count >= NOTES_MAX || !place)
		return note(x, "%s: a load in line %zu stays unchanged: %s", x->f->name,
		            x->out->notes.count >= NOTES_MAX ? (size_t)0
		                                             : ptx_line_of(x->m->text, l->begin),
		            l->obstacle);
	return note(x, "%s: a load of %s:%" PRIu32 " stays unchanged: %s", x->f->name,
	            ptx_module_file(x->m, place->file), place->line, l->obstacle);
}

/* "kernel mm: site 4" */
static int name_rule(struct matcher *x, size_t rule)
{
	const struct bypass_rule *r = &x->list->rules[rule];
	const char *why = x->why[rule] ? x->why[rule] : "the PTX has no function of that name";

	if (r->kind == BYPASS_ARGUMENT)
		return note(x, "%s%sargument %s is not applied: %s", r->kernel ? r->kernel : "",
		            r->kernel ? ": " : "", r->name, why);
	if (r->kind == BYPASS_ALL)
		return note(x, "%s%sall is not applied: %s", r->kernel ? r->kernel : "",
		            r->kernel ? ": " : "", why);
	return note(x, "%s%s%s %" PRIu64 " is not applied: %s", r->kernel ? r->kernel : "",
	            r->kernel ? ": " : "", bypass_kind_word(r->kind), r->number, why);
}

/* Count and name the rules that chose nothing. */
static int name_rules(struct matcher *x)
{
	size_t addresses = 0;
	int ret = 0;

	for (size_t i = 0; !ret && i < x->list->count; i++) {
		if (x->is_hit[i])
			continue;
		x->out->left_rules++;
		if (x->list->rules[i].kind == BYPASS_ADDRESS)
			addresses++;
		else
			ret = name_rule(x, i);
	}
	if (!ret && addresses)
		ret = note(x,
		           "%zu rule%s of addresses %s not applied: the same code makes "
		           "accesses to other addresses too",
		           addresses, addresses == 1 ? "" : "s", addresses == 1 ? "is" : "are");
	return ret;
}

enum { WARPS_MAX = 32 };

size_t bypass_buffer_launches(const struct recording *r, size_t kernel, size_t argument,
                              uint64_t buffer, size_t *launches)
{
	size_t with = 0;

	*launches = 0;
	for (size_t i = 0; i < r->launch_count; i++) {
		const struct recorded_launch *l = &r->launches[i];

		if (l->kernel != kernel || l->fate != LAUNCH_TRACED)
			continue;
		++*launches;
		for (size_t a = 0; a < l->argument_count; a++)
			with += l->arguments[a].index == argument && l->arguments[a].buffer >= 0 &&
			        (uint64_t)l->arguments[a].buffer == buffer;
	}
	return with;
}

/* A place's file as ptx_lines_find() takes it: NULL for source text that the program contained. */
static const char *file_of_place(const char *file)
{
	return strncmp(file, "sources/program-", 16) == 0 ? NULL : file;
}

/* Whether a rule applies to the current function. */
static bool is_of_function(const struct matcher *x, const struct bypass_rule *rule)
{
	return !rule->kernel || ptx_name_is(x->f->name, rule->kernel);
}

/* Choose load `load` of the current function by rule `rule`. Returns 0 or ERR_NOMEM. */
static int choose(struct matcher *x, size_t rule, size_t load)
{
	const struct ptx_load *l = ptx_module_load(x->m, x->f->first_load + load);
	int ret;

	if (!l->obstacle) {
		x->out->is_chosen[x->f->first_load + load] = true;
		x->is_hit[rule] = true;
		return 0;
	}
	ret = name_obstacle(x, load);
	return ret ? ret : fails(x, rule, "the load that it means stays unchanged");
}

/* The loads of a line, and the recording's sites there, one of which is sought. */
struct candidates {
	struct ptx_line_load *loads; /* borrowed; load_count of them */
	size_t load_count;
	size_t *sites; /* numbers, ascending */
	size_t site_count;
	size_t site; /* the site sought */
};

/* A property of loads and sites by which they are compared. */
typedef int64_t (*load_key)(const struct matcher *x, const struct ptx_line_load *load);
typedef int64_t (*site_key)(const struct site *site);

static const struct site *site_at(const struct matcher *x, size_t site)
{
	return &x->kernel->table.sites[site];
}

/* Whether the site is a read of global memory, possibly through a generic pointer. */
static bool is_read(const struct site *s)
{
	return s->kind == SITE_READ && (s->space == SPACE_GLOBAL || s->space == SPACE_GENERIC);
}

static bool is_same_line(const struct place *a, const struct place *b)
{
	return a->line == b->line && a->file && b->file && !strcmp(a->file, b->file);
}

static int64_t column_of_load(const struct matcher *x, const struct ptx_line_load *load)
{
	return load->column;
}

static int64_t column_of_site(const struct site *site)
{
	return site->place.column;
}

static int64_t origin_of_load(const struct matcher *x, const struct ptx_line_load *load)
{
	return x->origins ? x->origins[load->load] : PTX_ORIGIN_UNKNOWN;
}

static int64_t argument_of_site(const struct site *site)
{
	return site->argument;
}

/* Whether each load has the key of some site, each site has the key of some load, and no key is
 * negative. */
static bool is_one_to_one(const struct matcher *x, const struct candidates *c, load_key of_load,
                          site_key of_site)
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

/* Keep the loads and sites with the key of the site sought, if the key distinguishes them. */
static void narrow(const struct matcher *x, struct candidates *c, load_key of_load,
                   site_key of_site)
{
	int64_t key = of_site(site_at(x, c->site));
	size_t loads = 0, sites = 0;

	if (!is_one_to_one(x, c, of_load, of_site))
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

/* Choose among n loads for m sites: all of them, or each m-th from the site's rank on. */
static int choose_of(struct matcher *x, size_t rule, const struct candidates *c)
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
		return fails(x, rule,
		             "%s:%" PRIu32
		             " has %zu loads that may be of its %zu reads, and which is "
		             "which cannot be told; line:%" PRIu32 " takes them all",
		             place->file, place->line, c->load_count, m, place->line);
	for (size_t i = are_all ? 0 : rank; !ret && i < c->load_count; i += are_all ? 1 : m)
		ret = choose(x, rule, c->loads[i].load);
	if (!ret && !are_all)
		ret = note(x,
		           "%s: site %zu is taken for load %zu of %zu at %s:%" PRIu32
		           " by their order, which compilers may change",
		           x->f->name, c->site, rank + 1, m, place->file, place->line);
	return ret;
}

/* Match a site with the recording. */
static int match_known(struct matcher *x, size_t rule)
{
	const struct kernel_table *t = &x->kernel->table;
	uint64_t number = x->list->rules[rule].number;
	const struct site *site = number < t->site_count ? &t->sites[number] : NULL;
	struct candidates c = { .loads = x->found, .site = (size_t)number };
	int ret;

	if (!site || !is_read(site))
		return fails(x, rule, "%s",
		             site ? "it is not a read of global memory"
		                  : "the kernel has no such site");
	if (!site->place.file || !site->place.line)
		return fails(x, rule, "its place in the source is not known");
	c.load_count = ptx_lines_find(&x->lines, x->m, x->f, file_of_place(site->place.file),
	                              site->place.line, x->found);
	if (!c.load_count)
		return fails(x, rule, "no load is of %s:%" PRIu32, site->place.file,
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

/* Keep the loads of this column and return their number; 0 also if all loads have one column, which
 * distinguishes nothing. */
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

/* Match a site by the place in the list alone. */
static int match_place(struct matcher *x, size_t rule)
{
	const struct bypass_rule *r = &x->list->rules[rule];
	const struct bypass_place *place = &r->place;
	size_t count, kept;
	int ret = 0;

	if (!place->file)
		return fails(x, rule,
		             "the list does not say where it is, and without the "
		             "recording nothing else does");
	count = ptx_lines_find(&x->lines, x->m, x->f, file_of_place(place->file), place->line,
	                       x->found);
	kept = keep_column(x->found, count, place->column);
	for (size_t i = 0; !ret && i < kept; i++)
		ret = choose(x, rule, x->found[i].load);
	if (kept)
		return ret;
	if (!count || place->ordinal > count || (!place->ordinal && count > 1))
		return fails(x, rule, "%s:%" PRIu32 " has %zu load%s, and it is %s%" PRIu32,
		             place->file, place->line, count, count == 1 ? "" : "s",
		             place->ordinal ? "number " : "one of them: ", place->ordinal);
	ret = choose(x, rule, x->found[place->ordinal ? place->ordinal - 1 : 0].load);
	if (!ret && count > 1)
		ret = note(x,
		           "%s: site %" PRIu64 " is taken for load %" PRIu32
		           " of the %zu at %s:%" PRIu32
		           " by their order, which compilers may change; the recording "
		           "tells more",
		           x->f->name, r->number, place->ordinal, count, place->file, place->line);
	return ret;
}

/* Apply a rule of a site to the current function. Returns 0 or ERR_NOMEM. */
static int match_site(struct matcher *x, size_t rule)
{
	if (!x->lines.count && x->f->load_count)
		return fails(x, rule,
		             "the PTX does not say which lines it comes from: compile "
		             "it with -lineinfo");
	return x->kernel ? match_known(x, rule) : match_place(x, rule);
}

static int check_place(const struct matcher *x, const struct bypass_rule *r)
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

/* Set x->is_wanted for the sites of the current kernel that the rules name. Returns 0; ERR_USAGE if
 * a rule's place is not that of its site. */
static int mark_sites(struct matcher *x)
{
	size_t count = x->kernel ? x->kernel->table.site_count : 0;
	int ret = 0;

	x->is_wanted = array_alloc(count, sizeof(*x->is_wanted), "sites", x->err);
	if (!x->is_wanted)
		return ERR_NOMEM;
	for (size_t i = 0; !ret && i < x->rule_count; i++) {
		const struct bypass_rule *r = &x->list->rules[x->rules[i]];

		if (r->kind != BYPASS_SITE || r->number >= count || !is_of_function(x, r))
			continue;
		x->is_wanted[r->number] = true;
		ret = check_place(x, r);
	}
	return ret;
}

static int match_all(struct matcher *x, size_t rule)
{
	int ret = x->f->load_count ? 0
	                           : fails(x, rule, "%s has no load of global memory", x->f->name);

	for (size_t i = 0; !ret && i < x->f->load_count; i++)
		ret = choose(x, rule, i);
	return ret;
}

static int match_line(struct matcher *x, size_t rule)
{
	uint64_t line = x->list->rules[rule].number;
	size_t count = line <= UINT32_MAX ? ptx_lines_find(&x->lines, x->m, x->f, NULL,
	                                                   (uint32_t)line, x->found)
	                                  : 0;
	int ret = 0;

	if (!x->lines.count && x->f->load_count)
		return fails(x, rule,
		             "the PTX does not say which lines it comes from: compile "
		             "it with -lineinfo");
	if (!count)
		return fails(x, rule, "no load is of that line");
	for (size_t i = 0; !ret && i < count; i++)
		ret = choose(x, rule, x->found[i].load);
	return ret;
}

/* Choose each load whose address comes from parameter `index`. */
static int match_parameter(struct matcher *x, size_t rule, size_t index)
{
	bool has_any = false;
	int ret = 0;

	if (!x->origins)
		return fails(x, rule,
		             "%s has %zu parameters in the PTX and %zu arguments in the "
		             "recording",
		             x->f->name, x->f->parameter_count, x->kernel->table.argument_count);
	for (size_t i = 0; !ret && i < x->f->load_count; i++) {
		if (x->origins[i] != (int32_t)index)
			continue;
		ret = choose(x, rule, i);
		has_any = true;
	}
	if (!ret && !has_any)
		ret = fails(x, rule, "no load's address comes from parameter %zu of %s", index,
		            x->f->name);
	return ret;
}

static int needs_recording(struct matcher *x, size_t rule)
{
	return fails(x, rule, "%s",
	             x->recording ? "the recording has no kernel of that name"
	                          : "which parameter that is, only the recording tells");
}

static int match_argument(struct matcher *x, size_t rule)
{
	const char *name = x->list->rules[rule].name;

	if (!x->kernel)
		return needs_recording(x, rule);
	for (size_t i = 0; i < x->kernel->table.argument_count; i++)
		if (!strcmp(x->kernel->table.arguments[i].name, name))
			return match_parameter(x, rule, i);
	return fails(x, rule, "%s has no such argument", x->f->name);
}

static int match_buffer(struct matcher *x, size_t rule)
{
	uint64_t buffer = x->list->rules[rule].number;
	int ret = 0;

	if (!x->kernel)
		return needs_recording(x, rule);
	for (size_t i = 0; !ret && i < x->kernel->table.argument_count; i++) {
		size_t launches, with = bypass_buffer_launches(
					 x->recording, (size_t)(x->kernel - x->recording->kernels),
					 i, buffer, &launches);

		if (with && with == launches)
			ret = match_parameter(x, rule, i);
		else if (with)
			ret = fails(x, rule,
			            "argument %s of %s is that buffer in %zu of %zu "
			            "launches only",
			            x->kernel->table.arguments[i].name, x->f->name, with, launches);
	}
	return ret ? ret : fails(x, rule, "no argument of %s is that buffer", x->f->name);
}

static int match_warps(struct matcher *x, size_t rule)
{
	size_t number = (size_t)(x->f - ptx_module_function(x->m, 0));
	uint64_t warps = x->list->rules[rule].number;
	int ret = 0;

	if (warps >= WARPS_MAX)
		return fails(x, rule, "a group has %d warps at most", WARPS_MAX);
	if (warps < x->out->warps[number])
		x->out->warps[number] = (uint32_t)warps;
	for (size_t i = 0; !ret && i < x->f->load_count; i++) {
		if (ptx_module_load(x->m, x->f->first_load + i)->obstacle)
			ret = name_obstacle(x, i);
		else
			x->is_hit[rule] = true;
	}
	return ret ? ret : fails(x, rule, "%s has no load to put it on", x->f->name);
}

static int apply(struct matcher *x, size_t rule)
{
	switch (x->list->rules[rule].kind) {
	case BYPASS_SITE:
		return match_site(x, rule);
	case BYPASS_LINE:
		return match_line(x, rule);
	case BYPASS_ARGUMENT:
		return match_argument(x, rule);
	case BYPASS_BUFFER:
		return match_buffer(x, rule);
	case BYPASS_WARPS:
		return match_warps(x, rule);
	case BYPASS_ALL:
		return match_all(x, rule);
	case BYPASS_ADDRESS:
		break;
	}
	return 0;
}

/* The recording's kernel with the function's name, preferably one with sites. */
static const struct recorded_kernel *find_kernel(const struct matcher *x)
{
	const struct recorded_kernel *found = NULL;

	for (size_t i = 0; x->recording && i < x->recording->kernel_count; i++) {
		const struct recorded_kernel *k = &x->recording->kernels[i];

		if (ptx_name_is(x->f->name, kernel_table_symbol(&k->table)) &&
		    (!found || !found->table.site_count))
			found = k;
	}
	return found;
}

/* Find which parameters addresses come from, if there are as many parameters as arguments. */
static int find_origins(struct matcher *x)
{
	const struct kernel_table *t = x->kernel ? &x->kernel->table : NULL;
	bool *is_pointer;

	if (!t || t->argument_count != x->f->parameter_count)
		return 0;
	is_pointer = array_alloc(t->argument_count, sizeof(*is_pointer), "arguments", x->err);
	for (size_t i = 0; is_pointer && i < t->argument_count; i++)
		is_pointer[i] = t->arguments[i].space != SPACE_PRIVATE;
	if (is_pointer)
		x->origins = ptx_origin_of_loads(x->m, x->f, is_pointer, x->err);
	free(is_pointer);
	return x->origins ? 0 : ERR_NOMEM;
}

static int match_function(struct matcher *x)
{
	int ret;

	x->kernel = find_kernel(x);
	ret = ptx_lines_init(&x->lines, x->m, x->f, x->err);
	x->found = array_alloc(x->lines.count, sizeof(*x->found), "places of loads", x->err);
	if (!ret && !x->found)
		ret = ERR_NOMEM;
	if (!ret)
		ret = find_origins(x);
	if (!ret)
		ret = mark_sites(x);
	for (size_t i = 0; !ret && i < x->rule_count; i++)
		if (is_of_function(x, &x->list->rules[x->rules[i]]))
			ret = apply(x, x->rules[i]);
	ptx_lines_release(&x->lines);
	free(x->found);
	free(x->origins);
	free(x->is_wanted);
	x->found = NULL;
	x->origins = NULL;
	x->is_wanted = NULL;
	return ret;
}

static int alloc_all(struct matcher *x)
{
	struct bypass_ptx_match *out = x->out;
	size_t loads = x->m->loads.count, functions = x->m->functions.count;

	out->is_chosen = array_alloc(loads, sizeof(*out->is_chosen), "loads", x->err);
	out->warps = array_alloc(functions, sizeof(*out->warps), "functions", x->err);
	x->is_named = array_alloc(loads, sizeof(*x->is_named), "loads", x->err);
	x->rules = array_alloc(x->list->count, sizeof(*x->rules), "rules", x->err);
	x->is_hit = array_alloc(x->list->count, sizeof(*x->is_hit), "rules", x->err);
	x->why = array_alloc(x->list->count, sizeof(*x->why), "rules", x->err);
	if (!out->is_chosen || !out->warps || !x->is_named || !x->rules || !x->is_hit || !x->why)
		return ERR_NOMEM;
	for (size_t i = 0; i < x->list->count; i++)
		if (x->list->rules[i].kind != BYPASS_ADDRESS)
			x->rules[x->rule_count++] = i;
	for (size_t i = 0; i < functions; i++)
		out->warps[i] = BYPASS_PTX_ALL_WARPS;
	return 0;
}

int bypass_ptx_match_init(struct bypass_ptx_match *out, const struct ptx_module *m,
                          const struct bypass_list *list, const struct recording *recording,
                          struct err *err)
{
	struct matcher x = { .out = out, .m = m, .list = list, .recording = recording, .err = err };
	int ret;

	*out = (struct bypass_ptx_match){ .left_rules = 0 };
	array_init(&out->notes, sizeof(char *), NOTES_MAX, "notes");
	ret = alloc_all(&x);
	for (size_t i = 0; !ret && i < m->functions.count; i++) {
		x.f = ptx_module_function(m, i);
		ret = match_function(&x);
	}
	if (!ret)
		ret = name_rules(&x);
	for (size_t i = 0; x.why && i < list->count; i++)
		free(x.why[i]);
	free(x.why);
	free(x.rules);
	free(x.is_hit);
	free(x.is_named);
	return ret;
}

void bypass_ptx_match_release(struct bypass_ptx_match *out)
{
	char **notes = out->notes.data;

	for (size_t i = 0; i < out->notes.count; i++)
		free(notes[i]);
	array_release(&out->notes);
	free(out->is_chosen);
	free(out->warps);
	*out = (struct bypass_ptx_match){ .left_rules = 0 };
}
