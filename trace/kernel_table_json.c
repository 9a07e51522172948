/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_table_json.h"
#include "local_sample.h"

#include "array.h"
#include "err.h"
#include "json_fields.h"
#include "kernel_table.h"
#include "kernel_table_limits.h"
#include "str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* A place is [file or null, line, column]. */
static json_t *place_to_json(const struct place *p)
{
	json_t *list = json_array();
	int bad = json_array_append_new(list, json_from_text(p->file));

	bad |= json_array_append_new(list, json_integer(p->line));
	bad |= json_array_append_new(list, json_integer(p->column));
	return json_finished(list, bad);
}

/* A text that a table may leave out. */
static json_t *text_to_json(const char *text)
{
	return json_from_text(text ? text : "");
}

static json_t *site_to_json(const struct site *s)
{
	json_t *o = json_object(), *chain = json_array();
	int bad = json_object_set_new(o, "kind", json_string(site_kind_name(s->kind)));

	bad |= json_object_set_new(o, "bytes", json_integer(s->bytes));
	bad |= json_object_set_new(o, "space", json_integer(s->space));
	bad |= json_object_set_new(o, "loop", json_integer(s->loop));
	bad |= json_object_set_new(o, "argument", json_integer(s->argument));
	bad |= json_object_set_new(o, "place", place_to_json(&s->place));
	for (size_t i = 0; i < s->inlined_count; i++)
		bad |= json_array_append_new(chain, place_to_json(&s->inlined_at[i]));
	bad |= json_object_set_new(o, "inlined_at", chain);
	bad |= json_object_set_new(o, "expression", text_to_json(s->expression));
	bad |= json_object_set_new(o, "function", text_to_json(s->function));
	return json_finished(o, bad);
}

static json_t *loop_to_json(const struct loop *l)
{
	json_t *o = json_object();
	int bad = json_object_set_new(o, "parent", json_integer(l->parent));

	bad |= json_object_set_new(o, "depth", json_integer(l->depth));
	bad |= json_object_set_new(o, "place", place_to_json(&l->place));
	return json_finished(o, bad);
}

static json_t *argument_to_json(const struct kernel_argument *a)
{
	json_t *o = json_object();
	int bad = json_object_set_new(o, "name", json_from_text(a->name));

	bad |= json_object_set_new(o, "type", json_from_text(a->type));
	bad |= json_object_set_new(o, "space", json_integer(a->space));
	bad |= json_object_set_new(o, "is_written", json_boolean(a->is_written));
	return json_finished(o, bad);
}

static json_t *unrecorded_to_json(const struct unrecorded *u)
{
	json_t *o = json_object();
	int bad = json_object_set_new(o, "what", json_from_text(u->what));

	bad |= json_object_set_new(o, "place", place_to_json(&u->place));
	return json_finished(o, bad);
}

/* The four lists of a table, set in o. */
static int lists_to_json(json_t *o, const struct kernel_table *t)
{
	json_t *sites = json_array(), *loops = json_array();
	json_t *arguments = json_array(), *unrecorded = json_array();
	int bad = 0;

	for (size_t i = 0; i < t->site_count; i++)
		bad |= json_array_append_new(sites, site_to_json(&t->sites[i]));
	for (size_t i = 0; i < t->loop_count; i++)
		bad |= json_array_append_new(loops, loop_to_json(&t->loops[i]));
	for (size_t i = 0; i < t->argument_count; i++)
		bad |= json_array_append_new(arguments, argument_to_json(&t->arguments[i]));
	for (size_t i = 0; i < t->unrecorded_count; i++)
		bad |= json_array_append_new(unrecorded, unrecorded_to_json(&t->unrecorded[i]));
	bad |= json_object_set_new(o, "sites", sites);
	bad |= json_object_set_new(o, "loops", loops);
	bad |= json_object_set_new(o, "arguments", arguments);
	bad |= json_object_set_new(o, "unrecorded", unrecorded);
	return bad;
}

json_t *kernel_table_to_json(const struct kernel_table *t)
{
	json_t *o = json_object();
	int bad = json_object_set_new(o, "name", json_from_text(kernel_table_symbol(t)));

	bad |= json_object_set_new(o, "writes_unknown", json_boolean(t->writes_unknown));
	bad |= json_object_set_new(o, "is_repeatable", json_boolean(t->is_repeatable));
	bad |= json_object_set_new(o, "is_irreducible", json_boolean(t->is_irreducible));
	bad |= json_object_set_new(o, "has_conditional_barrier",
	                           json_boolean(t->has_conditional_barrier));
	if (access_level_name(t->level))
		bad |= json_object_set_new(o, "level", json_string(access_level_name(t->level)));
	if (t->has_local_bytes)
		bad |= json_object_set_new(o, "local_bytes", json_from_u64(t->local_bytes));
	if (t->local_groups)
		bad |= json_object_set_new(o, "local_groups", json_integer(t->local_groups));
	bad |= json_object_set_new(o, "item_words", json_integer(t->item_words));
	bad |= json_object_set_new(o, "least_words", json_integer(t->least_words));
	bad |= json_object_set_new(o, "lanes", json_integer(t->lanes));
	bad |= json_object_set_new(o, "records", text_to_json(t->records));
	bad |= json_object_set_new(o, "refusal", json_from_text(t->refusal));
	bad |= lists_to_json(o, t);
	bad |= kernel_words_to_json(o, t);
	return json_finished(o, bad);
}

static int place_from_json(struct place *p, const json_t *value, const char *what, struct err *err)
{
	const json_t *file = json_array_get(value, 0);
	struct json_fields f = { .what = what, .err = err };

	if (json_array_size(value) != 3 || !(json_is_null(file) || json_is_string(file)))
		return err_set(err, ERR_FORMAT,
		               "%s: expected a place, [file or null, line, column]", what);
	p->line = (uint32_t)json_fields_item_u64(&f, json_array_get(value, 1), "line", UINT32_MAX);
	p->column =
		(uint32_t)json_fields_item_u64(&f, json_array_get(value, 2), "column", UINT32_MAX);
	if (!f.ret && json_is_string(file)) {
		p->file = str_visible(json_string_value(file), err);
		f.ret = p->file ? 0 : ERR_NOMEM;
	}
	return f.ret;
}

static enum site_kind kind_from_text(struct json_fields *f)
{
	char *name = json_fields_text(f, "kind");
	unsigned kind = 0;

	while (name && kind < SITE_KIND_COUNT &&
	       strcmp(site_kind_name((enum site_kind)kind), name) != 0)
		kind++;
	if (kind == SITE_KIND_COUNT)
		f->ret = err_set(f->err, ERR_FORMAT, "%s: unknown kind '%s'", f->what, name);
	free(name);
	return (enum site_kind)kind;
}

static int site_from_json(struct kernel_table *t, size_t i, const json_t *value, const char *what,
                          struct err *err)
{
	struct site *s = &t->sites[i];
	struct json_fields f;
	const json_t *chain;
	size_t count;

	json_fields_begin(&f, value, what, err);
	s->kind = kind_from_text(&f);
	s->bytes = json_fields_u32(&f, "bytes", UINT32_MAX);
	s->space = json_fields_u32(&f, "space", KERNEL_SPACE_MAX);
	s->loop = (int32_t)json_fields_i64(&f, "loop", -1, KERNEL_LOOPS_MAX);
	s->argument = (int32_t)json_fields_i64(&f, "argument", -1, KERNEL_ARGUMENTS_MAX);
	s->expression = json_fields_text(&f, "expression");
	s->function = json_fields_text(&f, "function");
	chain = json_fields_list(&f, "inlined_at", KERNEL_INLINED_MAX, &count);
	if (!f.ret)
		f.ret = place_from_json(&s->place, json_object_get(value, "place"), what, err);
	if (f.ret || !count)
		return f.ret;
	s->inlined_at = array_alloc(count, sizeof(*s->inlined_at), what, err);
	if (!s->inlined_at)
		return ERR_NOMEM;
	s->inlined_count = count;
	for (size_t k = 0; k < count && !f.ret; k++)
		f.ret = place_from_json(&s->inlined_at[k], json_array_get(chain, k), what, err);
	return f.ret;
}

static int loop_from_json(struct kernel_table *t, size_t i, const json_t *value, const char *what,
                          struct err *err)
{
	struct loop *l = &t->loops[i];
	struct json_fields f;

	json_fields_begin(&f, value, what, err);
	l->parent = (int32_t)json_fields_i64(&f, "parent", -1, KERNEL_LOOPS_MAX);
	l->depth = json_fields_u32(&f, "depth", KERNEL_LOOPS_MAX);
	return f.ret ? f.ret
	             : place_from_json(&l->place, json_object_get(value, "place"), what, err);
}

static int argument_from_json(struct kernel_table *t, size_t i, const json_t *value,
                              const char *what, struct err *err)
{
	struct kernel_argument *a = &t->arguments[i];
	struct json_fields f;

	json_fields_begin(&f, value, what, err);
	a->name = json_fields_text(&f, "name");
	a->type = json_fields_text(&f, "type");
	a->space = json_fields_u32(&f, "space", KERNEL_SPACE_MAX);
	a->is_written = json_fields_bool(&f, "is_written");
	return f.ret;
}

static int unrecorded_from_json(struct kernel_table *t, size_t i, const json_t *value,
                                const char *what, struct err *err)
{
	struct unrecorded *u = &t->unrecorded[i];
	struct json_fields f;

	json_fields_begin(&f, value, what, err);
	u->what = json_fields_text(&f, "what");
	return f.ret ? f.ret
	             : place_from_json(&u->place, json_object_get(value, "place"), what, err);
}

void *kernel_list_alloc(struct json_fields *f, const char *key, size_t limit, size_t item_bytes,
                        size_t *count)
{
	void *items;

	json_fields_list(f, key, limit, count);
	if (f->ret)
		return NULL;
	items = array_alloc(*count, item_bytes, key, f->err);
	if (!items) {
		*count = 0;
		f->ret = ERR_NOMEM;
	}
	return items;
}

void kernel_list_read(struct kernel_table *t, struct json_fields *f, const char *key,
                      const char *item, kernel_item_read read)
{
	const json_t *list = json_object_get(f->object, key);
	char what[48];

	for (size_t i = 0; i < json_array_size(list) && !f->ret; i++) {
		snprintf(what, sizeof(what), "%s %zu", item, i);
		f->ret = read(t, i, json_array_get(list, i), what, f->err);
	}
}

static int lists_from_json(struct kernel_table *t, struct json_fields *f)
{
	t->sites =
		kernel_list_alloc(f, "sites", KERNEL_SITES_MAX, sizeof(*t->sites), &t->site_count);
	t->loops =
		kernel_list_alloc(f, "loops", KERNEL_LOOPS_MAX, sizeof(*t->loops), &t->loop_count);
	t->arguments = kernel_list_alloc(f, "arguments", KERNEL_ARGUMENTS_MAX,
	                                 sizeof(*t->arguments), &t->argument_count);
	t->unrecorded = kernel_list_alloc(f, "unrecorded", KERNEL_UNRECORDED_MAX,
	                                  sizeof(*t->unrecorded), &t->unrecorded_count);
	kernel_list_read(t, f, "sites", "site", site_from_json);
	kernel_list_read(t, f, "loops", "loop", loop_from_json);
	kernel_list_read(t, f, "arguments", "argument", argument_from_json);
	kernel_list_read(t, f, "unrecorded", "unrecorded construct", unrecorded_from_json);
	return f->ret;
}

static enum access_level level_from_json(struct json_fields *f)
{
	char *name = json_fields_text_or_null(f, "level");
	enum access_level level = name ? access_level_find(name) : ACCESS_LEVEL_UNKNOWN;

	if (level == ACCESS_LEVELS) {
		f->ret = err_set(f->err, ERR_FORMAT, "%s: its level is '%.60s', expected 0 or gpu",
		                 f->what, name);
		level = ACCESS_LEVEL_UNKNOWN;
	}
	free(name);
	return level;
}

int kernel_table_from_json(struct kernel_table *t, const json_t *value, struct err *err)
{
	struct json_fields f;
	int ret;

	*t = (struct kernel_table){ 0 };
	json_fields_begin(&f, value, "kernel table", err);
	t->name = json_fields_text(&f, "name");
	t->writes_unknown = json_fields_bool(&f, "writes_unknown");
	t->is_repeatable = json_fields_bool(&f, "is_repeatable");
	t->is_irreducible = json_fields_bool(&f, "is_irreducible");
	t->has_conditional_barrier = json_fields_bool(&f, "has_conditional_barrier");
	t->level = level_from_json(&f);
	t->has_local_bytes = json_object_get(value, "local_bytes") != NULL;
	t->local_bytes = json_fields_u64_or_0(&f, "local_bytes", UINT64_MAX);
	t->local_groups = (uint32_t)json_fields_u64_or_0(&f, "local_groups", LOCAL_SAMPLE_MAX);
	t->item_words = json_fields_u32(&f, "item_words", UINT32_MAX);
	t->least_words = json_fields_u32(&f, "least_words", UINT32_MAX);
	t->lanes = json_fields_u32(&f, "lanes", KERNEL_LANES);
	t->records = json_fields_text(&f, "records");
	t->refusal = json_fields_text_or_null(&f, "refusal");
	ret = lists_from_json(t, &f);
	if (!ret)
		ret = kernel_words_from_json(t, &f);
	if (!ret)
		ret = kernel_table_check(t, err);
	if (ret)
		kernel_table_release(t);
	return ret;
}
