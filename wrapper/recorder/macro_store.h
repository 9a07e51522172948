/*
 * macro_store - what devices' compilers have answered about their macros: in memory, and on disk
 * for the next process.
 *
 * A key says what the answers hang on: the driver, the device, the build options. On disk an entry
 * lies beside those of the instrumenter's cache (instrument_cache.h), is named by the hash of its
 * key, and is ignored when it is damaged or belongs to another key.
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
 * The answers under a key, on the heap; "" if nothing is known, NULL when out of memory. `cache` is
 * the folder on disk; NULL: the user's own; "off": none.
 */
char *macro_store_find(struct macro_store *s, const char *cache, const char *key);

/* Add answers to those under a key. What cannot be kept is asked for again. */
void macro_store_add(struct macro_store *s, const char *cache, const char *key,
                     const char *answers);

/* Between these two the caller may ask a device; others wait, to find what it adds. */
void macro_store_begin(struct macro_store *s);
void macro_store_end(struct macro_store *s);

#endif
