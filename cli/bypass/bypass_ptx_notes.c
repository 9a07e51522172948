/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_ptx_matcher.h"
#include "err.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>

int bypass_ptx_note(struct bypass_ptx_matcher *x, const char *fmt, ...)
{
	struct bypass_ptx_match *out = x->out;
	char **slot, *text = NULL;
	va_list args;
	int length;

	if (out->notes.count >= BYPASS_PTX_NOTES_MAX) {
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

int bypass_ptx_fails(struct bypass_ptx_matcher *x, size_t rule, const char *fmt, ...)
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

int bypass_ptx_name_obstacle(struct bypass_ptx_matcher *x, size_t load)
{
	const struct ptx_load *l = ptx_module_load(x->m, x->f->first_load + load);
	const struct ptx_place *place = ptx_module_place(x->m, l->place);

	if (x->is_named[x->f->first_load + load])
		return 0;
	x->is_named[x->f->first_load + load] = true;
	if (x->out->notes.count >= BYPASS_PTX_NOTES_MAX || !place)
		return bypass_ptx_note(x, "%s: a load in line %zu stays as it is: %s", x->f->name,
		                       x->out->notes.count >= BYPASS_PTX_NOTES_MAX
		                               ? (size_t)0
		                               : ptx_line_of(x->m->text, l->begin),
		                       l->obstacle);
	return bypass_ptx_note(x, "%s: a load of %s:%" PRIu32 " stays as it is: %s", x->f->name,
	                       ptx_module_file(x->m, place->file), place->line, l->obstacle);
}

/* "kernel mm: site 4" */
static int name_rule(struct bypass_ptx_matcher *x, size_t rule)
{
	const struct bypass_rule *r = &x->list->rules[rule];
	const char *why = x->why[rule] ? x->why[rule] : "the PTX has no function of that name";

	if (r->kind == BYPASS_ARGUMENT)
		return bypass_ptx_note(x, "%s%sargument %s is not applied: %s",
		                       r->kernel ? r->kernel : "", r->kernel ? ": " : "", r->name,
		                       why);
	if (r->kind == BYPASS_ALL)
		return bypass_ptx_note(x, "%s%sall is not applied: %s", r->kernel ? r->kernel : "",
		                       r->kernel ? ": " : "", why);
	return bypass_ptx_note(x, "%s%s%s %" PRIu64 " is not applied: %s",
	                       r->kernel ? r->kernel : "", r->kernel ? ": " : "",
	                       bypass_kind_word(r->kind), r->number, why);
}

int bypass_ptx_name_rules(struct bypass_ptx_matcher *x)
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
		ret = bypass_ptx_note(x,
		                      "%zu rule%s of addresses %s not applied: the same code makes "
		                      "accesses to other addresses too",
		                      addresses, addresses == 1 ? "" : "s",
		                      addresses == 1 ? "is" : "are");
	return ret;
}
