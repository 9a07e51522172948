/*
 * err - how a function reports that it failed, and why.
 *
 * A function that can fail returns an int: 0 on success, one of the negative
 * ERR_* values otherwise. It also takes `struct err *err` as its last
 * parameter and leaves there one finished sentence, fit to show to the user,
 * that names the file, the place and the expectation. Only cli/ prints errors
 * and only main() chooses the exit status; every other file passes them up.
 */
#ifndef ERR_H
#define ERR_H

enum err_code {
#define ERR(name, value, text) ERR_##name = (value),
#include "errors.def"
#undef ERR
};

struct err {
	int code;      /* 0, or the ERR_* value of the first failure */
	char msg[496]; /* NUL-terminated; empty when code is 0 */
};

/*
 * Record a failure and return its code, so that callers can write
 * `return err_set(err, ERR_IO, "%s: %s", path, strerror(errno));`.
 * The first failure wins: a later one does not overwrite it. `err` may be
 * NULL when the caller does not want the message.
 */
int err_set(struct err *err, enum err_code code, const char *fmt, ...)
	__attribute__((format(printf, 3, 4)));

/* The fixed description of an error code; never NULL. Static storage, do not free. */
const char *err_text(int code);

#endif
