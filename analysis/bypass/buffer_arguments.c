/* SPDX-License-Identifier: Apache-2.0 */
#include "buffer_arguments.h"

#include "recording.h"

size_t buffer_arguments_count(const struct recording *r, size_t kernel, size_t argument,
                              uint64_t buffer, size_t *launches)
{
	size_t with = 0;

	*launches = 0;
	for (size_t i = 0; i < r->launch_count; i++) {
		const struct recorded_launch *l = &r->launches[i];

		if (l->kernel != kernel || l->fate != LAUNCH_TRACED)
			continue;
		++*launches;
		for (size_t a = 0; a < l->argument_count; a++)
			with += l->arguments[a].index == argument && l->arguments[a].buffer >= 0 &&
			        (uint64_t)l->arguments[a].buffer == buffer;
	}
	return with;
}
