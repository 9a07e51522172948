/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_ptx_match.h"

#include "buffer_arguments.h"
#include "bypass_ptx_matcher.h"
#include "err.h"
#include "ptx_names.h"
#include "ptx_origin.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { WARPS_MAX = 32 };

const char *bypass_ptx_file(const char *file)
{
	return strncmp(file, "sources/program-", 16) == 0 ? NULL : file;
}

bool bypass_ptx_is_of(const struct bypass_ptx_matcher *x, const struct bypass_rule *rule)
{
	return !rule->kernel || ptx_name_is(x->f->name, rule->kernel);
}

int bypass_ptx_choose(struct bypass_ptx_matcher *x, size_t rule, size_t load)
{
	const struct ptx_load *l = ptx_module_load(x->m, x->f->first_load + load);
	int ret;

	if (!l->obstacle) {
		x->out->is_chosen[x->f->first_load + load] = true;
		x->is_hit[rule] = true;
		return 0;
	}
	ret = bypass_ptx_name_obstacle(x, load);
	return ret ? ret : bypass_ptx_fails(x, rule, "the load that it means stays as it is");
}

static int match_all(struct bypass_ptx_matcher *x, size_t rule)
{
	int ret = x->f->load_count ? 0
	                           : bypass_ptx_fails(x, rule, "%s has no load of global memory",
	                                              x->f->name);

	for (size_t i = 0; !ret && i < x->f->load_count; i++)
		ret = bypass_ptx_choose(x, rule, i);
	return ret;
}

static int match_line(struct bypass_ptx_matcher *x, size_t rule)
{
	uint64_t line = x->list->rules[rule].number;
	size_t count = line <= UINT32_MAX ? ptx_lines_find(&x->lines, x->m, x->f, NULL,
	                                                   (uint32_t)line, x->found)
	                                  : 0;
	int ret = 0;

	if (!x->lines.count && x->f->load_count)
		return bypass_ptx_fails(x, rule,
		                        "the PTX does not say which lines it comes from: compile "
		                        "it with -lineinfo");
	if (!count)
		return bypass_ptx_fails(x, rule, "no load is of that line");
	for (size_t i = 0; !ret && i < count; i++)
		ret = bypass_ptx_choose(x, rule, x->found[i].load);
	return ret;
}

/* Each load whose address comes from parameter `index`. */
static int match_parameter(struct bypass_ptx_matcher *x, size_t rule, size_t index)
{
	bool has_any = false;
	int ret = 0;

	if (!x->origins)
		return bypass_ptx_fails(x, rule,
		                        "%s has %zu parameters in the PTX and %zu arguments in the "
		                        "recording",
		                        x->f->name, x->f->parameter_count,
		                        x->kernel->table.argument_count);
	for (size_t i = 0; !ret && i < x->f->load_count; i++) {
		if (x->origins[i] != (int32_t)index)
			continue;
		ret = bypass_ptx_choose(x, rule, i);
		has_any = true;
	}
	if (!ret && !has_any)
		ret = bypass_ptx_fails(x, rule, "no load's address comes from parameter %zu of %s",
		                       index, x->f->name);
	return ret;
}

static int needs_recording(struct bypass_ptx_matcher *x, size_t rule)
{
	return bypass_ptx_fails(x, rule, "%s",
	                        x->recording ? "the recording has no kernel of that name"
	                                     : "which parameter that is, only the recording tells");
}

static int match_argument(struct bypass_ptx_matcher *x, size_t rule)
{
	const char *name = x->list->rules[rule].name;

	if (!x->kernel)
		return needs_recording(x, rule);
	for (size_t i = 0; i < x->kernel->table.argument_count; i++)
		if (!strcmp(x->kernel->table.arguments[i].name, name))
			return match_parameter(x, rule, i);
	return bypass_ptx_fails(x, rule, "%s has no such argument", x->f->name);
}

static int match_buffer(struct bypass_ptx_matcher *x, size_t rule)
{
	uint64_t buffer = x->list->rules[rule].number;
	int ret = 0;

	if (!x->kernel)
		return needs_recording(x, rule);
	for (size_t i = 0; !ret && i < x->kernel->table.argument_count; i++) {
		size_t launches, with = buffer_arguments_count(
					 x->recording, (size_t)(x->kernel - x->recording->kernels),
					 i, buffer, &launches);

		if (with && with == launches)
			ret = match_parameter(x, rule, i);
		else if (with)
			ret = bypass_ptx_fails(x, rule,
			                       "argument %s of %s is that buffer in %zu of %zu "
			                       "launches only",
			                       x->kernel->table.arguments[i].name, x->f->name, with,
			                       launches);
	}
	return ret ? ret
	           : bypass_ptx_fails(x, rule, "no argument of %s is that buffer", x->f->name);
}

static int match_warps(struct bypass_ptx_matcher *x, size_t rule)
{
	size_t number = (size_t)(x->f - ptx_module_function(x->m, 0));
	uint64_t warps = x->list->rules[rule].number;
	int ret = 0;

	if (warps >= WARPS_MAX)
		return bypass_ptx_fails(x, rule, "a group has %d warps at most", WARPS_MAX);
	if (warps < x->out->warps[number])
		x->out->warps[number] = (uint32_t)warps;
	for (size_t i = 0; !ret && i < x->f->load_count; i++) {
		if (ptx_module_load(x->m, x->f->first_load + i)->obstacle)
			ret = bypass_ptx_name_obstacle(x, i);
		else
			x->is_hit[rule] = true;
	}
	return ret ? ret : bypass_ptx_fails(x, rule, "%s has no load to put it on", x->f->name);
}

static int apply(struct bypass_ptx_matcher *x, size_t rule)
{
	switch (x->list->rules[rule].kind) {
	case BYPASS_SITE:
		return bypass_ptx_match_site(x, rule);
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

/* The kernel of the recording whose name the function has; one with sites if there is one. */
static const struct recorded_kernel *find_kernel(const struct bypass_ptx_matcher *x)
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

/* Whose addresses come from where, if parameters and arguments are the same in number. */
static int find_origins(struct bypass_ptx_matcher *x)
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

static int match_function(struct bypass_ptx_matcher *x)
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
		ret = bypass_ptx_want_sites(x);
	for (size_t i = 0; !ret && i < x->rule_count; i++)
		if (bypass_ptx_is_of(x, &x->list->rules[x->rules[i]]))
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

static int alloc_all(struct bypass_ptx_matcher *x)
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
	struct bypass_ptx_matcher x = {
		.out = out, .m = m, .list = list, .recording = recording, .err = err
	};
	int ret;

	*out = (struct bypass_ptx_match){ .left_rules = 0 };
	array_init(&out->notes, sizeof(char *), BYPASS_PTX_NOTES_MAX, "notes");
	ret = alloc_all(&x);
	for (size_t i = 0; !ret && i < m->functions.count; i++) {
		x.f = ptx_module_function(m, i);
		ret = match_function(&x);
	}
	if (!ret)
		ret = bypass_ptx_name_rules(&x);
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
