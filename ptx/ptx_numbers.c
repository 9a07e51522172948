/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_numbers.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 256, NAMES_MAX = 1 << 26 };

void ptx_numbers_init(struct ptx_numbers *r)
{
	*r = (struct ptx_numbers){ .slots = NULL };
	array_init(&r->names, sizeof(struct ptx_word), NAMES_MAX, "registers");
}

void ptx_numbers_release(struct ptx_numbers *r)
{
	array_release(&r->names);
	free(r->slots);
	memset(r, 0, sizeof(*r));
}

void ptx_numbers_clear(struct ptx_numbers *r)
{
	array_clear(&r->names);
	if (r->slots)
		memset(r->slots, 0, r->slot_count * sizeof(*r->slots));
}

/* FNV-1a. */
static size_t hash(struct ptx_word name)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = 0; i < name.length; i++)
		h = (h ^ (unsigned char)name.at[i]) * UINT64_C(0x100000001b3);
	return (size_t)(h ^ h >> 32);
}

/* The slot of a name, or the free one where it belongs. */
static uint32_t *find(const struct ptx_numbers *r, struct ptx_word name)
{
	const struct ptx_word *names = r->names.data;
	size_t i = hash(name) & (r->slot_count - 1);

	while (r->slots[i] && !ptx_word_equals(names[r->slots[i] - 1], name))
		i = (i + 1) & (r->slot_count - 1);
	return &r->slots[i];
}

/* Twice as many slots, so that half of them stay free. */
static bool grow(struct ptx_numbers *r, struct err *err)
{
	const struct ptx_word *names = r->names.data;
	size_t count = r->slot_count ? 2 * r->slot_count : FIRST_SLOTS;
	uint32_t *slots = array_alloc(count, sizeof(*slots), "registers", err);

	if (!slots)
		return false;
	free(r->slots);
	r->slots = slots;
	r->slot_count = count;
	for (size_t i = 0; i < r->names.count; i++)
		*find(r, names[i]) = (uint32_t)i + 1;
	return true;
}

uint32_t ptx_numbers_of(struct ptx_numbers *r, struct ptx_word name, struct err *err)
{
	struct ptx_word *added;
	uint32_t *slot;

	if (2 * (r->names.count + 1) > r->slot_count && !grow(r, err))
		return PTX_NONE;
	slot = find(r, name);
	if (*slot)
		return *slot - 1;
	added = array_push(&r->names, 1, err);
	if (!added)
		return PTX_NONE;
	*added = name;
	*slot = (uint32_t)r->names.count;
	return *slot - 1;
}
