/*
 * launch_model - what the next event of a work-item is likely to be; private to trace/.
 *
 * Columns hold differences to its predictions, so the writer and the reader must run it alike:
 * ask, then tell what came. Everything wraps around at 64 bits; nothing depends on the events
 * making sense. FORMAT.md, section "Predictions", is the specification. Made for affine address
 * streams in loop nests, where every prediction is right.
 *
 * One model begins with each chunk. Ids must be in range of the table.
 */
#ifndef LAUNCH_MODEL_H
#define LAUNCH_MODEL_H

#include "model_stream.h"

#include <stddef.h>
#include <stdint.h>

struct err;
struct kernel_table;

struct model_site {
	struct model_stream item; /* per work-item: where its addresses would be at iteration 0 */
	struct model_stream next; /* within a work-item: its addresses, by iteration */
	uint64_t size;            /* last EVENT_SIZE */
	uint32_t seen;            /* item in which it was seen last */
	uint32_t loop;            /* slot of its loop */
};

struct model_loop {
	uint64_t iteration;
	uint32_t position; /* of the last event in this iteration; 0 for none */
	uint32_t item;     /* for which the two above hold */
	uint32_t parent;   /* slot */
	uint32_t entry;    /* its own position in its parent */
};

/* Slot 0 stands for "outside loops", slot i + 1 for loop i. */
struct launch_model {
	struct model_site *sites;
	struct model_loop *loops;
	size_t site_count, loop_count;
	uint32_t item; /* counts the work-items of the chunk, from 1 */
};

/* Set up for a table. Release with launch_model_release(). Returns 0 or ERR_NOMEM. */
int launch_model_init(struct launch_model *m, const struct kernel_table *t, struct err *err);
void launch_model_release(struct launch_model *m);

/* Forget everything: a chunk begins. */
void launch_model_begin(struct launch_model *m);

/* The address of a site in an iteration of its loop. */
static inline uint64_t model_site_ask(const struct launch_model *m, const struct model_site *s,
                                      uint64_t iteration)
{
	if (s->seen == m->item)
		return model_stream_ask(&s->next, iteration);
	return model_stream_ask(&s->item, m->item) + s->next.stride * iteration;
}

static inline void model_site_tell(const struct launch_model *m, struct model_site *s,
                                   uint64_t iteration, uint64_t value)
{
	if (s->seen == m->item) {
		model_stream_tell(&s->next, iteration, value);
		return;
	}
	model_stream_tell(&s->item, m->item, value - s->next.stride * iteration);
	s->next.last = value;
	s->next.step = iteration;
	s->seen = m->item;
}

/* The loop in a slot, at its beginning if this work-item has not been in it. */
static inline struct model_loop *model_loop_at(const struct launch_model *m, uint32_t slot)
{
	struct model_loop *l = &m->loops[slot];

	if (l->item != m->item) {
		l->item = m->item;
		l->iteration = 0;
		l->position = 0;
	}
	return l;
}

/* The iteration in which `position` comes next: this one, or the next if it lies behind. */
static inline uint64_t model_loop_ask(const struct model_loop *l, uint32_t position)
{
	return l->iteration + (position <= l->position);
}

static inline void model_loop_tell(struct model_loop *l, uint32_t position, uint64_t iteration)
{
	l->iteration = iteration;
	l->position = position;
}

static inline uint32_t model_site_position(uint32_t site)
{
	return 2 * site + 2;
}

#endif
