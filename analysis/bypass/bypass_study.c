/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_study.h"

#include "address_use.h"
#include "err.h"

#include <stdlib.h>

enum { SPLITS_LIMIT = 1024 };

/* Try the kernels, one after another; each try takes ownership of its kernel. */
static int try_kernels(struct bypass_study *s, const struct array *kernels, bool is_one,
                       struct err *err)
{
	const struct bypass_kernel *k = kernels->data;
	int ret = 0;

	s->tries = array_alloc(kernels->count, sizeof(*s->tries), "kernels", err);
	if (!s->tries)
		ret = ERR_NOMEM;
	while (!ret && s->count < kernels->count) {
		struct bypass_try *t = &s->tries[s->count];

		t->kernel = k[s->count++];
		ret = bypass_try_play(t, &s->wish, is_one, err);
	}
	return ret;
}

static int gather_best(struct bypass_study *s, struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < s->count; i++) {
		const struct bypass_list *list = &s->tries[i].entries[s->tries[i].best].list;

		for (size_t r = 0; r < list->count && !ret; r++)
			ret = bypass_list_add(&s->best, &list->rules[r], err);
	}
	return ret;
}

static void add_to(struct bypass_sum *sum, const struct bypass_entry *e)
{
	sum->is_there |= e->is_there;
	sum->rules += e->list.count;
	bypass_measure_sum(&sum->measure, &e->measure);
}

void bypass_study_sum(struct bypass_study *s)
{
	for (size_t i = 0; i < s->count; i++) {
		const struct bypass_try *t = &s->tries[i];

		if (!bypass_try_was_played(t))
			continue;
		for (size_t row = 0; row < BYPASS_ROWS; row++)
			add_to(&s->rows[row], &t->entries[row]);
		add_to(&s->best_sum, &t->entries[t->best]);
	}
}

int bypass_study_make(struct bypass_study *s, const struct launch_choice *launches, struct err *err)
{
	struct array kernels;
	int ret = bypass_run_kernels(&s->run, launches, &kernels, err);
	struct bypass_kernel *k = kernels.data;

	if (!ret)
		ret = try_kernels(s, &kernels, launches->is_one, err);
	if (!ret)
		ret = gather_best(s, err);
	if (!ret)
		bypass_study_sum(s);
	for (size_t i = s->count; i < kernels.count; i++)
		bypass_kernel_release(&k[i]);
	array_release(&kernels);
	return ret;
}

/* Add the results of a kernel with the split. */
static int split_kernel(struct bypass_split *split, struct bypass_kernel *k,
                        const struct bypass_list *list, struct err *err)
{
	struct bypass_measure with = { 0 };
	int ret = bypass_kernel_begin(k, false, err);

	if (ret || !k->launches.count)
		return ret;
	if (list->count)
		ret = bypass_run_measure(k, &list, 1, &with, err);
	else
		with = k->cache_all;
	bypass_measure_sum(&split->cache_all, &k->cache_all);
	bypass_measure_sum(&split->best, &with);
	if (k->groups > split->most_groups)
		split->most_groups = k->groups;
	if (!split->least_groups || k->least_groups < split->least_groups)
		split->least_groups = k->least_groups;
	return ret;
}

static int play_split(const struct bypass_study *s, struct bypass_split *split,
                      const struct launch_choice *launches, struct err *err)
{
	struct bypass_run run = { .recording = s->run.recording,
		                  .gpu = &split->gpu,
		                  .registers = s->run.registers,
		                  .options = s->run.options,
		                  .watch = s->run.watch };
	struct array kernels;
	int ret = bypass_run_kernels(&run, launches, &kernels, err);
	struct bypass_kernel *k = kernels.data;

	split->l1_bytes =
		(uint64_t)split->gpu.l1_sets * split->gpu.l1_ways * split->gpu.l1_line_bytes;
	for (size_t i = 0; i < kernels.count && !ret; i++) {
		ret = split_kernel(split, &k[i], &s->best, err);
		address_use_free(k[i].use);
		k[i].use = NULL;
	}
	for (size_t i = 0; i < kernels.count; i++)
		bypass_kernel_release(&k[i]);
	split->refused = run.outcome.refused;
	array_release(&kernels);
	return ret;
}

int bypass_study_split(struct bypass_study *s, const struct array *gpus,
                       const struct launch_choice *launches, struct err *err)
{
	const struct gpu *gpu = gpus->data;
	int ret = 0;

	s->has_splits = true;
	array_init(&s->splits, sizeof(struct bypass_split), SPLITS_LIMIT, "L1 configurations");
	for (size_t i = 0; !ret && i < gpus->count; i++) {
		struct bypass_split *split = array_push(&s->splits, 1, err);

		if (!split)
			return err->code;
		split->gpu = gpu[i];
		ret = play_split(s, split, launches, err);
	}
	return ret;
}

static uint64_t figure(const struct bypass_split *split, enum bypass_objective objective)
{
	uint64_t all = bypass_measure_value(&split->cache_all, objective);
	uint64_t best = bypass_measure_value(&split->best, objective);

	return best < all ? best : all;
}

size_t bypass_study_best_split(const struct bypass_study *s)
{
	const struct bypass_split *splits = s->splits.data;
	size_t best = 0;

	for (size_t i = 1; i < s->splits.count; i++)
		if (splits[i].refused < splits[best].refused ||
		    (splits[i].refused == splits[best].refused &&
		     figure(&splits[i], s->wish.objective) <
		             figure(&splits[best], s->wish.objective)))
			best = i;
	return best;
}

void bypass_study_release(struct bypass_study *s)
{
	for (size_t i = 0; i < s->count; i++)
		bypass_try_release(&s->tries[i]);
	free(s->tries);
	array_release(&s->splits);
	bypass_list_release(&s->best);
}
