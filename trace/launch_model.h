/*
 * launch_model - predicts the next event of a work-item; private to trace/.
 *
 * Columns hold differences from its predictions, so writer and reader must run it in the same way:
 * predict, then update it with the actual value. All arithmetic wraps around at 64 bits; the events
 * need not make sense. FORMAT.md, section "Predictions", is the specification. It is designed for
 * affine address streams in loop nests, where every prediction is right.
 *
 * One model begins with each chunk. Ids must be in range of the table.
 */
#ifndef LAUNCH_MODEL_H
#define LAUNCH_MODEL_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * model_stream - predicts a number that usually changes by a fixed stride with each step of a
 * counter; private to trace/. FORMAT.md, section "Predictions", is the specification.
 *
 * A stride is used once the same change in the same number of steps was seen twice, so that an
 * irregular stream leaves no random stride. The initial state is zeroed.
 */

struct model_stream {
	uint64_t last;
	uint64_t stride;
	uint64_t step;   /* counter value of `last` */
	uint64_t change; /* of the last miss, in `steps` steps */
	uint64_t steps;
};

/* Update the stride after a miss: the rare part of model_stream_update(). */
void model_stream_miss(struct model_stream *s, uint64_t step, uint64_t value);

/* Returns the number predicted for `step`. */
static inline uint64_t model_stream_predict(const struct model_stream *s, uint64_t step)
{
	return s->last + s->stride * (step - s->step);
}

/* Update with the actual number; is_as_predicted: it was the predicted one. */
static inline void model_stream_update(struct model_stream *s, uint64_t step, uint64_t value,
                                       bool is_as_predicted)
{
	if (!is_as_predicted)
		model_stream_miss(s, step, value);
	s->last = value;
	s->step = step;
}

/*
 * model_track - predicts addresses that follow strides from work-item to work-item and within one;
 * private to trace/. FORMAT.md, section "Predictions", is the specification.
 *
 * The initial state is zeroed. Items are numbered from 1.
 */

struct model_track {
	struct model_stream item; /* per work-item: where its addresses would be at step 0 */
	struct model_stream next; /* within a work-item, by step */
	uint32_t seen;            /* item in which it was seen last */
};

/* Returns the address predicted for a step. */
static inline uint64_t model_track_predict(const struct model_track *t, uint32_t item,
                                           uint64_t step)
{
	if (t->seen == item)
		return model_stream_predict(&t->next, step);
	return model_stream_predict(&t->item, item) + t->next.stride * step;
}

/* Update with the actual address at a step; is_as_predicted: it was the predicted one. */
static inline void model_track_update(struct model_track *t, uint32_t item, uint64_t step,
                                      uint64_t value, bool is_as_predicted)
{
	if (t->seen == item) {
		model_stream_update(&t->next, step, value, is_as_predicted);
		return;
	}
	model_stream_update(&t->item, item, value - t->next.stride * step, is_as_predicted);
	t->next.last = value;
	t->next.step = step;
	t->seen = item;
}

struct err;
struct kernel_table;

/* What predicts the next address of a site: its track, or a guide (site_guide.h). */
enum model_guide {
	MODEL_GUIDE_OWN,
	MODEL_GUIDE_ANCHOR, /* always `own` */
	MODEL_GUIDE_MATE    /* from the mate's last one, if it has one in this work-item */
};

struct model_site {
	struct model_track track;  /* steps are iterations of its loop */
	uint64_t size;             /* last EVENT_SIZE */
	uint64_t own;              /* anchor; with a mate, the own address that went with... */
	uint64_t other;            /* ...this one of the mate */
	uint32_t loop;             /* slot of its loop */
	uint32_t mate;             /* site */
	unsigned char guide;       /* enum model_guide */
	int8_t shift;              /* its address changes by the mate's change << shift */
	unsigned char least_width; /* code of the minimum width of its values, for the writer */
};

/* The runs and grids of a site: the numbers of the last one, and where they are. */
struct model_run {
	struct model_track track; /* of the address at iteration 0; steps: see model_run_step() */
	uint32_t count;
	uint32_t rows;
	uint64_t first;
	uint64_t stride;
	uint64_t row_stride;
};

struct model_loop {
	uint32_t low; /* of the iteration; separate from the high half because it is stored without
	                 it */
	uint32_t position; /* of the last event in this iteration; 0 for none */
	uint32_t item;     /* for which these and `high` hold */
	uint32_t high;     /* of the iteration */
	uint32_t parent;   /* slot */
	uint32_t entry;    /* its own position in its parent */
};

/* Slot 0 stands for "outside loops", slot i + 1 for loop i. */
struct launch_model {
	struct model_site *sites;
	struct model_run *runs; /* by site */
	struct model_loop *loops;
	size_t site_count, loop_count;
	const struct kernel_table *table; /* borrowed */
	uint32_t item;                    /* counts the work-items of the chunk, from 1 */
};

/* Set up for a table, which is borrowed. Release with launch_model_release(). Returns 0 or
 * ERR_NOMEM. */
int launch_model_init(struct launch_model *m, const struct kernel_table *t, struct err *err);
void launch_model_release(struct launch_model *m);

/* Forget everything: a chunk begins. */
void launch_model_begin(struct launch_model *m);

/* Returns the loop in a slot, reset if this work-item has not been in it. */
static inline struct model_loop *model_loop_at(const struct launch_model *m, uint32_t slot)
{
	struct model_loop *l = &m->loops[slot];

	if (l->item != m->item) {
		l->item = m->item;
		l->low = l->high = 0;
		l->position = 0;
	}
	return l;
}

static inline uint64_t model_loop_iteration(const struct model_loop *l)
{
	return (uint64_t)l->high << 32 | l->low;
}

/* Returns the iteration in which `position` comes next: this one, or the next one if it has passed.
 */
static inline uint64_t model_loop_predict(const struct model_loop *l, uint32_t position)
{
	return model_loop_iteration(l) + (position <= l->position);
}

static inline void model_loop_update(struct model_loop *l, uint32_t position, uint64_t iteration)
{
	l->low = (uint32_t)iteration;
	l->high = (uint32_t)(iteration >> 32);
	l->position = position;
}

/* As model_loop_update() if the high half of the iteration does not change. */
static inline void model_loop_step(struct model_loop *l, uint32_t position, uint32_t low)
{
	l->low = low;
	l->position = position;
}

#endif
