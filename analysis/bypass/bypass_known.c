/* SPDX-License-Identifier: Apache-2.0 */
/*
 * A key has a digit for each site of each kernel of the name, 1 for a read that a rule names, then
 * PI, then the other rules, sorted, each once.
 */
#include "bypass_known.h"

#include "bypass_list.h"
#include "bypass_plan.h"
#include "err.h"
#include "recording.h"
#include "str.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

enum { LISTS_LIMIT = 1 << 20, KEY_LIMIT_BYTES = 1 << 24 };

void bypass_known_init(struct bypass_known *k, const struct recording *r, const char *kernel,
                       uint32_t warps)
{
	*k = (struct bypass_known){ .recording = r, .kernel = kernel, .warps = warps };
	array_init(&k->lists, sizeof(struct known_list), LISTS_LIMIT, "bypass lists");
}

void bypass_known_release(struct bypass_known *k)
{
	struct known_list *lists = k->lists.data;

	for (size_t i = 0; i < k->lists.count; i++) {
		free(lists[i].key);
		free(lists[i].text);
	}
	array_release(&k->lists);
}

static bool concerns(const struct bypass_known *k, const struct bypass_rule *rule)
{
	return !rule->kernel || !strcmp(rule->kernel, k->kernel);
}

/* Whether a rule names a read by its site; PI 0 names all. */
static bool names_site(const struct bypass_rule *rule, const struct kernel_table *table,
                       size_t site)
{
	if (rule->kind == BYPASS_WARPS && !rule->number)
		return true;
	return bypass_rule_names(rule, table, site);
}

/* Append the digits of the sites; *is_all becomes false if a read is named by no rule. */
static int put_sites(struct str *key, const struct bypass_known *k,
                     const struct kernel_table *table, const struct bypass_list *list, bool *is_all,
                     struct err *err)
{
	int ret = 0;

	for (size_t i = 0; !ret && i < table->site_count; i++) {
		bool is_named = false;

		for (size_t r = 0; r < list->count && !is_named; r++)
			is_named = table->sites[i].kind == SITE_READ &&
			           concerns(k, &list->rules[r]) &&
			           names_site(&list->rules[r], table, i);
		*is_all = *is_all && (is_named || table->sites[i].kind != SITE_READ);
		ret = str_append(key, is_named ? "1" : "0", 1, err);
	}
	return ret;
}

/* The least PI of the rules, or `warps` if there is none. */
static uint64_t find_pi(const struct bypass_known *k, const struct bypass_list *list)
{
	uint64_t pi = k->warps;

	for (size_t i = 0; i < list->count; i++) {
		const struct bypass_rule *rule = &list->rules[i];

		if (concerns(k, rule) && rule->kind == BYPASS_WARPS && rule->number < pi)
			pi = rule->number;
	}
	return pi;
}

static int compare_rules(const void *a, const void *b)
{
	const struct bypass_rule *x = *(const struct bypass_rule *const *)a,
				 *y = *(const struct bypass_rule *const *)b;

	if (x->kind != y->kind)
		return x->kind < y->kind ? -1 : 1;
	if (x->number != y->number)
		return x->number < y->number ? -1 : 1;
	return x->sm < y->sm ? -1 : x->sm > y->sm;
}

static int put_others(struct str *key, const struct bypass_known *k, const struct bypass_list *list,
                      struct err *err)
{
	const struct bypass_rule **rules = array_alloc(list->count, sizeof(*rules), "rules", err);
	size_t count = 0;
	int ret = rules ? 0 : ERR_NOMEM;

	for (size_t i = 0; rules && i < list->count; i++) {
		const struct bypass_rule *rule = &list->rules[i];

		if (concerns(k, rule) &&
		    (rule->kind == BYPASS_BUFFER || rule->kind == BYPASS_ADDRESS))
			rules[count++] = rule;
	}
	if (count)
		qsort(rules, count, sizeof(*rules), compare_rules);
	for (size_t i = 0; !ret && i < count; i++) {
		if (i && !compare_rules(&rules[i - 1], &rules[i]))
			continue;
		ret = str_printf(key, err, " %d:%" PRIu64 ":%" PRId64, (int)rules[i]->kind,
		                 rules[i]->number, rules[i]->sm);
	}
	free(rules);
	return ret;
}

char *bypass_known_key(const struct bypass_known *k, const struct bypass_list *list,
                       struct err *err)
{
	const struct recording *r = k->recording;
	struct str key;
	bool is_all = true;
	int ret = 0;

	if (list->count > BYPASS_KNOWN_RULES)
		return NULL;
	str_init(&key, KEY_LIMIT_BYTES);
	for (size_t i = 0; !ret && i < r->kernel_count; i++)
		if (!strcmp(r->kernels[i].table.name, k->kernel))
			ret = put_sites(&key, k, &r->kernels[i].table, list, &is_all, err);
	/* if all reads bypass, no other rule matters */
	if (!ret)
		ret = str_printf(&key, err, " %" PRIu64, is_all ? 0 : find_pi(k, list));
	if (!ret && !is_all)
		ret = put_others(&key, k, list, err);
	if (!ret)
		return str_take(&key);
	str_release(&key);
	return NULL;
}

/* FNV-1a. */
static uint64_t hash_text(const char *text)
{
	uint64_t hash = UINT64_C(0xcbf29ce484222325);

	for (; *text; text++)
		hash = (hash ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
	return hash;
}

const struct bypass_measure *bypass_known_find(const struct bypass_known *k, const char *key)
{
	const struct known_list *lists = k->lists.data;
	uint64_t hash = hash_text(key);

	for (size_t i = 0; i < k->lists.count; i++)
		if (lists[i].key && lists[i].hash == hash && !strcmp(lists[i].key, key))
			return &lists[i].measure;
	return NULL;
}

static int put_rule(struct str *out, const struct bypass_rule *rule, struct err *err)
{
	const char *word = bypass_kind_word(rule->kind);

	if (rule->kind == BYPASS_ALL)
		return str_printf(out, err, "%s", word);
	if (rule->kind == BYPASS_ARGUMENT)
		return str_printf(out, err, "%s:%s", word, rule->name);
	if (rule->kind != BYPASS_ADDRESS)
		return str_printf(out, err, "%s:%" PRIu64, word, rule->number);
	if (rule->sm < 0)
		return str_printf(out, err, "%s:%#" PRIx64, word, rule->number);
	return str_printf(out, err, "%s:%#" PRIx64 " sm %" PRId64, word, rule->number, rule->sm);
}

/* Returns the list as on a command line. */
static char *make_text(const struct bypass_list *list, struct err *err)
{
	struct str text;
	int ret = 0;

	str_init(&text, KEY_LIMIT_BYTES);
	if (!list->count)
		ret = str_append(&text, "none", 4, err);
	for (size_t i = 0; i < list->count && i < BYPASS_KNOWN_SHOWN && !ret; i++) {
		ret = i ? str_append(&text, ",", 1, err) : 0;
		if (!ret)
			ret = put_rule(&text, &list->rules[i], err);
	}
	if (!ret && list->count > BYPASS_KNOWN_SHOWN)
		ret = str_append(&text, ",...", 4, err);
	if (!ret)
		return str_take(&text);
	str_release(&text);
	return NULL;
}

int bypass_known_add(struct bypass_known *k, const char *key, const struct bypass_list *list,
                     const struct bypass_measure *m, struct err *err)
{
	char *copy = key ? str_copy(key, err) : NULL, *text = make_text(list, err);
	struct known_list *known = NULL;

	if (text && (copy || !key))
		known = array_push(&k->lists, 1, err);
	if (!known) {
		free(copy);
		free(text);
		return err->code;
	}
	*known = (struct known_list){ key ? hash_text(key) : 0, copy, text, list->count, *m };
	return 0;
}
