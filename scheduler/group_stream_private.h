/*
 * group_stream_private - how parts of a stream are added.
 */
#ifndef GROUP_STREAM_PRIVATE_H
#define GROUP_STREAM_PRIVATE_H

#include "group_stream.h"
#include "stream_maker.h"

/* array_push() without its call where there is room; then the items are not zeroed. */
static inline void *stream_append(struct array *a, size_t count, struct err *err)
{
	if (!a->data || a->capacity - a->count < count)
		return array_push(a, count, err);
	a->count += count;
	return (char *)a->data + (a->count - count) * a->item_bytes;
}

/* Add m->step, of the warp that begins with work-item first_item. */
int group_stream_add_step(struct group_stream *s, struct stream_maker *m, uint32_t first_item,
                          struct err *err);

/* Add what the coalescer found to `requests`, an array of struct stream_request. */
int group_stream_add_requests(struct group_stream *s, struct stream_maker *m,
                              struct array *requests, struct err *err);

#endif
