/* SPDX-License-Identifier: Apache-2.0 */
#include "cuda_table.h"

#include "err.h"
#include "str.h"

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
