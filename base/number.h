/*
 * number - parses numbers from strings, within a range.
 */
#ifndef NUMBER_H
#define NUMBER_H

#include <stdint.h>

struct err;

/*
 * Parse all of `text` as a non-negative integer, decimal or 0x hexadecimal,
 * with an optional suffix k, m or g (times 1024, 1024^2, 1024^3; either case).
 * Returns 0 or ERR_USAGE with "WHAT: 'TEXT' is not a number" or "WHAT: N is
 * outside MIN..MAX"; *out is unchanged on failure.
 */
int number_parse(const char *text, const char *what, uint64_t min, uint64_t max, uint64_t *out,
                 struct err *err);

/*
 * Parse seconds: digits, optionally followed by a point and one to nine decimals; more than 0 and
 * at most 10^9 seconds. Independent of the locale. Returns 0 with *out in nanoseconds, or ERR_USAGE
 * with "WHAT: ..." and what is expected; *out is unchanged on failure.
 */
int number_parse_seconds(const char *text, const char *what, uint64_t *out, struct err *err);

#endif
