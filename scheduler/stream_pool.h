/*
 * stream_pool - the group_streams of a launch, used again and again (private to this room).
 *
 * A stream is made when none is idle, so there are never more than were in use at once. No threads:
 * the caller locks.
 */
#ifndef STREAM_POOL_H
#define STREAM_POOL_H

#include <stddef.h>
#include <stdint.h>

struct err;
struct group_stream;

struct stream_pool {
	struct group_stream **all;  /* `made` of them */
	struct group_stream **idle; /* `idle_count` of them, the one used last at the end */
	size_t limit, made, idle_count;
	uint32_t mask_words;
};

/* For at most `limit` streams in use; mask_words as in group_stream_init(). Returns 0 or
 * ERR_NOMEM; release in any case. */
int stream_pool_init(struct stream_pool *p, size_t limit, uint32_t mask_words, struct err *err);

/* Free all streams, idle or not. Accepts a zeroed struct. */
void stream_pool_release(struct stream_pool *p);

/* A stream, borrowed until it is given back, or NULL with ERR_NOMEM. */
struct group_stream *stream_pool_take(struct stream_pool *p, struct err *err);
void stream_pool_give(struct stream_pool *p, struct group_stream *s);

#endif
