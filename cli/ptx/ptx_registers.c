/* SPDX-License-Identifier: Apache-2.0 */
#include "ptx_registers.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 256, NAMES_MAX = 1 << 26 };

void ptx_registers_init(struct ptx_registers *r, const char *text)
{
	*r = (struct ptx_registers){ .text = text };
	array_init(&r->names, sizeof(struct ptx_token), NAMES_MAX, "registers");
}

void ptx_registers_release(struct ptx_registers *r)
{
	array_release(&r->names);
	free(r->slots);
	memset(r, 0, sizeof(*r));
}

void ptx_registers_clear(struct ptx_registers *r)
{
	array_clear(&r->names);
	if (r->slots)
		memset(r->slots, 0, r->slot_count * sizeof(*r->slots));
}

/* FNV-1a. */
static size_t hash(const char *text, struct ptx_token name)
{
	uint64_t h = UINT64_C(0xcbf29ce484222325);

	for (size_t i = name.begin; i < name.end; i++)
		h = (h ^ (unsigned char)text[i]) * UINT64_C(0x100000001b3);
	return (size_t)(h ^ h >> 32);
}

static bool is_same(const char *text, struct ptx_token a, struct ptx_token b)
{
	return a.end - a.begin == b.end - b.begin &&
	       !memcmp(text + a.begin, text + b.begin, a.end - a.begin);
}

/* The slot of a name, or the free one where it belongs. */
static uint32_t *find(const struct ptx_registers *r, struct ptx_token name)
{
	const struct ptx_token *names = r->names.data;
	size_t i = hash(r->text, name) & (r->slot_count - 1);

	while (r->slots[i] && !is_same(r->text, names[r->slots[i] - 1], name))
		i = (i + 1) & (r->slot_count - 1);
	return &r->slots[i];
}

/* Twice as many slots, so that half of them stay free. */
static bool grow(struct ptx_registers *r, struct err *err)
{
	const struct ptx_token *names = r->names.data;
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

uint32_t ptx_registers_number(struct ptx_registers *r, struct ptx_token name, struct err *err)
{
	struct ptx_token *added;
	uint32_t *slot;

	if (2 * (r->names.count + 1) > r->slot_count && !grow(r, err))
		return UINT32_MAX;
	slot = find(r, name);
	if (*slot)
		return *slot - 1;
	added = array_push(&r->names, 1, err);
	if (!added)
		return UINT32_MAX;
	*added = name;
	*slot = (uint32_t)r->names.count;
	return *slot - 1;
}
