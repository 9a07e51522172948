/* SPDX-License-Identifier: Apache-2.0 */
#include "cache_choice.h"

#include "err.h"
#include "gpu.h"

#include <stdio.h>

static int put(const char *option, const char *key, const char *value, struct gpu *gpu,
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

int cache_choice_apply(const struct cache_choice *c, struct gpu *gpu, struct err *err)
{
	int ret = 0;

#define CACHE_OPTION(member, option, value, key, text)                                             \
	if (!ret)                                                                                  \
		ret = put(option, #key, c->member, gpu, err);
#include "cache_options.def"
#undef CACHE_OPTION
	return ret;
}
