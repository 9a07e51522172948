/*
 * stream_cursor - a warp's way through its instructions in a group's stream.
 *
 * Iterations of a bundle pass one by one, as if each had its own instructions.
 */
#ifndef STREAM_CURSOR_H
#define STREAM_CURSOR_H

#include "stream_bundle.h"

struct group_stream;
struct warp_access;

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
	struct stream_window *window;               /* that `end` is the end of, or NULL */
};

/* The beginning of warp number `warp`. */
void stream_cursor_start(struct stream_cursor *c, const struct group_stream *s, uint32_t warp);

/* Let lane_count, item and address of *a be those of the instruction at which the cursor stands, an
 * access; the stream's maker keeps lanes. Borrowed from the stream until the cursor goes on. */
void stream_cursor_lanes(const struct stream_cursor *c, const struct group_stream *s,
                         struct warp_access *a);

/* Go on; not at the end. */
void stream_cursor_next(struct stream_cursor *c, const struct group_stream *s);

#endif
