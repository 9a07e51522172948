/* SPDX-License-Identifier: Apache-2.0 */
#include "bypass_memo.h"

#include "bypass_list.h"
#include "bypass_search.h"
#include "err.h"

#include <stdlib.h>

struct memo_entry {
	uint64_t set;
	struct bypass_measure measure;
};

/* A batch for the judge. */
struct batch {
	uint64_t *sets;
	struct bypass_list *lists;
	const struct bypass_list **pointers;
	struct bypass_measure *measures;
	size_t count, capacity;
};

void bypass_memo_init(struct bypass_memo *m)
{
	array_init(&m->entries, sizeof(struct memo_entry), UINT32_MAX - 1, "measured lists");
	m->slots = NULL;
	m->slot_count = 0;
	m->is_limited = false;
}

void bypass_memo_release(struct bypass_memo *m)
{
	array_release(&m->entries);
	free(m->slots);
	m->slots = NULL;
}

static const struct memo_entry *entry_at(const struct bypass_memo *m, size_t i)
{
	return (const struct memo_entry *)m->entries.data + i;
}

/* The slot of a set, or the free one where it would be. slot_count > 0. */
static uint32_t *find_slot(const struct bypass_memo *m, uint64_t set)
{
	size_t at = (size_t)(set * UINT64_C(0x9e3779b97f4a7c15) >> 32) & (m->slot_count - 1);

	while (m->slots[at] && entry_at(m, m->slots[at] - 1)->set != set)
		at = (at + 1) & (m->slot_count - 1);
	return &m->slots[at];
}

const struct bypass_measure *bypass_memo_find(const struct bypass_memo *m, uint64_t set)
{
	const uint32_t *slot = m->slot_count ? find_slot(m, set) : NULL;

	return slot && *slot ? &entry_at(m, *slot - 1)->measure : NULL;
}

/* Slots for `count` more entries. */
static int reserve(struct bypass_memo *m, size_t count, struct err *err)
{
	size_t wanted = 2 * (m->entries.count + count);

	if (wanted <= m->slot_count)
		return 0;
	if (!m->slot_count)
		m->slot_count = 256;
	while (m->slot_count < wanted)
		m->slot_count *= 2;
	free(m->slots);
	m->slots = array_alloc(m->slot_count, sizeof(*m->slots), "measured lists", err);
	if (!m->slots) {
		m->slot_count = 0;
		return ERR_NOMEM;
	}
	for (size_t i = 0; i < m->entries.count; i++)
		*find_slot(m, entry_at(m, i)->set) = (uint32_t)i + 1;
	return 0;
}

static int batch_init(struct batch *b, size_t count, struct err *err)
{
	*b = (struct batch){ .capacity = count };
	b->sets = array_alloc(count, sizeof(*b->sets), "lists", err);
	b->lists = array_alloc(count, sizeof(*b->lists), "lists", err);
	b->pointers = array_alloc(count, sizeof(const struct bypass_list *), "lists", err);
	b->measures = array_alloc(count, sizeof(*b->measures), "measures", err);
	return b->sets && b->lists && b->pointers && b->measures ? 0 : ERR_NOMEM;
}

static void batch_release(struct batch *b)
{
	for (size_t i = 0; b->lists && i < b->capacity; i++)
		bypass_list_release(&b->lists[i]);
	free(b->sets);
	free(b->lists);
	free(b->pointers);
	free(b->measures);
}

static int make_list(const struct bypass_memo *m, uint64_t set, struct bypass_list *list,
                     struct err *err)
{
	int ret = 0;

	for (size_t i = 0; m->base && i < m->base->count && !ret; i++)
		ret = bypass_list_add(list, &m->base->rules[i], err);
	return ret ? ret : bypass_search_list(m->candidates, m->count, set, list, err);
}

/* Those that have no measure, as many as may be measured. */
static int fill_batch(struct bypass_memo *m, struct batch *b, const uint64_t *sets, size_t count,
                      struct err *err)
{
	int ret = 0;

	for (size_t i = 0; i < count && !ret; i++) {
		if (bypass_memo_find(m, sets[i]))
			continue;
		if (!m->left) {
			m->is_limited = true;
			break;
		}
		m->left--;
		b->sets[b->count] = sets[i];
		b->pointers[b->count] = &b->lists[b->count];
		ret = make_list(m, sets[i], &b->lists[b->count++], err);
	}
	return ret;
}

static int keep(struct bypass_memo *m, const struct batch *b, struct err *err)
{
	int ret = reserve(m, b->count, err);

	for (size_t i = 0; i < b->count && !ret; i++) {
		struct memo_entry *e = array_push(&m->entries, 1, err);

		if (!e)
			return ERR_NOMEM;
		*e = (struct memo_entry){ b->sets[i], b->measures[i] };
		*find_slot(m, e->set) = (uint32_t)m->entries.count;
	}
	return ret;
}

int bypass_memo_measure(struct bypass_memo *m, const uint64_t *sets, size_t count, struct err *err)
{
	const struct bypass_judge *judge = m->judge;
	struct batch b;
	int ret = batch_init(&b, count, err);

	if (!ret)
		ret = fill_batch(m, &b, sets, count, err);
	if (!ret && b.count)
		ret = judge->measure(judge->context, b.pointers, b.count, b.measures, err);
	if (!ret && b.count)
		ret = keep(m, &b, err);
	batch_release(&b);
	return ret;
}
