/*
 * site - a place in a kernel that accesses memory, or orders accesses.
 *
 * Its numbers of loops and arguments refer to the kernel's table (kernel_table.h).
 */
#ifndef SITE_H
#define SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * access_level - which of a kernel's accesses a recording has: those of the source, or those that
 * remain after a GPU's compiler. Counts of different levels must not be compared.
 */

struct recording;

enum access_level {
#define ACCESS_LEVEL(name, word, text) ACCESS_LEVEL_##name,
#include "access_levels.def"
#undef ACCESS_LEVEL
	ACCESS_LEVELS,
	ACCESS_LEVEL_MIXED = ACCESS_LEVELS /* of a recording: its kernels differ */
};

/* "0", "gpu", "mixed"; NULL where it is not known. */
const char *access_level_name(enum access_level level);

/* "as in the source (--opt 0)", for people; never NULL. */
const char *access_level_text(enum access_level level);

/* The level of that name, or ACCESS_LEVELS if there is none. */
enum access_level access_level_find(const char *name);

/* What all kernels that were recorded have in common; ACCESS_LEVEL_UNKNOWN if there are none. */
enum access_level access_level_of(const struct recording *r);

enum site_kind {
#define SITE_KIND(NAME, name, is_access, has_address, text) SITE_##NAME,
#include "site_kinds.def"
#undef SITE_KIND
	SITE_KIND_COUNT
};

/* Address spaces, as SPIR numbers them. */
enum address_space { SPACE_PRIVATE, SPACE_GLOBAL, SPACE_CONSTANT, SPACE_LOCAL, SPACE_GENERIC };

/* A place in the source. `file` is NULL where the compiler kept none; line and column from 1, or 0.
 */
struct place {
	char *file;
	uint32_t line;
	uint32_t column;
};

struct site {
	enum site_kind kind;
	uint32_t bytes;     /* size; 0: barrier, fence, or known only at run time */
	uint32_t space;     /* enum address_space; of a barrier or fence what it orders, 0: none */
	int32_t loop;       /* innermost enclosing loop, or -1 */
	int32_t argument;   /* kernel argument the pointer comes from, or -1 */
	struct place place; /* innermost: where the access is written */
	struct place *inlined_at; /* the chain of calls, innermost first */
	size_t inlined_count;
	char *expression; /* source text of what is accessed, "B[i * width]"; "" when unknown */
	char *function;   /* of the source, in which `place` lies; "" when unknown */
};

/* "read", "write", ...: static storage. */
const char *site_kind_name(enum site_kind kind);

/* True for kinds that touch memory. */
bool site_kind_is_access(enum site_kind kind);

/* True for these kinds and prefetches: the value of an event is an address. */
bool site_kind_has_address(enum site_kind kind);

#endif
