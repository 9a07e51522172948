/* SPDX-License-Identifier: Apache-2.0 */
#include "finding.h"

#include "array.h"
#include "cuda_words.h"
#include "err.h"
#include "finding_spot.h"
#include "gpu.h"
#include "l1_stats.h"
#include "player.h"
#include "recording.h"
#include "shape_text.h"
#include "str.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct {
	const char *name, *title, *advice;
	enum finding_severity most;
} rules[] = {
#define FINDING(NAME, name, most, title, advice)                                                   \
	[FINDING_##NAME] = { name, title, advice, FINDING_##most },
#define FINDING_BEYOND(NAME, name, reason) [FINDING_##NAME] = { name, reason, "", FINDING_MINOR },
#include "findings.def"
#undef FINDING
#undef FINDING_BEYOND
};

static const struct finder *const finders[] = {
	[FINDING_UNCOALESCED] = &finding_uncoalesced,
	[FINDING_MISALIGNED] = &finding_misaligned,
	[FINDING_THRASHING] = &finding_thrashing,
	[FINDING_STREAMING] = &finding_streaming,
	[FINDING_SET_CONFLICT] = &finding_set_conflict,
	[FINDING_HOT_LINE] = &finding_hot_line,
	[FINDING_FALSE_REUSE] = &finding_false_reuse,
	[FINDING_REFETCHED] = &finding_refetched,
	[FINDING_DIVERGENT] = &finding_divergent,
	[FINDING_REWRITTEN] = &finding_rewritten,
	[FINDING_BANK_CONFLICT] = &finding_bank_conflict,
	[FINDING_STRUCT_ARRAY] = &finding_struct_array,
	[FINDING_NARROW] = &finding_narrow,
	[FINDING_UNIFORM] = &finding_uniform,
	[FINDING_FEW_GROUPS] = &finding_few_groups,
	[FINDING_NO_REUSE] = &finding_no_reuse,
	[FINDING_ACCUMULATES] = &finding_accumulates,
	[FINDING_GROUP_ATOMICS] = &finding_group_atomics,
	[FINDING_RELAUNCHED] = &finding_relaunched,
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
	for (size_t i = 0; i < FINDING_NAMES; i++)
		if (strlen(rules[i].name) == length && !memcmp(rules[i].name, name, length))
			return (enum finding_rule)i;
	return FINDING_NAMES;
}

static const struct {
	const char *name, *text;
} wholes[] = {
#define FINDING_WHOLE(NAME, name, text) { name, text },
	FINDING_WHOLES_LIST(FINDING_WHOLE)
#undef FINDING_WHOLE
};

const char *finding_whole_name(enum finding_whole whole)
{
	return wholes[whole].name;
}

const char *finding_whole_text(enum finding_whole whole)
{
	return wholes[whole].text;
}

bool finding_list_is_whole(const struct finding_list *list)
{
	for (size_t i = 0; i < FINDING_RULES; i++)
		if (list->not_looked[i])
			return false;
	return true;
}

uint32_t finding_turn_bytes(const struct gpu *gpu)
{
	return gpu->l1_fill_bytes ? gpu->l1_fill_bytes : 32;
}

double finding_global_turns(const struct report_numbers *n, const struct gpu *gpu)
{
	return (double)(l1_stats_requests(&n->l1) + n->atomic_waits) +
	       (double)(n->l1.bytes_from_l2 + n->bytes_to_l2) / finding_turn_bytes(gpu);
}

double finding_local_turns(const struct report_numbers *n)
{
	return (double)side_counts_turns(&n->side);
}

bool finding_sample_text(char text[FINDING_SAMPLE_BYTES], const struct report_numbers *n)
{
	char counted[COUNT_TEXT_BYTES], all[COUNT_TEXT_BYTES], error[16] = "not known";
	double share = side_counts_error(&n->side, n->local_error_turns);

	if (!n->local_sampled || n->local_sampled >= n->local_groups)
		return false;
	if (isfinite(share))
		snprintf(error, sizeof(error), "%.1f%%", 100 * share);
	snprintf(text, FINDING_SAMPLE_BYTES,
	         "Local memory was sampled in %s of %s groups and is assumed to be alike in all "
	         "(standard error of its work %s); record --spaces local records all",
	         count_text(counted, n->local_sampled), count_text(all, n->local_groups), error);
	return true;
}

/* Returns why the cost of local memory is unknown; NULL: it is known. It is known if all of it was
 * recorded; a sample may have left out a kernel. */
static const char *local_reason(const struct report_data *d)
{
	bool has_local = false, has_sites = false, has_samples = false, is_left_out = false;

	for (size_t i = 0; i < d->launch_count; i++) {
		const struct recorded_launch *l = &d->recording->launches[d->launches[i].launch];
		const struct kernel_table *t = &d->recording->kernels[l->kernel].table;
		bool is_known = kernel_table_has_local(t);

		if (!d->launches[i].is_played)
			continue;
		has_local |= l->local_bytes > 0;
		has_sites |= is_known;
		has_samples |= t->local_groups > 0;
		is_left_out |= l->local_bytes && !is_known;
	}
	if (has_samples && is_left_out)
		return "a kernel was left out of the sample in which local memory was recorded; "
		       "record --spaces local records all";
	if (has_local && !has_sites)
		return "local memory was not recorded; record --spaces sample records that of some "
		       "groups, --spaces local all";
	return NULL;
}

bool finding_lacks_local(const struct report_data *d)
{
	return local_reason(d) != NULL;
}

/* Whether a launch was replayed without any group of its sample. */
static bool misses_sample(const struct report_data *d)
{
	for (size_t i = 0; i < d->launch_count; i++) {
		const struct report_numbers *n = &d->launches[i].counts;

		if (n->local_groups && !n->local_sampled)
			return true;
	}
	return false;
}

/* Returns why the data that launches share is unknown; NULL: it is known. */
static const char *launches_reason(const struct report_data *d)
{
	if (d->launches_asked < 2)
		return NULL;
	if (d->setup->options.sms && d->setup->options.sms < d->setup->gpu.sm_count)
		return "only some SMs were replayed, so that it is not known which groups access "
		       "the same data";
	for (size_t i = 0; i < d->launch_count; i++)
		if (d->launches[i].is_played &&
		    d->recording->launches[d->launches[i].launch].groups_selected)
			return "groups were left out of the recording";
	return NULL;
}

/* Set list->not_looked: the rules that could not look, and the problems that no rule looks for. */
static void find_blind(struct finding_list *list, const struct report_data *d)
{
	static const enum finding_rule of_warps[] = { FINDING_UNCOALESCED,  FINDING_MISALIGNED,
		                                      FINDING_DIVERGENT,    FINDING_BANK_CONFLICT,
		                                      FINDING_HOT_LINE,     FINDING_FALSE_REUSE,
		                                      FINDING_STRUCT_ARRAY, FINDING_NARROW,
		                                      FINDING_UNIFORM,      FINDING_NO_REUSE,
		                                      FINDING_GROUP_ATOMICS };

	list->not_looked[FINDING_BANK_CONFLICT] = local_reason(d);
	if (!list->not_looked[FINDING_BANK_CONFLICT] && misses_sample(d))
		list->not_looked[FINDING_BANK_CONFLICT] =
			"no group of the sample in which local memory was recorded was replayed; "
			"record --spaces local records all";
	for (size_t i = FINDING_RULES; i < FINDING_NAMES; i++)
		list->not_looked[i] = finding_title((enum finding_rule)i);
	list->not_looked[FINDING_RELAUNCHED] = launches_reason(d);
	if (issue_order_unit(&d->setup->options.order) != ISSUE_ITEMS)
		return;
	for (size_t i = 0; i < sizeof(of_warps) / sizeof(of_warps[0]); i++)
		list->not_looked[of_warps[i]] = "work-items take turns: there are no warps";
}

static void find_wholes(struct finding_scene *s, struct finding_list *list)
{
	double global = 0, local = finding_local_turns(&s->data->total);

	for (size_t i = 0; i < s->data->kernel_count; i++)
		global += finding_global_turns(&s->data->kernels[i].counts, s->gpu);
	s->whole[FINDING_OF_GLOBAL] = global;
	s->whole[FINDING_OF_MEMORY] = s->whole[FINDING_OF_SMS] = global + local;
	list->turns = (uint64_t)global;
	list->local_turns = (uint64_t)local;
}

/* "mm.cl:9" */
static char *place_text(const struct site *facts, size_t number, struct err *err)
{
	const char *slash = facts->place.file ? strrchr(facts->place.file, '/') : NULL;

	if (!facts->place.file || !facts->place.line)
		return str_format(err, "site %zu", number);
	return str_format(err, "%s:%u", slash ? slash + 1 : facts->place.file, facts->place.line);
}

/* Whether the requests that a rule found are mostly reads that hit: these are never severe. */
static bool is_of_hits(const struct finding_spot *p, enum finding_rule rule)
{
	return (rule == FINDING_UNCOALESCED || rule == FINDING_MISALIGNED ||
	        rule == FINDING_STRUCT_ARRAY) &&
	       p->sums.l1.reads &&
	       finding_ratio(p->sums.l1.read_misses, p->sums.l1.reads) <
	               finding_limit(FINDING_LIMIT_MISS_RATE);
}

/* Returns the site of a spot that has the largest part of the finding's cost. */
static const struct report_site *heaviest_site(const struct finding_scene *s,
                                               const struct finding_spot *p,
                                               const struct finder *finder)
{
	const struct report_site *heaviest = p->sites[0];
	uint64_t most = 0;

	for (size_t i = 0; p->site_count > 1 && i < p->site_count; i++) {
		const struct finding_spot one = finding_spot_sum(s, &p->sites[i], 1);
		uint64_t weight = finder->weigh(s, &one);

		if (weight > most)
			heaviest = p->sites[i];
		most = weight > most ? weight : most;
	}
	return heaviest;
}

/* "mm.cl:9 reads ...", or, for the kernel as a whole, "transpose: ..." */
static char *sentence_of(const struct finding_scene *s, const struct finding_claim *c,
                         const struct report_site *site, struct err *err)
{
	char *place = c->f.whole == FINDING_OF_SMS ? str_format(err, "%s:", s->kernel->name)
	                                           : place_text(c->spot->facts, site->site, err);
	char *said = place ? cuda_words_copy(s->data->recording, c->said, err) : NULL;
	char *sentence = said ? str_format(err, "%s %s", place, said) : NULL;

	free(place);
	free(said);
	return sentence;
}

static enum finding_severity severity_of(const struct finding_claim *c)
{
	const struct finding *f = &c->f;
	enum finding_severity severity = FINDING_MINOR;

	if (f->cost_share >= finding_limit(FINDING_LIMIT_NOTABLE))
		severity = FINDING_NOTABLE;
	if (f->cost_share >= finding_limit(FINDING_LIMIT_SEVERE) && !is_of_hits(c->spot, f->rule))
		severity = FINDING_SEVERE;
	if (c->is_minor)
		return FINDING_MINOR;
	return severity < rules[f->rule].most ? severity : rules[f->rule].most;
}

/* Fill in the fields common to all findings, and those of the rule. */
static int finish(const struct finding_scene *s, struct finding_claim *c, struct array *found,
                  struct err *err)
{
	const struct report_site *site = heaviest_site(s, c->spot, finders[c->f.rule]);
	const struct site *facts = c->spot->facts;
	struct finding *f = &c->f, *to;

	f->severity = severity_of(c);
	f->kernel = s->kernel->kernel;
	f->site = (size_t)(site - s->data->sites);
	if (f->whole != FINDING_OF_SMS && facts->place.line) {
		f->file = facts->place.file;
		f->line = facts->place.line;
	}
	f->argument = f->whole == FINDING_OF_SMS ? -1 : facts->argument;
	if (!f->advice)
		f->advice = rules[f->rule].advice;
	f->sentence = sentence_of(s, c, site, err);
	to = f->sentence ? array_push(found, 1, err) : NULL;
	if (!to)
		return err_set(err, ERR_NOMEM, "out of memory for findings");
	*to = *f;
	f->sentence = NULL;
	return 0;
}

/* Apply a rule to a cause. */
static int look(const struct finding_scene *s, const struct finding_cause *cause,
                enum finding_rule rule, struct array *claims, struct err *err)
{
	struct finding_claim c = { .spot = cause->spots[0], .f.rule = rule }, *to = NULL;

	finders[rule]->claim(s, cause, &c);
	if (!c.is_found) {
		finding_claim_release(&c);
		return 0;
	}
	if (c.said && !c.is_failed)
		to = array_push(claims, 1, err);
	if (to)
		*to = c;
	else
		finding_claim_release(&c);
	return to ? 0 : err_set(err, ERR_NOMEM, "out of memory for findings");
}

/* A spot that may belong to a cause. */
struct candidate {
	const struct finding_spot *spot;
	const struct finder *finder;
	uint64_t weight;
};

static int compare_candidates(const void *a, const void *b)
{
	const struct candidate *x = a, *y = b;
	int order = x->finder->compare(x->spot, y->spot);

	if (order)
		return order;
	if (x->weight != y->weight)
		return x->weight > y->weight ? -1 : 1;
	return x->spot < y->spot ? -1 : x->spot > y->spot;
}

/* Scratch memory of a rule for a kernel. */
struct workplace {
	struct candidate *candidates;
	const struct finding_spot **spots; /* the same, in their order */
};

static int apply(const struct finding_scene *s, enum finding_rule rule, struct workplace *w,
                 struct array *claims, struct err *err)
{
	const struct finder *finder = finders[rule];
	size_t count = 0;
	int ret = 0;

	for (size_t i = 0; i < s->spot_count; i++)
		if (finder->is_of(s, &s->spots[i]))
			w->candidates[count++] =
				(struct candidate){ &s->spots[i], finder,
				                    finder->weigh(s, &s->spots[i]) };
	if (count)
		qsort(w->candidates, count, sizeof(*w->candidates), compare_candidates);
	for (size_t i = 0; i < count; i++)
		w->spots[i] = w->candidates[i].spot;
	for (size_t i = 0, next; i < count && !ret; i = next) {
		next = i + 1;
		while (next < count && !finder->compare(w->spots[i], w->spots[next]))
			next++;
		ret = look(s, &(struct finding_cause){ &w->spots[i], next - i }, rule, claims, err);
	}
	return ret;
}

static void release_claims(struct array *claims)
{
	struct finding_claim *all = claims->data;

	for (size_t i = 0; i < claims->count; i++)
		finding_claim_release(&all[i]);
	array_release(claims);
}

/* The input of the rules: each kernel is a scene; the spots of all scenes are contiguous. */
struct stage {
	struct finding_scene *scenes; /* scene_count of them, one for each kernel */
	size_t scene_count;
	struct finding_spot *spots, **spot_of;
	const struct report_site **sites; /* in the order of the spots */
	size_t spot_count, most_sites;
};

static void release_stage(struct stage *t)
{
	for (size_t i = 0; t->scenes && i < t->scene_count; i++)
		free(t->scenes[i].heat.sites);
	free(t->scenes);
	free(t->spots);
	free(t->spot_of);
	free(t->sites);
}

static void make_spots(struct finding_scene *s, const struct report_site **sites)
{
	const struct report_numbers *n = &s->kernel->counts;

	finding_spots_make(s, sites);
	if (s->spot_count)
		s->spots[0].stock[FINDING_TIME] =
			finding_global_turns(n, s->gpu) + finding_local_turns(n);
}

static int make_stage(struct stage *t, const struct finding_scene *all, struct err *err)
{
	const struct report_data *d = all->data;
	int ret = 0;

	*t = (struct stage){
		.scene_count = d->kernel_count,
		.scenes = array_alloc(d->kernel_count, sizeof(*t->scenes), "findings", err),
		.spots = array_alloc(d->site_count, sizeof(*t->spots), "findings", err),
		.spot_of =
			array_alloc(d->site_count, sizeof(struct finding_spot *), "findings", err),
		.sites = array_alloc(d->site_count, sizeof(const struct report_site *), "findings",
		                     err),
	};
	if (!t->scenes || !t->spots || !t->spot_of || !t->sites)
		return ERR_NOMEM;
	for (size_t i = 0; i < d->kernel_count && !ret; i++) {
		struct finding_scene *s = &t->scenes[i];

		*s = *all;
		s->kernel = &d->kernels[i];
		s->spots = t->spots + t->spot_count;
		s->spot_of = t->spot_of;
		ret = finding_heat_find(s, err);
		if (!ret)
			make_spots(s, t->sites + s->kernel->first_site);
		t->spot_count += s->spot_count;
		if (s->kernel->site_count > t->most_sites)
			t->most_sites = s->kernel->site_count;
	}
	return ret;
}

/* Turn the claims of the rules into findings. */
static int settle(const struct stage *t, struct array *claims, struct array *found, struct err *err)
{
	const struct finding_scene *first = t->scenes;
	struct finding_claim *all = claims->data;
	int ret = 0;

	if (claims->count)
		ret = finding_ledger_settle(claims, t->spots, t->spot_count, first->whole,
		                            finding_limit(FINDING_LIMIT_COST), err);
	for (size_t i = 0; i < claims->count && !ret; i++)
		if (all[i].is_settled)
			ret = finish(&first[all[i].spot->kernel - first->data->kernels], &all[i],
			             found, err);
	return ret;
}

static int look_at_all(const struct stage *t, const struct finding_list *list, struct array *found,
                       struct err *err)
{
	struct workplace w = {
		.candidates = array_alloc(t->most_sites, sizeof(*w.candidates), "findings", err),
		.spots = array_alloc(t->most_sites, sizeof(const struct finding_spot *), "findings",
		                     err),
	};
	struct array claims;
	int ret = w.candidates && w.spots ? 0 : ERR_NOMEM;

	array_init(&claims, sizeof(struct finding_claim), SIZE_MAX, "findings");
	for (size_t i = 0; i < t->scene_count; i++)
		for (size_t rule = 0; rule < FINDING_RULES && !ret; rule++)
			if (!list->not_looked[rule])
				ret = apply(&t->scenes[i], (enum finding_rule)rule, &w, &claims,
				            err);
	if (!ret)
		ret = settle(t, &claims, found, err);
	release_claims(&claims);
	free(w.candidates);
	free(w.spots);
	return ret;
}

static int compare(const void *a, const void *b)
{
	const struct finding *x = a, *y = b;
	bool of_sms = x->whole == FINDING_OF_SMS;

	if (of_sms != (y->whole == FINDING_OF_SMS)) /* a larger input often fixes these: last */
		return of_sms ? 1 : -1;
	if (x->cost_turns != y->cost_turns)
		return x->cost_turns > y->cost_turns ? -1 : 1;
	if (x->site != y->site)
		return x->site < y->site ? -1 : 1;
	return x->rule < y->rule ? -1 : x->rule > y->rule;
}

int finding_list_make(struct finding_list *list, const struct report_data *d, struct err *err)
{
	const struct gpu *gpu = &d->setup->gpu;
	struct finding_scene s = { .data = d, .gpu = gpu, .fill_bytes = finding_turn_bytes(gpu) };
	struct array found;
	struct stage stage;
	int ret;

	*list = (struct finding_list){ 0 };
	array_init(&found, sizeof(struct finding), SIZE_MAX, "findings");
	find_wholes(&s, list);
	find_blind(list, d);
	ret = make_stage(&stage, &s, err);
	if (!ret)
		ret = look_at_all(&stage, list, &found, err);
	release_stage(&stage);
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
