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

/* Free the contents and leave an empty string. Accepts a zeroed struct. */
void str_release(struct str *s);

/* Append `length` bytes. Returns 0, ERR_LIMIT past limit_bytes, or ERR_NOMEM. */
int str_append(struct str *s, const void *bytes, size_t length, struct err *err);

/* Append printf-style. Returns 0, ERR_LIMIT or ERR_NOMEM. */
int str_printf(struct str *s, struct err *err, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/*
 * A copy of a NUL-terminated string, or a printf-style one, on the heap; the
 * caller frees it. NULL with ERR_NOMEM in *err on failure.
 */
char *str_copy(const char *text, struct err *err);
char *str_format(struct err *err, const char *fmt, ...) __attribute__((format(printf, 2, 3)));

/*
 * A copy in which \xNN replaces each byte that is not UTF-8 or is part of a control character (C0,
 * DEL, C1), so that text from a file cannot move the terminal's cursor. NULL with ERR_NOMEM.
 */
char *str_visible(const char *text, struct err *err);

/* Whether it contains a control character other than a tab. */
bool str_has_control(const char *text);

/* Take the contents out; the caller frees them and the string is empty again. NULL if nothing was
 * appended. */
char *str_take(struct str *s);

#endif
