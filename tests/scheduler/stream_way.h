/*
 * stream_way - a stream with its maker, and the comparison of two: for tests of how streams are
 * formed.
 */
#ifndef STREAM_WAY_H
#define STREAM_WAY_H

#include "err.h"
#include "group_stream.h"
#include "stream_maker.h"

enum { STREAM_WAY_SITES = 256 }; /* of a table at most */

/* A way to make streams. */
struct stream_way {
	struct stream_maker maker;
	struct group_stream stream;
	struct side_counts sides[STREAM_WAY_SITES];
	struct err err;
	int rc;
};

/* Set up; what does not work fails the test. Set flags of w->maker before the first stream. */
void stream_way_open(struct stream_way *w, const struct gpu *gpu, const struct kernel_table *t,
                     const struct address_map *map);
void stream_way_close(struct stream_way *w);

/* Form a group: w->rc and w->err have what comes of it. */
void stream_way_form(struct stream_way *w, const struct group_events *events);
void stream_way_form_items(struct stream_way *w, const struct group_items *items);

/* Fail unless both made the same instructions and requests and counted the same, or refused in the
 * same words. */
void stream_ways_compare(const struct stream_way *a, const struct stream_way *b);

#endif
