/* SPDX-License-Identifier: Apache-2.0 */
#include "launched_kernels.h"

#include "recording.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

/* " and 18446744073709551615 more" */
enum { MORE_BYTES = 32 };

static bool is_launched(const struct recording *r, size_t kernel)
{
	for (size_t i = 0; i < r->launch_count; i++)
		if (r->launches[i].kernel == kernel)
			return true;
	for (size_t i = 0; i < r->tally_count; i++)
		if (r->tallies[i].kernel == kernel)
			return true;
	return false;
}

/* Whether a kernel of an earlier program has the name. */
static bool is_named(const struct recording *r, size_t kernel)
{
	for (size_t k = 0; k < kernel; k++)
		if (!strcmp(r->kernels[k].table.name, r->kernels[kernel].table.name) &&
		    is_launched(r, k))
			return true;
	return false;
}

const char *launched_kernels_text(char text[LAUNCHED_KERNELS_BYTES], const struct recording *r)
{
	size_t length = 0, left = 0;

	*text = '\0';
	for (size_t k = 0; k < r->kernel_count; k++) {
		const char *name = r->kernels[k].table.name;

		if (!is_launched(r, k) || is_named(r, k))
			continue;
		if (left || length + strlen(name) + 2 + MORE_BYTES > LAUNCHED_KERNELS_BYTES)
			left++;
		else
			length += (size_t)snprintf(text + length, LAUNCHED_KERNELS_BYTES - length,
			                           "%s%s", length ? ", " : "", name);
	}
	if (left)
		snprintf(text + length, LAUNCHED_KERNELS_BYTES - length,
		         length ? " and %zu more" : "%zu kernels of long names", left);
	else if (!length)
		snprintf(text, LAUNCHED_KERNELS_BYTES, "none");
	return text;
}
