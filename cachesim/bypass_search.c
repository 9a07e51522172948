/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_search.h"

#include "array.h"
#include "bypass_choice.h"
#include "bypass_list.h"
#include "bypass_measure.h"
#include "bypass_sites.h"
#include "err.h"
#include "kernel_table.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

static struct bypass_rule rule_of(const struct kernel_table *table, enum bypass_kind kind,
                                  uint64_t number)
{
	return (struct bypass_rule){
		.kind = kind,
		.kernel = table->name && *table->name ? kernel_table_symbol(table) : NULL,
		.number = number,
		.sm = -1,
	};
}

static int by_weight(const void *a, const void *b)
{
	const struct bypass_candidate *x = a, *y = b;

	if (x->use.bytes_moved != y->use.bytes_moved)
		return x->use.bytes_moved > y->use.bytes_moved ? -1 : 1;
	if (x->reads != y->reads)
		return x->reads > y->reads ? -1 : 1;
	return (x->rule.number > y->rule.number) - (x->rule.number < y->rule.number);
}

/* Keep the candidates with reads, in order. Returns their number. */
static size_t keep_readers(struct bypass_candidate *list, size_t count)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++) {
		list[i].is_poor = address_use_is_poor(&list[i].use);
		if (list[i].reads)
			list[kept++] = list[i];
	}
	qsort(list, kept, sizeof(*list), by_weight);
	return kept;
}

static void add_row(struct bypass_candidate *c, const struct address_use_row *row)
{
	c->reads += row->reads;
	address_use_add(&c->use, &row->sum);
}

int bypass_candidates_sites(const struct address_use *use, const struct kernel_table *table,
                            struct bypass_candidate **out, size_t *count, struct err *err)
{
	const struct address_use_row *rows = address_use_sites(use);
	struct bypass_candidate *list =
		array_alloc(table->site_count, sizeof(*list), "candidates", err);

	if (!list)
		return ERR_NOMEM;
	for (size_t i = 0; i < table->site_count; i++) {
		list[i].rule = rule_of(table, BYPASS_SITE, i);
		list[i].rule.place = bypass_place_of(table, i);
		add_row(&list[i], &rows[i]);
	}
	*out = list;
	*count = keep_readers(list, table->site_count);
	return 0;
}

int bypass_candidates_arguments(const struct address_use *use, const struct kernel_table *table,
                                struct bypass_candidate **out, size_t *count, struct err *err)
{
	const struct address_use_row *rows = address_use_sites(use);
	struct bypass_candidate *list =
		array_alloc(table->argument_count, sizeof(*list), "candidates", err);

	if (!list)
		return ERR_NOMEM;
	for (size_t i = 0; i < table->argument_count; i++) {
		list[i].rule = rule_of(table, BYPASS_ARGUMENT, i);
		list[i].rule.name = table->arguments[i].name;
	}
	for (size_t i = 0; i < table->site_count; i++) {
		int32_t argument = table->sites[i].argument;

		if (argument < 0 || (size_t)argument >= table->argument_count)
			continue;
		if (list[argument].rule.name && *list[argument].rule.name)
			add_row(&list[argument], &rows[i]);
	}
	*out = list;
	*count = keep_readers(list, table->argument_count);
	return 0;
}

int bypass_candidates_buffers(const struct address_use *use, const struct kernel_table *table,
                              size_t buffer_count, struct bypass_candidate **out, size_t *count,
                              struct err *err)
{
	const struct address_use_row *rows = address_use_buffers(use);
	struct bypass_candidate *list = array_alloc(buffer_count, sizeof(*list), "candidates", err);

	if (!list)
		return ERR_NOMEM;
	for (size_t i = 0; i < buffer_count; i++) {
		list[i].rule = rule_of(table, BYPASS_BUFFER, i);
		add_row(&list[i], &rows[i + 1]);
	}
	*out = list;
	*count = keep_readers(list, buffer_count);
	return 0;
}

/*
 * bypass_memo - the measures of sets of candidates, each measured once (private to this room). A
 * set is 64 bits: bit i is candidate i.
 */

struct bypass_candidate;

struct bypass_memo {
	const struct bypass_judge *judge;
	const struct bypass_candidate *candidates;
	size_t count;
	const struct bypass_list *base; /* NULL: none */
	uint64_t left;                  /* sets that may still be measured */
	bool is_limited;                /* a set was not measured because of `left` */
	struct array entries;           /* of struct memo_entry */
	uint32_t *slots;                /* entry + 1, by hash; 0: free; at most half are used */
	size_t slot_count;
};

struct memo_entry {
	uint64_t set;
	struct bypass_measure measure;
};

/* A batch for the judge. */
struct batch {
	uint64_t *sets;
	struct bypass_list *lists;
	const struct bypass_list **pointers;
	struct bypass_measure *measures;
	size_t count, capacity;
};

/* Make *m empty; the fields before `left` are borrowed. No allocation. */
static void bypass_memo_init(struct bypass_memo *m)
{
	array_init(&m->entries, sizeof(struct memo_entry), UINT32_MAX - 1, "measured lists");
	m->slots = NULL;
	m->slot_count = 0;
	m->is_limited = false;
}

static void bypass_memo_release(struct bypass_memo *m)
{
	array_release(&m->entries);
	free(m->slots);
	m->slots = NULL;
}

static const struct memo_entry *entry_at(const struct bypass_memo *m, size_t i)
{
	return (const struct memo_entry *)m->entries.data + i;
}

/* Returns the slot of a set, or the free slot for it. slot_count > 0. */
static uint32_t *find_slot(const struct bypass_memo *m, uint64_t set)
{
	size_t at = (size_t)(set * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (m->slot_count - 1);

	while (m->slots[at] && entry_at(m, m->slots[at] - 1)->set != set)
		at = (at + 1) & (m->slot_count - 1);
	return &m->slots[at];
}

/* Returns the measure of a set, valid until the next bypass_memo_measure(), or NULL if it has none.
 */
static const struct bypass_measure *bypass_memo_find(const struct bypass_memo *m, uint64_t set)
{
	const uint32_t *slot = m->slot_count ? find_slot(m, set) : NULL;

	return slot && *slot ? &entry_at(m, *slot - 1)->measure : NULL;
}

/* Make slots for `count` more entries. */
static int reserve(struct bypass_memo *m, size_t count, struct err *err)
{
	size_t wanted = 2 * (m->entries.count + count);

	if (wanted <= m->slot_count)
		return 0;
	if (!m->slot_count)
		m->slot_count = 256;
	while (m->slot_count < wanted)
		m->slot_count *= 2;
	free(m->slots);
	m->slots = array_alloc(m->slot_count, sizeof(*m->slots), "measured lists", err);
	if (!m->slots) {
		m->slot_count = 0;
		return ERR_NOMEM;
	}
	for (size_t i = 0; i < m->entries.count; i++)
		*find_slot(m, entry_at(m, i)->set) = (uint32_t)i + 1;
	return 0;
}

static int batch_init(struct batch *b, size_t count, struct err *err)
{
	*b = (struct batch){ .capacity = count };
	b->sets = array_alloc(count, sizeof(*b->sets), "lists", err);
	b->lists = array_alloc(count, sizeof(*b->lists), "lists", err);
	b->pointers = array_alloc(count, sizeof(const struct bypass_list *), "lists", err);
	b->measures = array_alloc(count, sizeof(*b->measures), "measures", err);
	return b->sets && b->lists && b->pointers && b->measures ? 0 : ERR_NOMEM;
}

static void batch_release(struct batch *b)
{
	for (size_t i = 0; b->lists && i < b->capacity; i++)
		bypass_list_release(&b->lists[i]);
	free(b->sets);
	free(b->lists);
	free(b->pointers);
	free(b->measures);
}

static int make_list(const struct bypass_memo *m, uint64_t set, struct bypass_list *list,
                     struct err *err)
{
	int ret = 0;

	for (size_t i = 0; m->base && i < m->base->count && !ret; i++)
		ret = bypass_list_add(list, &m->base->rules[i], err);
	return ret ? ret : bypass_search_list(m->candidates, m->count, set, list, err);
}

/* Add the sets that have no measure to the batch, as many as may be measured. */
static int fill_batch(struct bypass_memo *m, struct batch *b, const uint64_t *sets, size_t count,
                      struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++) {
		if (bypass_memo_find(m, sets[i]))
			continue;
		if (!m->left) {
			m->is_limited = true;
			break;
		}
		m->left--;
		b->sets[b->count] = sets[i];
		b->pointers[b->count] = &b->lists[b->count];
		ret = make_list(m, sets[i], &b->lists[b->count++], err);
	}
	return ret;
}

static int keep(struct bypass_memo *m, const struct batch *b, struct err *err)
{
	int ret = reserve(m, b->count, err);

	for (size_t i = 0; i < b->count && !ret; i++) {
		struct memo_entry *e = array_push(&m->entries, 1, err);

		if (!e)
			return ERR_NOMEM;
		*e = (struct memo_entry){ b->sets[i], b->measures[i] };
		*find_slot(m, e->set) = (uint32_t)m->entries.count;
	}
	return ret;
}

/* Measure those of sets[0..count) that have no measure, in one batch, the first ones if the limit
 * does not allow all. No set may be given twice. Returns 0, ERR_NOMEM, or an error of the judge or
 * bypass_list_add(). */
static int bypass_memo_measure(struct bypass_memo *m, const uint64_t *sets, size_t count,
                               struct err *err)
{
	const struct bypass_judge *judge = m->judge;
	struct batch b;
	int ret = batch_init(&b, count, err);

	if (!ret)
		ret = fill_batch(m, &b, sets, count, err);
	if (!ret && b.count)
		ret = judge->measure(judge->context, b.pointers, b.count, b.measures, err);
	if (!ret && b.count)
		ret = keep(m, &b, err);
	batch_release(&b);
	return ret;
}

/* The state of a search. */
struct search {
	const struct bypass_search_setup *setup;
	struct bypass_memo memo;
	size_t count;        /* candidates */
	uint64_t most_bytes; /* bytes that a list may move from L2 */
	uint64_t ceiling;    /* while trading, first figures up to this are equally good */
	bool is_trading;     /* the second figure is minimised */
	struct bypass_found *found;
};

/* A list and its figures. */
struct trial {
	uint64_t set;
	/* Compared in order, least is best: bytes above the limit, then two figures. */
	uint64_t figures[3];
	struct bypass_measure measure;
	uint32_t candidate; /* the candidate that it adds or removes */
};

struct bypass_search_setup bypass_search_defaults(const struct bypass_judge *judge,
                                                  const struct bypass_candidate *candidates,
                                                  size_t count)
{
	return (struct bypass_search_setup){ .judge = *judge,
		                             .candidates = candidates,
		                             .count = count,
		                             .exhaustive = BYPASS_SEARCH_EXHAUSTIVE,
		                             .limit = BYPASS_SEARCH_LIMIT,
		                             .slack_ppm = BYPASS_SEARCH_SLACK_PPM };
}

int bypass_search_list(const struct bypass_candidate *candidates, size_t count, uint64_t chosen,
                       struct bypass_list *list, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < count && i < BYPASS_SEARCH_CANDIDATES && !ret; i++)
		if (chosen >> i & 1)
			ret = bypass_list_add(list, &candidates[i].rule, err);
	return ret;
}

/* Better lists come first; among equals, that with fewer rules. */
static int compare(const struct trial *a, const struct trial *b)
{
	int a_rules = __builtin_popcountll(a->set), b_rules = __builtin_popcountll(b->set);

	for (size_t i = 0; i < 3; i++)
		if (a->figures[i] != b->figures[i])
			return a->figures[i] < b->figures[i] ? -1 : 1;
	return (a_rules > b_rules) - (a_rules < b_rules);
}

static int by_worth(const void *a, const void *b)
{
	const struct trial *x = a, *y = b;
	int ret = compare(x, y);

	return ret ? ret : (x->candidate > y->candidate) - (x->candidate < y->candidate);
}

static struct trial trial_of(const struct search *s, uint64_t set, const struct bypass_measure *m)
{
	enum bypass_objective objective = s->setup->judge.objective;
	uint64_t first = bypass_measure_value(m, objective);
	uint64_t second = bypass_measure_second(m, objective);
	struct trial t = { .set = set, .figures = { 0, first, second }, .measure = *m };

	if (m->bytes_from_l2 > s->most_bytes)
		t.figures[0] = m->bytes_from_l2 - s->most_bytes;
	if (s->is_trading) {
		t.figures[1] = first > s->ceiling ? UINT64_MAX : second;
		t.figures[2] = first;
	}
	return t;
}

/* Fill *out with a measured list; false if it was not measured. */
static bool find(const struct search *s, uint64_t set, struct trial *out)
{
	const struct bypass_measure *m = bypass_memo_find(&s->memo, set);

	if (m)
		*out = trial_of(s, set, m);
	return m != NULL;
}

static struct trial end_of(const struct search *s, const struct bypass_path *path)
{
	return trial_of(s, path->end, &path->end_measure);
}

static int step(struct bypass_path *path, const struct trial *to, struct err *err)
{
	size_t bytes = (path->count + 1) * sizeof(*path->steps);
	struct bypass_step *steps = realloc(path->steps, bytes);

	if (!steps)
		return err_set(err, ERR_NOMEM, "out of memory for a search");
	path->steps = steps;
	steps[path->count++] = (struct bypass_step){ .chosen = to->set,
		                                     .candidate = to->candidate,
		                                     .is_added = to->set >> to->candidate & 1,
		                                     .measure = to->measure };
	path->end = to->set;
	path->end_measure = to->measure;
	return 0;
}

/* Measure all lists that differ from the path's end in one of the candidates in `among`.
 * trials[0..*count) are those that could be measured. */
static int look_around(struct search *s, const struct bypass_path *path, uint64_t among,
                       struct trial *trials, size_t *count, struct err *err)
{
	uint64_t sets[BYPASS_SEARCH_CANDIDATES] = { 0 };
	size_t wanted = 0;
	int ret;

	*count = 0;
	for (size_t i = 0; i < s->count; i++)
		if (among >> i & 1)
			sets[wanted++] = path->end ^ (uint64_t)1 << i;
	ret = bypass_memo_measure(&s->memo, sets, wanted, err);
	for (size_t i = 0; i < wanted && !ret; i++)
		if (find(s, sets[i], &trials[*count])) {
			trials[*count].candidate = (uint32_t)__builtin_ctzll(sets[i] ^ path->end);
			++*count;
		}
	return ret;
}

/* Move the helpful ones to the front, the most helpful first. Returns their number. */
static size_t keep_helpful(struct trial *trials, size_t count, const struct trial *now)
{
	size_t kept = 0;

	for (size_t i = 0; i < count; i++)
		if (compare(&trials[i], now) < 0)
			trials[kept++] = trials[i];
	qsort(trials, kept, sizeof(*trials), by_worth);
	return kept;
}

/* Apply the helpful changes one after another, as long as each list is better than the previous
 * one. */
static int take(struct search *s, struct bypass_path *path, const struct trial *helpful,
                size_t count, struct err *err)
{
	uint64_t sets[BYPASS_SEARCH_CANDIDATES] = { 0 }, set = path->end;
	struct trial now, last = end_of(s, path);
	int ret;

	for (size_t i = 0; i < count; i++)
		sets[i] = set ^= (uint64_t)1 << helpful[i].candidate;
	ret = bypass_memo_measure(&s->memo, sets, count, err);
	for (size_t i = 0; i < count && !ret; i++) {
		if (!find(s, sets[i], &now) || compare(&now, &last) >= 0)
			break;
		now.candidate = helpful[i].candidate;
		ret = step(path, &now, err);
		last = now;
	}
	return ret;
}

/* Climb until no single change helps. */
static int climb(struct search *s, struct bypass_path *path, struct err *err)
{
	struct trial trials[BYPASS_SEARCH_CANDIDATES], now;
	size_t count = 0;
	int ret;

	do {
		ret = look_around(s, path, UINT64_MAX, trials, &count, err);
		if (ret)
			break;
		now = end_of(s, path);
		count = keep_helpful(trials, count, &now);
		ret = take(s, path, trials, count, err);
	} while (!ret && count);
	return ret;
}

/* Begin a path at this list, if it can be measured. */
static int begin(struct search *s, struct bypass_path *path, uint64_t start, struct err *err)
{
	struct trial now;
	int ret = bypass_memo_measure(&s->memo, &start, 1, err);

	path->start = path->end = start;
	if (ret || !find(s, start, &now))
		return ret;
	path->is_walked = true;
	path->start_measure = path->end_measure = now.measure;
	return 0;
}

/* Drop rules, the least costly first, while the first figure stays below the ceiling and the second
 * within the slack. */
static int drop(struct search *s, struct bypass_path *path, struct err *err)
{
	struct trial trials[BYPASS_SEARCH_CANDIDATES], now = end_of(s, path);
	uint64_t most = now.figures[1] + bypass_measure_part(now.figures[1], s->setup->slack_ppm);
	size_t count, kept;
	int ret;

	do {
		ret = look_around(s, path, path->end, trials, &count, err);
		kept = 0;
		for (size_t i = 0; i < count && !ret; i++)
			if (trials[i].figures[0] <= now.figures[0] && trials[i].figures[1] <= most)
				trials[kept++] = trials[i];
		if (kept > 1)
			qsort(trials, kept, sizeof(*trials), by_worth);
		if (kept && !ret)
			ret = step(path, &trials[0], err);
	} while (kept && !ret);
	return ret;
}

/* Continue from the best end: lists as good in the first figure and better in the second, then
 * fewer rules. */
static int refine(struct search *s, const struct bypass_path *best, struct err *err)
{
	uint64_t first = bypass_measure_value(&best->end_measure, s->setup->judge.objective);
	struct bypass_found *f = s->found;
	int ret;

	s->is_trading = true;
	s->ceiling = first + bypass_measure_part(first, s->setup->slack_ppm);
	ret = begin(s, &f->trades, best->end, err);
	if (!ret)
		ret = climb(s, &f->trades, err);
	if (!ret)
		ret = begin(s, &f->drops, f->trades.end, err);
	if (!ret)
		ret = drop(s, &f->drops, err);
	s->is_trading = false;
	return ret;
}

static uint64_t criterion(const struct search *s)
{
	uint64_t set = 0;

	for (size_t i = 0; i < s->count; i++)
		set |= (uint64_t)s->setup->candidates[i].is_poor << i;
	return set;
}

/* Climb from all three starts and refine the best end. */
static int climb_all(struct search *s, struct err *err)
{
	struct bypass_found *f = s->found;
	uint64_t all = s->count ? UINT64_MAX >> (64 - s->count) : 0;
	const uint64_t starts[BYPASS_STARTS] = { 0, criterion(s), all };
	struct trial best, end;
	int ret = 0;

	for (size_t i = 0; i < BYPASS_STARTS && !ret; i++) {
		bool is_new = true;

		for (size_t j = 0; j < i; j++)
			is_new &= starts[j] != starts[i];
		f->paths[i].start = f->paths[i].end = starts[i];
		if (is_new)
			ret = begin(s, &f->paths[i], starts[i], err);
		if (f->paths[i].is_walked && !ret)
			ret = climb(s, &f->paths[i], err);
		end = end_of(s, &f->paths[i]);
		best = end_of(s, &f->paths[f->best]);
		if (f->paths[i].is_walked && compare(&end, &best) < 0)
			f->best = (enum bypass_start)i;
	}
	return ret ? ret : refine(s, &f->paths[f->best], err);
}

/* Choose among all 2^count lists. */
static void choose(struct search *s, const struct bypass_option *options, size_t all)
{
	enum bypass_objective objective = s->setup->judge.objective;
	struct bypass_slack slack = bypass_slack_of(options, all, &s->setup->judge);
	struct bypass_found *f = s->found;

	f->is_exhaustive = true;
	f->optimum = bypass_pick(options, all, objective, &slack);
	f->optimum_measure = options[f->optimum].measure;
	slack.first = bypass_measure_part(bypass_measure_value(&f->optimum_measure, objective),
	                                  s->setup->slack_ppm);
	slack.second = bypass_measure_part(bypass_measure_second(&f->optimum_measure, objective),
	                                   s->setup->slack_ppm);
	f->chosen = bypass_pick(options, all, objective, &slack);
	f->measure = options[f->chosen].measure;
}

/* Measure all 2^count lists and choose one. */
static int exhaust(struct search *s, struct err *err)
{
	size_t all = (size_t)1 << s->count;
	uint64_t *sets = array_alloc(all, sizeof(*sets), "lists", err);
	struct bypass_option *options = array_alloc(all, sizeof(*options), "lists", err);
	int ret = sets && options ? 0 : ERR_NOMEM;

	for (size_t i = 0; i < all && !ret; i++)
		sets[i] = i;
	if (!ret)
		ret = bypass_memo_measure(&s->memo, sets, all, err);
	for (size_t i = 0; i < all && !ret; i++)
		options[i] = (struct bypass_option){ *bypass_memo_find(&s->memo, i),
			                             (size_t)__builtin_popcountll(i) };
	if (!ret)
		choose(s, options, all);
	free(sets);
	free(options);
	return ret;
}

static int run(struct search *s, struct err *err)
{
	const struct bypass_search_setup *setup = s->setup;
	bool is_small = s->count <= setup->exhaustive && s->count <= BYPASS_SEARCH_EXHAUSTIVE_MAX;
	int ret = 0;

	s->memo.left = is_small ? UINT64_MAX : setup->limit ? setup->limit : 1;
	if (is_small)
		ret = exhaust(s, err);
	if (!ret)
		ret = climb_all(s, err);
	if (!ret && !is_small) {
		s->found->chosen = s->found->drops.end;
		s->found->measure = s->found->drops.end_measure;
	}
	return ret;
}

int bypass_search(const struct bypass_search_setup *setup, struct bypass_found *out,
                  struct err *err)
{
	const struct bypass_judge *judge = &setup->judge;
	struct search s = { .setup = setup, .count = setup->count, .found = out };
	int ret;

	*out = (struct bypass_found){ 0 };
	if (s.count > BYPASS_SEARCH_CANDIDATES)
		s.count = BYPASS_SEARCH_CANDIDATES;
	out->count = s.count;
	out->left_out = setup->count - s.count;
	s.most_bytes = bypass_measure_ceiling(judge->before, judge->objective);
	s.memo = (struct bypass_memo){ .judge = judge,
		                       .candidates = setup->candidates,
		                       .count = s.count,
		                       .base = setup->base };
	bypass_memo_init(&s.memo);
	ret = run(&s, err);
	out->evaluations = s.memo.entries.count;
	out->is_limited = s.memo.is_limited;
	bypass_memo_release(&s.memo);
	return ret;
}

void bypass_found_release(struct bypass_found *f)
{
	for (size_t i = 0; i < BYPASS_STARTS; i++)
		free(f->paths[i].steps);
	free(f->trades.steps);
	free(f->drops.steps);
	*f = (struct bypass_found){ 0 };
}
