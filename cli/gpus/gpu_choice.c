/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_choice.h"

#include "err.h"
#include "gpu.h"
#include "say.h"

/* The keys may come in any order: they are looked at together when all are there. */
int gpu_choice_load(const struct gpu_choice *c, struct gpu *gpu, struct err *err)
{
	int ret = gpu_catalogue_load(gpu, c->gpu, c->l1, err);
	struct err why = { 0 };

	for (size_t i = 0; !ret && i < c->set.count; i++) {
		if (gpu_put(gpu, c->set.items[i], &why))
			ret = err_set(err, ERR_USAGE, "--set %s: %s", c->set.items[i], why.msg);
	}
	if (!ret)
		ret = cache_choice_apply(&c->cache, gpu, err);
	if (!ret && gpu_check(gpu, &why))
		ret = err_set(err, ERR_USAGE, "the changed %s is not valid: %s", gpu->name,
		              why.msg);
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
