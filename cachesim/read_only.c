/* SPDX-License-Identifier: Apache-2.0 */
#include "read_only.h"

#include "array.h"
#include "err.h"
#include "gpu.h"
#include "kernel_table.h"
#include "number.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

enum { RULES_MAX = 4096 };

/* By enum read_only_kind. */
static const char *const words[] = { "site", "line", "argument", "buffer" };

/* text[0..length) is the rule. */
static int parse_rule(struct read_only_rule *rule, const char *text, size_t length, struct err *err)
{
	const char *colon = memchr(text, ':', length);
	size_t word = colon ? (size_t)(colon - text) : length, kind = 0;
	char number[24] = "";

	while (kind < sizeof(words) / sizeof(words[0]) &&
	       (strlen(words[kind]) != word || memcmp(words[kind], text, word) != 0))
		kind++;
	if (!colon || kind == sizeof(words) / sizeof(words[0]) || word + 1 == length)
		return err_set(err, ERR_USAGE,
		               "'%.*s': expected site:N, line:N, argument:NAME or buffer:N",
		               (int)length, text);
	rule->kind = (enum read_only_kind)kind;
	length -= word + 1;
	if (rule->kind == READ_ONLY_ARGUMENT) {
		rule->name = strndup(colon + 1, length);
		return rule->name ? 0 : err_set(err, ERR_NOMEM, "out of memory for a list");
	}
	if (length < sizeof(number))
		memcpy(number, colon + 1, length);
	return number_parse(number, words[kind], 0, UINT32_MAX, &rule->number, err);
}

int read_only_list_parse(struct read_only_list *list, const char *text, struct err *err)
{
	size_t count = 1;
	int ret = 0;

	*list = (struct read_only_list){ 0 };
	if (strlen(text) > 1u << 20)
		return err_set(err, ERR_USAGE, "a list of more than %u characters", 1u << 20);
	for (const char *c = text; *c; c++)
		count += *c == ',';
	if (count > RULES_MAX)
		return err_set(err, ERR_USAGE, "%zu rules are more than %d", count, RULES_MAX);
	list->rules = array_alloc(count, sizeof(*list->rules), "rules", err);
	if (!list->rules)
		return ERR_NOMEM;
	while (!ret && list->count < count) {
		size_t length = strcspn(text, ",");

		ret = parse_rule(&list->rules[list->count++], text, length, err);
		text += length + 1;
	}
	return ret;
}

void read_only_list_release(struct read_only_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->rules[i].name);
	free(list->rules);
	*list = (struct read_only_list){ 0 };
}

static bool names_site(const struct read_only_rule *rule, const struct kernel_table *table,
                       size_t number)
{
	const struct site *site = &table->sites[number];

	if (site->kind != SITE_READ)
		return false;
	switch (rule->kind) {
	case READ_ONLY_SITE:
		return rule->number == number;
	case READ_ONLY_LINE:
		return rule->number == site->place.line;
	case READ_ONLY_ARGUMENT:
		return site->argument >= 0 &&
		       !strcmp(table->arguments[site->argument].name, rule->name);
	case READ_ONLY_BUFFER:
		break;
	}
	return false;
}

bool read_only_rule_meets(const struct read_only_rule *rule, const struct kernel_table *table)
{
	for (size_t i = 0; i < table->site_count; i++)
		if (names_site(rule, table, i))
			return true;
	return false;
}

void read_only_list_mark(const struct read_only_list *list, const struct kernel_table *table,
                         bool *is_read_only)
{
	for (size_t r = 0; r < list->count; r++)
		for (size_t i = 0; i < table->site_count; i++)
			is_read_only[i] = is_read_only[i] || names_site(&list->rules[r], table, i);
}

bool read_only_list_has_buffer(const struct read_only_list *list, int64_t buffer)
{
	for (size_t r = 0; r < list->count; r++)
		if (list->rules[r].kind == READ_ONLY_BUFFER &&
		    (int64_t)list->rules[r].number == buffer)
			return true;
	return false;
}

int read_only_gpu(struct gpu *out, const struct gpu *gpu, struct err *err)
{
	uint32_t miss_cycles = gpu->l1_hit_cycles + gpu->l2_cycles;

	if (!gpu->read_only_sets || !gpu->read_only_ways || !gpu->read_only_hit_cycles)
		return err_set(
			err, ERR_CONFIG,
			"%s: no read-only cache is known; read_only_sets, read_only_ways and "
			"read_only_hit_cycles say it",
			gpu->name);
	if (gpu->read_only_hit_cycles >= miss_cycles)
		return err_set(
			err, ERR_CONFIG,
			"%s: read_only_hit_cycles = %u is not less than %u, which a miss takes",
			gpu->name, gpu->read_only_hit_cycles, miss_cycles);
	*out = *gpu;
	out->l1_sets = gpu->read_only_sets;
	out->l1_ways = gpu->read_only_ways;
	out->l1_bytes = 0;
	out->l1_index = gpu->read_only_index;
	out->l1_policy = gpu->read_only_policy;
	out->l1_sector_bytes = gpu->read_only_sector_bytes;
	out->l1_hit_cycles = gpu->read_only_hit_cycles;
	out->l2_cycles = miss_cycles - gpu->read_only_hit_cycles;
	out->l1_write = GPU_L1_WRITE_THROUGH_UPDATE;
	out->l1_allocation = GPU_L1_ALLOCATION_AT_MISS;
	out->l1_mshr_entries = out->l1_mshr_merge = 0;
	return gpu_check(out, err);
}
