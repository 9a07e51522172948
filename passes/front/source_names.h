/*
 * source_names - the identifiers of C source, each once, with what shows how its macro would be
 * used.
 *
 * Comments, strings and numbers have none. What #if leaves out counts: nothing is evaluated.
 * What a condition asks the compiler has a name of its own (compiler_question_ask()).
 * Trigraphs are not read.
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
	int argument_count; /* of the first call of it, f(a, b): 2; f(): 0; -1: it is never called
	                     */
	bool is_tested;     /* it stands in the condition of an #if, #ifdef, #ifndef or #elif */
};

struct source_names {
	struct array list;   /* of struct source_name *, in the order in which they were met */
	void *tree;          /* the same, for tsearch() */
	const char *watched; /* what is looked for in strings, borrowed; NULL: nothing */
	char *found;         /* the first string that has it, from there on; NULL: none has */
};

/* None, nothing watched for. Release with source_names_release(), which takes a zeroed struct too.
 */
void source_names_init(struct source_names *n);
void source_names_release(struct source_names *n);

/* Add those of a string of source. Returns 0, ERR_NOMEM or ERR_LIMIT. */
int source_names_read(struct source_names *n, const char *text, size_t length, struct err *err);

/* Add one, of `length` bytes. NULL: ERR_NOMEM or ERR_LIMIT. */
struct source_name *source_names_add(struct source_names *n, const char *text, size_t length,
                                     struct err *err);

/* Name i, i < n->list.count; the one of this text, or NULL. */
const struct source_name *source_names_at(const struct source_names *n, size_t i);
const struct source_name *source_names_find(const struct source_names *n, const char *text);

/*
 * What source asks its compiler in a condition, as `#if __has_builtin(f)`.
 *
 * Such a question goes by a name of our own, warpline__has_builtin_f: source_names lists it, the
 * device is asked for its value as for any expression's, and before the text stands that
 * __has_builtin(f) is that name. The device's compiler must take the question outside of #if, too;
 * one that does not is not asked for anything, and its program is left alone.
 */

enum special_macro {
	SPECIAL_SAME,
	SPECIAL_PLACE,
	SPECIAL_ASKED,
	SPECIAL_REFUSED,
	SPECIAL_NONE, /* not in the list */
};

/* What becomes of a name that no compiler is asked about. */
enum special_macro special_macro_of(const char *name);

/* Whether a name is that of a question. */
bool compiler_question_is(const char *name);

/* Append the line that asks for it: device_macros.h. 0, ERR_LIMIT, ERR_NOMEM. */
int compiler_question_ask(const char *name, struct str *out, struct err *err);

/* Append what makes the preprocessor give this answer to it. 0, ERR_LIMIT, ERR_NOMEM. */
int compiler_question_answer(const char *name, const char *answer, struct str *out,
                             struct err *err);

#endif
