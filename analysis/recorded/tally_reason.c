/* SPDX-License-Identifier: Apache-2.0 */
#include "tally_reason.h"

#include "recording.h"

#include <inttypes.h>
#include <stdbool.h>
#include <stdio.h>

static const char *kernel_of(const struct recording *r, const struct recorded_tally *t)
{
	return r->kernels[t->kernel].table.name;
}

const char *tally_reason(const struct recorded_tally *t)
{
	return t->fate == LAUNCH_UNSELECTED ? "it was not selected" : t->reason;
}

/* The tally that the launch must be of, or NULL; *is_unselected: it was left out by an option. */
static const struct recorded_tally *find(const struct recording *r, uint64_t number,
                                         bool *is_unselected)
{
	const struct recorded_tally *found = NULL;
	size_t count = 0;

	*is_unselected = !r->launches_unknown;
	for (size_t i = 0; i < r->tally_count; i++) {
		const struct recorded_tally *t = &r->tallies[i];

		if (number < t->first || number > t->last)
			continue;
		found = t;
		count++;
		*is_unselected = *is_unselected && t->fate == LAUNCH_UNSELECTED;
	}
	return count == 1 && !r->launches_unknown ? found : NULL;
}

const char *tally_reason_launch(char text[TALLY_REASON_BYTES], const struct recording *r,
                                uint64_t number)
{
	bool is_unselected;
	const struct recorded_tally *t = find(r, number, &is_unselected);
	const char *why = is_unselected ? "it was not selected"
	                                : "it was one of those that are only counted (see info)";

	if (t)
		snprintf(text, TALLY_REASON_BYTES,
		         "launch %" PRIu64 " (%.200s) was not recorded: %.200s", number,
		         kernel_of(r, t), tally_reason(t));
	else
		snprintf(text, TALLY_REASON_BYTES, "launch %" PRIu64 " was not recorded: %s",
		         number, why);
	return text;
}
