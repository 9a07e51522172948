/*
 * large_warp - the active lanes of a large warp's instruction, cut into sub-warps (Narasiman 2011,
 * section 3).
 *
 * A large warp is a table: lane l stands in column l modulo the GPU's lanes of a warp, because that
 * is where the lane's registers are. A sub-warp takes at most one active lane of each column:
 * number k has the k-th active lane, counted from 0, of every column that has so many. So there are
 * as many sub-warps as active lanes in the fullest column.
 */
#ifndef LARGE_WARP_H
#define LARGE_WARP_H

#include "warp_former.h"

struct large_warp {
	const struct warp_step *step;          /* borrowed */
	uint32_t columns;                      /* lanes of a sub-warp at most */
	uint32_t sub_warps;                    /* >= 1 */
	uint32_t depth[WARP_LANES_MAX];        /* active lanes of each column */
	uint16_t active[LARGE_WARP_LANES_MAX]; /* k-th of column c: active[k * columns + c], as a
	                                          number of step->lane[] */
};

/* Cut a step of at least one lane; lanes < LARGE_WARP_LANES_MAX / columns * columns. */
void large_warp_cut(struct large_warp *l, const struct warp_step *step, uint32_t columns);

/*
 * Sub-warp k (< l->sub_warps) as a step of its own: lane[] holds its columns, ascending, and
 * large_lane[i], of WARP_LANES_MAX, the lane of the large warp that stands in lane[i].
 */
void large_warp_take(const struct large_warp *l, uint32_t k, struct warp_step *out,
                     uint16_t *large_lane);

#endif
