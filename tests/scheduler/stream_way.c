/* SPDX-License-Identifier: Apache-2.0 */
#include "stream_way.h"

#include "stream_bundle.h"

#include "cmocka_all.h"

#include <string.h>

void stream_way_open(struct stream_way *w, const struct gpu *gpu, const struct kernel_table *t,
                     const struct address_map *map)
{
	memset(w->sides, 0, sizeof(w->sides));
	assert_int_equal(stream_maker_init(&w->maker, gpu, t, map, w->sides, NULL), 0);
	group_stream_init(&w->stream, w->maker.coalescer.mask_words);
}

void stream_way_form_items(struct stream_way *w, const struct group_items *items)
{
	w->err = (struct err){ 0 };
	w->rc = group_stream_form(&w->stream, &w->maker, 5, items, &w->err);
}

void stream_way_form(struct stream_way *w, const struct group_events *events)
{
	const struct group_items items = { .events = *events };

	stream_way_form_items(w, &items);
}

void stream_way_close(struct stream_way *w)
{
	group_stream_release(&w->stream);
	stream_maker_release(&w->maker);
}

static void compare_requests(const struct stream_way *a, const struct stream_cursor *x,
                             const struct stream_way *b, const struct stream_cursor *y)
{
	const struct pattern_set *p = &a->stream.patterns, *q = &b->stream.patterns;

	for (uint32_t i = 0; i < x->at->request_count; i++) {
		const struct stream_request *m = &x->requests[i], *n = &y->requests[i];

		assert_int_equal(m->line + x->moved_bytes, n->line + y->moved_bytes);
		assert_int_equal(m->buffer, n->buffer);
		assert_memory_equal(pattern_set_at(p, m->pattern), pattern_set_at(q, n->pattern),
		                    sizeof(struct pattern));
		assert_memory_equal(pattern_set_mask(p, m->pattern),
		                    pattern_set_mask(q, n->pattern),
		                    p->mask_words * sizeof(uint64_t));
	}
}

static void compare_warp(const struct stream_way *a, const struct stream_way *b, uint32_t warp)
{
	struct stream_cursor x, y;

	stream_cursor_start(&x, &a->stream, warp);
	stream_cursor_start(&y, &b->stream, warp);
	while (x.at != x.end && y.at != y.end) {
		assert_int_equal(x.at->site, y.at->site);
		assert_int_equal(x.at->request_count, y.at->request_count);
		compare_requests(a, &x, b, &y);
		stream_cursor_next(&x, &a->stream);
		stream_cursor_next(&y, &b->stream);
	}
	assert_ptr_equal(x.at, x.end);
	assert_ptr_equal(y.at, y.end);
}

void stream_ways_compare(const struct stream_way *a, const struct stream_way *b)
{
	assert_int_equal(a->rc, b->rc);
	assert_string_equal(a->err.msg, b->err.msg);
	if (a->rc)
		return;
	assert_int_equal(a->stream.warp_count, b->stream.warp_count);
	assert_int_equal(a->stream.lanes, b->stream.lanes);
	assert_int_equal(a->stream.accesses, b->stream.accesses);
	for (uint32_t i = 0; i < a->stream.warp_count; i++)
		compare_warp(a, b, i);
	assert_int_equal(a->maker.coalescer.unmapped_lanes, b->maker.coalescer.unmapped_lanes);
	assert_memory_equal(a->sides, b->sides, sizeof(a->sides));
}
