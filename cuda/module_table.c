/* SPDX-License-Identifier: Apache-2.0 */
#include "module_table.h"

#include "array.h"
#include "err.h"
#include "str.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT_BYTES ((size_t)1 << 40)

/* A list in the table, and the item being read. */
struct list {
	json_t *items;
	size_t count;
};

static int bad(struct err *err, const char *what, const char *where)
{
	return err_set(err, ERR_FORMAT, "CUDA table: %s of %s is missing or wrong", what, where);
}

/* Returns a list of an object; a missing one is empty. */
static struct list list_of(const json_t *object, const char *key)
{
	json_t *items = json_object_get(object, key);

	return (struct list){ items, json_array_size(items) };
}

/* Returns a number >= 0; 0 when it is missing or not a number. */
static size_t number_of(const json_t *object, const char *key)
{
	json_int_t value = json_integer_value(json_object_get(object, key));

	return value > 0 ? (size_t)value : 0;
}

static const char *text_of(const json_t *object, const char *key)
{
	return json_string_value(json_object_get(object, key));
}

static int read_params(struct kernel_entry *k, const json_t *object, struct err *err)
{
	struct list list = list_of(object, "params");

	k->params = array_alloc(list.count, sizeof(*k->params), "parameters", err);
	if (!k->params)
		return ERR_NOMEM;
	k->param_count = list.count;
	for (size_t i = 0; i < list.count; i++) {
		const json_t *item = json_array_get(list.items, i);

		k->params[i] = (struct kernel_param){ number_of(item, "offset"),
			                              number_of(item, "bytes") };
		if (k->params[i].bytes > LIMIT_BYTES || k->params[i].offset > LIMIT_BYTES)
			return bad(err, "a parameter", k->name);
	}
	return 0;
}

static int read_parts(struct kernel_entry *k, const json_t *object, struct err *err)
{
	struct list list = list_of(object, "args");

	k->parts = array_alloc(list.count, sizeof(*k->parts), "arguments", err);
	if (!k->parts)
		return ERR_NOMEM;
	k->part_count = list.count;
	for (size_t i = 0; i < list.count; i++) {
		const json_t *item = json_array_get(list.items, i);
		const char *kind = text_of(item, "kind");
		struct kernel_part *p = &k->parts[i];

		*p = (struct kernel_part){ number_of(item, "param"), number_of(item, "offset"),
			                   number_of(item, "bytes"),
			                   kind && !strcmp(kind, "pointer") };
		if (p->param >= k->param_count || p->offset > k->params[p->param].bytes ||
		    p->bytes > k->params[p->param].bytes - p->offset || !p->bytes ||
		    (p->is_pointer && p->bytes != sizeof(void *)))
			return bad(err, "an argument", k->name);
	}
	return 0;
}

static int read_hidden(const struct module_table *t, struct kernel_entry *k, const json_t *object,
                       struct err *err)
{
	struct list list = list_of(object, "hidden");

	k->hidden = array_alloc(list.count, sizeof(*k->hidden), "hidden arguments", err);
	if (!k->hidden)
		return ERR_NOMEM;
	k->hidden_count = list.count;
	for (size_t i = 0; i < list.count; i++) {
		const json_t *item = json_array_get(list.items, i);
		const char *kind = text_of(item, "kind"), *name = text_of(item, "name");
		struct kernel_hidden *h = &k->hidden[i];

		h->is_dynamic_shared = kind && !strcmp(kind, "dynamic_shared");
		if (h->is_dynamic_shared)
			continue;
		h->symbol = name ? module_table_symbol(t, name) : t->symbol_count;
		if (h->symbol == t->symbol_count)
			return bad(err, "a hidden argument", k->name);
	}
	return 0;
}

static int read_kernel(const struct module_table *t, struct kernel_entry *k, const json_t *object,
                       struct err *err)
{
	const char *name = text_of(object, "name"), *refusal = text_of(object, "refusal");
	int rc;

	if (!name)
		return bad(err, "the name", "a kernel");
	k->name = str_copy(name, err);
	k->refusal = refusal ? str_copy(refusal, err) : NULL;
	if (!k->name || (refusal && !k->refusal))
		return ERR_NOMEM;
	k->static_shared_bytes = number_of(object, "static_shared_bytes");
	k->max_threads = number_of(object, "max_threads");
	k->local_bytes = number_of(object, "local_bytes");
	k->constant_bytes = number_of(object, "constant_bytes");
	rc = read_params(k, object, err);
	if (rc == 0)
		rc = read_parts(k, object, err);
	return rc ? rc : read_hidden(t, k, object, err);
}

static int digit(char c)
{
	if (c >= '0' && c <= '9')
		return c - '0';
	return c >= 'a' && c <= 'f' ? c - 'a' + 10 : -1;
}

/* Read two digits a byte; the bytes after a shorter string stay zero. */
static int read_initial(struct symbol_entry *s, const char *hex, struct err *err)
{
	size_t length = hex ? strlen(hex) : 0;

	if (!length)
		return 0;
	if (length % 2 || length / 2 > s->bytes)
		return bad(err, "the initial value", s->name);
	s->initial = array_alloc(s->bytes, 1, "initial value", err);
	for (size_t i = 0; s->initial && i < length; i += 2) {
		int high = digit(hex[i]), low = digit(hex[i + 1]);

		if (high < 0 || low < 0)
			return bad(err, "the initial value", s->name);
		s->initial[i / 2] = (unsigned char)(high << 4 | low);
	}
	return s->initial ? 0 : ERR_NOMEM;
}

static enum symbol_space space_of(const char *word)
{
	if (word && !strcmp(word, "constant"))
		return SYMBOL_CONSTANT;
	return word && !strcmp(word, "managed") ? SYMBOL_MANAGED : SYMBOL_GLOBAL;
}

static int read_symbol(struct symbol_entry *s, const json_t *object, struct err *err)
{
	const char *name = text_of(object, "name");

	if (!name)
		return bad(err, "the name", "a variable");
	s->name = str_copy(name, err);
	s->space = space_of(text_of(object, "space"));
	s->bytes = number_of(object, "bytes");
	s->align = number_of(object, "align");
	if (!s->name)
		return ERR_NOMEM;
	if (s->bytes > LIMIT_BYTES)
		return bad(err, "the size", s->name);
	return read_initial(s, text_of(object, "initial"), err);
}

/* Read relocations; all variables must have been read. */
static int read_relocations(const struct module_table *t, struct symbol_entry *s,
                            const json_t *object, struct err *err)
{
	struct list list = list_of(object, "relocations");

	s->relocations = array_alloc(list.count, sizeof(*s->relocations), "relocations", err);
	if (!s->relocations)
		return ERR_NOMEM;
	s->relocation_count = list.count;
	for (size_t i = 0; i < list.count; i++) {
		const json_t *item = json_array_get(list.items, i);
		const char *name = text_of(item, "symbol");
		struct symbol_relocation *r = &s->relocations[i];

		r->offset = number_of(item, "offset");
		r->symbol = name ? module_table_symbol(t, name) : t->symbol_count;
		r->addend = json_integer_value(json_object_get(item, "addend"));
		if (r->symbol == t->symbol_count || s->bytes < sizeof(void *) ||
		    r->offset > s->bytes - sizeof(void *))
			return bad(err, "a relocation", s->name);
	}
	return 0;
}

static int read_symbols(struct module_table *t, const json_t *root, struct err *err)
{
	struct list list = list_of(root, "symbols");
	int rc = 0;

	t->symbols = array_alloc(list.count, sizeof(*t->symbols), "variables", err);
	if (!t->symbols)
		return ERR_NOMEM;
	t->symbol_count = list.count;
	for (size_t i = 0; rc == 0 && i < list.count; i++)
		rc = read_symbol(&t->symbols[i], json_array_get(list.items, i), err);
	for (size_t i = 0; rc == 0 && i < list.count; i++)
		rc = read_relocations(t, &t->symbols[i], json_array_get(list.items, i), err);
	return rc;
}

static int read_kernels(struct module_table *t, const json_t *root, struct err *err)
{
	struct list list = list_of(root, "kernels");
	int rc = 0;

	t->kernels = array_alloc(list.count, sizeof(*t->kernels), "kernels", err);
	if (!t->kernels)
		return ERR_NOMEM;
	t->kernel_count = list.count;
	for (size_t i = 0; rc == 0 && i < list.count; i++)
		rc = read_kernel(t, &t->kernels[i], json_array_get(list.items, i), err);
	return rc;
}

static int read_textures(struct module_table *t, const json_t *root, struct err *err)
{
	struct list list = list_of(root, "texture");

	t->textures = array_alloc(list.count, sizeof(*t->textures), "textures", err);
	if (!t->textures)
		return ERR_NOMEM;
	for (size_t i = 0; i < list.count; i++) {
		const char *name = json_string_value(json_array_get(list.items, i));

		t->textures[i] = str_copy(name ? name : "", err);
		if (!t->textures[i])
			return ERR_NOMEM;
		t->texture_count++;
	}
	return 0;
}

int module_table_parse(struct module_table *t, const char *text, size_t length, struct err *err)
{
	json_error_t where;
	json_t *root = json_loadb(text, length, 0, &where);
	int rc;

	*t = (struct module_table){ .kernel_count = 0 };
	if (!json_is_object(root)) {
		json_decref(root);
		return err_set(err, ERR_FORMAT, "CUDA table:%d: %s", root ? 1 : where.line,
		               root ? "no object" : where.text);
	}
	rc = read_symbols(t, root, err);
	if (rc == 0)
		rc = read_kernels(t, root, err);
	if (rc == 0)
		rc = read_textures(t, root, err);
	json_decref(root);
	return rc;
}

void module_table_release(struct module_table *t)
{
	for (size_t i = 0; t->kernels && i < t->kernel_count; i++) {
		free(t->kernels[i].name);
		free(t->kernels[i].params);
		free(t->kernels[i].parts);
		free(t->kernels[i].hidden);
		free(t->kernels[i].refusal);
	}
	for (size_t i = 0; t->symbols && i < t->symbol_count; i++) {
		free(t->symbols[i].name);
		free(t->symbols[i].initial);
		free(t->symbols[i].relocations);
	}
	for (size_t i = 0; i < t->texture_count; i++)
		free(t->textures[i]);
	free(t->kernels);
	free(t->symbols);
	free(t->textures);
	*t = (struct module_table){ .kernel_count = 0 };
}

const struct kernel_entry *module_table_kernel(const struct module_table *t, const char *name)
{
	for (size_t i = 0; i < t->kernel_count; i++)
		if (!strcmp(t->kernels[i].name, name))
			return &t->kernels[i];
	return NULL;
}

size_t module_table_symbol(const struct module_table *t, const char *name)
{
	for (size_t i = 0; i < t->symbol_count; i++)
		if (t->symbols[i].name && !strcmp(t->symbols[i].name, name))
			return i;
	return t->symbol_count;
}
