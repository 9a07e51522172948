/* SPDX-License-Identifier: Apache-2.0 */
#include "answer_queue.h"

#include "err.h"

void answer_queue_init(struct answer_queue *q)
{
	*q = (struct answer_queue){ 0 };
	array_init(&q->prompt, sizeof(struct below_answer), SIZE_MAX, "answers of L2");
	array_init(&q->late, sizeof(struct below_answer), SIZE_MAX, "answers of L2");
	array_init(&q->merged, sizeof(struct below_answer), SIZE_MAX, "answers of L2");
}

void answer_queue_release(struct answer_queue *q)
{
	array_release(&q->prompt);
	array_release(&q->late);
	array_release(&q->merged);
	q->prompt_first = q->late_first = 0;
}

void answer_queue_put(struct answer_queue *q, const struct below_answer *a, bool is_late)
{
	struct array *to = is_late ? &q->late : &q->prompt;
	size_t first = is_late ? q->late_first : q->prompt_first;
	struct below_answer *items = array_push(to, 1, NULL);
	size_t at = to->count - 1;

	if (!items) {
		q->is_failed = true;
		return;
	}
	items = to->data;
	for (; at > first && items[at - 1].cycle > a->cycle; at--)
		items[at] = items[at - 1];
	items[at] = *a;
}

static const struct below_answer *first_of(const struct array *a, size_t first)
{
	return first < a->count ? (const struct below_answer *)a->data + first : NULL;
}

uint64_t answer_queue_next(const struct answer_queue *q)
{
	const struct below_answer *prompt = first_of(&q->prompt, q->prompt_first);
	const struct below_answer *late = first_of(&q->late, q->late_first);
	uint64_t next = prompt ? prompt->cycle : UINT64_MAX;

	return late && late->cycle < next ? late->cycle : next;
}

/* Forget what has been given out, when that is all, or most of what is held. */
static void forget(struct array *a, size_t *first)
{
	struct below_answer *items = a->data;

	if (*first < a->count && *first < a->count / 2)
		return;
	for (size_t i = *first; i < a->count; i++)
		items[i - *first] = items[i];
	a->count -= *first;
	*first = 0;
}

const struct below_answer *answer_queue_take(struct answer_queue *q, uint64_t before, size_t *count)
{
	uint64_t next;

	array_clear(&q->merged);
	while ((next = answer_queue_next(q)) < before) {
		const struct below_answer *late = first_of(&q->late, q->late_first);
		bool is_late = late && late->cycle == next;
		struct below_answer *to = array_push(&q->merged, 1, NULL);

		if (!to) {
			q->is_failed = true;
			break;
		}
		*to = is_late ? *late : *first_of(&q->prompt, q->prompt_first);
		if (is_late)
			q->late_first++;
		else
			q->prompt_first++;
	}
	forget(&q->prompt, &q->prompt_first);
	forget(&q->late, &q->late_first);
	*count = q->merged.count;
	return q->merged.data;
}

int answer_queue_status(const struct answer_queue *q, struct err *err)
{
	return q->is_failed ? err_set(err, ERR_NOMEM, "out of memory for answers of L2") : 0;
}
