/*
 * str - a growable string with a size limit.
 *
 * `text` is NUL-terminated after the first successful append; the contents may
 * hold NUL bytes when appended with str_append(). A failed append leaves the
 * string as it was.
 */
#ifndef STR_H
#define STR_H

#include <stdbool.h>
#include <stddef.h>

struct err;

struct str {
	char *text;         /* NULL until something is appended */
	size_t length;      /* bytes without the final NUL */
	size_t capacity;    /* bytes allocated */
	size_t limit_bytes; /* most bytes it may hold */
};

/* Make *s empty; release with str_release(). No allocation. */
void str_init(struct str *s, size_t limit_bytes);

/* Free the text and leave an empty string. Accepts a zeroed struct. */
void str_release(struct str *s);

/* Append `length` bytes. Returns 0, ERR_LIMIT past limit_bytes, or ERR_NOMEM. */
int str_append(struct str *s, const void *bytes, size_t length, struct err *err);

/* Append printf-style. Returns 0, ERR_LIMIT or ERR_NOMEM. */
int str_printf(struct str *s, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * A copy on the heap of a NUL-terminated text, or of a printf-style one; the
 * caller frees it. NULL with ERR_NOMEM in *err on failure.
 */
char *str_copy(const char *text, struct err *err);
char *str_format(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * A copy in which each byte of a control character (C0, DEL, C1), and each byte that is not UTF-8,
 * is \xNN: what comes from a file cannot move a terminal's cursor. NULL with ERR_NOMEM.
 */
char *str_visible(const char *text, struct err *err);

/* Whether there is a control character in it; tabs do not count. */
bool str_has_control(const char *text);

/* Take the text out: the caller frees it; the string is empty again. NULL when nothing was added.
 */
char *str_take(struct str *s);

#endif
