/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_symbols.h"

#include "err.h"

#include <stdlib.h>

#define BUCKETS      ((size_t)1 << 14)
#define SYMBOLS_MOST ((size_t)1 << 24)
#define DIGITS_MOST  9

static size_t bucket_of(struct ptx_word name)
{
	uint32_t hash = 2166136261u;

	for (size_t i = 0; i < name.length; i++)
		hash = (hash ^ (unsigned char)name.at[i]) * 16777619u;
	return (hash ^ (hash >> 16)) % BUCKETS;
}

int ptx_symbols_init(struct ptx_symbols *y, struct err *err)
{
	array_init(&y->list, sizeof(struct ptx_symbol), SYMBOLS_MOST, "names in PTX");
	y->buckets = array_alloc(BUCKETS, sizeof(uint32_t), "names in PTX", err);
	for (size_t i = 0; y->buckets && i < BUCKETS; i++)
		y->buckets[i] = PTX_NONE;
	return y->buckets ? 0 : ERR_NOMEM;
}

static struct ptx_symbol *all(const struct ptx_symbols *y)
{
	return y->list.data;
}

void ptx_symbols_cut(struct ptx_symbols *y, size_t count)
{
	while (y->list.count > count) {
		struct ptx_symbol *last = &all(y)[--y->list.count];

		y->buckets[bucket_of(last->name)] = last->next;
		free(last->slots);
	}
}

void ptx_symbols_release(struct ptx_symbols *y)
{
	ptx_symbols_cut(y, 0);
	array_release(&y->list);
	free(y->buckets);
	y->buckets = NULL;
}

struct ptx_symbol *ptx_symbols_add(struct ptx_symbols *y, const struct ptx_symbol *symbol,
                                   struct err *err)
{
	uint32_t *bucket = &y->buckets[bucket_of(symbol->name)];
	struct ptx_symbol *kept = array_push(&y->list, 1, err);

	if (!kept)
		return NULL;
	*kept = *symbol;
	kept->next = *bucket;
	*bucket = (uint32_t)y->list.count - 1;
	return kept;
}

static struct ptx_symbol *find_from(const struct ptx_symbols *y, uint32_t at, struct ptx_word name)
{
	for (; at != PTX_NONE; at = all(y)[at].next)
		if (ptx_word_equals(all(y)[at].name, name))
			return &all(y)[at];
	return NULL;
}

struct ptx_symbol *ptx_symbols_find(const struct ptx_symbols *y, struct ptx_word name)
{
	return find_from(y, y->buckets[bucket_of(name)], name);
}

struct ptx_symbol *ptx_symbols_older(const struct ptx_symbols *y, const struct ptx_symbol *of)
{
	return find_from(y, of->next, of->name);
}

/* Split %r12 into its final number and what comes before; false when there is no number. */
static bool split(struct ptx_word *name, uint64_t *number)
{
	size_t length = name->length;
	uint64_t factor = 1;

	*number = 0;
	while (length && name->at[length - 1] >= '0' && name->at[length - 1] <= '9') {
		if (name->length - length == DIGITS_MOST)
			return false;
		*number += factor * (uint64_t)(name->at[--length] - '0');
		factor *= 10;
	}
	if (length == name->length)
		return false;
	name->length = length;
	return true;
}

/*
 * A range's name may itself end in digits (%r1<5>), though compilers never write that; the shortest
 * prefix counts.
 */
LLVMValueRef *ptx_symbols_register(struct ptx_symbols *y, struct ptx_word name, enum ptx_type *type)
{
	struct ptx_symbol *found = ptx_symbols_find(y, name);
	uint64_t number;

	if (found && found->kind == PTX_SYMBOL_REGISTER && !found->count) {
		*type = found->type;
		return &found->value;
	}
	if (found || !split(&name, &number))
		return NULL;
	found = ptx_symbols_find(y, name);
	if (!found || found->kind != PTX_SYMBOL_REGISTER || number >= found->count)
		return NULL;
	*type = found->type;
	return &found->slots[number];
}
