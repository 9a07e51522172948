/* SPDX-License-Identifier: Apache-2.0 */
#include "finding.h"

#include "array.h"
#include "err.h"
#include "finding_spot.h"
#include "gpu.h"
#include "recording.h"
#include "replay_choice.h"
#include "stats_row.h"
#include "str.h"

#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name, *title, *advice;
} rules[] = {
#define FINDING(NAME, name, title, advice) [FINDING_##NAME] = { name, title, advice },
#include "findings.def"
#undef FINDING
};

static void (*const finders[])(const struct finding_scene *s, size_t spot,
                               struct finding_claim *c) = {
	[FINDING_UNCOALESCED] = finding_uncoalesced,     [FINDING_MISALIGNED] = finding_misaligned,
	[FINDING_THRASHING] = finding_thrashing,         [FINDING_STREAMING] = finding_streaming,
	[FINDING_SET_CONFLICT] = finding_set_conflict,   [FINDING_HOT_LINE] = finding_hot_line,
	[FINDING_FALSE_REUSE] = finding_false_reuse,     [FINDING_DIVERGENT] = finding_divergent,
	[FINDING_REWRITTEN] = finding_rewritten,         [FINDING_REFETCHED] = finding_refetched,
	[FINDING_BANK_CONFLICT] = finding_bank_conflict,
};

const char *finding_name(enum finding_rule rule)
{
	return rules[rule].name;
}

const char *finding_title(enum finding_rule rule)
{
	return rules[rule].title;
}

const char *finding_severity_name(enum finding_severity severity)
{
	static const char *const names[] = { "minor", "notable", "severe" };

	return names[severity];
}

enum finding_rule finding_find(const char *name, size_t length)
{
	for (size_t i = 0; i < FINDING_RULES; i++)
		if (strlen(rules[i].name) == length && !memcmp(rules[i].name, name, length))
			return (enum finding_rule)i;
	return FINDING_RULES;
}

/* An atomic request is as many turns as it has lanes. */
static uint64_t turns_of(const struct finding_scene *s)
{
	const struct report_numbers *n = &s->data->total;
	uint64_t turns = stats_row_requests(&n->l1) +
	                 finding_turns(s, n->l1.bytes_from_l2 + n->bytes_to_l2) +
	                 n->side.local_instructions + n->side.bank_conflicts;

	for (size_t i = 0; i < s->data->kernel_count; i++)
		turns += s->data->kernels[i].hot.atomic_lanes - s->data->kernels[i].hot.atomics;
	return turns;
}

static bool is_same_text(const char *a, const char *b)
{
	return !strcmp(a ? a : "", b ? b : "");
}

bool finding_spot_has(const struct finding_spot *p, const struct report_site *s)
{
	const struct site *a = p->facts, *b = s->facts;

	if (a == b)
		return true;
	return a->kind == b->kind && a->argument == b->argument && a->space == b->space &&
	       is_same_text(a->expression, b->expression) && a->place.file && b->place.file &&
	       a->place.line && a->place.line == b->place.line &&
	       !strcmp(a->place.file, b->place.file);
}

static void add_site(struct finding_spot *p, const struct report_site *s)
{
	l1_stats_add(&p->l1, &s->l1);
	access_pattern_add(&p->pattern, &s->pattern);
	line_share_add(&p->sharing, &s->sharing);
	side_counts_add(&p->side, &s->side);
	reuse_bins_sum(&p->distances, &s->distances);
}

static int make_spots(struct finding_scene *s, struct err *err)
{
	const struct report_kernel *k = s->kernel;

	s->spot_count = 0;
	s->spots = array_alloc(k->site_count, sizeof(*s->spots), "findings", err);
	if (!s->spots)
		return ERR_NOMEM;
	for (size_t i = k->first_site; i < k->first_site + k->site_count; i++) {
		const struct report_site *site = &s->data->sites[i];
		size_t at = 0;

		while (at < s->spot_count && !finding_spot_has(&s->spots[at], site))
			at++;
		if (at == s->spot_count)
			s->spots[s->spot_count++] = (struct finding_spot){ .kernel = k,
				                                           .site = i,
				                                           .facts = site->facts };
		add_site(&s->spots[at], site);
	}
	for (size_t i = 0; i < s->spot_count; i++)
		s->spots[i].is_uncoalesced = finding_spot_is_uncoalesced(&s->spots[i]);
	return 0;
}

/* "mm.cl:9" */
static char *place_text(const struct site *facts, size_t number, struct err *err)
{
	const char *slash = facts->place.file ? strrchr(facts->place.file, '/') : NULL;

	if (!facts->place.file || !facts->place.line)
		return str_format(err, "site %zu", number);
	return str_format(err, "%s:%u", slash ? slash + 1 : facts->place.file, facts->place.line);
}

/* Whether what a rule about requests found are mostly reads that hit: none of that is severe. */
static bool is_of_hits(const struct finding_spot *p, enum finding_rule rule)
{
	return (rule == FINDING_UNCOALESCED || rule == FINDING_MISALIGNED) && p->l1.reads &&
	       finding_ratio(p->l1.read_misses, p->l1.reads) <
	               finding_limit(FINDING_LIMIT_MISS_RATE);
}

/* Fill what all findings have, and take what the rule said. */
static int finish(const struct finding_scene *s, struct finding_claim *c, enum finding_rule rule,
                  struct err *err)
{
	const struct finding_spot *p = &s->spots[c->spot];
	struct finding *f = &c->f;
	char *place = place_text(p->facts, p->site - s->kernel->first_site, err);

	f->rule = rule;
	f->severity = f->cost_share >= finding_limit(FINDING_LIMIT_SEVERE)    ? FINDING_SEVERE
	              : f->cost_share >= finding_limit(FINDING_LIMIT_NOTABLE) ? FINDING_NOTABLE
	                                                                      : FINDING_MINOR;
	if (f->severity == FINDING_SEVERE && is_of_hits(p, rule))
		f->severity = FINDING_NOTABLE;
	f->kernel = s->kernel->kernel;
	f->site = p->site;
	f->file = p->facts->place.line ? p->facts->place.file : NULL;
	f->line = p->facts->place.line;
	f->argument = p->facts->argument;
	if (!f->advice)
		f->advice = rules[rule].advice;
	if (place && c->said)
		f->sentence = str_format(err, "%s %s", place, c->said);
	free(place);
	if (!f->sentence)
		return err_set(err, ERR_NOMEM, "out of memory for findings");
	return 0;
}

/* Let a rule look at a spot. */
static int look(const struct finding_scene *s, size_t spot, enum finding_rule rule,
                struct array *found, struct err *err)
{
	struct finding_claim c = { .spot = spot };
	struct finding *to;
	int ret = 0;

	finders[rule](s, spot, &c);
	c.f.cost_share = finding_ratio(c.f.cost_turns, s->turns);
	if (c.is_found && c.f.cost_share >= finding_limit(FINDING_LIMIT_COST)) {
		ret = finish(s, &c, rule, err);
		to = ret ? NULL : array_push(found, 1, err);
		if (to)
			*to = c.f;
		else
			free(c.f.sentence);
		ret = to ? 0 : ERR_NOMEM;
	}
	free(c.said);
	return ret;
}

static int look_at_kernel(struct finding_scene *s, const struct finding_list *list,
                          struct array *found, struct err *err)
{
	int ret = make_spots(s, err);

	for (size_t rule = 0; rule < FINDING_RULES; rule++)
		for (size_t i = 0; !ret && !list->not_looked[rule] && i < s->spot_count; i++)
			ret = look(s, i, (enum finding_rule)rule, found, err);
	free(s->spots);
	s->spots = NULL;
	return ret;
}

static int compare(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;

	if (x->cost_turns != y->cost_turns)
		return x->cost_turns > y->cost_turns ? -1 : 1;
	if (x->site != y->site)
		return x->site < y->site ? -1 : 1;
	return x->rule < y->rule ? -1 : x->rule > y->rule;
}

/* Whether a kernel uses local memory of which the recording has no accesses. */
static bool lacks_local(const struct report_data *d)
{
	bool has_local = false, has_sites = false;

	for (size_t i = 0; i < d->launch_count; i++)
		has_local |= d->launches[i].is_played &&
		             d->recording->launches[d->launches[i].launch].local_bytes;
	for (size_t i = 0; i < d->site_count; i++)
		has_sites |= d->sites[i].facts->space == SPACE_LOCAL;
	return has_local && !has_sites;
}

/* Rules that cannot look. */
static void find_blind(struct finding_list *list, const struct report_data *d)
{
	static const enum finding_rule of_warps[] = { FINDING_UNCOALESCED, FINDING_MISALIGNED,
		                                      FINDING_DIVERGENT,   FINDING_BANK_CONFLICT,
		                                      FINDING_HOT_LINE,    FINDING_FALSE_REUSE };

	if (lacks_local(d))
		list->not_looked[FINDING_BANK_CONFLICT] =
			"local memory was not recorded; record --spaces local does";
	if (issue_order_unit(&d->setup->options.order) != ISSUE_ITEMS)
		return;
	for (size_t i = 0; i < sizeof(of_warps) / sizeof(of_warps[0]); i++)
		list->not_looked[of_warps[i]] = "work-items take turns, there are no warps";
}

int finding_list_make(struct finding_list *list, const struct report_data *d, struct err *err)
{
	const struct gpu *gpu = &d->setup->gpu;
	struct finding_scene s = { .data = d,
		                   .gpu = gpu,
		                   .fill_bytes = gpu->l1_fill_bytes ? gpu->l1_fill_bytes : 32 };
	struct array found;
	int ret = 0;

	*list = (struct finding_list){ 0 };
	array_init(&found, sizeof(struct finding), SIZE_MAX, "findings");
	s.turns = list->turns = turns_of(&s);
	find_blind(list, d);
	for (size_t i = 0; i < d->kernel_count && !ret; i++) {
		s.kernel = &d->kernels[i];
		ret = look_at_kernel(&s, list, &found, err);
	}
	list->count = found.count;
	list->items = array_take(&found);
	if (list->count)
		qsort(list->items, list->count, sizeof(*list->items), compare);
	return ret;
}

void finding_list_release(struct finding_list *list)
{
	for (size_t i = 0; i < list->count; i++)
		free(list->items[i].sentence);
	free(list->items);
	*list = (struct finding_list){ 0 };
}
