/* SPDX-License-Identifier: Apache-2.0 */
#include "stream_bundle.h"

#include "group_stream.h"

static const size_t BUNDLES_LIMIT = (size_t)1 << 31; /* request_count has 31 bits */

void stream_bundles_init(struct stream_bundles *b)
{
	array_init(&b->bundles, sizeof(struct stream_bundle), BUNDLES_LIMIT, "bundles of a group");
	array_init(&b->strands, sizeof(struct stream_strand), BUNDLES_LIMIT, "runs of a group");
	array_init(&b->classes, sizeof(struct stream_class), BUNDLES_LIMIT, "alignments of runs");
	array_init(&b->requests, sizeof(struct stream_request), BUNDLES_LIMIT,
	           "line requests of runs");
}

void stream_bundles_release(struct stream_bundles *b)
{
	array_release(&b->bundles);
	array_release(&b->strands);
	array_release(&b->classes);
	array_release(&b->requests);
}

void stream_bundles_clear(struct stream_bundles *b)
{
	array_clear(&b->bundles);
	array_clear(&b->strands);
	array_clear(&b->classes);
	array_clear(&b->requests);
}

/* Set the instruction of the current strand and iteration. */
static void stand(struct stream_cursor *c, const struct group_stream *s)
{
	const struct stream_bundles *b = &s->bundles;
	const struct stream_strand *strand =
		(const struct stream_strand *)b->strands.data + c->bundle->first_strand + c->strand;
	uint64_t period = c->iteration >> strand->period_bits;
	const struct stream_class *class = (const struct stream_class *)b->classes.data +
	                                   strand->first_class +
	                                   (c->iteration - (period << strand->period_bits));

	c->at = &class->instruction;
	c->requests = (const struct stream_request *)b->requests.data + class->first_request;
	c->moved_bytes = period * strand->period_bytes;
}

/* At the end of the window: read the next instructions into it. */
static void refill(struct stream_cursor *c, const struct group_stream *s)
{
	size_t count = stream_spill_fill(s, c->window);

	c->at = c->window->instructions;
	c->end = c->at + count;
	c->requests = c->window->requests;
}

/* If *at stands for a bundle, enter it. */
static void enter(struct stream_cursor *c, const struct group_stream *s)
{
	if (c->at == c->end && c->window)
		refill(c, s);
	if (c->at == c->end || c->at->site != STREAM_BUNDLE)
		return;
	c->back = c->at;
	c->back_requests = c->requests;
	c->bundle = (const struct stream_bundle *)s->bundles.bundles.data + c->at->request_count;
	c->iteration = 0;
	c->strand = 0;
	stand(c, s);
}

void stream_cursor_start(struct stream_cursor *c, const struct group_stream *s, uint32_t warp)
{
	const struct stream_warp *warps = s->warps.data;

	*c = (struct stream_cursor){ 0 };
	if (s->spill.file) {
		c->window = stream_spill_window(s, warp);
	} else {
		c->at = group_stream_instruction(s, warps[warp].first_instruction);
		c->end = group_stream_instruction(s, warps[warp + 1].first_instruction);
		c->requests = group_stream_request(s, warps[warp].first_request);
	}
	enter(c, s);
}

void stream_cursor_next(struct stream_cursor *c, const struct group_stream *s)
{
	if (!c->bundle) {
		if (c->at->request_count) /* without requests the array may be NULL */
			c->requests += c->at->request_count;
		c->at++;
		enter(c, s);
		return;
	}
	if (++c->strand == c->bundle->strand_count) {
		c->strand = 0;
		c->iteration++;
	}
	if (c->iteration < c->bundle->length) {
		stand(c, s);
		return;
	}
	c->bundle = NULL;
	c->moved_bytes = 0;
	c->at = c->back + 1;
	c->requests = c->back_requests;
	enter(c, s);
}

void stream_cursor_lanes(const struct stream_cursor *c, const struct group_stream *s,
                         struct warp_access *a)
{
	const struct stream_window *w = c->window;
	const size_t *ends = w ? w->lane_ends : s->lane_ends.data;
	const uint32_t *items = w ? w->items : s->items.data;
	const uint64_t *addresses = w ? w->addresses : s->addresses.data;
	size_t i = (size_t)(c->at - (w ? w->instructions : group_stream_instruction(s, 0)));
	size_t first = i ? ends[i - 1] : 0;

	a->lane_count = (uint32_t)(ends[i] - first);
	a->item = items + first;
	a->address = addresses + first;
}
