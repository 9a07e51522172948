/* SPDX-License-Identifier: Apache-2.0 */
#include "manifest_sum.h"

#include "err.h"
#include "str.h"

#include <assert.h>
#include <inttypes.h>
#include <stdio.h>
#include <string.h>
#include <xxhash.h>

static const char beginning[] = ",\"sum\":\"0x";

enum { BEGINNING = sizeof(beginning) - 1, DIGITS = 16, ENDING = BEGINNING + DIGITS + 2 };

/* What stands behind `length` bytes of a line, with its end. */
static void make_ending(char to[ENDING + 1], const char *line, size_t length)
{
	snprintf(to, ENDING + 1, "%s%016" PRIx64 "\"}", beginning, XXH64(line, length, 0));
}

int manifest_sum_add(struct str *line, struct err *err)
{
	char ending[ENDING + 1];

	assert(line->length > 2 && line->text[line->length - 1] == '}');
	line->length--;
	make_ending(ending, line->text, line->length);
	return str_append(line, ending, ENDING, err);
}

int manifest_sum_check(const char *line, size_t length, bool is_needed, struct err *err)
{
	char ending[ENDING + 1];
	size_t before = length > ENDING ? length - ENDING : 0;

	if (!before || memcmp(line + before, beginning, BEGINNING) != 0)
		return is_needed ? err_set(err, ERR_FORMAT, "expected a sum at the line's end") : 0;
	make_ending(ending, line, before);
	if (memcmp(line + before, ending, ENDING) == 0)
		return 0;
	return err_set(err, ERR_FORMAT, "the line is damaged: its sum is another");
}
