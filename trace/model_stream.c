/* SPDX-License-Identifier: Apache-2.0 */
#include "model_stream.h"

void model_stream_miss(struct model_stream *s, uint64_t step, uint64_t value)
{
	uint64_t change = value - s->last, steps = step - s->step;

	if (change == s->change && steps == s->steps) {
		if (steps == 1)
			s->stride = change;
		else if ((int64_t)steps > 1)
			s->stride = (uint64_t)((int64_t)change / (int64_t)steps);
	}
	s->change = change;
	s->steps = steps;
}
