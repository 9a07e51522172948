/*
 * handle_map - what we know of an application's handles: from pointer to pointer.
 *
 * Open addressing with linear probing; removal shifts back, so there are no
 * tombstones however often handles come and go. Not thread-safe.
 */
#ifndef HANDLE_MAP_H
#define HANDLE_MAP_H

#include <stddef.h>

struct err;

struct handle_slot {
	const void *key; /* NULL: free */
	void *value;
};

struct handle_map {
	struct handle_slot *slots;
	size_t capacity; /* 0 or a power of two, at least 4/3 of count */
	size_t count;
};

/* Free the table, not the values, and leave an empty map. Accepts a zeroed map, which is empty. */
void handle_map_release(struct handle_map *m);

/* Likewise, once the values are freed by `release`. */
void handle_map_release_all(struct handle_map *m, void (*release)(void *value));

/*
 * Let `key` (not NULL) name `value` (not NULL). *old (may be NULL) gets what it named before, or
 * NULL. Returns 0 or ERR_NOMEM, the map then being unchanged.
 */
int handle_map_put(struct handle_map *m, const void *key, void *value, void **old, struct err *err);

/* What `key` names, or NULL. */
void *handle_map_get(const struct handle_map *m, const void *key);

/* Forget `key`; returns what it named, or NULL. */
void *handle_map_remove(struct handle_map *m, const void *key);

#endif
