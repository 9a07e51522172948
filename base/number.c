/* SPDX-License-Identifier: Apache-2.0 */
#include "number.h"

#include "err.h"

#include <ctype.h>
#include <errno.h>
#include <inttypes.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

/* The power of two that a size suffix stands for; 0 for none, -1 for an unknown one. */
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
