/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_table.h"

#include "err.h"
#include "file.h"
#include "str.h"

#include <jansson.h>
#include <stdlib.h>
#include <string.h>

#define LIMIT_ROWS (1u << 20)

void cuda_table_init(struct cuda_table *t)
{
	array_init(&t->kernels, sizeof(struct cuda_kernel), LIMIT_ROWS, "CUDA kernels");
	array_init(&t->symbols, sizeof(struct cuda_symbol), LIMIT_ROWS, "CUDA variables");
	array_init(&t->textures, sizeof(char *), LIMIT_ROWS, "CUDA textures");
}

static void release_kernel(struct cuda_kernel *k)
{
	struct cuda_hidden *hidden = k->hidden.data;

	for (size_t i = 0; i < k->hidden.count; i++)
		free(hidden[i].symbol);
	array_release(&k->hidden);
	array_release(&k->args);
	array_release(&k->params);
	free(k->refusal);
	free(k->name);
}

static void release_symbol(struct cuda_symbol *s)
{
	struct cuda_relocation *relocations = s->relocations.data;

	for (size_t i = 0; i < s->relocations.count; i++)
		free(relocations[i].symbol);
	array_release(&s->relocations);
	free(s->initial);
	free(s->name);
}

void cuda_table_release(struct cuda_table *t)
{
	struct cuda_kernel *kernels = t->kernels.data;
	struct cuda_symbol *symbols = t->symbols.data;
	char **textures = t->textures.data;

	for (size_t i = 0; i < t->kernels.count; i++)
		release_kernel(&kernels[i]);
	for (size_t i = 0; i < t->symbols.count; i++)
		release_symbol(&symbols[i]);
	for (size_t i = 0; i < t->textures.count; i++)
		free(textures[i]);
	array_release(&t->kernels);
	array_release(&t->symbols);
	array_release(&t->textures);
}

struct cuda_kernel *cuda_table_add_kernel(struct cuda_table *t, const char *name, struct err *err)
{
	struct cuda_kernel *k = array_push(&t->kernels, 1, err);

	if (!k)
		return NULL;
	array_init(&k->params, sizeof(struct cuda_param), LIMIT_ROWS, "parameters");
	array_init(&k->args, sizeof(struct cuda_argument), LIMIT_ROWS, "arguments");
	array_init(&k->hidden, sizeof(struct cuda_hidden), LIMIT_ROWS, "hidden arguments");
	k->name = str_copy(name, err);
	return k->name ? k : NULL;
}

struct cuda_symbol *cuda_table_add_symbol(struct cuda_table *t, const char *name, struct err *err)
{
	struct cuda_symbol *s = array_push(&t->symbols, 1, err);

	if (!s)
		return NULL;
	array_init(&s->relocations, sizeof(struct cuda_relocation), LIMIT_ROWS, "relocations");
	s->name = str_copy(name, err);
	return s->name ? s : NULL;
}

struct cuda_kernel *cuda_table_kernel(const struct cuda_table *t, const char *name)
{
	struct cuda_kernel *kernels = t->kernels.data;

	for (size_t i = 0; i < t->kernels.count; i++)
		if (!strcmp(kernels[i].name, name))
			return &kernels[i];
	return NULL;
}

struct cuda_symbol *cuda_table_symbol(const struct cuda_table *t, const char *name)
{
	struct cuda_symbol *symbols = t->symbols.data;

	for (size_t i = 0; i < t->symbols.count; i++)
		if (!strcmp(symbols[i].name, name))
			return &symbols[i];
	return NULL;
}

int cuda_kernel_add_param(struct cuda_kernel *k, struct cuda_param param, struct err *err)
{
	struct cuda_param *there = array_push(&k->params, 1, err);

	if (!there)
		return err ? err->code : ERR_NOMEM;
	*there = param;
	return 0;
}

int cuda_kernel_add_argument(struct cuda_kernel *k, struct cuda_argument argument, struct err *err)
{
	struct cuda_argument *there = array_push(&k->args, 1, err);

	if (!there)
		return err ? err->code : ERR_NOMEM;
	*there = argument;
	return 0;
}

int cuda_kernel_add_hidden(struct cuda_kernel *k, const char *symbol, struct err *err)
{
	struct cuda_hidden *there = array_push(&k->hidden, 1, err);

	if (!there)
		return err ? err->code : ERR_NOMEM;
	there->symbol = symbol ? str_copy(symbol, err) : NULL;
	return symbol && !there->symbol ? ERR_NOMEM : 0;
}

int cuda_symbol_add_relocation(struct cuda_symbol *s, uint64_t offset, const char *symbol,
                               int64_t addend, struct err *err)
{
	struct cuda_relocation *there = array_push(&s->relocations, 1, err);

	if (!there)
		return err ? err->code : ERR_NOMEM;
	*there = (struct cuda_relocation){ .offset = offset, .addend = addend };
	there->symbol = str_copy(symbol, err);
	return there->symbol ? 0 : ERR_NOMEM;
}

static const char *const space_names[] = { "global", "constant", "managed" };

/* NULL becomes null. In a string that is not UTF-8, each non-ASCII byte becomes '?'. */
static json_t *text_value(const char *text)
{
	json_t *value = text ? json_string(text) : json_null();
	char *plain = value ? NULL : str_copy(text, NULL);

	for (char *c = plain; c && *c; c++)
		if ((unsigned char)*c >= 0x80)
			*c = '?';
	if (plain)
		value = json_string(plain);
	free(plain);
	return value;
}

static json_t *number(uint64_t value)
{
	return json_integer((json_int_t)value);
}

static json_t *params_value(const struct array *params)
{
	const struct cuda_param *p = params->data;
	json_t *list = json_array();

	for (size_t i = 0; list && i < params->count; i++)
		if (json_array_append_new(list,
		                          json_pack("{s:o,s:o}", "offset", number(p[i].offset),
		                                    "bytes", number(p[i].bytes))))
			return json_decref(list), NULL;
	return list;
}

static json_t *arguments_value(const struct array *arguments)
{
	const struct cuda_argument *a = arguments->data;
	json_t *list = json_array();

	for (size_t i = 0; list && i < arguments->count; i++)
		if (json_array_append_new(list, json_pack("{s:o,s:o,s:o,s:s}", "param",
		                                          number(a[i].param), "offset",
		                                          number(a[i].offset), "bytes",
		                                          number(a[i].bytes), "kind",
		                                          a[i].is_pointer ? "pointer" : "value")))
			return json_decref(list), NULL;
	return list;
}

static json_t *hidden_value(const struct array *hidden)
{
	const struct cuda_hidden *h = hidden->data;
	json_t *list = json_array();

	for (size_t i = 0; list && i < hidden->count; i++) {
		json_t *row = h[i].symbol ? json_pack("{s:s,s:o}", "kind", "symbol", "name",
		                                      text_value(h[i].symbol))
		                          : json_pack("{s:s}", "kind", "dynamic_shared");

		if (json_array_append_new(list, row))
			return json_decref(list), NULL;
	}
	return list;
}

static json_t *kernel_value(const struct cuda_kernel *k)
{
	return json_pack("{s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o,s:o}", "name", text_value(k->name),
	                 "params", params_value(&k->params), "args", arguments_value(&k->args),
	                 "hidden", hidden_value(&k->hidden), "static_shared_bytes",
	                 number(k->static_shared_bytes), "max_threads", number(k->max_threads),
	                 "local_bytes", number(k->local_bytes), "constant_bytes",
	                 number(k->constant_bytes), "refusal", text_value(k->refusal));
}

static json_t *initial_value(const struct cuda_symbol *s)
{
	static const char digits[] = "0123456789abcdef";
	json_t *value;
	char *text;

	if (!s->initial)
		return json_null();
	text = array_alloc(s->bytes * 2 + 1, 1, "initial contents", NULL);
	if (!text)
		return NULL;
	for (uint64_t i = 0; i < s->bytes; i++) {
		text[2 * i] = digits[s->initial[i] >> 4];
		text[2 * i + 1] = digits[s->initial[i] & 15];
	}
	value = json_string(text);
	free(text);
	return value;
}

static json_t *relocations_value(const struct array *relocations)
{
	const struct cuda_relocation *r = relocations->data;
	json_t *list = json_array();

	for (size_t i = 0; list && i < relocations->count; i++)
		if (json_array_append_new(list,
		                          json_pack("{s:o,s:o,s:o}", "offset", number(r[i].offset),
		                                    "symbol", text_value(r[i].symbol), "addend",
		                                    json_integer(r[i].addend))))
			return json_decref(list), NULL;
	return list;
}

static json_t *symbol_value(const struct cuda_symbol *s)
{
	return json_pack("{s:o,s:s,s:o,s:o,s:o,s:o}", "name", text_value(s->name), "space",
	                 space_names[s->space], "bytes", number(s->bytes), "align",
	                 number(s->align), "initial", initial_value(s), "relocations",
	                 relocations_value(&s->relocations));
}

static json_t *table_value(const struct cuda_table *t)
{
	const struct cuda_kernel *kernels = t->kernels.data;
	const struct cuda_symbol *symbols = t->symbols.data;
	char *const *textures = t->textures.data;
	json_t *k = json_array(), *s = json_array(), *x = json_array();
	int bad = 0;

	for (size_t i = 0; i < t->kernels.count; i++)
		bad |= json_array_append_new(k, kernel_value(&kernels[i]));
	for (size_t i = 0; i < t->symbols.count; i++)
		bad |= json_array_append_new(s, symbol_value(&symbols[i]));
	for (size_t i = 0; i < t->textures.count; i++)
		bad |= json_array_append_new(x, text_value(textures[i]));
	if (!bad)
		return json_pack("{s:o,s:o,s:o}", "kernels", k, "symbols", s, "texture", x);
	json_decref(k);
	json_decref(s);
	json_decref(x);
	return NULL;
}

int cuda_table_write(const struct cuda_table *t, const char *path, struct err *err)
{
	json_t *value = table_value(t);
	char *text = value ? json_dumps(value, JSON_COMPACT) : NULL;
	int ret;

	json_decref(value);
	if (!text)
		return err_set(err, ERR_NOMEM, "%s: out of memory for the table of CUDA kernels",
		               path);
	ret = file_write(path, text, strlen(text), err);
	free(text);
	return ret;
}
