/*
 * model_rare - the model of EVENT_LOOP, EVENT_EPOCH and EVENT_SIZE, which are few, and the steps of
 * runs and grids; private to trace/.
 */
#ifndef MODEL_RARE_H
#define MODEL_RARE_H

#include "event.h"
#include "launch_model.h"

/* The value expected of an event of these kinds. */
static inline uint64_t model_rare_ask(const struct launch_model *m, uint32_t point)
{
	uint32_t id = point & EVENT_ID_MASK;

	if ((point & EVENT_KIND_MASK) == EVENT_SIZE)
		return m->sites[id].size;
	if ((point & EVENT_KIND_MASK) == EVENT_EPOCH)
		return ((uint64_t)model_loop_at(m, id + 1)->high + 1) << 32;
	return model_loop_ask(model_loop_at(m, m->loops[id + 1].parent), m->loops[id + 1].entry);
}

/* What follows from the value that came. */
static inline void model_rare_tell(struct launch_model *m, uint32_t point, uint64_t value)
{
	uint32_t id = point & EVENT_ID_MASK;

	if ((point & EVENT_KIND_MASK) == EVENT_SIZE) {
		m->sites[id].size = value;
	} else if ((point & EVENT_KIND_MASK) == EVENT_EPOCH) {
		model_loop_tell(model_loop_at(m, id + 1), 0, value);
	} else {
		model_loop_tell(model_loop_at(m, m->loops[id + 1].parent), m->loops[id + 1].entry,
		                value);
		model_loop_tell(model_loop_at(m, id + 1), 0, 0);
	}
}

/* The step of a run or grid of a site: where the loop around the one that it runs in stands. */
static inline uint64_t model_run_step(const struct launch_model *m, uint32_t site, bool is_grid)
{
	uint32_t slot = m->loops[m->sites[site].loop].parent;

	return model_loop_iteration(model_loop_at(m, is_grid ? m->loops[slot].parent : slot));
}

#endif
