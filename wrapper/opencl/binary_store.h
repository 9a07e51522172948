/*
 * binary_store - the code that the driver's program binaries were made from, so that a program
 * created from such a binary is traced as well.
 *
 * Binaries are found by a 128-bit hash of their bytes: those of this process in memory, those of
 * earlier processes in the cache of instrumented programs, within its limit. Headers that a program
 * reads from disk are not stored: they must be unchanged (program_code.h).
 */
#ifndef BINARY_STORE_H
#define BINARY_STORE_H

#include "array.h"

struct program_code;
struct session;

/* The binaries of this process. Guarded by the session's lock. */
struct binary_store {
	struct array list;
};

void binary_store_init(struct binary_store *store);
void binary_store_release(struct binary_store *store);

/* Store the code of a binary, unless it cannot be instrumented. */
void binary_store_keep(struct session *s, const unsigned char *bytes, size_t length,
                       const struct program_code *code);

/* Returns a reference to the code of a binary, with origin "binary"; NULL: not known. */
struct program_code *binary_store_find(struct session *s, const unsigned char *bytes,
                                       size_t length);

#endif
