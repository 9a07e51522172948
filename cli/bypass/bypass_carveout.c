/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_carveout.h"

#include "address_use.h"
#include "bypass_list.h"
#include "bypass_run.h"
#include "err.h"
#include "gpu_catalogue.h"

#include <stdlib.h>
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
		                  .progress = like->progress };
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

/* The names of the description's splits, "16k, 48k", on the heap. */
static char *find_names(const struct gpu_choice *choice, struct err *err)
{
	char *file = gpu_catalogue_find(choice->gpu, err);
	char *names = file ? gpu_catalogue_l1_list(file, err) : NULL;

	free(file);
	return names;
}

/* The next of the names, which is cut off; NULL: there are no more. */
static const char *next_name(char **rest)
{
	char *name = *rest + strspn(*rest, ", ");
	size_t length = strcspn(name, ", ");

	*rest = name + length;
	if (**rest)
		*(*rest)++ = '\0';
	return length ? name : NULL;
}

int bypass_carveout_play(const struct bypass_run *run, const struct gpu_choice *choice,
                         const struct launch_choice *launches, const struct bypass_list *list,
                         struct array *splits, struct err *err)
{
	struct gpu_choice other = *choice;
	char *names = find_names(choice, err), *rest = names;
	int ret = 0;

	array_init(splits, sizeof(struct bypass_carveout), SPLITS_LIMIT, "L1 configurations");
	if (!names)
		return err->code;
	while (!ret && (other.l1 = next_name(&rest))) {
		struct bypass_carveout *split = array_push(splits, 1, err);

		if (!split) {
			ret = err->code;
			break;
		}
		ret = gpu_choice_load(&other, &split->gpu, err);
		split->is_chosen = !strcmp(split->gpu.l1, run->gpu->l1);
		if (!ret)
			ret = play(split, run, launches, list, err);
	}
	free(names);
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
