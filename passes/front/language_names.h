/*
 * language_names - the names that mean something in OpenCL C by themselves, to clang: what its
 * macros and the macros and functions of its headers are called, in any version. Made when Warpline
 * is built (language_names.cmake).
 */
#ifndef LANGUAGE_NAMES_H
#define LANGUAGE_NAMES_H

#include <stdbool.h>
#include <stddef.h>

enum language_kind {
	LANGUAGE_EXACT, /* a macro that says what the compiler is or can: nothing else needs it */
	LANGUAGE_VALUE, /* a macro that stands for something of the language: CLK_R, M_PI, as_int */
	LANGUAGE_FUNCTION, /* a function, which some compilers rename by a macro */
	LANGUAGE_WORD,     /* a keyword (language_words.def) */
};

struct language_name {
	const char *name;
	enum language_kind kind;
	bool is_asked; /* of every device; the others only when the source has them */
};

/* In order of strcmp(). */
extern const struct language_name language_names[];
extern const size_t language_name_count;

/* The row of a name, or NULL. */
const struct language_name *language_names_find(const char *name);

#endif
