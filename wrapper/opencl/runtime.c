/* SPDX-License-Identifier: Apache-2.0 */
#include "runtime.h"

#include "device_info.h"

#include <stdlib.h>
#include <string.h>

struct row {
	const char *platform, *device;
	struct runtime runtime;
};

static const struct row rows[] = {
#define RUNTIME(platform, device, is_inline, is_immediate, has_unit_local, mixes_items, is_narrow, \
                loses_vectors, why)                                                                \
	{ platform,                                                                                \
	  device,                                                                                  \
	  { is_inline, is_immediate, has_unit_local, mixes_items, is_narrow, loses_vectors } },
#include "runtimes.def"
#undef RUNTIME
};

struct runtime runtime_of(cl_device_id device)
{
	char *platform = device_info_platform(device, CL_PLATFORM_NAME, NULL);
	char *name = device_info_text(device, CL_DEVICE_NAME, NULL);
	struct runtime found = { 0 };

	for (size_t i = sizeof(rows) / sizeof(rows[0]); platform && name && i-- > 0;)
		if (!strcmp(platform, rows[i].platform) &&
		    !strncmp(name, rows[i].device, strlen(rows[i].device)))
			found = rows[i].runtime;
	free(platform);
	free(name);
	return found;
}
