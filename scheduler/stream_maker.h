/*
 * stream_maker - makes streams from the events of work-groups, one group at a time.
 *
 * Events may be packed or plain. Warps whose lanes are in step are formed from one outline
 * (lockstep.h), the others access by access (warp_former.h). A stream does not depend on the
 * streams made before it.
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
 * large_warp - splits the active lanes of a large warp's instruction into sub-warps (Narasiman
 * 2011, section 3).
 *
 * A large warp is a table: lane l is in column l modulo the GPU's lanes of a warp, because that is
 * where the lane's registers are. A sub-warp takes at most one active lane of each column: sub-warp
 * k has the k-th active lane, counted from 0, of every column with more than k active lanes. So
 * there are as many sub-warps as active lanes in the fullest column.
 */

struct large_warp {
	const struct warp_step *step;          /* borrowed */
	uint32_t columns;                      /* lanes of a sub-warp at most */
	uint32_t sub_warps;                    /* >= 1 */
	uint32_t depth[WARP_LANES_MAX];        /* active lanes of each column */
	uint16_t active[LARGE_WARP_LANES_MAX]; /* k-th of column c: active[k * columns + c], as a
	                                          number of step->lane[] */
};

/* Split a step of at least one active lane. All lanes must be below L * columns, L =
 * LARGE_WARP_LANES_MAX / columns. The step is borrowed while *l is used. */
void large_warp_cut(struct large_warp *l, const struct warp_step *step, uint32_t columns);

/*
 * Fill *out with sub-warp k (< l->sub_warps) as a step: lane[] holds its columns, ascending.
 * large_lane[i], which has room for WARP_LANES_MAX, becomes the lane of the large warp for lane[i].
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
	struct pattern_places places; /* in the pattern set of the stream being made */
	uint32_t warp_lanes;
	uint32_t lanes;           /* formed together: warp_lanes, 1, or a multiple of warp_lanes */
	bool keeps_lanes;         /* settable: by the caller, before the first stream */
	bool keeps_paths;         /* settable; needs takes_fronts */
	bool takes_fronts;        /* settable; warp_former forms all warps */
	const struct gpu *gpu;    /* borrowed */
	struct spill_file *spill; /* settable; NULL: streams stay in memory; borrowed */
	size_t spill_bytes;       /* shorter streams stay in memory */
	size_t extent_bytes;      /* size of an extent */
	const struct reorder_config *reorder; /* settable; NULL: none; borrowed */
	const struct kernel_table *table;     /* borrowed */
	struct access_patterns *patterns;     /* settable; NULL: not requested; borrowed */
	struct side_counts *sides;            /* borrowed; per site, of all groups */
	struct warp_step step;
	struct large_warp large;   /* of `step`, when lanes > warp_lanes */
	struct warp_step sub_warp; /* of `large` */
};

/*
 * Prepare *m for a kernel and a GPU, both of which have passed their checks; `sides` has an element
 * for each site. Returns 0 or ERR_NOMEM; release in any case.
 */
int stream_maker_init(struct stream_maker *m, const struct gpu *gpu,
                      const struct kernel_table *table, const struct address_map *map,
                      struct side_counts *sides, struct err *err);
void stream_maker_release(struct stream_maker *m);

/*
 * Form streams for an order that has passed issue_order_check(): of warps, of single work-items
 * (each is a warp), or of large warps, whose sub-warps become separate instructions; with the paths
 * that `reorder` needs. May be called once, before the first stream; otherwise the order is lrr.
 */
void stream_maker_set_order(struct stream_maker *m, const struct issue_order *order);

/*
 * Fill *s from the events of a group, which may be of any length. The previous contents of *s are
 * discarded and its memory is reused. Returns 0; ERR_FORMAT for events that contradict the table or
 * themselves; ERR_LIMIT; ERR_IO for a temporary file; ERR_NOMEM. The message begins with
 * "group N: ".
 */
int group_stream_form(struct group_stream *s, struct stream_maker *m, uint64_t group,
                      const struct group_items *items, struct err *err);

#endif
