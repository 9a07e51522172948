/*
 * model_stream - a number that tends to change by the same stride with each step of a count;
 * private to trace/. FORMAT.md, section "Predictions", is the specification.
 *
 * A stride is believed once the same change in the same number of steps was seen twice, so that
 * an irregular stream leaves no wild one behind. Zeroed is the fresh state.
 */
#ifndef MODEL_STREAM_H
#define MODEL_STREAM_H

#include <stdbool.h>
#include <stdint.h>

struct model_stream {
	uint64_t last;
	uint64_t stride;
	uint64_t step;   /* the count that goes with `last` */
	uint64_t change; /* of the last miss, in `steps` steps */
	uint64_t steps;
};

/* What to believe after a miss: the rare part of model_stream_tell(). */
void model_stream_miss(struct model_stream *s, uint64_t step, uint64_t value);

/* The number expected at `step`. */
static inline uint64_t model_stream_ask(const struct model_stream *s, uint64_t step)
{
	return s->last + s->stride * (step - s->step);
}

/* The number that came, and whether it is the one that was asked for. */
static inline void model_stream_tell(struct model_stream *s, uint64_t step, uint64_t value,
                                     bool is_as_asked)
{
	if (!is_as_asked)
		model_stream_miss(s, step, value);
	s->last = value;
	s->step = step;
}

#endif
