/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_table_json.h"
#include "launch_shape.h"

#include "array.h"
#include "err.h"
#include "file.h"
#include "json_fields.h"
#include "kernel_table.h"
#include "str.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define FILE_TYPE      "kernel tables"
#define FILE_VERSION   3
#define FILE_BYTES_MAX ((size_t)1 << 28)

int kernel_tables_write(const char *path, const struct kernel_table *tables, size_t count,
                        struct err *err)
{
	json_t *o = json_object(), *kernels = json_array();
	int bad = json_object_set_new(o, "type", json_string(FILE_TYPE)), ret;
	char *text = NULL;

	bad |= json_object_set_new(o, "version", json_integer(FILE_VERSION));
	for (size_t i = 0; i < count; i++)
		bad |= json_array_append_new(kernels, kernel_table_to_json(&tables[i]));
	bad |= json_object_set_new(o, "kernels", kernels);
	if (!bad)
		text = json_dumps(o, JSON_COMPACT);
	json_decref(o);
	if (!text)
		return err_set(err, ERR_NOMEM, "%s: out of memory for kernel tables", path);
	ret = file_write(path, text, strlen(text), err);
	free(text);
	return ret;
}

/* Read the tables in `value`, all or none. */
static int read_tables(const json_t *value, struct kernel_table **tables, size_t *count,
                       struct err *err)
{
	struct json_fields f;
	const json_t *list;
	size_t filled = 0;
	char *type;

	json_fields_begin(&f, value, "kernel tables", err);
	type = json_fields_text(&f, "type");
	if (type && strcmp(type, FILE_TYPE) != 0)
		f.ret = err_set(err, ERR_FORMAT, "type is '%s', expected '%s'", type, FILE_TYPE);
	free(type);
	if (json_fields_u32(&f, "version", UINT32_MAX) != FILE_VERSION && !f.ret)
		f.ret = err_set(err, ERR_VERSION, "unknown version of kernel tables, expected %d",
		                FILE_VERSION);
	list = json_fields_list(&f, "kernels", TABLE_KERNELS_MAX, count);
	*tables = f.ret ? NULL : array_alloc(*count, sizeof(**tables), "kernel tables", err);
	if (!*tables) {
		*count = 0;
		return f.ret ? f.ret : ERR_NOMEM;
	}
	while (filled < *count && !f.ret) {
		f.ret = kernel_table_from_json(&(*tables)[filled], json_array_get(list, filled),
		                               err);
		filled++;
	}
	if (!f.ret)
		return 0;
	while (filled-- > 0)
		kernel_table_release(&(*tables)[filled]);
	free(*tables);
	*tables = NULL;
	*count = 0;
	return f.ret;
}

int kernel_tables_read(const char *path, struct kernel_table **tables, size_t *count,
                       struct err *err)
{
	struct err inner = { 0 };
	json_error_t where;
	json_t *value = NULL;
	struct str text;
	int ret;

	*tables = NULL;
	*count = 0;
	str_init(&text, FILE_BYTES_MAX);
	ret = file_read(path, &text, err);
	if (ret)
		goto out;
	value = json_loadb(text.text, text.length, JSON_REJECT_DUPLICATES, &where);
	if (!value) {
		ret = err_set(err, ERR_FORMAT, "%s:%d: %s", path, where.line, where.text);
		goto out;
	}
	ret = read_tables(value, tables, count, &inner);
	if (ret)
		err_set(err, inner.code ? inner.code : ret, "%s: %s", path, inner.msg);
out:
	json_decref(value);
	str_release(&text);
	return ret;
}

/* A companion is [site, leader, after, difference, offset]. */
static json_t *companion_to_json(const struct companion *c)
{
	json_t *list = json_array();
	int bad = json_array_append_new(list, json_integer(c->site));

	bad |= json_array_append_new(list, json_integer(c->leader));
	bad |= json_array_append_new(list, json_integer(c->after));
	bad |= json_array_append_new(list, json_integer(c->difference));
	bad |= json_array_append_new(list, json_from_hex((uint64_t)c->offset));
	return json_finished(list, bad);
}

/* Companions are absent in tables of old recordings, and if there are none. */
static int companions_to_json(json_t *o, const struct kernel_table *t)
{
	json_t *list;
	int bad = 0;

	if (!t->companion_count)
		return 0;
	list = json_array();
	for (size_t i = 0; i < t->companion_count; i++)
		bad |= json_array_append_new(list, companion_to_json(&t->companions[i]));
	bad |= json_object_set_new(o, "companions", list);
	return bad | json_object_set_new(o, "differences", json_integer(t->difference_count));
}

/* Count mode only: a site's count is [cell, factor]. */
static int counts_to_json(json_t *o, const struct kernel_table *t)
{
	json_t *list;
	int bad = 0;

	if (!t->counts)
		return 0;
	list = json_array();
	for (size_t s = 0; s < t->site_count; s++) {
		json_t *count = json_array();

		bad |= json_array_append_new(count, json_integer(t->counts[s].cell));
		bad |= json_array_append_new(count, json_integer((json_int_t)t->counts[s].factor));
		bad |= json_array_append_new(list, count);
	}
	bad |= json_object_set_new(o, "counts", list);
	bad |= json_object_set_new(o, "counters", json_integer(t->counter_count));
	return bad | json_object_set_new(o, "cells", json_integer(t->cell_count));
}

/* The numbers of the sites whose loads were changed; absent if there are none. */
static int applied_to_json(json_t *o, const struct kernel_table *t)
{
	json_t *list;
	int bad = 0;

	if (!t->is_applied)
		return 0;
	list = json_array();
	for (size_t i = 0; i < t->site_count; i++)
		if (t->is_applied[i])
			bad |= json_array_append_new(list, json_from_u64(i));
	return bad | json_object_set_new(o, "applied", list);
}

/*
 * Set companions, counts and changed loads in o, if a table has any; old recordings have none.
 * Returns not 0 if out of memory.
 */
static int words_to_json(json_t *o, const struct kernel_table *t)
{
	return companions_to_json(o, t) | counts_to_json(o, t) | applied_to_json(o, t);
}

/* Reads list element `i` named `what` into item i of the table. */
typedef int (*item_read)(struct kernel_table *t, size_t i, const json_t *value, const char *what,
                         struct err *err);

/* Allocate the items of a list; NULL with f->ret set, or if the list cannot be read. */
static void *alloc_list(struct json_fields *f, const char *key, size_t limit, size_t item_bytes,
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

/* Read each element of list `key`, called `item` in messages. */
static void read_list(struct kernel_table *t, struct json_fields *f, const char *key,
                      const char *item, item_read read)
{
	const json_t *list = json_object_get(f->object, key);
	char what[48];

	for (size_t i = 0; i < json_array_size(list) && !f->ret; i++) {
		snprintf(what, sizeof(what), "%s %zu", item, i);
		f->ret = read(t, i, json_array_get(list, i), what, f->err);
	}
}

/* Returns one value of a list as a number up to max, or -1. */
static int32_t number_or_none(struct json_fields *f, const json_t *value, const char *key,
                              uint64_t max)
{
	if (json_is_integer(value) && json_integer_value(value) == -1)
		return -1;
	return (int32_t)json_fields_item_u64(f, value, key, max);
}

static int companion_from_json(struct kernel_table *t, size_t i, const json_t *value,
                               const char *what, struct err *err)
{
	struct companion *c = &t->companions[i];
	struct json_fields f = { .what = what, .err = err };

	c->site = (uint32_t)json_fields_item_u64(&f, json_array_get(value, 0), "site",
	                                         KERNEL_SITES_MAX);
	c->leader = (uint32_t)json_fields_item_u64(&f, json_array_get(value, 1), "leader",
	                                           KERNEL_SITES_MAX);
	c->after = (uint32_t)json_fields_item_u64(&f, json_array_get(value, 2), "after",
	                                          KERNEL_SITES_MAX);
	c->difference =
		number_or_none(&f, json_array_get(value, 3), "difference", KERNEL_DIFFERENCES_MAX);
	c->offset =
		(int64_t)json_fields_item_u64(&f, json_array_get(value, 4), "offset", UINT64_MAX);
	return f.ret;
}

static int count_from_json(struct kernel_table *t, size_t i, const json_t *value, const char *what,
                           struct err *err)
{
	struct json_fields f = { .what = what, .err = err };

	t->counts[i].cell = number_or_none(&f, json_array_get(value, 0), "cell", KERNEL_SITES_MAX);
	t->counts[i].factor =
		json_fields_item_u64(&f, json_array_get(value, 1), "factor", SITE_FACTOR_MAX);
	return f.ret;
}

static int counts_from_json(struct kernel_table *t, struct json_fields *f)
{
	size_t count;

	if (f->ret || !json_object_get(f->object, "counts"))
		return f->ret;
	t->counter_count = json_fields_u32(f, "counters", KERNEL_SITES_MAX);
	t->cell_count = json_fields_u32(f, "cells", KERNEL_SITES_MAX);
	t->counts = alloc_list(f, "counts", KERNEL_SITES_MAX, sizeof(*t->counts), &count);
	if (!f->ret && count != t->site_count)
		f->ret = err_set(f->err, ERR_FORMAT, "%s: %zu counts, expected one for each site",
		                 f->what, count);
	read_list(t, f, "counts", "count", count_from_json);
	return f->ret;
}

/* Read companions and what they need, if the table has any. */
static int companions_from_json(struct kernel_table *t, struct json_fields *f)
{
	if (f->ret || !json_object_get(f->object, "companions"))
		return f->ret;
	t->difference_count = json_fields_u32(f, "differences", KERNEL_DIFFERENCES_MAX);
	t->companions = alloc_list(f, "companions", KERNEL_SITES_MAX, sizeof(*t->companions),
	                           &t->companion_count);
	read_list(t, f, "companions", "companion", companion_from_json);
	return f->ret;
}

static int applied_from_json(struct kernel_table *t, struct json_fields *f)
{
	const json_t *list;
	size_t count;

	if (f->ret || !json_object_get(f->object, "applied"))
		return f->ret;
	list = json_fields_list(f, "applied", KERNEL_SITES_MAX, &count);
	if (!f->ret && count > t->site_count)
		f->ret = err_set(f->err, ERR_FORMAT, "\"applied\": %zu sites of %zu", count,
		                 t->site_count);
	if (f->ret)
		return f->ret;
	t->is_applied = array_alloc(t->site_count, sizeof(*t->is_applied), "sites", f->err);
	if (!t->is_applied)
		return ERR_NOMEM;
	for (size_t i = 0; i < count && !f->ret; i++) {
		uint64_t site = json_fields_item_u64(f, json_array_get(list, i), "applied",
		                                     t->site_count - 1);

		if (!f->ret)
			t->is_applied[site] = true;
	}
	return f->ret;
}

static int words_from_json(struct kernel_table *t, struct json_fields *f)
{
	int ret = companions_from_json(t, f);

	if (!ret)
		ret = counts_from_json(t, f);
	return ret ? ret : applied_from_json(t, f);
}

/* A place is [file or null, line, column]. */
static json_t *place_to_json(const struct place *p)
{
	json_t *list = json_array();
	int bad = json_array_append_new(list, json_from_text(p->file));

	bad |= json_array_append_new(list, json_integer(p->line));
	bad |= json_array_append_new(list, json_integer(p->column));
	return json_finished(list, bad);
}

/* An optional string of a table. */
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

/* Set the four lists of a table in o. */
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
	if (t->is_local_exact || t->local_bytes)
		bad |= json_object_set_new(o,
		                           t->is_local_exact ? "local_bytes" : "least_local_bytes",
		                           json_from_u64(t->local_bytes));
	if (t->local_groups)
		bad |= json_object_set_new(o, "local_groups", json_integer(t->local_groups));
	bad |= json_object_set_new(o, "item_words", json_integer(t->item_words));
	bad |= json_object_set_new(o, "least_words", json_integer(t->least_words));
	bad |= json_object_set_new(o, "lanes", json_integer(t->lanes));
	bad |= json_object_set_new(o, "records", text_to_json(t->records));
	bad |= json_object_set_new(o, "refusal", json_from_text(t->refusal));
	bad |= lists_to_json(o, t);
	bad |= words_to_json(o, t);
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
	s->argument = (int32_t)json_fields_i64(&f, "argument", -1, TABLE_ARGUMENTS_MAX);
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

static int lists_from_json(struct kernel_table *t, struct json_fields *f)
{
	t->sites = alloc_list(f, "sites", KERNEL_SITES_MAX, sizeof(*t->sites), &t->site_count);
	t->loops = alloc_list(f, "loops", KERNEL_LOOPS_MAX, sizeof(*t->loops), &t->loop_count);
	t->arguments = alloc_list(f, "arguments", TABLE_ARGUMENTS_MAX, sizeof(*t->arguments),
	                          &t->argument_count);
	t->unrecorded = alloc_list(f, "unrecorded", KERNEL_UNRECORDED_MAX, sizeof(*t->unrecorded),
	                           &t->unrecorded_count);
	read_list(t, f, "sites", "site", site_from_json);
	read_list(t, f, "loops", "loop", loop_from_json);
	read_list(t, f, "arguments", "argument", argument_from_json);
	read_list(t, f, "unrecorded", "unrecorded construct", unrecorded_from_json);
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
	t->is_local_exact = json_object_get(value, "local_bytes") != NULL;
	t->local_bytes = json_fields_u64_or_0(
		&f, t->is_local_exact ? "local_bytes" : "least_local_bytes", UINT64_MAX);
	t->local_groups = (uint32_t)json_fields_u64_or_0(&f, "local_groups", LOCAL_SAMPLE_MAX);
	t->item_words = json_fields_u32(&f, "item_words", UINT32_MAX);
	t->least_words = json_fields_u32(&f, "least_words", UINT32_MAX);
	t->lanes = json_fields_u32(&f, "lanes", KERNEL_LANES);
	t->records = json_fields_text(&f, "records");
	t->refusal = json_fields_text_or_null(&f, "refusal");
	ret = lists_from_json(t, &f);
	if (!ret)
		ret = words_from_json(t, &f);
	if (!ret)
		ret = kernel_table_check(t, err);
	if (ret)
		kernel_table_release(t);
	return ret;
}

struct renaming {
	const char *name, *other;
	struct err *err;
};

static const char *base_name(const char *path)
{
	const char *slash = strrchr(path, '/');

	return slash ? slash + 1 : path;
}

static int rename_place(struct place *place, const struct renaming *r)
{
	char *other;

	if (!place->file || strcmp(base_name(place->file), base_name(r->name)) != 0)
		return 0;
	other = strdup(r->other);
	if (!other)
		return err_set(r->err, ERR_NOMEM, "out of memory for the places of a kernel");
	free(place->file);
	place->file = other;
	return 0;
}

static int rename_site(struct site *site, const struct renaming *r)
{
	int ret = rename_place(&site->place, r);

	for (size_t i = 0; !ret && i < site->inlined_count; i++)
		ret = rename_place(&site->inlined_at[i], r);
	return ret;
}

int kernel_table_rename_file(struct kernel_table *out, const struct kernel_table *from,
                             const char *name, const char *other, struct err *err)
{
	const struct renaming r = { name, other, err };
	json_t *copy = kernel_table_to_json(from);
	int ret = copy ? kernel_table_from_json(out, copy, err)
	               : err_set(err, ERR_NOMEM, "out of memory for the table of kernel %s",
	                         from->name);

	json_decref(copy);
	if (ret)
		return ret;
	for (size_t i = 0; !ret && i < out->site_count; i++)
		ret = rename_site(&out->sites[i], &r);
	for (size_t i = 0; !ret && i < out->loop_count; i++)
		ret = rename_place(&out->loops[i].place, &r);
	for (size_t i = 0; !ret && i < out->unrecorded_count; i++)
		ret = rename_place(&out->unrecorded[i].place, &r);
	if (ret)
		kernel_table_release(out);
	return ret;
}
