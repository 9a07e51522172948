/* SPDX-License-Identifier: Apache-2.0 */
#include "outbox_merge.h"

#include "array.h"
#include "err.h"

#include <stdlib.h>
#include <string.h>

int outbox_merge_init(struct outbox_merge *m, struct outbox *boxes, uint32_t count, struct err *err)
{
	*m = (struct outbox_merge){ .boxes = boxes, .count = count };
	fifo_init(&m->places, sizeof(struct outbox_place), "messages to L2");
	m->taken = array_alloc(count, sizeof(*m->taken), "outboxes", err);
	m->starts = array_alloc(OUTBOX_MERGE_CYCLES, sizeof(*m->starts), "outboxes", err);
	return m->taken && m->starts ? 0 : ERR_NOMEM;
}

void outbox_merge_release(struct outbox_merge *m)
{
	fifo_release(&m->places);
	free(m->taken);
	free(m->starts);
	*m = (struct outbox_merge){ 0 };
}

/* Returns the first cycle that has a message; UINT64_MAX: there is none. */
static uint64_t first_cycle(const struct outbox_merge *m)
{
	uint64_t first = UINT64_MAX;

	for (uint32_t sm = 0; sm < m->count; sm++) {
		const uint64_t *cycle = outbox_cycles(&m->boxes[sm]);

		if (cycle && *cycle < first)
			first = *cycle;
	}
	return first;
}

/* Count the messages of each cycle of the window [first, first + cycles), and of each box. Returns
 * their number. */
static size_t count_messages(struct outbox_merge *m, uint64_t first, uint64_t cycles)
{
	size_t all = 0;

	memset(m->starts, 0, OUTBOX_MERGE_CYCLES * sizeof(*m->starts));
	for (uint32_t sm = 0; sm < m->count; sm++) {
		const uint64_t *cycle = outbox_cycles(&m->boxes[sm]);
		size_t count = outbox_count(&m->boxes[sm]), i = 0;

		for (; i < count && cycle[i] - first < cycles; i++)
			m->starts[cycle[i] - first]++;
		m->taken[sm] = i;
		all += i;
	}
	return all;
}

/* Put the counted messages in order. */
static void place_messages(struct outbox_merge *m, uint64_t first, struct outbox_place *places)
{
	uint32_t before = 0;

	for (uint32_t cycle = 0; cycle < OUTBOX_MERGE_CYCLES; cycle++) {
		uint32_t count = m->starts[cycle];

		m->starts[cycle] = before;
		before += count;
	}
	for (uint32_t sm = 0; sm < m->count; sm++) {
		const struct message *messages = outbox_peek(&m->boxes[sm]);
		const uint64_t *cycle = outbox_cycles(&m->boxes[sm]);

		for (size_t i = 0; i < m->taken[sm]; i++)
			places[m->starts[cycle[i] - first]++] =
				(struct outbox_place){ &messages[i], sm };
	}
}

/* Put the messages of the next window in order; if there are no places afterwards, none are left.
 */
static void fill_window(struct outbox_merge *m)
{
	uint64_t first = first_cycle(m), cycles = OUTBOX_MERGE_CYCLES;
	struct outbox_place *places;
	size_t count;

	fifo_drop_many(&m->places, fifo_count(&m->places));
	m->at = 0;
	if (first >= m->until)
		return;
	if (m->until - first < cycles)
		cycles = m->until - first;
	count = count_messages(m, first, cycles);
	places = fifo_add_many(&m->places, count);
	if (places)
		place_messages(m, first, places);
}

void outbox_merge_start(struct outbox_merge *m, uint64_t until)
{
	m->until = until;
	fill_window(m);
}

/* Remove the returned messages from their outboxes. */
static void drop_window(struct outbox_merge *m)
{
	for (uint32_t sm = 0; sm < m->count; sm++)
		outbox_drop_many(&m->boxes[sm], m->taken[sm]);
}

const struct message *outbox_merge_next(struct outbox_merge *m, uint32_t *sm)
{
	const struct outbox_place *place;

	if (m->at == fifo_count(&m->places)) {
		if (!m->at)
			return NULL;
		drop_window(m);
		fill_window(m);
		if (!fifo_count(&m->places))
			return NULL;
	}
	place = (const struct outbox_place *)fifo_peek(&m->places) + m->at++;
	*sm = place->sm;
	return place->message;
}
