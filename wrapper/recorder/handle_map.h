/*
 * handle_map - a map from the application's handles to the recorder's structs.
 *
 * Open addressing with linear probing. Removal shifts entries back, so there are no tombstones,
 * however many handles are created and released. Not thread-safe.
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

/* Free the table but not the values, and leave an empty map. Accepts a zeroed map, which is empty.
 */
void handle_map_release(struct handle_map *m);

/* Call `release` for each value, then handle_map_release(). */
void handle_map_release_all(struct handle_map *m, void (*release)(void *value));

/*
 * Map `key` to `value`; neither may be NULL. *old (may be NULL) gets the previous value, or NULL.
 * Returns 0, or ERR_NOMEM with the map unchanged.
 */
int handle_map_put(struct handle_map *m, const void *key, void *value, void **old, struct err *err);

/* Returns the value of `key`, or NULL. */
void *handle_map_get(const struct handle_map *m, const void *key);

/* Remove `key`. Returns its value, or NULL. */
void *handle_map_remove(struct handle_map *m, const void *key);

#endif
