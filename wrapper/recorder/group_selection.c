/* SPDX-License-Identifier: Apache-2.0 */
#include "group_selection.h"

#include "array.h"
#include "err.h"
#include "number.h"
#include "str.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

/* first, first + step, ... up to last: first <= last, step >= 1. */
struct number_range {
	uint64_t first, last, step;
};

struct group_selection {
	struct array ranges; /* of struct number_range, at least one */
};

static int not_a_part(const char *what, const char *part, struct err *err)
{
	return err_set(err, ERR_USAGE, "%s: '%s' is not a range; expected %s", what, part,
	               GROUP_SELECTION_SYNTAX);
}

static int parse_number(uint64_t *out, const char *text, uint64_t min, const char *what,
                        struct err *err)
{
	struct err why = { 0 };

	if (number_parse(text, what, min, UINT64_MAX, out, &why) == 0)
		return 0;
	return err_set(err, ERR_USAGE, "%s; expected %s", why.msg, GROUP_SELECTION_SYNTAX);
}

/* Read the numbers before and after `..`. */
static int parse_ends(struct number_range *range, char *part, char *dots, const char *what,
                      struct err *err)
{
	int rc = 0;

	if (*part)
		rc = parse_number(&range->first, part, 0, what, err);
	if (rc == 0 && dots[2])
		rc = parse_number(&range->last, dots + 2, 0, what, err);
	if (rc == 0 && range->first > range->last)
		rc = err_set(err, ERR_USAGE,
		             "%s: %" PRIu64 "..%" PRIu64
		             " ends before it begins; expected A..B with A <= B",
		             what, range->first, range->last);
	return rc;
}

/* Read one part, which is overwritten. */
static int parse_part(struct number_range *range, char *part, const char *what, struct err *err)
{
	char *slash = strchr(part, '/'), *dots = strstr(part, "..");
	int rc = 0;

	*range = (struct number_range){ 0, UINT64_MAX, 1 };
	if (!*part || (slash && slash != part && !dots) || (dots && slash && slash < dots) ||
	    !strcmp(part, ".."))
		return not_a_part(what, part, err);
	if (slash) {
		rc = parse_number(&range->step, slash + 1, 1, what, err);
		*slash = '\0';
	}
	if (rc || slash == part)
		return rc;
	if (dots) {
		*dots = '\0';
		return parse_ends(range, part, dots, what, err);
	}
	rc = parse_number(&range->first, part, 0, what, err);
	range->last = range->first;
	return rc;
}

static int parse_parts(struct group_selection *s, char *rest, const char *what, struct err *err)
{
	char *part;
	int rc = 0;

	while (rc == 0 && (part = strsep(&rest, ","))) {
		struct number_range *range = array_push(&s->ranges, 1, err);

		rc = range ? parse_part(range, part, what, err) : ERR_LIMIT;
	}
	return rc;
}

int group_selection_parse(struct group_selection **out, const char *text, const char *what,
                          struct err *err)
{
	struct group_selection *s = array_alloc(1, sizeof(*s), "selection", err);
	char *copy = s ? str_copy(text, err) : NULL;
	int rc = ERR_NOMEM;

	if (s)
		array_init(&s->ranges, sizeof(struct number_range), GROUP_SELECTION_LIMIT,
		           "parts of a selection");
	if (copy)
		rc = parse_parts(s, copy, what, err);
	free(copy);
	if (rc < 0)
		group_selection_free(s);
	else
		*out = s;
	return rc;
}

void group_selection_free(struct group_selection *s)
{
	if (!s)
		return;
	array_release(&s->ranges);
	free(s);
}

bool group_selection_has(const struct group_selection *s, uint64_t group)
{
	const struct number_range *ranges = s->ranges.data;

	for (size_t i = 0; i < s->ranges.count; i++)
		if (group >= ranges[i].first && group <= ranges[i].last &&
		    (group - ranges[i].first) % ranges[i].step == 0)
			return true;
	return false;
}

/* Find the least number of a range that is >= `from`; false if there is none. */
static bool range_next(const struct number_range *range, uint64_t from, uint64_t *next)
{
	uint64_t over, missing;

	if (from <= range->first) {
		*next = range->first;
		return true;
	}
	if (from > range->last)
		return false;
	over = (from - range->first) % range->step;
	missing = over ? range->step - over : 0;
	*next = from + missing;
	return missing <= range->last - from;
}

uint64_t group_selection_next(const struct group_selection *s, uint64_t from, uint64_t end)
{
	const struct number_range *ranges = s->ranges.data;
	uint64_t least = end, next;

	for (size_t i = 0; i < s->ranges.count; i++)
		if (range_next(&ranges[i], from, &next) && next < least)
			least = next;
	return least;
}
