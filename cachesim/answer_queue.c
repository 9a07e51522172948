/* SPDX-License-Identifier: Apache-2.0 */
#include "answer_queue.h"

#include "err.h"

enum { AHEAD = 8 }; /* answers */

void answer_queue_init(struct answer_queue *q)
{
	fifo_init(&q->prompt, sizeof(struct below_answer), "answers of L2");
	fifo_init(&q->late, sizeof(struct below_answer), "answers of L2");
	fifo_init(&q->merged, sizeof(struct below_answer), "answers of L2");
}

void answer_queue_release(struct answer_queue *q)
{
	fifo_release(&q->prompt);
	fifo_release(&q->late);
	fifo_release(&q->merged);
}

void answer_queue_put(struct answer_queue *q, const struct below_answer *a, bool is_late)
{
	struct fifo *to = is_late ? &q->late : &q->prompt;
	struct below_answer *at = fifo_add(to);
	const struct below_answer *first = fifo_peek(to);

	if (!at)
		return;
	__builtin_prefetch(at + AHEAD, 1);
	for (; at > first && at[-1].cycle > a->cycle; at--)
		*at = at[-1];
	*at = *a;
}

/* How many answers of a queue are of cycles < before. */
static size_t count_before(const struct fifo *f, uint64_t before)
{
	const struct below_answer *a = fifo_peek(f);
	size_t count = fifo_count(f), i = 0;

	while (i < count && a[i].cycle < before)
		i++;
	return i;
}

/* Merge the first answers of both queues. */
static void merge(struct answer_queue *q, size_t prompt_count, size_t late_count)
{
	const struct below_answer *prompt = fifo_peek(&q->prompt), *late = fifo_peek(&q->late);
	size_t p = 0, l = 0;

	fifo_drop_many(&q->merged, fifo_count(&q->merged));
	while (p < prompt_count || l < late_count) {
		bool is_late =
			p == prompt_count || (l < late_count && late[l].cycle <= prompt[p].cycle);
		struct below_answer *to = fifo_add(&q->merged);

		if (!to)
			return;
		*to = is_late ? late[l] : prompt[p];
		l += is_late;
		p += !is_late;
	}
}

const struct below_answer *answer_queue_take(struct answer_queue *q, uint64_t before, size_t *count)
{
	size_t prompt = count_before(&q->prompt, before), late = count_before(&q->late, before);
	const struct below_answer *taken = fifo_peek(late ? &q->late : &q->prompt);

	*count = prompt + late;
	if (prompt && late) {
		merge(q, prompt, late);
		*count = fifo_count(&q->merged);
		taken = fifo_peek(&q->merged);
	}
	fifo_drop_many(&q->prompt, prompt);
	fifo_drop_many(&q->late, late);
	return taken;
}

int answer_queue_status(const struct answer_queue *q, struct err *err)
{
	if (!q->prompt.is_failed && !q->late.is_failed && !q->merged.is_failed)
		return 0;
	return err_set(err, ERR_NOMEM, "out of memory for answers of L2");
}
