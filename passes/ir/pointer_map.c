/* SPDX-License-Identifier: Apache-2.0 */
#include "pointer_map.h"

#include "array.h"
#include "err.h"

#include <stdlib.h>

#define FIRST_CAPACITY 64

struct pointer_map_entry {
	const void *key; /* NULL: free */
	uint32_t value;
};

void pointer_map_release(struct pointer_map *m)
{
	free(m->entries);
	*m = (struct pointer_map){ 0 };
}

/* Fibonacci hashing: the low bits of addresses are all alike. */
static size_t first_place(const struct pointer_map *m, const void *key)
{
	uint64_t h = (uint64_t)(uintptr_t)key * 0x9e3779b97f4a7c15u;

	return (size_t)(h >> 32) & (m->capacity - 1);
}

/* The entry of `key`, or the free one where it belongs. */
static struct pointer_map_entry *entry_of(const struct pointer_map *m, const void *key)
{
	size_t i = first_place(m, key);

	while (m->entries[i].key && m->entries[i].key != key)
		i = (i + 1) & (m->capacity - 1);
	return &m->entries[i];
}

static int grow(struct pointer_map *m, struct err *err)
{
	struct pointer_map bigger = { .capacity = m->capacity ? m->capacity * 2 : FIRST_CAPACITY,
		                      .count = m->count };

	bigger.entries = array_alloc(bigger.capacity, sizeof(*bigger.entries), "names", err);
	if (!bigger.entries)
		return ERR_NOMEM;
	for (size_t i = 0; i < m->capacity; i++)
		if (m->entries[i].key)
			*entry_of(&bigger, m->entries[i].key) = m->entries[i];
	free(m->entries);
	*m = bigger;
	return 0;
}

int pointer_map_set(struct pointer_map *m, const void *key, uint32_t value, struct err *err)
{
	struct pointer_map_entry *entry;

	if (m->count + 1 > m->capacity / 4 * 3 && grow(m, err))
		return ERR_NOMEM;
	entry = entry_of(m, key);
	if (!entry->key)
		m->count++;
	entry->key = key;
	entry->value = value;
	return 0;
}

uint32_t pointer_map_get(const struct pointer_map *m, const void *key)
{
	const struct pointer_map_entry *entry = m->capacity ? entry_of(m, key) : NULL;

	return entry && entry->key ? entry->value : POINTER_MAP_NONE;
}
