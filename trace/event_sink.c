/* SPDX-License-Identifier: Apache-2.0 */
#include "event_sink.h"

#include "err.h"
#include "launch_format.h"

#include <inttypes.h>
#include <stdlib.h>

int event_sink_grow(struct event_sink *s, uint64_t more, struct err *err)
{
	uint64_t capacity = s->capacity ? s->capacity : 4096;
	struct event *grown;

	if (more > LAUNCH_GROUP_EVENTS_MAX - s->count)
		return err_set(err, ERR_LIMIT,
		               "more than %" PRIu64 " events of one group when its runs and grids "
		               "are expanded",
		               LAUNCH_GROUP_EVENTS_MAX);
	while (capacity - s->count < more)
		capacity *= 2; /* at most twice the limit */
	grown = realloc(s->events, capacity * sizeof(*grown));
	if (!grown)
		return err_set(err, ERR_NOMEM, "out of memory for %" PRIu64 " events", capacity);
	s->events = grown;
	s->capacity = capacity;
	return 0;
}

void event_sink_release(struct event_sink *s)
{
	free(s->events);
	*s = (struct event_sink){ 0 };
}
