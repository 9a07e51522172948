/*
 * model_track - addresses that follow strides from work-item to work-item and within one; private
 * to trace/. FORMAT.md, section "Predictions", is the specification.
 *
 * Zeroed is the fresh state. Items count from 1.
 */
#ifndef MODEL_TRACK_H
#define MODEL_TRACK_H

#include "model_stream.h"

struct model_track {
	struct model_stream item; /* per work-item: where its addresses would be at step 0 */
	struct model_stream next; /* within a work-item, by step */
	uint32_t seen;            /* item in which it was seen last */
};

/* The address at a step. */
static inline uint64_t model_track_ask(const struct model_track *t, uint32_t item, uint64_t step)
{
	if (t->seen == item)
		return model_stream_ask(&t->next, step);
	return model_stream_ask(&t->item, item) + t->next.stride * step;
}

/* The address that came at a step, and whether it is the one that was asked for. */
static inline void model_track_tell(struct model_track *t, uint32_t item, uint64_t step,
                                    uint64_t value, bool is_as_asked)
{
	if (t->seen == item) {
		model_stream_tell(&t->next, step, value, is_as_asked);
		return;
	}
	model_stream_tell(&t->item, item, value - t->next.stride * step, is_as_asked);
	t->next.last = value;
	t->next.step = step;
	t->seen = item;
}

#endif
