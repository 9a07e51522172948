/* SPDX-License-Identifier: Apache-2.0 */
#include "stream_pool.h"

#include "array.h"
#include "err.h"
#include "group_stream.h"

#include <assert.h>
#include <stdlib.h>

int stream_pool_init(struct stream_pool *p, size_t limit, uint32_t mask_words, struct err *err)
{
	*p = (struct stream_pool){ .limit = limit, .mask_words = mask_words };
	p->all = array_alloc(limit, sizeof(struct group_stream *), "streams of groups", err);
	p->idle = array_alloc(limit, sizeof(struct group_stream *), "streams of groups", err);
	return p->all && p->idle ? 0 : ERR_NOMEM;
}

void stream_pool_release(struct stream_pool *p)
{
	for (size_t i = 0; i < p->made; i++) {
		group_stream_release(p->all[i]);
		free(p->all[i]);
	}
	free(p->all);
	free(p->idle);
	*p = (struct stream_pool){ 0 };
}

struct group_stream *stream_pool_take(struct stream_pool *p, struct err *err)
{
	struct group_stream *s;

	if (p->idle_count)
		return p->idle[--p->idle_count];
	assert(p->made < p->limit);
	s = array_alloc(1, sizeof(*s), "a group's stream", err);
	if (!s)
		return NULL;
	group_stream_init(s, p->mask_words);
	p->all[p->made++] = s;
	return s;
}

void stream_pool_give(struct stream_pool *p, struct group_stream *s)
{
	assert(p->idle_count < p->made);
	p->idle[p->idle_count++] = s;
}
