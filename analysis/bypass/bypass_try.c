/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_try.h"

#include "address_use.h"
#include "bypass_plan.h"
#include "err.h"
#include "kernel_table.h"
#include "recording.h"

#include <stdlib.h>
#include <string.h>

static const char *const row_words[] = {
#define BYPASS_ROW(NAME, word, way, text) word,
#include "bypass_rows.def"
#undef BYPASS_ROW
};

const char *bypass_row_word(enum bypass_row row)
{
	return row_words[row];
}

bool bypass_try_was_played(const struct bypass_try *t)
{
	return t->entries[BYPASS_ROW_CACHE_ALL].is_there;
}

bool bypass_try_gains(const struct bypass_try *t)
{
	return bypass_try_was_played(t) && t->entries[t->best].list.count;
}

bool bypass_try_bypasses(const struct bypass_try *t, size_t site)
{
	const struct bypass_list *list = &t->entries[t->best].list;
	bool is = false;

	for (size_t i = 0; i < list->count && !is; i++)
		is = (list->rules[i].kind == BYPASS_WARPS && !list->rules[i].number) ||
		     bypass_rule_names(&list->rules[i], t->kernel.table, site);
	return is;
}

/* A kernel being tried. */
struct trial {
	struct bypass_try *t;
	const struct bypass_wish *wish;
	struct bypass_judge judge;
};

/* Returns the kernel's name for its rules; lists do not change it. */
static char *name_of(const struct bypass_try *t)
{
	return t->kernel.table->name;
}

/* Measure a row whose list is made. */
static int measure(struct trial *trial, enum bypass_row row, struct err *err)
{
	struct bypass_entry *e = &trial->t->entries[row];
	const struct bypass_list *list = &e->list;

	e->is_there = true;
	return bypass_run_measure(&trial->t->kernel, &list, 1, &e->measure, err);
}

static int try_all(struct trial *trial, struct err *err)
{
	const struct bypass_rule all = { .kind = BYPASS_ALL,
		                         .kernel = name_of(trial->t),
		                         .sm = -1 };
	int ret = bypass_list_add(&trial->t->entries[BYPASS_ROW_ALL].list, &all, err);

	return ret ? ret : measure(trial, BYPASS_ROW_ALL, err);
}

/* Try the rules of the given list that concern the kernel. */
static int try_given(struct trial *trial, struct err *err)
{
	const struct bypass_list *given = trial->wish->given;
	int ret = 0;

	if (!given)
		return 0;
	for (size_t i = 0; i < given->count && !ret; i++) {
		const struct bypass_rule *rule = &given->rules[i];

		if (!rule->kernel || !strcmp(rule->kernel, name_of(trial->t)))
			ret = bypass_list_add(&trial->t->entries[BYPASS_ROW_GIVEN].list, rule, err);
	}
	return ret ? ret : measure(trial, BYPASS_ROW_GIVEN, err);
}

static int compare_lines(const void *a, const void *b)
{
	const struct address_use_line *x = a, *y = b;

	if (x->sum.stays != y->sum.stays)
		return x->sum.stays > y->sum.stays ? -1 : 1;
	if (x->line != y->line)
		return x->line < y->line ? -1 : 1;
	return x->sm < y->sm ? -1 : x->sm > y->sm;
}

/* Keep the lines that the criterion names and that were loaded most often. */
static int keep_lines(struct bypass_try *t, uint64_t top, struct err *err)
{
	struct address_use_line *lines = NULL, *kept;
	size_t count = 0, poor = 0;
	int ret = address_use_lines(t->kernel.use, false, &lines, &count, err);

	if (ret)
		return ret;
	for (size_t i = 0; i < count; i++)
		if (address_use_is_poor(&lines[i].sum))
			lines[poor++] = lines[i];
	if (poor)
		qsort(lines, poor, sizeof(*lines), compare_lines);
	t->line_count = poor < top ? poor : (size_t)top;
	kept = t->line_count ? realloc(lines, t->line_count * sizeof(*lines)) : NULL;
	t->lines = kept ? kept : lines;
	return 0;
}

static int try_addresses(struct trial *trial, struct err *err)
{
	struct bypass_try *t = trial->t;
	int ret = 0;

	for (int merged = 0; merged < 2 && !ret; merged++) {
		enum bypass_row row = merged ? BYPASS_ROW_ADDRESS_MERGED : BYPASS_ROW_ADDRESS;

		ret = address_use_rules(t->kernel.use, merged, name_of(t), &t->entries[row].list,
		                        &t->poor[merged], err);
		if (!ret)
			ret = measure(trial, row, err);
	}
	return ret ? ret : keep_lines(t, trial->wish->top, err);
}

/* Add the rules of candidates with U * (1 + R) < 1. */
static int add_poor(const struct bypass_searched *s, char *kernel, struct bypass_list *list,
                    struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < s->count && !ret; i++) {
		struct bypass_rule rule = s->candidates[i].rule;

		rule.kernel = kernel;
		if (s->candidates[i].is_poor)
			ret = bypass_list_add(list, &rule, err);
	}
	return ret;
}

/* Make the lists by the criterion and by search: rows `row` and the next. */
static int search(struct trial *trial, struct bypass_searched *s, enum bypass_row row,
                  struct err *err)
{
	struct bypass_entry *poor = &trial->t->entries[row], *best = poor + 1;
	struct bypass_search_setup setup;
	int ret;

	for (size_t i = 0; i < s->count; i++)
		s->candidates[i].rule.kernel = name_of(trial->t);
	ret = add_poor(s, name_of(trial->t), &poor->list, err);
	if (!ret)
		ret = measure(trial, row, err);
	setup = bypass_search_defaults(&trial->judge, s->candidates, s->count);
	setup.limit = trial->wish->limit;
	if (!ret)
		ret = bypass_search(&setup, &s->found, err);
	if (!ret)
		ret = bypass_search_list(s->candidates, s->found.count, s->found.chosen,
		                         &best->list, err);
	return ret ? ret : measure(trial, (enum bypass_row)(row + 1), err);
}

static int try_sites(struct trial *trial, struct err *err)
{
	struct bypass_try *t = trial->t;
	int ret = bypass_candidates_sites(t->kernel.use, t->kernel.table, &t->sites.candidates,
	                                  &t->sites.count, err);

	return ret ? ret : search(trial, &t->sites, BYPASS_ROW_SITE_CRITERION, err);
}

/* Whether the argument of every read that was made is known. */
static bool has_arguments(const struct bypass_try *t)
{
	const struct address_use_row *rows = address_use_sites(t->kernel.use);
	const struct kernel_table *table = t->kernel.table;

	for (size_t i = 0; i < table->site_count; i++) {
		int32_t argument = table->sites[i].argument;

		if (rows[i].reads &&
		    (argument < 0 || (size_t)argument >= table->argument_count ||
		     !table->arguments[argument].name || !*table->arguments[argument].name))
			return false;
	}
	return true;
}

static int try_buffers(struct trial *trial, struct err *err)
{
	struct bypass_try *t = trial->t;
	struct bypass_searched *s = &t->buffers;
	int ret;

	t->is_by_buffer = !has_arguments(t);
	if (t->is_by_buffer)
		ret = bypass_candidates_buffers(t->kernel.use, t->kernel.table,
		                                t->kernel.run->recording->buffer_count,
		                                &s->candidates, &s->count, err);
	else
		ret = bypass_candidates_arguments(t->kernel.use, t->kernel.table, &s->candidates,
		                                  &s->count, err);
	return ret ? ret : search(trial, s, BYPASS_ROW_BUFFER_CRITERION, err);
}

static int try_warps(struct trial *trial, struct err *err)
{
	struct bypass_try *t = trial->t;
	int ret = warp_curve_measure(&t->warps, &trial->judge, name_of(t), t->kernel.warps, NULL,
	                             err);

	if (!ret)
		ret = warp_curve_list(&t->warps, name_of(t), &t->entries[BYPASS_ROW_WARP].list,
		                      err);
	return ret ? ret : measure(trial, BYPASS_ROW_WARP, err);
}

static int try_hybrid(struct trial *trial, struct err *err)
{
	struct bypass_try *t = trial->t;
	const struct bypass_list *sites = &t->entries[BYPASS_ROW_SITE].list;
	int ret = warp_curve_measure(&t->hybrid, &trial->judge, name_of(t), t->kernel.warps, sites,
	                             err);

	if (!ret)
		ret = warp_curve_hybrid(&t->hybrid, name_of(t), sites,
		                        &t->entries[BYPASS_ROW_HYBRID].list, err);
	return ret ? ret : measure(trial, BYPASS_ROW_HYBRID, err);
}

/* Whether a row can be chosen. No program can apply lists of lines of memory: they can be chosen
 * only if nothing else was requested. */
static bool can_be_best(const struct bypass_wish *wish, enum bypass_row row)
{
	bool is_other_wanted = wish->given;

	for (size_t i = 0; i < BYPASS_WAYS; i++)
		is_other_wanted |= i != BYPASS_WAY_address && wish->is_wanted[i];
	return !is_other_wanted || (row != BYPASS_ROW_ADDRESS && row != BYPASS_ROW_ADDRESS_MERGED);
}

/* Returns the row to apply; the first of equals. */
static enum bypass_row choose(const struct bypass_try *t, const struct bypass_wish *wish)
{
	struct bypass_option options[BYPASS_ROWS];
	enum bypass_row rows[BYPASS_ROWS];
	size_t count = 0;

	for (enum bypass_row row = 0; row < BYPASS_ROWS; row++) {
		const struct bypass_entry *e = &t->entries[row];

		if (!e->is_there || !can_be_best(wish, row))
			continue;
		rows[count] = row;
		options[count++] = (struct bypass_option){ e->measure, e->list.count };
	}
	return rows[bypass_choose(options, count, wish->objective, BYPASS_CHOICE_THRESHOLD_PPM)];
}

/* Keep the sums of the reads and free the rest, which is large. */
static int keep_uses(struct bypass_try *t, struct err *err)
{
	size_t count = t->kernel.table->site_count;
	int ret;

	t->uses = array_alloc(count, sizeof(*t->uses), "sites", err);
	ret = t->uses ? 0 : ERR_NOMEM;
	if (!ret && count)
		memcpy(t->uses, address_use_sites(t->kernel.use), count * sizeof(*t->uses));
	t->dropped = address_use_dropped(t->kernel.use);
	address_use_free(t->kernel.use);
	t->kernel.use = NULL;
	return ret;
}

int bypass_try_play(struct bypass_try *t, const struct bypass_wish *wish, bool is_one,
                    struct err *err)
{
	struct trial trial = {
		t, wish, { bypass_run_measure, &t->kernel, wish->objective, &t->kernel.cache_all }
	};
	const bool *is_wanted = wish->is_wanted;
	int ret = bypass_kernel_begin(&t->kernel, is_one, err);

	if (ret || !t->kernel.launches.count)
		return ret;
	t->entries[BYPASS_ROW_CACHE_ALL] =
		(struct bypass_entry){ .is_there = true, .measure = t->kernel.cache_all };
	ret = try_all(&trial, err);
	if (!ret)
		ret = try_given(&trial, err);
	if (!ret && is_wanted[BYPASS_WAY_address])
		ret = try_addresses(&trial, err);
	if (!ret && (is_wanted[BYPASS_WAY_site] || is_wanted[BYPASS_WAY_hybrid]))
		ret = try_sites(&trial, err);
	if (!ret && is_wanted[BYPASS_WAY_buffer])
		ret = try_buffers(&trial, err);
	if (!ret && is_wanted[BYPASS_WAY_warp])
		ret = try_warps(&trial, err);
	if (!ret && is_wanted[BYPASS_WAY_hybrid])
		ret = try_hybrid(&trial, err);
	if (!ret)
		t->best = choose(t, wish);
	return ret ? ret : keep_uses(t, err);
}

static void release_search(struct bypass_searched *s)
{
	free(s->candidates);
	bypass_found_release(&s->found);
}

void bypass_try_release(struct bypass_try *t)
{
	for (size_t i = 0; i < BYPASS_ROWS; i++)
		bypass_list_release(&t->entries[i].list);
	free(t->uses);
	free(t->lines);
	release_search(&t->sites);
	release_search(&t->buffers);
	warp_curve_release(&t->warps);
	warp_curve_release(&t->hybrid);
	bypass_kernel_release(&t->kernel);
}
