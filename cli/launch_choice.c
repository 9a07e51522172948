/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_choice.h"

#include "err.h"
#include "launch_summary.h"
#include "recording.h"

struct launch_choice launch_choice_make(const struct recording *r, const struct option_number *n)
{
	struct launch_choice c = { .recording = r, .end = r->launch_count };

	if (n->is_given) {
		c.is_one = true;
		c.first = (size_t)n->value;
		c.end = c.first + 1;
	}
	return c;
}

int launch_choice_check(const struct launch_choice *c, struct err *err)
{
	const struct recording *r = c->recording;

	if (!c->is_one ||
	    (c->first < r->launch_count && r->launches[c->first].fate == LAUNCH_TRACED))
		return 0;
	if (!r->launch_count)
		return err_set(err, ERR_USAGE, "--launch: the recording has no launches");
	if (c->first >= r->launch_count)
		return err_set(err, ERR_USAGE, "--launch: there are launches 0..%zu, not %zu",
		               r->launch_count - 1, c->first);
	return err_set(err, ERR_USAGE, "--launch: launch %zu (%s) was not recorded: %s", c->first,
	               r->kernels[r->launches[c->first].kernel].table.name,
	               launch_summary_reason(r, c->first));
}
