/* SPDX-License-Identifier: Apache-2.0 */
#include "guide_choice.h"

#include "array.h"
#include "err.h"
#include "guide_trial.h"
#include "kernel_table.h"

#include <stdlib.h>

#define SITES_MAX 1024
#define SAMPLE_EVENTS                                                                              \
	2048 /* of a chunk of up to 2^20: about as long as it takes to pack as many                \
	      */
#define WINDOWS   8
#define GAIN_BITS 128 /* below a bit for every 16 events nothing is worth it */

struct guide_choice {
	const struct kernel_table *table; /* borrowed */
	struct guide_trial *trials;       /* by site */
};

int guide_choice_create(struct guide_choice **out, const struct kernel_table *t, struct err *err)
{
	struct guide_choice *c;

	*out = NULL;
	if (!t->site_count || t->site_count > SITES_MAX)
		return 0;
	c = array_alloc(1, sizeof(*c), "choice of guides", err);
	if (!c)
		return ERR_NOMEM;
	c->table = t;
	c->trials = array_alloc(t->site_count, sizeof(*c->trials), "trials of guides", err);
	if (!c->trials) {
		guide_choice_free(c);
		return ERR_NOMEM;
	}
	*out = c;
	return 0;
}

void guide_choice_free(struct guide_choice *c)
{
	if (!c)
		return;
	free(c->trials);
	free(c);
}

/* What is done with the sample, work-item by work-item. */
typedef void visit_item(struct guide_trials *all, const struct event *events, uint64_t count);

/* Whether the sample, of which `taken` events were taken, takes the work-item that begins at event
 * `at` of `total`: WINDOWS times, as many consecutive ones as its share. Strides from work-item to
 * work-item must be seen. */
static bool is_in_sample(uint64_t taken, uint64_t at, uint64_t total)
{
	uint64_t share = total / WINDOWS + 1;

	return taken < (at / share + 1) * (SAMPLE_EVENTS / WINDOWS);
}

/* Visit whole work-items from all over the groups, SAMPLE_EVENTS events in all. */
static void visit_sample(struct guide_trials *all, const struct group_events *groups, size_t count,
                         visit_item *visit)
{
	uint64_t total = 0, at = 0, taken = 0;

	all->item = 0;
	for (size_t g = 0; g < count; g++)
		total += groups[g].first[groups[g].item_count];
	for (size_t g = 0; g < count; g++) {
		for (uint32_t i = 0; i < groups[g].item_count && taken < SAMPLE_EVENTS; i++) {
			uint64_t first = groups[g].first[i],
				 events = groups[g].first[i + 1] - first;

			all->item++;
			if (events && is_in_sample(taken, at, total)) {
				uint64_t most = SAMPLE_EVENTS - taken;

				visit(all, groups[g].events + first, events < most ? events : most);
				taken += events < most ? events : most;
			}
			at += events;
		}
	}
}

/* The guide of a site that takes fewest bits, if one takes clearly fewer than none. */
static bool choose(const struct guide_trial *trial, struct site_guide *guide)
{
	double own = guide_trial_bits(trial, GUESS_OWN);
	double anchor = guide_trial_bits(trial, GUESS_ANCHOR);
	double mate = guide_trial_bits(trial, GUESS_MATE);
	double least = 0.98 * own - GAIN_BITS;

	guide->anchor = trial->least;
	guide->mate = trial->mate.site;
	guide->shift = trial->mate.shift;
	guide->least_width = guide_trial_width(trial);
	guide->has_mate = trial->mate.hits && mate < 0.9 * own && mate < anchor;
	return guide->has_mate ? mate < least : anchor < least;
}

size_t guide_choice_make(struct guide_choice *c, const struct group_events *groups, size_t count,
                         struct site_guide *guides)
{
	struct guide_trials all = { .sites = c->trials, .table = c->table };
	size_t chosen = 0;

	guide_trials_begin(&all);
	visit_sample(&all, groups, count, guide_trials_look);
	if (!guide_trials_settle(&all))
		return 0;
	visit_sample(&all, groups, count, guide_trials_guess);
	for (uint32_t s = 0; s < c->table->site_count; s++) {
		guides[chosen] = (struct site_guide){ .site = s };
		if (c->trials[s].is_irregular && choose(&c->trials[s], &guides[chosen]))
			chosen++;
	}
	return chosen;
}
