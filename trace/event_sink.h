/*
 * event_sink - where expanded events go: an array that is emptied when it is full; private to
 * trace/.
 *
 * Whoever appends asks for room first. When there is none, EVENT_SINK_FULL goes up to whoever
 * empties the sink, and the same calls, made again, go on where they stopped. Or, where the sink is
 * an outline, it grows up to a limit.
 */
#ifndef EVENT_SINK_H
#define EVENT_SINK_H

#include "event.h"

#include <stdbool.h>
#include <stddef.h>

struct err;

/* The most events of an outline. */
#define EVENT_SINK_OUTLINE_MAX (UINT64_C(1) << 21)

enum { EVENT_SINK_FULL = 1 };

struct event_sink {
	struct event *events;
	uint64_t count, capacity;
	uint64_t room;   /* it is full with as many */
	uint64_t passed; /* events that were taken out */
	bool is_outline; /* iterations that go on alike stay together (outline.h) */
};

/* See event_sink_reserve(). */
int event_sink_grow(struct event_sink *s, uint64_t more, struct err *err);

/* Room for so many more: 0; EVENT_SINK_FULL; ERR_NOMEM; ERR_LIMIT for too long an outline. There is
 * room for any number in an empty sink. */
static inline int event_sink_reserve(struct event_sink *s, uint64_t more, struct err *err)
{
	if (more <= s->capacity - s->count && (s->count + more <= s->room || !s->count))
		return 0;
	return event_sink_grow(s, more, err);
}

/* Events that were ever appended. */
static inline uint64_t event_sink_total(const struct event_sink *s)
{
	return s->passed + s->count;
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
