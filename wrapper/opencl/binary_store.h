/*
 * binary_store - which code the binaries are made of that the driver hands out, so that a program
 * made of such a binary is traced as well.
 *
 * By a 128-bit hash of the bytes: of this process in memory, of earlier ones as
 * files in the cache of instrumented programs, under its limit. Headers that a
 * program reads from disk are not in it: they must be as they were (program_code.h).
 */
#ifndef BINARY_STORE_H
#define BINARY_STORE_H

#include "array.h"

struct program_code;
struct session;

/* Of this process; the session's lock guards it. */
struct binary_store {
	struct array list;
};

void binary_store_init(struct binary_store *store);
void binary_store_release(struct binary_store *store);

/* Keep what a binary is made of, unless the code cannot be instrumented anyway. */
void binary_store_keep(struct session *s, const unsigned char *bytes, size_t length,
                       const struct program_code *code);

/* A reference to the code that a binary is made of, its origin "binary"; NULL: not known. */
struct program_code *binary_store_find(struct session *s, const unsigned char *bytes,
                                       size_t length);

#endif
