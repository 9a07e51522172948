/*
 * site_guide - predicts the addresses of a site of a chunk better than the site's own strides do,
 * and its use in the model; private to trace/.
 *
 * A guide is an anchor or a mate. An anchor is an address near which all others are, in no order. A
 * mate is another site: its last address in the same work-item, plus a constant or in proportion,
 * is this site's too, as in `a[i]` and then `b[i]`. FORMAT.md, sections "Guides" and "Predictions",
 * is the specification. The writer chooses which sites have one (guide_choice.h) and stores the
 * choice in the chunk.
 */
#ifndef SITE_GUIDE_H
#define SITE_GUIDE_H

#include "event.h"
#include "launch_model.h"
#include "varint.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define SITE_GUIDE_SHIFT_MAX 16
#define SITE_GUIDE_BYTES_MAX (2 * VARINT_BYTES_MAX32 + VARINT_BYTES_MAX)

struct site_guide {
	uint32_t site;
	bool has_mate;
	uint64_t anchor; /* without a mate */
	uint32_t mate;   /* another site */
	int32_t shift;   /* -SITE_GUIDE_SHIFT_MAX..SITE_GUIDE_SHIFT_MAX */
	/* code of the minimum width of the site's values; for the writer, not in files */
	unsigned least_width;
};

/* Write guides, in ascending order of their sites, in a chunk's format to `to`, which has room for
 * count * SITE_GUIDE_BYTES_MAX bytes. Returns the bytes used. */
size_t site_guides_put(unsigned char *to, const struct site_guide *guides, size_t count);

/*
 * Read the guide at `at`, of a kernel with `site_count` sites; `next` is the site after the last
 * guide's, at first 0. At least VARINT_BYTES_MAX readable bytes follow `end`. Returns the address
 * after it, or NULL with a sentence in *fault.
 */
const unsigned char *site_guide_get(struct site_guide *guide, const unsigned char *at,
                                    const unsigned char *end, uint64_t next, uint64_t site_count,
                                    const char **fault);

/*
 * The model of EVENT_LOOP, EVENT_EPOCH and EVENT_SIZE, which are rare, and of the steps of runs and
 * grids.
 */

/* Returns the value predicted for an event of these kinds. */
static inline uint64_t model_rare_predict(const struct launch_model *m, uint32_t point)
{
	uint32_t id = point & EVENT_ID_MASK;

	if ((point & EVENT_KIND_MASK) == EVENT_SIZE)
		return m->sites[id].size;
	if ((point & EVENT_KIND_MASK) == EVENT_EPOCH)
		return ((uint64_t)model_loop_at(m, id + 1)->high + 1) << 32;
	return model_loop_predict(model_loop_at(m, m->loops[id + 1].parent),
	                          m->loops[id + 1].entry);
}

/* Update with the actual value. */
static inline void model_rare_update(struct launch_model *m, uint32_t point, uint64_t value)
{
	uint32_t id = point & EVENT_ID_MASK;

	if ((point & EVENT_KIND_MASK) == EVENT_SIZE) {
		m->sites[id].size = value;
	} else if ((point & EVENT_KIND_MASK) == EVENT_EPOCH) {
		model_loop_update(model_loop_at(m, id + 1), 0, value);
	} else {
		model_loop_update(model_loop_at(m, m->loops[id + 1].parent), m->loops[id + 1].entry,
		                  value);
		model_loop_update(model_loop_at(m, id + 1), 0, 0);
	}
}

/* Returns the step of a run or grid of a site: the iteration of the loop around the one it runs in.
 */
static inline uint64_t model_run_step(const struct launch_model *m, uint32_t site, bool is_grid)
{
	uint32_t slot = m->loops[m->sites[site].loop].parent;

	return model_loop_iteration(model_loop_at(m, is_grid ? m->loops[slot].parent : slot));
}

/* Set how the addresses of a site are predicted in this chunk. The model must have begun. */
void launch_model_guide(struct launch_model *m, const struct site_guide *guide);

/* Returns a signed change multiplied or divided by a power of two, rounded down. */
static inline uint64_t model_shifted(uint64_t change, int32_t shift)
{
	return shift >= 0 ? change << shift : (uint64_t)((int64_t)change >> -shift);
}

/* Whether the mate of a site has had an address in this work-item; an anchor always has. */
static inline bool model_guide_knows(const struct launch_model *m, const struct model_site *s)
{
	return s->guide == MODEL_GUIDE_ANCHOR || m->sites[s->mate].track.seen == m->item;
}

/* Returns the address predicted for a site with a guide, from its track if the guide does not know.
 */
static inline uint64_t model_guided_predict(const struct launch_model *m,
                                            const struct model_site *s, uint64_t iteration)
{
	if (!model_guide_knows(m, s))
		return model_track_predict(&s->track, m->item, iteration);
	if (s->guide == MODEL_GUIDE_ANCHOR)
		return s->own;
	return s->own + model_shifted(m->sites[s->mate].track.next.last - s->other, s->shift);
}

/* Update with the actual address; is_as_predicted: it was the predicted one. If the guide knows,
 * the track keeps it only for sites whose mate this is. */
static inline void model_guided_update(const struct launch_model *m, struct model_site *s,
                                       uint64_t iteration, uint64_t value, bool is_as_predicted)
{
	if (!model_guide_knows(m, s)) {
		model_track_update(&s->track, m->item, iteration, value, is_as_predicted);
		return;
	}
	if (!is_as_predicted && s->guide == MODEL_GUIDE_MATE) {
		s->own = value;
		s->other = m->sites[s->mate].track.next.last;
	}
	s->track.next.last = value;
	s->track.seen = m->item;
}

#endif
