/*
 * source_names - the identifiers of C source, each once, with the information that shows how a
 * macro of that name would be used.
 *
 * Comments, strings and numbers contain none. Code excluded by #if counts: nothing is evaluated. A
 * question to the compiler in a condition has a name of its own (compiler_question_ask()).
 * Trigraphs are not supported.
 */
#ifndef SOURCE_NAMES_H
#define SOURCE_NAMES_H

#include "array.h"

#include <stdbool.h>
#include <stddef.h>

struct err;
struct str;

struct source_name {
	char *text;
	int argument_count; /* of its first call: f(a, b) 2, f() 0; -1: it is never called */
	bool is_tested;     /* used in the condition of an #if, #ifdef, #ifndef or #elif */
};

struct source_names {
	struct array list;   /* of struct source_name *, in order of appearance */
	void *tree;          /* the same names, for tsearch() */
	const char *watched; /* searched for in strings, borrowed; NULL: nothing */
	char *found;         /* the first string that contains it, from the match on; NULL: none */
};

/* Start with no names, watching for nothing. Release with source_names_release(), which accepts a
 * zeroed struct. */
void source_names_init(struct source_names *n);
void source_names_release(struct source_names *n);

/* Add the names in source code. Returns 0, ERR_NOMEM or ERR_LIMIT. */
int source_names_read(struct source_names *n, const char *text, size_t length, struct err *err);

/* Add one name of `length` bytes. NULL with ERR_NOMEM or ERR_LIMIT. */
struct source_name *source_names_add(struct source_names *n, const char *text, size_t length,
                                     struct err *err);

/* Name i, i < n->list.count; the entry for a name, or NULL. */
const struct source_name *source_names_at(const struct source_names *n, size_t i);
const struct source_name *source_names_find(const struct source_names *n, const char *text);

/*
 * A question that source asks its compiler in a condition, like `#if __has_builtin(f)`.
 *
 * Such a question has a name of our own, warpline__has_builtin_f. source_names lists it, the device
 * is asked for its value like that of any expression, and before the source __has_builtin(f) is
 * defined as that name. The device's compiler must accept the question outside of #if as well; if
 * it does not, it is not asked anything, and the program is not instrumented.
 */

enum special_macro {
	SPECIAL_SAME,
	SPECIAL_PLACE,
	SPECIAL_ASKED,
	SPECIAL_REFUSED,
	SPECIAL_NONE, /* not in the list */
};

/* How to treat a name that no compiler is asked about. */
enum special_macro special_macro_of(const char *name);

/* Whether a name stands for a question. */
bool compiler_question_is(const char *name);

/* Append the line that asks it: device_macros.h. Returns 0, ERR_LIMIT or ERR_NOMEM. */
int compiler_question_ask(const char *name, struct str *out, struct err *err);

/* Append what makes the preprocessor give this answer. Returns 0, ERR_LIMIT or ERR_NOMEM. */
int compiler_question_answer(const char *name, const char *answer, struct str *out,
                             struct err *err);

#endif
