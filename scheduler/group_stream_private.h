/*
 * group_stream_private - how parts of a stream are added.
 */
#ifndef GROUP_STREAM_PRIVATE_H
#define GROUP_STREAM_PRIVATE_H

#include "array_append.h"
#include "group_stream.h"
#include "stream_maker.h"

/* Add m->step, of the warp that begins with work-item first_item. */
int group_stream_add_step(struct group_stream *s, struct stream_maker *m, uint32_t first_item,
                          struct err *err);

/* Add what the coalescer found to `requests`, an array of struct stream_request. */
int group_stream_add_requests(struct group_stream *s, struct stream_maker *m,
                              struct array *requests, struct err *err);

#endif
