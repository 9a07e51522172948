/* SPDX-License-Identifier: Apache-2.0 */
#include "l1_waiters.h"

#include "request.h"

struct waiting {
	struct memory_answer answer; /* so far */
	uint32_t fills;              /* that it waits for */
	uint32_t next_free;
};

/* A request in the list of a fill, or of the free links. */
struct link {
	uint32_t request;
	uint32_t next;
};

void l1_waiters_init(struct l1_waiters *w)
{
	*w = (struct l1_waiters){ .free_request = L1_WAITER_NONE, .free_link = L1_WAITER_NONE };
	array_init(&w->requests, sizeof(struct waiting), L1_WAITER_NONE, "requests that wait");
	array_init(&w->links, sizeof(struct link), L1_WAITER_NONE, "requests that wait");
	fifo_init(&w->answers, sizeof(struct memory_answer), "answers of an L1");
}

void l1_waiters_release(struct l1_waiters *w)
{
	array_release(&w->requests);
	array_release(&w->links);
	fifo_release(&w->answers);
}

/* One more item of an array: its index. */
static uint32_t push(struct l1_waiters *w, struct array *a)
{
	if (array_push(a, 1, NULL))
		return (uint32_t)a->count - 1;
	w->is_failed = true;
	return L1_WAITER_NONE;
}

static struct waiting *request_at(const struct l1_waiters *w, uint32_t request)
{
	return (struct waiting *)w->requests.data + request;
}

static struct link *link_at(const struct l1_waiters *w, uint32_t link)
{
	return (struct link *)w->links.data + link;
}

uint32_t l1_waiters_add(struct l1_waiters *w, uint32_t waiter, uint64_t cycle)
{
	uint32_t request = w->free_request;

	if (request == L1_WAITER_NONE)
		request = push(w, &w->requests);
	else
		w->free_request = request_at(w, request)->next_free;
	if (request != L1_WAITER_NONE)
		*request_at(w, request) = (struct waiting){ .answer = { waiter, cycle } };
	return request;
}

void l1_waiters_wait(struct l1_waiters *w, uint32_t request, uint32_t *first)
{
	uint32_t link = w->free_link;

	if (request == L1_WAITER_NONE)
		return;
	if (link == L1_WAITER_NONE)
		link = push(w, &w->links);
	else
		w->free_link = link_at(w, link)->next;
	if (link == L1_WAITER_NONE)
		return;
	*link_at(w, link) = (struct link){ request, *first };
	*first = link;
	request_at(w, request)->fills++;
}

void l1_waiters_answer(struct l1_waiters *w, uint32_t waiter, uint64_t cycle)
{
	struct memory_answer *answer = fifo_add(&w->answers);

	if (answer)
		*answer = (struct memory_answer){ waiter, cycle };
}

/* One of the fills that it waits for comes. */
static void come(struct l1_waiters *w, uint32_t request, uint64_t cycle)
{
	struct waiting *r = request_at(w, request);

	if (cycle > r->answer.cycle)
		r->answer.cycle = cycle;
	if (--r->fills)
		return;
	l1_waiters_answer(w, r->answer.waiter, r->answer.cycle);
	r->next_free = w->free_request;
	w->free_request = request;
}

void l1_waiters_come(struct l1_waiters *w, uint32_t *first, uint64_t cycle)
{
	while (*first != L1_WAITER_NONE) {
		struct link *link = link_at(w, *first);
		uint32_t next = link->next;

		come(w, link->request, cycle);
		link->next = w->free_link;
		w->free_link = *first;
		*first = next;
	}
}

bool l1_waiters_next(struct l1_waiters *w, struct memory_answer *out)
{
	const struct memory_answer *answer = fifo_peek(&w->answers);

	if (!answer)
		return false;
	*out = *answer;
	fifo_drop(&w->answers);
	return true;
}
