/* SPDX-License-Identifier: Apache-2.0 */
#include "number.h"

#include "err.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* Returns log2 of a size suffix; 0 for none, -1 for an unknown one. */
static int suffix_shift(const char *suffix)
{
	static const char letters[] = "kmg";
	const char *at;

	if (!*suffix)
		return 0;
	at = suffix[1] ? NULL : strchr(letters, tolower((unsigned char)*suffix));
	return at && *at ? 10 * (int)(at - letters + 1) : -1;
}

int number_parse(const char *text, const char *what, uint64_t min, uint64_t max, uint64_t *out,
                 struct err *err)
{
	bool is_hex = text[0] == '0' && (text[1] == 'x' || text[1] == 'X');
	unsigned long long value;
	char *end;
	int shift;

	if (!isdigit((unsigned char)text[0]))
		return err_set(err, ERR_USAGE, "%s: '%s' is not a number", what, text);
	errno = 0;
	value = strtoull(text, &end, is_hex ? 16 : 10);
	shift = suffix_shift(end);
	if (end == text || shift < 0)
		return err_set(err, ERR_USAGE, "%s: '%s' is not a number", what, text);
	if (errno || value > UINT64_MAX >> shift || value << shift < min || value << shift > max)
		return err_set(err, ERR_USAGE, "%s: %s is outside %" PRIu64 "..%" PRIu64, what,
		               text, min, max);
	*out = value << shift;
	return 0;
}

#define NS_PER_SECOND  UINT64_C(1000000000)
#define SECONDS_LIMIT  UINT64_C(1000000000)
#define DECIMALS_LIMIT 9

/* Returns the nanoseconds of the decimals at `text`; 0 for none, UINT64_MAX if they are not a
 * number. */
static uint64_t parse_decimals(const char *text)
{
	uint64_t value = 0, unit = NS_PER_SECOND;

	if (!*text)
		return 0;
	if (text[0] != '.' || !text[1] || strlen(text + 1) > DECIMALS_LIMIT)
		return UINT64_MAX;
	for (const char *c = text + 1; *c; c++) {
		if (!isdigit((unsigned char)*c))
			return UINT64_MAX;
		unit /= 10;
		value += unit * (uint64_t)(*c - '0');
	}
	return value;
}

int number_parse_seconds(const char *text, const char *what, uint64_t *out, struct err *err)
{
	bool is_number = isdigit((unsigned char)text[0]);
	char *end = NULL;
	uint64_t decimals = UINT64_MAX;
	unsigned long long seconds = 0;

	errno = 0;
	if (is_number) {
		seconds = strtoull(text, &end, 10);
		decimals = parse_decimals(end);
	}
	if (decimals == UINT64_MAX)
		return err_set(err, ERR_USAGE, "%s: '%s' is not a number of seconds", what, text);
	if (errno || seconds > SECONDS_LIMIT || seconds * NS_PER_SECOND + decimals == 0)
		return err_set(err, ERR_USAGE,
		               "%s: expected more than 0 and at most 1000000000 seconds, not %s",
		               what, text);
	*out = seconds * NS_PER_SECOND + decimals;
	return 0;
}
