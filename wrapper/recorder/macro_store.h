/*
 * macro_store - answers of devices' compilers about their macros, kept in memory and, for later
 * processes, on disk.
 *
 * A key has everything on which the answers depend: the driver, the device, the build options. On
 * disk an entry is beside those of the instrumenter's cache (instrument_cache.h), named by the hash
 * of its key, and ignored when it is damaged or belongs to another key.
 */
#ifndef MACRO_STORE_H
#define MACRO_STORE_H

#include "array.h"

#include <pthread.h>

struct macro_store {
	pthread_mutex_t lock;  /* of the list */
	pthread_mutex_t asked; /* held while a device is asked: macro_store_begin() */
	struct array list;     /* of struct macro_answers */
};

/* Empty; release with macro_store_release(). */
void macro_store_init(struct macro_store *s);
void macro_store_release(struct macro_store *s);

/*
 * Returns the answers of a key, on the heap; "" if there are none, NULL when out of memory. `cache`
 * is the folder on disk; NULL: the user's own; "off": none.
 */
char *macro_store_find(struct macro_store *s, const char *cache, const char *key);

/* Add answers to a key. If they cannot be kept, the questions are asked again later. */
void macro_store_add(struct macro_store *s, const char *cache, const char *key,
                     const char *answers);

/* Between these calls the caller may ask a device; other threads wait and then find its answers. */
void macro_store_begin(struct macro_store *s);
void macro_store_end(struct macro_store *s);

#endif
