/*
 * model_guide - the model of sites whose addresses a guide tells (site_guide.h); private to trace/.
 * FORMAT.md, section "Predictions", is the specification.
 */
#ifndef MODEL_GUIDE_H
#define MODEL_GUIDE_H

#include "launch_model.h"
#include "site_guide.h"

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
