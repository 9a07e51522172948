/* SPDX-License-Identifier: Apache-2.0 */
#include "event_sink.h"

#include "err.h"

#include <inttypes.h>
#include <stdlib.h>

/* Memory for so many more. */
static int make_room(struct event_sink *s, uint64_t more, struct err *err)
{
	uint64_t capacity = s->capacity ? s->capacity : 64;
	struct event *grown;

	while (capacity - s->count < more)
		capacity *= 2; /* what is asked for lies in memory already, in some form */
	grown = realloc(s->events, capacity * sizeof(*grown));
	if (!grown)
		return err_set(err, ERR_NOMEM, "out of memory for %" PRIu64 " events", capacity);
	s->events = grown;
	s->capacity = capacity;
	return 0;
}

int event_sink_grow(struct event_sink *s, uint64_t more, struct err *err)
{
	if (s->is_outline && more > EVENT_SINK_OUTLINE_MAX - s->count)
		return err_set(err, ERR_LIMIT, "an outline of more than %" PRIu64 " events",
		               EVENT_SINK_OUTLINE_MAX);
	if (!s->is_outline && s->count && s->count + more > s->room)
		return EVENT_SINK_FULL;
	return more <= s->capacity - s->count ? 0 : make_room(s, more, err);
}

void event_sink_release(struct event_sink *s)
{
	free(s->events);
	*s = (struct event_sink){ 0 };
}
