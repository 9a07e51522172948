/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_choice.h"

#include "err.h"
#include "launch_summary.h"
#include "recording.h"

#include <inttypes.h>

struct launch_choice launch_choice_make(const struct recording *r, const uint64_t *number)
{
	struct launch_choice c = { .recording = r, .end = r->launch_count };

	if (number) {
		c.is_one = true;
		c.number = *number;
		c.first = recording_find_launch(r, c.number);
		c.end = c.first + 1;
	}
	return c;
}

int launch_choice_check(const struct launch_choice *c, struct err *err)
{
	const struct recording *r = c->recording;
	bool has_line = c->first < r->launch_count;
	char text[TALLY_REASON_BYTES];

	if (!c->is_one || (has_line && r->launches[c->first].fate == LAUNCH_TRACED))
		return 0;
	if (!r->launches_seen)
		return err_set(err, ERR_USAGE, "--launch: the recording has no launches");
	if (c->number >= r->launches_seen)
		return err_set(err, ERR_USAGE,
		               "--launch: %" PRIu64 ": expected 0..%" PRIu64
		               ", the launches of the recording",
		               c->number, r->launches_seen - 1);
	if (!has_line)
		return err_set(err, ERR_USAGE, "--launch: %s",
		               tally_reason_launch(text, r, c->number));
	return err_set(err, ERR_USAGE, "--launch: launch %" PRIu64 " (%s) was not recorded: %s",
	               c->number, r->kernels[r->launches[c->first].kernel].table.name,
	               launch_summary_reason(r, c->first));
}

uint64_t launch_choice_accesses_of(const struct recording *r, size_t launch)
{
	const struct recorded_launch *l = &r->launches[launch];

	return l->fate == LAUNCH_TRACED ? l->totals.accesses : 0;
}

uint64_t launch_choice_accesses(const struct launch_choice *c)
{
	uint64_t sum = 0;

	for (size_t i = c->first; i < c->end; i++)
		sum += launch_choice_accesses_of(c->recording, i);
	return sum;
}
