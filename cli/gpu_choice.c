/* SPDX-License-Identifier: Apache-2.0 */
#include "gpu_choice.h"

#include "err.h"
#include "gpu.h"

int gpu_choice_load(const struct gpu_choice *c, struct gpu *gpu, struct err *err)
{
	int ret = gpu_catalogue_load(gpu, c->gpu, c->l1, err);

	for (size_t i = 0; !ret && i < c->set.count; i++) {
		struct err why = { 0 };

		if (gpu_set(gpu, c->set.items[i], &why))
			ret = err_set(err, ERR_USAGE, "--set %s: %s", c->set.items[i], why.msg);
	}
	return ret;
}
