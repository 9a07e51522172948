/* SPDX-License-Identifier: Apache-2.0 */
#include "kernel_table_json.h"

#include "array.h"
#include "err.h"
#include "kernel_table.h"
#include "kernel_table_limits.h"

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

/* Tables of old recordings say nothing of companions, nor do those that have none. */
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

/* The numbers of the sites whose loads were changed; nothing when there are none. */
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

int kernel_words_to_json(json_t *o, const struct kernel_table *t)
{
	return companions_to_json(o, t) | counts_to_json(o, t) | applied_to_json(o, t);
}

/* One value of a list as a number up to max, or -1. */
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
	t->counts = kernel_list_alloc(f, "counts", KERNEL_SITES_MAX, sizeof(*t->counts), &count);
	if (!f->ret && count != t->site_count)
		f->ret = err_set(f->err, ERR_FORMAT, "%s: %zu counts, expected one for each site",
		                 f->what, count);
	kernel_list_read(t, f, "counts", "count", count_from_json);
	return f->ret;
}

/* Companions and what they need, where the table has any. */
static int companions_from_json(struct kernel_table *t, struct json_fields *f)
{
	if (f->ret || !json_object_get(f->object, "companions"))
		return f->ret;
	t->difference_count = json_fields_u32(f, "differences", KERNEL_DIFFERENCES_MAX);
	t->companions = kernel_list_alloc(f, "companions", KERNEL_SITES_MAX, sizeof(*t->companions),
	                                  &t->companion_count);
	kernel_list_read(t, f, "companions", "companion", companion_from_json);
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

int kernel_words_from_json(struct kernel_table *t, struct json_fields *f)
{
	int ret = companions_from_json(t, f);

	if (!ret)
		ret = counts_from_json(t, f);
	return ret ? ret : applied_from_json(t, f);
}
