/*
 * language_names - names with a meaning of their own in OpenCL C, according to clang: its macros,
 * and the macros and functions of its headers, in any version. Generated when Warpline is built
 * (language_names.cmake).
 */
#ifndef LANGUAGE_NAMES_H
#define LANGUAGE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

enum language_kind {
	LANGUAGE_EXACT,    /* a macro that describes the compiler or its features: no other name
	                      depends on it */
	LANGUAGE_VALUE,    /* a macro for something in the language: CLK_R, M_PI, as_int */
	LANGUAGE_FUNCTION, /* a function, which some compilers rename by a macro */
	LANGUAGE_WORD,     /* a keyword (language_words.def) */
};

struct language_name {
	const char *name;
	enum language_kind kind;
	bool is_asked; /* every device is asked about it; the others only if the source uses them */
};

/* Sorted by strcmp(). */
extern const struct language_name language_names[];
extern const size_t language_name_count;

/* The row of a name, or NULL. */
const struct language_name *language_names_find(const char *name);

#endif
