/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_carveout.h"

#include "address_use.h"
#include "bypass_list.h"
#include "bypass_run.h"
#include "err.h"

#include <string.h>

enum { SPLITS_LIMIT = 1024 };

/* Add what a kernel does with the split. */
static int play_kernel(struct bypass_carveout *split, struct bypass_kernel *k,
                       const struct bypass_list *list, struct err *err)
{
	struct bypass_measure with = { 0 };
	int ret = bypass_kernel_begin(k, false, err);

	if (ret || !k->launches.count)
		return ret;
	if (list)
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

static int play(struct bypass_carveout *split, const struct bypass_run *like,
                const struct launch_choice *launches, const struct bypass_list *list,
                struct err *err)
{
	struct bypass_run run = { .recording = like->recording,
		                  .gpu = &split->gpu,
		                  .registers = like->registers,
		                  .options = like->options,
		                  .watch = like->watch };
	struct array kernels;
	int ret = bypass_run_kernels(&run, launches, &kernels, err);
	struct bypass_kernel *k = kernels.data;

	split->l1_bytes =
		(uint64_t)split->gpu.l1_sets * split->gpu.l1_ways * split->gpu.l1_line_bytes;
	for (size_t i = 0; i < kernels.count && !ret; i++) {
		ret = play_kernel(split, &k[i], list, err);
		address_use_free(k[i].use);
		k[i].use = NULL;
	}
	for (size_t i = 0; i < kernels.count; i++)
		bypass_kernel_release(&k[i]);
	split->refused = run.outcome.refused;
	array_release(&kernels);
	return ret;
}

int bypass_carveout_play(const struct bypass_run *run, const struct array *gpus,
                         const struct launch_choice *launches, const struct bypass_list *list,
                         struct array *splits, struct err *err)
{
	const struct gpu *gpu = gpus->data;
	int ret = 0;

	array_init(splits, sizeof(struct bypass_carveout), SPLITS_LIMIT, "L1 configurations");
	for (size_t i = 0; !ret && i < gpus->count; i++) {
		struct bypass_carveout *split = array_push(splits, 1, err);

		if (!split)
			return err->code;
		split->gpu = gpu[i];
		split->is_chosen = !strcmp(split->gpu.l1, run->gpu->l1);
		ret = play(split, run, launches, list, err);
	}
	return ret;
}

static uint64_t figure(const struct bypass_carveout *split, enum bypass_objective objective)
{
	uint64_t all = bypass_measure_value(&split->cache_all, objective);
	uint64_t best = bypass_measure_value(&split->best, objective);

	return best < all ? best : all;
}

size_t bypass_carveout_best(const struct bypass_carveout *splits, size_t count,
                            enum bypass_objective objective)
{
	size_t best = 0;

	for (size_t i = 1; i < count; i++)
		if (splits[i].refused < splits[best].refused ||
		    (splits[i].refused == splits[best].refused &&
		     figure(&splits[i], objective) < figure(&splits[best], objective)))
			best = i;
	return best;
}
