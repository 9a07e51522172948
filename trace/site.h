/*
 * site - a place in a kernel that accesses memory, or orders accesses.
 *
 * Loops and arguments are numbers in the kernel's table (kernel_table.h).
 */
#ifndef SITE_H
#define SITE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * access_level - the accesses of a kernel that a recording has: those of the source, or those that
 * remain after a GPU's compiler. Counts of different levels must not be compared.
 */

struct recording;

enum access_level {
#define ACCESS_LEVEL(name, word, text) ACCESS_LEVEL_##name,
#include "access_levels.def"
#undef ACCESS_LEVEL
	ACCESS_LEVELS,
	ACCESS_LEVEL_MIXED = ACCESS_LEVELS /* only of a recording: its kernels differ */
};

/* Returns "0", "gpu" or "mixed"; NULL when it is not known. */
const char *access_level_name(enum access_level level);

/* Returns a description for people, "as in the source (--opt 0)"; never NULL. */
const char *access_level_text(enum access_level level);

/* Returns the level of that name, or ACCESS_LEVELS if there is none. */
enum access_level access_level_find(const char *name);

/* Returns the level of all recorded kernels, or MIXED; ACCESS_LEVEL_UNKNOWN if there are none. */
enum access_level access_level_of(const struct recording *r);

enum site_kind {
#define SITE_KIND(NAME, name, is_access, has_address, text) SITE_##NAME,
#include "site_kinds.def"
#undef SITE_KIND
	SITE_KIND_COUNT
};

/* Address spaces, as SPIR numbers them. */
enum address_space { SPACE_PRIVATE, SPACE_GLOBAL, SPACE_CONSTANT, SPACE_LOCAL, SPACE_GENERIC };

/* A place in the source. `file` is NULL if the compiler kept none; line and column are from 1, or
 * 0.
 */
struct place {
	char *file;
	uint32_t line;
	uint32_t column;
};

struct site {
	enum site_kind kind;
	uint32_t bytes;   /* size; 0: barrier, fence, or known only at run time */
	uint32_t space;   /* enum address_space; for a barrier or fence, what it orders; 0: none */
	int32_t loop;     /* innermost enclosing loop, or -1 */
	int32_t argument; /* kernel argument that the pointer comes from, or -1 */
	struct place place;       /* innermost: where the access is written */
	struct place *inlined_at; /* the chain of calls, innermost first */
	size_t inlined_count;
	char *expression; /* source text of what is accessed, "B[i * width]"; "" when unknown */
	char *function;   /* of the source, in which `place` lies; "" when unknown */
};

/* Returns "read", "write", ...; static storage. */
const char *site_kind_name(enum site_kind kind);

/* Whether the kind accesses memory. */
bool site_kind_is_access(enum site_kind kind);

/* Whether the value of its events is an address: these kinds, and prefetches. */
bool site_kind_has_address(enum site_kind kind);

#endif
