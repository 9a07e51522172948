/*
 * model_guide - the model of sites whose addresses a guide tells (site_guide.h); private to trace/.
 * FORMAT.md, section "Predictions", is the specification.
 */
#ifndef MODEL_GUIDE_H
#define MODEL_GUIDE_H

#include "event.h"
#include "launch_model.h"
#include "site_guide.h"

/*
 * model_rare - the model of EVENT_LOOP, EVENT_EPOCH and EVENT_SIZE, which are few, and the steps of
 * runs and grids; private to trace/.
 */

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

/* Set how the addresses of a site are guessed in this chunk; the model was begun. */
void launch_model_guide(struct launch_model *m, const struct site_guide *guide);

/* A signed change, times or divided by a power of two, rounded down. */
static inline uint64_t model_shifted(uint64_t change, int32_t shift)
{
	return shift >= 0 ? change << shift : (uint64_t)((int64_t)change >> -shift);
}

/* Whether the mate of a site was there in this work-item; an anchor always is. */
static inline bool model_guide_knows(const struct launch_model *m, const struct model_site *s)
{
	return s->guide == MODEL_GUIDE_ANCHOR || m->sites[s->mate].track.seen == m->item;
}

/* The next address of a site with a guide. Where the guide does not know, its track tells. */
static inline uint64_t model_guided_ask(const struct launch_model *m, const struct model_site *s,
                                        uint64_t iteration)
{
	if (!model_guide_knows(m, s))
		return model_track_ask(&s->track, m->item, iteration);
	if (s->guide == MODEL_GUIDE_ANCHOR)
		return s->own;
	return s->own + model_shifted(m->sites[s->mate].track.next.last - s->other, s->shift);
}

/* The address that came, and whether it is the one that was asked for. Where the guide knows, the
 * track keeps it only for those whose mate this site is. */
static inline void model_guided_tell(const struct launch_model *m, struct model_site *s,
                                     uint64_t iteration, uint64_t value, bool is_as_asked)
{
	if (!model_guide_knows(m, s)) {
		model_track_tell(&s->track, m->item, iteration, value, is_as_asked);
		return;
	}
	if (!is_as_asked && s->guide == MODEL_GUIDE_MATE) {
		s->own = value;
		s->other = m->sites[s->mate].track.next.last;
	}
	s->track.next.last = value;
	s->track.seen = m->item;
}

#endif
