/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_list.h"

#include "bypass_list_private.h"
#include "err.h"
#include "number.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { TEXT_MAX = 1 << 20 };

const struct bypass_kind_row bypass_kind_rows[] = {
#define BYPASS_KIND(NAME, word, number, text) { word, number },
#include "bypass_kinds.def"
#undef BYPASS_KIND
};
const size_t bypass_kind_count = sizeof(bypass_kind_rows) / sizeof(bypass_kind_rows[0]);

const char *bypass_kind_word(enum bypass_kind kind)
{
	return bypass_kind_rows[kind].word;
}

/* --- a list ------------------------------------------------------------------------------------
 */

/* Place for one more. */
static int reserve(struct bypass_list *list, struct err *err)
{
	size_t capacity = list->capacity ? 2 * list->capacity : 16;
	struct bypass_rule *rules;

	if (list->count == BYPASS_RULES_MAX)
		return err_set(err, ERR_LIMIT, "a bypass list of more than %d rules",
		               BYPASS_RULES_MAX);
	if (list->count < list->capacity)
		return 0;
	rules = reallocarray(list->rules, capacity, sizeof(*rules));
	if (!rules)
		return err_set(err, ERR_NOMEM, "out of memory for a bypass list");
	list->rules = rules;
	list->capacity = capacity;
	return 0;
}

/* The name that the rule before has already, or a copy. */
static char *own_kernel(const struct bypass_list *list, const char *kernel, struct err *err)
{
	char *last = list->count ? list->rules[list->count - 1].kernel : NULL;

	return last && !strcmp(last, kernel) ? last : str_copy(kernel, err);
}

int bypass_list_add(struct bypass_list *list, const struct bypass_rule *rule, struct err *err)
{
	int ret = reserve(list, err);
	struct bypass_rule *own;
	bool is_whole;

	if (ret)
		return ret;
	own = &list->rules[list->count];
	*own = *rule;
	own->kernel = rule->kernel ? own_kernel(list, rule->kernel, err) : NULL;
	own->name = rule->name ? str_copy(rule->name, err) : NULL;
	own->place.file = rule->place.file ? str_copy(rule->place.file, err) : NULL;
	list->count++;
	is_whole = !own->kernel == !rule->kernel && !own->name == !rule->name &&
	           !own->place.file == !rule->place.file;
	return is_whole ? 0 : ERR_NOMEM;
}

void bypass_list_release(struct bypass_list *list)
{
	for (size_t i = 0; i < list->count; i++) {
		const struct bypass_rule *rule = &list->rules[i];

		if (i + 1 == list->count || rule[1].kernel != rule->kernel)
			free(rule->kernel);
		free(rule->name);
		free(rule->place.file);
	}
	free(list->rules);
	*list = (struct bypass_list){ 0 };
}

/* --- a command line's --------------------------------------------------------------------------
 */

/* "site:N, line:N or all": what is allowed. */
static int expect(const char *text, size_t length, uint32_t kinds, struct err *err)
{
	char known[160] = "";
	size_t used = 0, left = 0;

	for (size_t i = 0; i < bypass_kind_count; i++)
		left += kinds >> i & 1;
	for (size_t i = 0; i < bypass_kind_count && used < sizeof(known); i++) {
		const struct bypass_kind_row *row = &bypass_kind_rows[i];
		const char *between = !used ? "" : left > 1 ? ", " : " or ";

		if (!(kinds >> i & 1))
			continue;
		left--;
		used += (size_t)snprintf(known + used, sizeof(known) - used, "%s%s%s%s", between,
		                         row->word, *row->number ? ":" : "", row->number);
	}
	return err_set(err, ERR_USAGE, "'%.*s': expected %s", (int)length, text, known);
}

/* The kind whose word is text[0..length); bypass_kind_count: none. */
size_t bypass_kind_find(const char *text, size_t length)
{
	size_t kind = 0;

	while (kind < bypass_kind_count && (strlen(bypass_kind_rows[kind].word) != length ||
	                                    memcmp(bypass_kind_rows[kind].word, text, length) != 0))
		kind++;
	return kind;
}

int bypass_rule_set_number(struct bypass_rule *rule, const char *text, struct err *err)
{
	uint64_t max = rule->kind == BYPASS_ADDRESS ? UINT64_MAX : UINT32_MAX;

	return number_parse(text, bypass_kind_word(rule->kind), 0, max, &rule->number, err);
}

/* text[0..length) is the rule. */
static int parse_rule(struct bypass_list *list, const char *text, size_t length, uint32_t kinds,
                      struct err *err)
{
	const char *colon = memchr(text, ':', length);
	size_t word = colon ? (size_t)(colon - text) : length, kind = bypass_kind_find(text, word);
	struct bypass_rule rule = { .kind = (enum bypass_kind)kind, .sm = -1 };
	char value[BYPASS_NAME_MAX + 1];
	int ret = 0;

	if (kind == bypass_kind_count || !(kinds >> kind & 1) ||
	    (rule.kind == BYPASS_ALL ? colon != NULL : !colon || word + 1 == length))
		return expect(text, length, kinds, err);
	length -= colon ? word + 1 : word;
	if (length > BYPASS_NAME_MAX)
		return err_set(err, ERR_LIMIT, "a name of more than %d characters",
		               BYPASS_NAME_MAX);
	memcpy(value, text + word + 1, length);
	value[length] = '\0';
	if (rule.kind == BYPASS_ARGUMENT)
		rule.name = value;
	else if (rule.kind != BYPASS_ALL)
		ret = bypass_rule_set_number(&rule, value, err);
	return ret ? ret : bypass_list_add(list, &rule, err);
}

int bypass_list_parse_kinds(struct bypass_list *list, const char *text, uint32_t kinds,
                            struct err *err)
{
	int ret = 0;

	if (strlen(text) > TEXT_MAX)
		return err_set(err, ERR_USAGE, "a list of more than %d characters", TEXT_MAX);
	if (kinds == BYPASS_KINDS_ANY && !strcmp(text, "none"))
		return 0;
	while (!ret) {
		size_t length = strcspn(text, ",");

		ret = parse_rule(list, text, length, kinds, err);
		if (!text[length])
			break;
		text += length + 1;
	}
	return ret;
}

int bypass_list_parse(struct bypass_list *list, const char *text, struct err *err)
{
	return bypass_list_parse_kinds(list, text, BYPASS_KINDS_ANY, err);
}

int bypass_list_load(struct bypass_list *list, const char *text_or_path, struct err *err)
{
	size_t word = strcspn(text_or_path, ":,"), kind = bypass_kind_find(text_or_path, word);
	bool is_text = !strcmp(text_or_path, "none");

	if (kind == BYPASS_ALL)
		is_text = text_or_path[word] != ':';
	else if (kind < bypass_kind_count || access(text_or_path, F_OK) != 0)
		is_text = is_text || text_or_path[word] == ':';
	return is_text ? bypass_list_parse(list, text_or_path, err)
	               : bypass_list_read(list, text_or_path, err);
}
