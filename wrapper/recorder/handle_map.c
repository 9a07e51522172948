/* SPDX-License-Identifier: Apache-2.0 */
#include "handle_map.h"

#include "array.h"
#include "err.h"

#include <stdint.h>
#include <stdlib.h>

void handle_map_release(struct handle_map *m)
{
	free(m->slots);
	*m = (struct handle_map){ 0 };
}

/* Returns the slot in which the search for a key begins. */
static size_t home_of(const struct handle_map *m, const void *key)
{
	uint64_t h = (uint64_t)(uintptr_t)key;

	h = (h ^ (h >> 32)) * UINT64_C(0x9e3779b97f4a7c15);
	return (size_t)(h >> 32) & (m->capacity - 1);
}

/* Returns the slot that holds `key`, or the free one where it belongs. There is always a free slot.
 */
static struct handle_slot *find(const struct handle_map *m, const void *key)
{
	size_t i = home_of(m, key);

	while (m->slots[i].key && m->slots[i].key != key)
		i = (i + 1) & (m->capacity - 1);
	return &m->slots[i];
}

static int grow(struct handle_map *m, struct err *err)
{
	struct handle_map bigger = { .capacity = m->capacity ? m->capacity * 2 : 16,
		                     .count = m->count };

	bigger.slots = array_alloc(bigger.capacity, sizeof(*bigger.slots), "table of handles", err);
	if (!bigger.slots)
		return ERR_NOMEM;
	for (size_t i = 0; i < m->capacity; i++)
		if (m->slots[i].key)
			*find(&bigger, m->slots[i].key) = m->slots[i];
	free(m->slots);
	*m = bigger;
	return 0;
}

void handle_map_release_all(struct handle_map *m, void (*release)(void *value))
{
	for (size_t i = 0; i < m->capacity; i++)
		if (m->slots[i].key)
			release(m->slots[i].value);
	handle_map_release(m);
}

int handle_map_put(struct handle_map *m, const void *key, void *value, void **old, struct err *err)
{
	struct handle_slot *slot;

	if ((m->count + 1) * 4 > m->capacity * 3 && grow(m, err) < 0)
		return ERR_NOMEM;
	slot = find(m, key);
	if (old)
		*old = slot->key ? slot->value : NULL;
	m->count += !slot->key;
	*slot = (struct handle_slot){ key, value };
	return 0;
}

void *handle_map_get(const struct handle_map *m, const void *key)
{
	const struct handle_slot *slot = m->capacity && key ? find(m, key) : NULL;

	return slot && slot->key ? slot->value : NULL;
}

void *handle_map_remove(struct handle_map *m, const void *key)
{
	struct handle_slot *hole = m->capacity && key ? find(m, key) : NULL;
	void *value;
	size_t i;

	if (!hole || !hole->key)
		return NULL;
	value = hole->value;
	i = (size_t)(hole - m->slots);
	for (;;) {
		size_t home;

		i = (i + 1) & (m->capacity - 1);
		if (!m->slots[i].key)
			break;
		home = home_of(m, m->slots[i].key);
		/* An entry may move back to the hole when its home does not lie after the hole. */
		if (((i - home) & (m->capacity - 1)) >=
		    ((i - (size_t)(hole - m->slots)) & (m->capacity - 1))) {
			*hole = m->slots[i];
			hole = &m->slots[i];
		}
	}
	*hole = (struct handle_slot){ 0 };
	m->count--;
	return value;
}
