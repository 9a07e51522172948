/*
 * stream_maker - the events of work-groups become streams, one at a time.
 *
 * Events may be packed or plain. Warps whose lanes are in step are formed from one outline
 * (lockstep.h), others access by access (warp_former.h). A stream does not depend on what its maker
 * made before.
 */
#ifndef STREAM_MAKER_H
#define STREAM_MAKER_H

#include "coalesce.h"
#include "issue_order.h"
#include "item_events.h"
#include "lockstep.h"
#include "pattern_set.h"
#include "side_counts.h"
#include "warp_former.h"

/*
 * large_warp - the active lanes of a large warp's instruction, cut into sub-warps (Narasiman 2011,
 * section 3).
 *
 * A large warp is a table: lane l stands in column l modulo the GPU's lanes of a warp, because that
 * is where the lane's registers are. A sub-warp takes at most one active lane of each column:
 * number k has the k-th active lane, counted from 0, of every column that has so many. So there are
 * as many sub-warps as active lanes in the fullest column.
 */

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

struct access_patterns;
struct err;
struct group_stream;
struct reorder_config;

struct stream_maker {
	struct warp_former *former; /* owned */
	struct lockstep lockstep;   /* for the warps that fit */
	struct coalescer coalescer;
	struct pattern_places places; /* in the set of the stream under way */
	uint32_t warp_lanes;
	uint32_t lanes;           /* formed together: warp_lanes, 1, or a multiple of warp_lanes */
	bool keeps_lanes;         /* to be set, if wanted, before the first stream */
	bool keeps_paths;         /* likewise; needs takes_fronts */
	bool takes_fronts;        /* likewise: no warp is taken for one in step */
	const struct gpu *gpu;    /* borrowed */
	struct spill_file *spill; /* NULL: streams stay in memory; to be set likewise; borrowed */
	size_t spill_bytes;       /* fewer are not worth it; */
	size_t extent_bytes;      /* as many are written at a time */
	const struct reorder_config *reorder; /* NULL: none; to be set likewise; borrowed */
	const struct kernel_table *table;     /* borrowed */
	struct access_patterns *patterns; /* NULL: not asked for; to be set likewise; borrowed */
	struct side_counts *sides; /* borrowed: per site, what went beside L1 in all groups */
	struct warp_step step;
	struct large_warp large;   /* of `step`, when lanes > warp_lanes */
	struct warp_step sub_warp; /* of `large` */
};

/*
 * Prepare *m for a kernel and a GPU, both checked; `sides` has a place for each site. Returns 0 or
 * ERR_NOMEM; release in any case.
 */
int stream_maker_init(struct stream_maker *m, const struct gpu *gpu,
                      const struct kernel_table *table, const struct address_map *map,
                      struct side_counts *sides, struct err *err);
void stream_maker_release(struct stream_maker *m);

/*
 * Form streams for an order that has passed issue_order_check(): of warps, of single work-items
 * (each is a warp), or of large warps, whose sub-warps become instructions of their own; with the
 * paths that `reorder` needs. To be called, if at all, before the first stream; otherwise lrr.
 */
void stream_maker_set_order(struct stream_maker *m, const struct issue_order *order);

/*
 * Fill *s, whose former contents are gone and whose memory is used again, from the events of a
 * group, of any length. Returns 0; ERR_FORMAT for events that contradict the table or themselves;
 * ERR_LIMIT; ERR_IO for a temporary file; ERR_NOMEM. The message begins with "group N: ".
 */
int group_stream_form(struct group_stream *s, struct stream_maker *m, uint64_t group,
                      const struct group_items *items, struct err *err);

#endif
