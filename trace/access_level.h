/*
 * access_level - which of a kernel's accesses a recording has: those of the source, or those that a
 * GPU's compiler leaves of them. Counts of two levels do not compare.
 */
#ifndef ACCESS_LEVEL_H
#define ACCESS_LEVEL_H

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

#endif
