/* SPDX-License-Identifier: Apache-2.0 */
#include "fail_on.h"

#include "err.h"

#include <string.h>

static bool is_word(const char *word, size_t length, const char *name)
{
	return strlen(name) == length && !memcmp(word, name, length);
}

/* A severity, or "any". */
static bool take_severity(struct fail_on *f, const char *word, size_t length)
{
	for (int s = FINDING_MINOR; s <= FINDING_SEVERE; s++) {
		enum finding_severity severity = (enum finding_severity)s;

		if (!is_word(word, length, finding_severity_name(severity)) &&
		    (s != FINDING_MINOR || !is_word(word, length, "any")))
			continue;
		if (!f->has_severity || severity < f->severity)
			f->severity = severity;
		f->has_severity = true;
		return true;
	}
	return false;
}

static int take(struct fail_on *f, const char *word, size_t length, struct err *err)
{
	enum finding_rule rule = finding_find(word, length);

	if (take_severity(f, word, length))
		return 0;
	if (rule == FINDING_NAMES)
		return err_set(
			err, ERR_USAGE,
			"--fail-on: '%.*s' is not a rule; there are: any minor notable severe"
#define FINDING(NAME, name, most, title, advice) " " name
#include "findings.def"
#undef FINDING
			,
			length > 40 ? 40 : (int)length, word);
	f->rules[rule] = true;
	return 0;
}

int fail_on_parse(struct fail_on *f, const char *list, struct err *err)
{
	int ret = 0;

	*f = (struct fail_on){ .is_asked = list != NULL };
	while (list && !ret) {
		size_t length = strcspn(list, ",");

		ret = take(f, list, length, err);
		list = list[length] ? list + length + 1 : NULL;
	}
	return ret;
}

size_t fail_on_count(const struct fail_on *f, const struct finding_list *list)
{
	size_t count = 0;

	for (size_t i = 0; i < list->count; i++)
		count += f->rules[list->items[i].rule] ||
		         (f->has_severity && list->items[i].severity >= f->severity);
	return count;
}

enum finding_rule fail_on_blind(const struct fail_on *f, const struct finding_list *list)
{
	size_t rule = 0;

	while (rule < FINDING_NAMES &&
	       !(list->not_looked[rule] &&
	         (f->rules[rule] || (f->has_severity && rule < FINDING_RULES))))
		rule++;
	return (enum finding_rule)rule;
}
