/* SPDX-License-Identifier: Apache-2.0 */
#include "outbox_merge.h"

#include "array.h"
#include "err.h"

#include <stdlib.h>

int outbox_merge_init(struct outbox_merge *m, struct outbox *boxes, uint32_t count, struct err *err)
{
	*m = (struct outbox_merge){ .boxes = boxes, .count = count };
	m->heap = array_alloc(count, sizeof(*m->heap), "heads of outboxes", err);
	return m->heap ? 0 : ERR_NOMEM;
}

void outbox_merge_release(struct outbox_merge *m)
{
	free(m->heap);
	*m = (struct outbox_merge){ 0 };
}

static bool is_before(const struct outbox_head *a, const struct outbox_head *b)
{
	return a->cycle != b->cycle ? a->cycle < b->cycle : a->sm < b->sm;
}

/* Move the head at `at` down to where it belongs. */
static void sift_down(struct outbox_merge *m, uint32_t at)
{
	const struct outbox_head moved = m->heap[at];
	uint32_t child;

	while ((child = 2 * at + 1) < m->head_count) {
		if (child + 1 < m->head_count && is_before(&m->heap[child + 1], &m->heap[child]))
			child++;
		if (is_before(&moved, &m->heap[child]))
			break;
		m->heap[at] = m->heap[child];
		at = child;
	}
	m->heap[at] = moved;
}

/* Where the box of this SM has a message before `until`: its head. */
static bool find_head(const struct outbox_merge *m, uint32_t sm, struct outbox_head *out)
{
	const struct message *first = outbox_peek(&m->boxes[sm]);

	if (!first || first->cycle >= m->until)
		return false;
	*out = (struct outbox_head){ first->cycle, sm };
	return true;
}

void outbox_merge_start(struct outbox_merge *m, uint64_t until)
{
	m->until = until;
	m->head_count = 0;
	m->is_given = false;
	for (uint32_t sm = 0; sm < m->count; sm++)
		m->head_count += find_head(m, sm, &m->heap[m->head_count]);
	for (uint32_t at = m->head_count / 2; at-- > 0;)
		sift_down(m, at);
}

/* The top's message has been given out: drop it and find the next top. */
static void drop_top(struct outbox_merge *m)
{
	uint32_t sm = m->heap[0].sm;

	outbox_drop(&m->boxes[sm]);
	if (!find_head(m, sm, &m->heap[0]))
		m->heap[0] = m->heap[--m->head_count];
	if (m->head_count)
		sift_down(m, 0);
}

const struct message *outbox_merge_next(struct outbox_merge *m, uint32_t *sm)
{
	if (m->is_given)
		drop_top(m);
	m->is_given = m->head_count > 0;
	if (!m->is_given)
		return NULL;
	*sm = m->heap[0].sm;
	return outbox_peek(&m->boxes[*sm]);
}
