/*
 * group_stream - the warp instructions and line requests that a resident work-group will make.
 *
 * A stream_maker makes it from the group's events when the group becomes resident; the events are
 * not needed afterwards. Accesses to local and constant memory are counted but are not
 * instructions. A stored request takes 16 bytes, an instruction 8. The arrays are flat: a warp's
 * instructions and requests are contiguous and in the order in which the warp makes them. A bundle
 * (stream_bundle.h) is one instruction here, and its requests are stored elsewhere; a stream_cursor
 * visits them all. On request the maker also keeps the lanes of each access. A long group may keep
 * all of these outside memory (stream_spill.h): then these arrays are empty.
 */
#ifndef GROUP_STREAM_H
#define GROUP_STREAM_H

#include "array.h"
#include "loop_path.h"
#include "pattern_set.h"
#include "request.h"
#include "stream_bundle.h"
#include "stream_spill.h"

/* The first instruction and request of a warp; they end where the next warp's begin. */
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
	struct stream_spill spill;
	struct pattern_set patterns;
	struct array lane_ends; /* size_t, for each instruction: one past its last lane in items */
	struct array items;     /* uint32_t, local linear id; these three only with keeps_lanes */
	struct array addresses; /* uint64_t, as recorded */
	struct array paths; /* struct loop_level, a path for each instruction: with keeps_paths */
	uint32_t path_levels;
	struct array ranks; /* uint32_t, for each instruction, if ranks were assigned */
	uint64_t lanes;     /* accesses in the events, except to local and constant memory */
	uint64_t accesses;  /* instructions that are not barriers */
};

/* Make *s empty; `mask_words` as in the coalescer. No allocation. */
void group_stream_init(struct group_stream *s, uint32_t mask_words);
void group_stream_release(struct group_stream *s);

/* The position of an instruction of the stream in its loops, for loop_path_compare(); NULL if the
 * maker keeps no paths. Borrowed from the stream. */
const struct loop_level *group_stream_path(const struct group_stream *s,
                                           const struct stream_instruction *instruction);

/* Instruction or request number i of the whole group, or one past the last; NULL if the array is
 * empty. */
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

/* The place of an instruction in a given static order (reorder_config_rank()); NULL if ranks were
 * not assigned. */
static inline const uint32_t *group_stream_rank(const struct group_stream *s,
                                                const struct stream_instruction *instruction)
{
	const uint32_t *all = s->ranks.data;

	return s->ranks.count ? all + (instruction - group_stream_instruction(s, 0)) : NULL;
}

#endif
