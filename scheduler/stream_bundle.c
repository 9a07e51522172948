/* SPDX-License-Identifier: Apache-2.0 */
#include "stream_bundle.h"

#include "access_patterns.h"
#include "err.h"
#include "group_stream.h"
#include "group_stream_private.h"

/* Fewer iterations are shorter one by one. */
enum { BUNDLE_ITERATIONS_MIN = 4 };

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

/* Let m->step be a strand's access in an iteration. */
static void fill_step(struct stream_maker *m, const struct lockstep_strand *strand,
                      uint64_t iteration)
{
	m->step.site = strand->site;
	m->step.bytes = m->table->sites[strand->site].bytes;
	m->step.is_mixed = false;
	m->step.lane_count = m->lockstep.lane_count;
	for (uint32_t i = 0; i < m->step.lane_count; i++)
		m->step.address[i] = strand->first[i] + iteration * strand->stride[i];
}

/* Whether all lanes move alike through `length` iterations, none out of its buffer. */
static bool is_steady(struct stream_maker *m, const struct lockstep_strand *strand, uint64_t length)
{
	uint32_t lanes = m->lockstep.lane_count, bytes = m->table->sites[strand->site].bytes;
	uint64_t stride = strand->stride[0], differs = 0;
	int64_t way;

	for (uint32_t i = 1; i < lanes; i++)
		differs |= strand->stride[i] ^ stride;
	if (differs || length > INT64_MAX ||
	    __builtin_mul_overflow((int64_t)stride, (int64_t)length - 1, &way))
		return false;
	return coalescer_is_steady(&m->coalescer, strand->first, lanes, way, bytes);
}

static bool are_steady(struct stream_maker *m, uint64_t length)
{
	const struct lockstep_strand *strands = m->lockstep.strands.data;

	for (size_t k = 0; k < m->lockstep.strands.count; k++)
		if (!side_counts_take(&m->table->sites[strands[k].site]) &&
		    !is_steady(m, &strands[k], length))
			return false;
	return true;
}

/* One after the other. */
static int add_plainly(struct group_stream *s, struct stream_maker *m, uint32_t first_item,
                       uint64_t length, struct err *err)
{
	const struct lockstep_strand *strands = m->lockstep.strands.data;
	int rc = 0;

	for (uint64_t i = 0; i < length; i++)
		for (size_t k = 0; k < m->lockstep.strands.count && !rc; k++) {
			fill_step(m, &strands[k], i);
			rc = group_stream_add_step(s, m, first_item, err);
		}
	return rc;
}

/* How often a stride has to be taken until it is a number of whole lines: 2 to the ... */
static uint32_t find_period_bits(uint64_t stride, uint32_t line_bytes)
{
	uint32_t line_bits = (uint32_t)__builtin_ctz(line_bytes), zeros;

	if (!stride)
		return 0;
	zeros = (uint32_t)__builtin_ctzll(stride);
	return zeros < line_bits ? line_bits - zeros : 0;
}

/* The requests of a strand in an iteration, as one of its classes. */
static int add_class(struct group_stream *s, struct stream_maker *m,
                     const struct lockstep_strand *strand, uint64_t iteration, struct err *err)
{
	struct stream_bundles *b = &s->bundles;
	struct stream_class *class = array_append(&b->classes, 1, err);
	int rc;

	if (!class)
		return ERR_NOMEM;
	fill_step(m, strand, iteration);
	rc = coalesce(&m->coalescer, &m->step, err);
	if (rc)
		return rc;
	*class = (struct stream_class){
		.instruction = { .site = strand->site,
		                 .request_count =
		                         (uint32_t)m->coalescer.uses.count & STREAM_COUNT_MASK },
		.first_request = b->requests.count,
	};
	return group_stream_add_requests(s, m, &b->requests, err);
}

static int add_strand(struct group_stream *s, struct stream_maker *m,
                      const struct lockstep_strand *strand, uint64_t length, struct err *err)
{
	uint64_t stride = strand->stride[0], unmapped = m->coalescer.unmapped_lanes;
	uint32_t bits = find_period_bits(stride, m->coalescer.line_bytes);
	uint64_t classes = (uint64_t)1 << bits;
	struct stream_strand *added = array_append(&s->bundles.strands, 1, err);
	int rc = added ? 0 : ERR_NOMEM;

	if (rc)
		return rc;
	*added = (struct stream_strand){ s->bundles.classes.count, bits, stride << bits };
	if (classes > length)
		classes = length;
	for (uint64_t i = 0; i < classes && !rc; i++) {
		unmapped = m->coalescer.unmapped_lanes;
		rc = add_class(s, m, strand, i, err);
		if (!rc && m->patterns)
			access_patterns_step(m->patterns, &m->step, &m->coalescer,
			                     (length - i - 1) / classes + 1);
	}
	unmapped = m->coalescer.unmapped_lanes - unmapped; /* of one class: all have as many */
	m->coalescer.unmapped_lanes += unmapped * (length - classes);
	s->lanes += length * m->lockstep.lane_count;
	s->accesses += length;
	return rc;
}

/* Count the accesses of a strand that go beside L1; they are no instructions. */
static int count_side(struct group_stream *s, struct stream_maker *m, uint32_t first_item,
                      const struct lockstep_strand *strand, uint64_t length, struct err *err)
{
	int rc = 0;

	for (uint64_t i = 0; i < length && !rc; i++) {
		fill_step(m, strand, i);
		rc = group_stream_add_step(s, m, first_item, err);
	}
	return rc;
}

static int add_bundle(struct group_stream *s, struct stream_maker *m, uint32_t first_item,
                      uint64_t length, struct err *err)
{
	const struct lockstep_strand *strands = m->lockstep.strands.data;
	struct stream_bundle bundle = { length, s->bundles.strands.count, 0 }, *added;
	struct stream_instruction *instruction;

	if (m->patterns)
		access_patterns_items_bundle(m->patterns, &m->lockstep, m->step.lane, length);
	for (size_t k = 0; k < m->lockstep.strands.count; k++) {
		bool is_side = side_counts_take(&m->table->sites[strands[k].site]);
		int rc = is_side ? count_side(s, m, first_item, &strands[k], length, err)
		                 : add_strand(s, m, &strands[k], length, err);

		if (rc)
			return rc;
		bundle.strand_count += !is_side;
	}
	if (!bundle.strand_count)
		return 0;
	added = array_append(&s->bundles.bundles, 1, err);
	instruction = array_append(&s->instructions, 1, err);
	if (!added || !instruction)
		return ERR_NOMEM;
	*added = bundle;
	*instruction = (struct stream_instruction){
		.site = STREAM_BUNDLE,
		.request_count = (uint32_t)(s->bundles.bundles.count - 1) & STREAM_COUNT_MASK
	};
	return 0;
}

int stream_bundles_add(struct group_stream *s, struct stream_maker *m, uint32_t first_item,
                       uint64_t length, struct err *err)
{
	if (m->keeps_lanes || length < BUNDLE_ITERATIONS_MIN || !are_steady(m, length))
		return add_plainly(s, m, first_item, length, err);
	return add_bundle(s, m, first_item, length, err);
}

/* Stand at a strand of the bundle, in an iteration. */
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

/* At the end of what is in memory: go on with what is not. */
static void refill(struct stream_cursor *c, const struct group_stream *s)
{
	size_t count = stream_spill_fill(s, c->window);

	c->at = c->window->instructions;
	c->end = c->at + count;
	c->requests = c->window->requests;
}

/* Enter the bundle that stands at *at, if one does. */
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
		if (c->at->request_count) /* there may be none at all, and no array */
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
