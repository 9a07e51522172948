/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_plan.h"

#include "array.h"
#include "err.h"
#include "kernel_table.h"

#include <stdlib.h>
#include <string.h>

int number_set_init(struct number_set *s, size_t count, struct err *err)
{
	size_t places = 4;

	*s = (struct number_set){ 0 };
	if (count > SIZE_MAX / 8)
		return err_set(err, ERR_NOMEM, "out of memory for %zu numbers", count);
	while (places / 4 * 3 < count)
		places *= 2;
	s->places = array_alloc(places, sizeof(*s->places), "numbers of a list", err);
	s->mask = places - 1;
	s->shift = 64 - (uint32_t)__builtin_ctzll(places);
	return s->places ? 0 : ERR_NOMEM;
}

void number_set_release(struct number_set *s)
{
	free(s->places);
	*s = (struct number_set){ 0 };
}

void number_set_add(struct number_set *s, uint64_t number)
{
	s->places[number_set_place(s, number)] = number + 1;
}

/* Returns the number of the set of lines for the address of a rule. */
static size_t set_of(const struct bypass_rule *rule, uint32_t sm_count)
{
	return rule->sm < 0 ? sm_count : (size_t)rule->sm;
}

static bool is_wanted(const struct bypass_rule *rule, const struct kernel_table *table,
                      uint32_t sm_count)
{
	return bypass_rule_is_of(rule, table) &&
	       (rule->kind != BYPASS_ADDRESS || rule->sm < (int64_t)sm_count);
}

/* Allocate the sets in their final sizes. */
static int make_sets(struct bypass_plan *plan, size_t buffers, const size_t *lines,
                     uint32_t sm_count, struct err *err)
{
	bool is_any = false;
	int ret = buffers ? number_set_init(&plan->buffers, buffers, err) : 0;

	for (uint32_t i = 0; i <= sm_count; i++)
		is_any = is_any || lines[i];
	if (ret || !is_any)
		return ret;
	plan->lines = array_alloc((size_t)sm_count + 1, sizeof(*plan->lines), "a bypass list", err);
	if (!plan->lines)
		return ERR_NOMEM;
	plan->set_count = sm_count + 1;
	for (uint32_t i = 0; i <= sm_count && !ret; i++)
		if (lines[i])
			ret = number_set_init(&plan->lines[i], lines[i], err);
	return ret;
}

static int count_sets(struct bypass_plan *plan, const struct bypass_list *list,
                      const struct kernel_table *table, uint32_t sm_count, struct err *err)
{
	size_t *lines = array_alloc((size_t)sm_count + 1, sizeof(*lines), "a bypass list", err);
	size_t buffers = 0;
	int ret;

	if (!lines)
		return ERR_NOMEM;
	for (size_t i = 0; i < list->count; i++) {
		const struct bypass_rule *rule = &list->rules[i];

		if (!is_wanted(rule, table, sm_count))
			continue;
		buffers += rule->kind == BYPASS_BUFFER;
		if (rule->kind == BYPASS_ADDRESS)
			lines[set_of(rule, sm_count)]++;
	}
	ret = make_sets(plan, buffers, lines, sm_count, err);
	free(lines);
	return ret;
}

static void mark_sites(struct bypass_plan *plan, const struct bypass_rule *rule,
                       const struct kernel_table *table)
{
	for (size_t i = 0; i < table->site_count; i++) {
		if (!bypass_rule_names(rule, table, i))
			continue;
		plan->sites[i] = true;
		plan->is_any = true;
	}
}

static void add_rule(struct bypass_plan *plan, const struct bypass_rule *rule,
                     const struct kernel_table *table)
{
	if (rule->kind == BYPASS_BUFFER) {
		number_set_add(&plan->buffers, rule->number);
		plan->is_any = true;
	} else if (rule->kind == BYPASS_ADDRESS) {
		number_set_add(&plan->lines[set_of(rule, plan->set_count - 1)],
		               rule->number >> plan->line_shift);
		plan->is_any = true;
	} else if (rule->kind == BYPASS_WARPS) {
		if (rule->number < plan->first_warp)
			plan->first_warp = rule->number;
		plan->is_any = true;
	} else {
		mark_sites(plan, rule, table);
	}
}

int bypass_plan_init(struct bypass_plan *plan, const struct bypass_list *list,
                     const struct kernel_table *table, uint32_t sm_count, uint32_t line_bytes,
                     struct err *err)
{
	int ret;

	*plan = (struct bypass_plan){ .first_warp = UINT64_MAX,
		                      .line_shift = (uint32_t)__builtin_ctz(line_bytes) };
	plan->sites = array_alloc(table->site_count, sizeof(*plan->sites), "sites", err);
	if (!plan->sites)
		return ERR_NOMEM;
	ret = count_sets(plan, list, table, sm_count, err);
	for (size_t i = 0; i < list->count && !ret; i++)
		if (is_wanted(&list->rules[i], table, sm_count))
			add_rule(plan, &list->rules[i], table);
	return ret;
}

void bypass_plan_release(struct bypass_plan *plan)
{
	for (uint32_t i = 0; i < plan->set_count; i++)
		number_set_release(&plan->lines[i]);
	free(plan->lines);
	free(plan->sites);
	number_set_release(&plan->buffers);
	*plan = (struct bypass_plan){ 0 };
}
