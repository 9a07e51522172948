/*
 * pointer_map - a hash table from pointers to uint32_t.
 *
 * Entries cannot be removed one by one.
 */
#ifndef POINTER_MAP_H
#define POINTER_MAP_H

#include <stddef.h>
#include <stdint.h>

#define POINTER_MAP_NONE UINT32_MAX

struct err;

struct pointer_map {
	struct pointer_map_entry *entries; /* `capacity` of them, a power of two, or NULL */
	size_t capacity;
	size_t count;
};

/* Free the entries and leave an empty map. Accepts a zeroed struct, which is an empty map. */
void pointer_map_release(struct pointer_map *m);

/* Map `key` (not NULL) to `value`, replacing any previous value. Returns 0 or ERR_NOMEM. */
int pointer_map_set(struct pointer_map *m, const void *key, uint32_t value, struct err *err);

/* The value of `key`, or POINTER_MAP_NONE. */
uint32_t pointer_map_get(const struct pointer_map *m, const void *key);

#endif
