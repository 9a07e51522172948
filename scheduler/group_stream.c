/* SPDX-License-Identifier: Apache-2.0 */
#include "group_stream.h"

#include <string.h>

/* The most entries of each array of a resident group. */
static const size_t STREAM_LIMIT = (size_t)1 << 32;

void group_stream_init(struct group_stream *s, uint32_t mask_words)
{
	memset(s, 0, sizeof(*s));
	array_init(&s->warps, sizeof(struct stream_warp), STREAM_LIMIT, "warps of a group");
	array_init(&s->instructions, sizeof(struct stream_instruction), STREAM_LIMIT,
	           "warp instructions of a group");
	array_init(&s->requests, sizeof(struct stream_request), STREAM_LIMIT,
	           "line requests of a group");
	array_init(&s->lane_ends, sizeof(size_t), STREAM_LIMIT, "warp instructions of a group");
	array_init(&s->items, sizeof(uint32_t), STREAM_LIMIT, "accesses of a group");
	array_init(&s->addresses, sizeof(uint64_t), STREAM_LIMIT, "accesses of a group");
	array_init(&s->paths, sizeof(struct loop_level), STREAM_LIMIT, "loops of a group");
	array_init(&s->ranks, sizeof(uint32_t), STREAM_LIMIT, "places of a group");
	stream_bundles_init(&s->bundles);
	stream_spill_init(&s->spill);
	pattern_set_init(&s->patterns, mask_words);
}

void group_stream_release(struct group_stream *s)
{
	array_release(&s->warps);
	array_release(&s->instructions);
	array_release(&s->requests);
	array_release(&s->lane_ends);
	array_release(&s->items);
	array_release(&s->addresses);
	array_release(&s->paths);
	array_release(&s->ranks);
	stream_bundles_release(&s->bundles);
	stream_spill_release(&s->spill);
	pattern_set_release(&s->patterns);
}

const struct loop_level *group_stream_path(const struct group_stream *s,
                                           const struct stream_instruction *instruction)
{
	const struct loop_level *all = s->paths.data;

	return all ? all + (size_t)(instruction - group_stream_instruction(s, 0)) * s->path_levels
	           : NULL;
}
