/*
 * arg_list - the words of a command line that is being put together.
 *
 * Each word is on the heap and the list's. No quoting: words go to a program as they are.
 */
#ifndef ARG_LIST_H
#define ARG_LIST_H

#include "array.h"

struct err;
struct str;

struct arg_list {
	struct array words; /* of char *, the last one NULL when arg_list_argv() was called */
};

/* Make *l empty; release with arg_list_release(). No allocation. */
void arg_list_init(struct arg_list *l);

/* Free the words. Accepts a zeroed struct. */
void arg_list_release(struct arg_list *l);

size_t arg_list_count(const struct arg_list *l);

/* Word number i, below the count; borrowed. */
const char *arg_list_at(const struct arg_list *l, size_t i);

/* Add a word, printf-style. Returns 0, ERR_LIMIT (more than 65536 words) or ERR_NOMEM. */
int arg_list_add(struct arg_list *l, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* Add copies of `count` words, or of all words of another list. The same errors. */
int arg_list_add_words(struct arg_list *l, const char *const *words, size_t count, struct err *err);
int arg_list_add_list(struct arg_list *l, const struct arg_list *other, struct err *err);

/* Add what lies between the `separators` of `text`; empty pieces are left out. The same errors. */
int arg_list_add_split(struct arg_list *l, const char *text, const char *separators,
                       struct err *err);

/* The words and a NULL behind them, borrowed until the list changes; NULL with ERR_NOMEM. */
char **arg_list_argv(struct arg_list *l, struct err *err);

/* Append the words to *out with blanks between them, quoted as a shell needs. Returns 0, ERR_LIMIT
 * or ERR_NOMEM. */
int arg_list_print(const struct arg_list *l, struct str *out, struct err *err);

#endif
