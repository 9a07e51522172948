/* SPDX-License-Identifier: Apache-2.0 */
#include "launch_choice.h"

#include "err.h"
#include "recording.h"

struct launch_choice launch_choice_make(const struct recording *r, const struct option_number *n)
{
	struct launch_choice c = { .recording = r, .end = r->launch_count };

	if (n->is_given) {
		c.first = (size_t)n->value;
		c.end = c.first + 1;
	}
	return c;
}

int launch_choice_check(const struct launch_choice *c, struct err *err)
{
	if (c->end <= c->recording->launch_count)
		return 0;
	if (!c->recording->launch_count)
		return err_set(err, ERR_USAGE, "--launch: the recording has no launches");
	return err_set(err, ERR_USAGE, "--launch: there are launches 0..%zu, not %zu",
	               c->recording->launch_count - 1, c->first);
}
