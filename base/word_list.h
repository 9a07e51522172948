/*
 * word_list - a growable argument vector, ready for exec.
 *
 * word_list_split() splits a string as a POSIX shell splits a command line
 * (blanks, single and double quotes, backslashes); it expands nothing.
 * word_list_print() quotes words for a shell.
 */
#ifndef WORD_LIST_H
#define WORD_LIST_H

#include "array.h"

struct err;
struct str;

struct word_list {
	struct array words; /* char *, without the final NULL */
};

/* Make it empty; release with word_list_release(). */
void word_list_init(struct word_list *l);

/* Free list and words. Accepts a zeroed struct. */
void word_list_release(struct word_list *l);

/* Append a copy of `word`, or a printf-style one. Returns 0, ERR_NOMEM or ERR_LIMIT. */
int word_list_add(struct word_list *l, const char *word, struct err *err);
int word_list_format(struct word_list *l, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Append copies of `count` words, or of the words of another list. Same errors. */
int word_list_add_words(struct word_list *l, const char *const *words, size_t count,
                        struct err *err);
int word_list_add_list(struct word_list *l, const struct word_list *other, struct err *err);

/* Append the parts of `text` between `separators`; empty parts are skipped. Same errors. */
int word_list_add_pieces(struct word_list *l, const char *text, const char *separators,
                         struct err *err);

/*
 * Append the words of `text`. Returns 0; ERR_USAGE if a quote is not closed or `text` ends in a
 * backslash (the list then has the words before it); ERR_NOMEM; ERR_LIMIT.
 */
int word_list_split(struct word_list *l, const char *text, struct err *err);

/* Number of words, and word i (i < count), borrowed. */
size_t word_list_count(const struct word_list *l);
const char *word_list_at(const struct word_list *l, size_t i);

/* The words with a NULL after the last, borrowed until the next change; NULL with ERR_NOMEM. */
char *const *word_list_argv(struct word_list *l, struct err *err);

/* Append the words to *out, separated by blanks and quoted as a shell needs. Returns 0, ERR_LIMIT
 * or ERR_NOMEM. */
int word_list_print(const struct word_list *l, struct str *out, struct err *err);

#endif
