/*
 * event_sink - where expanded events go: an array that grows up to the limit of a group; private
 * to trace/.
 */
#ifndef EVENT_SINK_H
#define EVENT_SINK_H

#include "event.h"

#include <stdbool.h>
#include <stddef.h>

struct err;

struct event_sink {
	struct event *events;
	uint64_t count, capacity;
	bool is_outline; /* iterations that go on alike stay together (outline.h) */
};

/* Room for so many more. Returns 0, ERR_NOMEM, or ERR_LIMIT when there would be too many. */
int event_sink_grow(struct event_sink *s, uint64_t more, struct err *err);

static inline int event_sink_reserve(struct event_sink *s, uint64_t more, struct err *err)
{
	return more <= s->capacity - s->count ? 0 : event_sink_grow(s, more, err);
}

/* Free the events. Accepts a zeroed sink. */
void event_sink_release(struct event_sink *s);

/* Append one event, for which there is room. */
static inline void event_sink_put(struct event_sink *s, uint64_t value, uint32_t point,
                                  uint32_t iteration)
{
	s->events[s->count++] = (struct event){ value, point, iteration };
}

#endif
