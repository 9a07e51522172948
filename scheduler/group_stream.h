/*
 * group_stream - a resident work-group: the warp instructions and line requests it will make.
 *
 * Made from the group's events, packed or plain, when it becomes resident; the events are not
 * needed after that. What goes beside L1 is counted and no instruction. A stored request takes 16
 * bytes, an instruction 8. The arrays are flat: a warp's instructions and requests follow each
 * other in the order in which the warp makes them, but for those of a bundle (stream_bundle.h),
 * which is one instruction here; a stream_cursor goes through them all. When asked to, it keeps
 * each access' lanes as well.
 */
#ifndef GROUP_STREAM_H
#define GROUP_STREAM_H

#include "array.h"
#include "coalesce.h"
#include "group_events.h"
#include "issue_order.h"
#include "large_warp.h"
#include "lockstep.h"
#include "loop_path.h"
#include "pattern_set.h"
#include "request.h"
#include "side_counts.h"
#include "stream_bundle.h"
#include "warp_former.h"

struct err;
struct expander;
struct reorder_config;

/* Where a warp's share begins; it ends where the next one's begins. */
struct stream_warp {
	size_t first_instruction;
	size_t first_request;
};

struct group_stream {
	uint64_t group;
	uint32_t warp_count;
	struct array warps;        /* struct stream_warp, warp_count + 1 */
	struct array instructions; /* struct stream_instruction */
	struct array requests;     /* struct stream_request */
	struct stream_bundles bundles;
	struct pattern_set patterns;
	struct array lane_ends; /* size_t, for each instruction: one past its last lane below */
	struct array items;     /* uint32_t, local linear id; these three only with keeps_lanes */
	struct array addresses; /* uint64_t, as recorded */
	struct array paths; /* struct loop_level, a path for each instruction: with keeps_paths */
	uint32_t path_levels;
	struct array ranks; /* uint32_t, for each instruction, where somebody has given them */
	uint64_t lanes;     /* accesses in the events, but for those that go beside L1 */
	uint64_t accesses;  /* instructions that are not barriers */
};

/* What makes streams, one at a time. */
struct stream_maker {
	struct warp_former *former; /* owned */
	struct lockstep lockstep;   /* for the warps that fit */
	struct expander *expander;  /* owned; NULL until it is needed: for those that do not */
	struct coalescer coalescer;
	struct pattern_places places; /* in the set of the stream under way */
	uint32_t warp_lanes;
	uint32_t lanes;        /* formed together: warp_lanes, 1, or a multiple of warp_lanes */
	bool keeps_lanes;      /* to be set, if wanted, before the first stream */
	bool keeps_paths;      /* likewise; needs takes_fronts */
	bool takes_fronts;     /* likewise: no warp is taken for one in step */
	const struct gpu *gpu; /* borrowed */
	const struct reorder_config *reorder; /* NULL: none; to be set likewise; borrowed */
	const struct kernel_table *table;     /* borrowed */
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

/* Make *s empty. `mask_words` as in the coalescer. No allocation. */
void group_stream_init(struct group_stream *s, uint32_t mask_words);
void group_stream_release(struct group_stream *s);

/*
 * Fill *s, whose former contents are gone and whose memory is used again, from the events of a
 * group. Returns 0; ERR_FORMAT for events that contradict the table or themselves; ERR_LIMIT;
 * ERR_NOMEM. The message begins with "group N: ".
 */
int group_stream_form(struct group_stream *s, struct stream_maker *m, uint64_t group,
                      const struct group_events *events, struct err *err);

/* What a warp instruction of the stream was formed from stood in these loops, which
 * loop_path_compare() compares; NULL when its maker keeps no paths. Borrowed from the stream. */
const struct loop_level *group_stream_path(const struct group_stream *s,
                                           const struct stream_instruction *instruction);

/*
 * Let lane_count, item and address of *a be those of an access of the stream, whose maker keeps
 * lanes; borrowed from the stream.
 */
void group_stream_lanes(const struct group_stream *s, const struct stream_instruction *access,
                        struct warp_access *a);

/* A place in a warp's instructions. All is borrowed from the stream. */
struct stream_cursor {
	const struct stream_instruction *at, *end;  /* the next one, unless it is `end` */
	const struct stream_request *requests;      /* of *at, */
	uint64_t moved_bytes;                       /* their lines moved by this */
	const struct stream_bundle *bundle;         /* that *at is in, or NULL */
	uint64_t iteration;                         /* of the bundle, */
	uint32_t strand;                            /* and which of its strands */
	const struct stream_instruction *back;      /* what stands for the bundle, */
	const struct stream_request *back_requests; /* and those that follow it */
};

/* The beginning of warp number `warp`. */
void stream_cursor_start(struct stream_cursor *c, const struct group_stream *s, uint32_t warp);

/* Go on; not at the end. */
void stream_cursor_next(struct stream_cursor *c, const struct group_stream *s);

/* Instruction or request number i of the whole group, or one past the last; NULL when there are
 * none at all. */
static inline const struct stream_instruction *
group_stream_instruction(const struct group_stream *s, size_t i)
{
	const struct stream_instruction *all = s->instructions.data;

	return all ? all + i : NULL;
}

static inline const struct stream_request *group_stream_request(const struct group_stream *s,
                                                                size_t i)
{
	const struct stream_request *all = s->requests.data;

	return all ? all + i : NULL;
}

/* The place of an instruction in a static order that somebody else has made; NULL for none. */
static inline const uint32_t *group_stream_rank(const struct group_stream *s,
                                                const struct stream_instruction *instruction)
{
	const uint32_t *all = s->ranks.data;

	return s->ranks.count ? all + (instruction - group_stream_instruction(s, 0)) : NULL;
}

#endif
