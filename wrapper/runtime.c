/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime.h"

#include "device_info.h"

#include <stdlib.h>
#include <string.h>

struct runtime runtime_of(cl_device_id device)
{
	static const struct {
		const char *platform;
		struct runtime runtime;
	} rows[] = {
#define RUNTIME(platform, is_inline, has_unit_local, mixes_items, is_narrow, loses_vectors, why)   \
	{ platform, { is_inline, has_unit_local, mixes_items, is_narrow, loses_vectors } },
#include "runtimes.def"
#undef RUNTIME
	};
	char *platform = device_info_platform(device, CL_PLATFORM_NAME, NULL);
	struct runtime found = { 0 };

	for (size_t i = 0; platform && i < sizeof(rows) / sizeof(rows[0]); i++)
		if (!strcmp(platform, rows[i].platform))
			found = rows[i].runtime;
	free(platform);
	return found;
}
