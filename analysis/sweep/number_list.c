/* SPDX-License-Identifier: Apache-2.0 */
#include "number_list.h"

#include "err.h"
#include "number.h"

#include <inttypes.h>
#include <string.h>

static int insert(struct number_list *list, uint32_t number, const struct number_bounds *b,
                  struct err *err)
{
	size_t at = list->count;

	while (at && list->numbers[at - 1] > number)
		at--;
	if (at && list->numbers[at - 1] == number)
		return 0;
	if (list->count == NUMBER_LIST_LIMIT)
		return err_set(err, ERR_USAGE, "%s: more than %d numbers", b->what,
		               NUMBER_LIST_LIMIT);
	memmove(list->numbers + at + 1, list->numbers + at,
	        (list->count - at) * sizeof(list->numbers[0]));
	list->numbers[at] = number;
	list->count++;
	return 0;
}

static int insert_range(struct number_list *list, uint64_t from, uint64_t to,
                        const struct number_bounds *b, struct err *err)
{
	size_t before = list->count;
	int ret = 0;

	if (from > to)
		return err_set(err, ERR_USAGE, "%s: %" PRIu64 "..%" PRIu64 " ends before it begins",
		               b->what, from, to);
	if (b->range == NUMBER_RANGE_ALL) {
		for (uint64_t n = from; !ret && n <= to; n++)
			ret = insert(list, (uint32_t)n, b, err);
		return ret;
	}
	for (uint64_t n = 1; !ret && n <= to; n *= 2)
		if (n >= from)
			ret = insert(list, (uint32_t)n, b, err);
	if (!ret && list->count == before)
		return err_set(err, ERR_USAGE, "%s: %" PRIu64 "..%" PRIu64 " adds no power of two",
		               b->what, from, to);
	return ret;
}

/* Parse one part, NUL-terminated; changes it. */
static int parse_part(struct number_list *list, char *part, const struct number_bounds *b,
                      struct err *err)
{
	char *dots = strstr(part, "..");
	uint64_t from, to;

	if (dots)
		*dots = '\0';
	if (number_parse(part, b->what, b->min, b->max, &from, err))
		return ERR_USAGE;
	if (!dots)
		return insert(list, (uint32_t)from, b, err);
	if (number_parse(dots + 2, b->what, b->min, b->max, &to, err))
		return ERR_USAGE;
	return insert_range(list, from, to, b, err);
}

int number_list_parse(struct number_list *list, const char *text, const struct number_bounds *b,
                      struct err *err)
{
	int ret = 0;

	list->count = 0;
	for (const char *at = text; !ret && at; at = strchr(at, ',')) {
		char part[64];
		size_t length;

		at += at != text; /* skip the comma */
		length = strcspn(at, ",");
		if (length >= sizeof(part))
			return err_set(err, ERR_USAGE, "%s: '%s' is not a list of numbers", b->what,
			               text);
		memcpy(part, at, length);
		part[length] = '\0';
		ret = parse_part(list, part, b, err);
	}
	return ret;
}
