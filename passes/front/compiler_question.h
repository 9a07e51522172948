/*
 * compiler_question - what a text asks its compiler in a condition, as `#if __has_builtin(f)`.
 *
 * Such a question goes by a name of our own, warpline__has_builtin_f: source_names lists it, the
 * device is asked for its value as for any expression's, and before the text stands that
 * __has_builtin(f) is that name. The device's compiler must take the question outside of #if, too;
 * one that does not is not asked for anything, and its program is left alone.
 */
#ifndef COMPILER_QUESTION_H
#define COMPILER_QUESTION_H

#include <stdbool.h>
#include <stddef.h>

struct err;
struct str;

enum special_macro {
	SPECIAL_SAME,
	SPECIAL_PLACE,
	SPECIAL_ASKED,
	SPECIAL_REFUSED,
	SPECIAL_NONE, /* not in the list */
};

/* What special_macros.def says of a name. */
enum special_macro special_macro_of(const char *name);

/*
 * The name that a question of a condition goes by, on the heap: of the macro `length` bytes long at
 * `text`, if what follows it before `end` is the name of one thing in parentheses. NULL: it is
 * none, or memory is short, when the macro's own name stands for it.
 */
char *compiler_question_name(const char *text, size_t length, const char *end);

/* Whether a name is that of a question. */
bool compiler_question_is(const char *name);

/* Append the line that asks for it: device_macros.h. 0, ERR_LIMIT, ERR_NOMEM. */
int compiler_question_ask(const char *name, struct str *out, struct err *err);

/* Append what makes the preprocessor give this answer to it. 0, ERR_LIMIT, ERR_NOMEM. */
int compiler_question_answer(const char *name, const char *answer, struct str *out,
                             struct err *err);

#endif
