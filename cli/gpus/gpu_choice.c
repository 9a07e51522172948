/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_choice.h"

#include "array.h"
#include "err.h"
#include "gpu.h"
#include "say.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int put_key(const char *option, const char *key, const char *value, struct gpu *gpu,
                   struct err *err)
{
	struct err why = { 0 };
	char pair[GPU_PAIR_BYTES];

	if (!value)
		return 0;
	if ((size_t)snprintf(pair, sizeof(pair), "%s=%s", key, value) >= sizeof(pair))
		return err_set(err, ERR_USAGE, "--%s: the value is too long", option);
	if (gpu_put(gpu, pair, &why))
		return err_set(err, ERR_USAGE, "--%s: %s", option, why.msg);
	return 0;
}

/* Set the keys that short options gave; they may disagree until gpu_check(). */
static int apply_cache(const struct cache_choice *c, struct gpu *gpu, struct err *err)
{
	int ret = 0;

#define CACHE_OPTION(member, option, value, key, text)                                             \
	if (!ret)                                                                                  \
		ret = put_key(option, #key, c->member, gpu, err);
#include "cache_options.def"
#undef CACHE_OPTION
	return ret;
}

enum { L1S_LIMIT = 1024 };

/* Keys may come in any order: whether they agree is checked at the end. */
int gpu_choice_load(const struct gpu_choice *c, struct gpu *gpu, struct err *err)
{
	int ret = gpu_catalogue_load(gpu, c->gpu, c->l1, err);
	struct err why = { 0 };

	for (size_t i = 0; !ret && i < c->set.count; i++) {
		if (gpu_put(gpu, c->set.items[i], &why))
			ret = err_set(err, ERR_USAGE, "--set %s: %s", c->set.items[i], why.msg);
	}
	if (!ret)
		ret = apply_cache(&c->cache, gpu, err);
	if (!ret && gpu_check(gpu, &why))
		ret = err_set(err, ERR_USAGE, "the changed %s is not valid: %s", gpu->name,
		              why.msg);
	return ret;
}

/* Append the GPU with the L1 `name`. */
static int add_l1(const struct gpu_choice *c, const char *name, bool is_described,
                  struct array *gpus, struct err *err)
{
	struct gpu_choice other = *c;
	struct gpu *gpu = array_push(gpus, 1, err);

	if (!gpu)
		return err->code;
	other.l1 = name;
	return is_described ? gpu_catalogue_load(gpu, c->gpu, name, err)
	                    : gpu_choice_load(&other, gpu, err);
}

int gpu_choice_l1s(const struct gpu_choice *c, bool is_described, struct array *gpus,
                   struct err *err)
{
	char *file = gpu_catalogue_find(c->gpu, err), *name;
	char *names = file ? gpu_catalogue_l1_list(file, err) : NULL, *rest = names;
	int ret = names ? 0 : err->code;

	array_init(gpus, sizeof(struct gpu), L1S_LIMIT, "L1 configurations");
	free(file);
	if (names && !*names && is_described)
		ret = add_l1(c, NULL, is_described, gpus, err);
	while (!ret && (name = strsep(&rest, ", ")))
		if (*name)
			ret = add_l1(c, name, is_described, gpus, err);
	free(names);
	return ret;
}

const char *gpu_choice_origin(const struct gpu *gpu)
{
	return gpu->is_default ? ", the default (--gpu selects another)" : "";
}

void gpu_choice_say(const char *command, const struct gpu *gpu)
{
	if (gpu->is_default)
		say_line(command, "%s%s", gpu->title, gpu_choice_origin(gpu));
}
