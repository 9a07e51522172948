/* SPDX-License-Identifier: Apache-2.0 */
#include "reuse_order.h"

#include "array.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
	SLOTS_AT_FIRST = 64,
	GROUP_WORDS = 8, /* words of marks to a sum of the first level, */
	GROUP_SHIFT = 9, /* which are 2^9 slots; */
	LEVEL_SHIFT = 4, /* sums of a level to one of the next: 2^4 */
	LEVEL_MASK = 15,
};

static const uint32_t SLOTS_MAX = UINT32_C(1) << 31;

/* How many sums each level has, for so many slots; the levels that there are. */
static uint32_t level_counts(uint32_t capacity, size_t counts[REUSE_LEVELS])
{
	uint32_t levels = 0;

	for (size_t left = capacity >> GROUP_SHIFT; left > 1; left >>= LEVEL_SHIFT)
		counts[levels++] = left;
	return levels;
}

/* All parts lie in one piece of memory, those with the strictest alignment first. */
static bool order_alloc(struct reuse_order *o, uint32_t capacity)
{
	size_t counts[REUSE_LEVELS], words = capacity / 64, numbers = capacity, bytes;
	uint32_t *at;

	*o = (struct reuse_order){ .levels = level_counts(capacity, counts), .capacity = capacity };
	for (uint32_t i = 0; i < o->levels; i++)
		numbers += counts[i];
	bytes = (words + 7) / 8 * 8; /* counts are read eight at a time */
	o->marks = array_alloc(words * 8 + bytes + numbers * 4, 1, "order of uses", NULL);
	if (!o->marks)
		return false;
	o->counts = (uint8_t *)(o->marks + words);
	o->owners = (uint32_t *)(void *)(o->counts + bytes);
	at = o->owners + capacity;
	for (uint32_t i = 0; i < o->levels; i++) {
		o->sums[i] = at;
		at += counts[i];
	}
	return true;
}

void reuse_order_release(struct reuse_order *o)
{
	free(o->marks);
	free(o->holes);
	*o = (struct reuse_order){ 0 };
}

static void slot_set(struct reuse_order *o, uint32_t slot, uint32_t owner)
{
	o->marks[slot / 64] |= UINT64_C(1) << slot % 64;
	o->counts[slot / 64]++;
	o->owners[slot] = owner;
	o->set++;
	for (uint32_t i = 0, at = slot >> GROUP_SHIFT; i < o->levels; i++, at >>= LEVEL_SHIFT)
		o->sums[i][at]++;
}

static void slot_clear(struct reuse_order *o, uint32_t slot)
{
	o->marks[slot / 64] &= ~(UINT64_C(1) << slot % 64);
	o->counts[slot / 64]--;
	o->set--;
	for (uint32_t i = 0, at = slot >> GROUP_SHIFT; i < o->levels; i++, at >>= LEVEL_SHIFT)
		o->sums[i][at]--;
}

static uint32_t bits_of(uint64_t word)
{
	word -= word >> 1 & 0x5555555555555555u;
	word = (word & 0x3333333333333333u) + (word >> 2 & 0x3333333333333333u);
	return (uint32_t)(((word + (word >> 4)) & 0x0f0f0f0f0f0f0f0fu) * 0x0101010101010101u >> 56);
}

/* The sum of the counts of words behind `word` in its group of eight. */
static uint32_t group_behind(const struct reuse_order *o, uint32_t word)
{
	uint64_t bytes = 0;

	for (uint32_t at = word + 1; at % GROUP_WORDS; at++)
		bytes += o->counts[at];
	return (uint32_t)bytes;
}

uint32_t reuse_order_behind(const struct reuse_order *o, uint32_t slot)
{
	uint32_t word = slot / 64, last = (o->next - 1) / 64;
	uint32_t count = bits_of(o->marks[word] >> slot % 64 >> 1);

	if (word == last)
		return count;
	count += group_behind(o, word);
	word /= GROUP_WORDS;
	last /= GROUP_WORDS;
	for (uint32_t i = 0; word != last; i++) {
		uint32_t end = word | LEVEL_MASK;

		if (end > last)
			end = last;
		for (uint32_t at = word + 1; at <= end; at++)
			count += o->sums[i][at];
		word >>= LEVEL_SHIFT;
		last >>= LEVEL_SHIFT;
	}
	return count;
}

/* Move the owners of all slots that are set to the first slots of `to`, which may be *o itself.
 * Holes ascend, so that read backwards they are a heap. */
static void move_owners(struct reuse_order *o, uint32_t *to, uint32_t *places)
{
	uint32_t at = 0, holes = o->hole_count;

	for (uint32_t word = 0; word < o->capacity / 64; word++)
		for (uint64_t left = o->marks[word]; left; left &= left - 1, at++) {
			uint32_t owner = o->owners[word * 64 + (uint32_t)__builtin_ctzll(left)];

			to[at] = owner;
			if (owner == REUSE_NEVER)
				o->holes[--holes] = at;
			else
				places[owner] = at;
		}
	assert(!holes && at == o->set);
}

/* Set the first `count` slots, whose owners are in place, and no others. */
static void set_first(struct reuse_order *o, uint32_t count)
{
	size_t counts[REUSE_LEVELS] = { 0 };

	level_counts(o->capacity, counts);
	memset(o->marks, 0, (size_t)o->capacity / 8);
	memset(o->counts, 0, o->capacity / 64);
	memset(o->marks, 0xff, (size_t)count / 64 * 8);
	memset(o->counts, 64, count / 64);
	if (count % 64) {
		o->marks[count / 64] = (UINT64_C(1) << count % 64) - 1;
		o->counts[count / 64] = (uint8_t)(count % 64);
	}
	for (uint32_t i = 0, shift = GROUP_SHIFT; i < o->levels; i++, shift += LEVEL_SHIFT)
		for (size_t at = 0; at < counts[i]; at++) {
			uint64_t first = (uint64_t)at << shift, size = UINT64_C(1) << shift;

			o->sums[i][at] = count <= first          ? 0
			                 : count >= first + size ? (uint32_t)size
			                                         : (uint32_t)(count - first);
		}
	o->set = o->next = count;
}

/* Make room for one more slot: move the set ones together, in twice the memory where they are more
 * than half of all. */
static void make_room(struct reuse_order *o, uint32_t *places)
{
	uint32_t capacity = o->capacity ? o->capacity : SLOTS_AT_FIRST / 2, set = o->set;
	struct reuse_order wider;

	if (o->capacity && set <= capacity / 2) {
		move_owners(o, o->owners, places);
		set_first(o, set);
		return;
	}
	if (capacity >= SLOTS_MAX || !order_alloc(&wider, 2 * capacity)) {
		o->is_failed = true;
		return;
	}
	wider.holes = o->holes;
	wider.hole_count = o->hole_count;
	wider.hole_capacity = o->hole_capacity;
	if (o->capacity)
		move_owners(o, wider.owners, places);
	set_first(&wider, set);
	free(o->marks);
	*o = wider;
}

static bool hole_push(struct reuse_order *o, uint32_t slot)
{
	uint32_t at = o->hole_count;

	if (at == o->hole_capacity) {
		uint32_t capacity = at ? 2 * at : 16;
		uint32_t *holes = realloc(o->holes, capacity * sizeof(*holes));

		if (!holes)
			return false;
		o->holes = holes;
		o->hole_capacity = capacity;
	}
	o->hole_count++;
	for (; at && o->holes[(at - 1) / 2] < slot; at = (at - 1) / 2)
		o->holes[at] = o->holes[(at - 1) / 2];
	o->holes[at] = slot;
	return true;
}

/* Take the newest hole away, and put `slot`, which is older, in; REUSE_NEVER: nothing. */
static void hole_replace(struct reuse_order *o, uint32_t slot)
{
	uint32_t at = 0, child;

	if (slot == REUSE_NEVER)
		slot = o->holes[--o->hole_count];
	while ((child = 2 * at + 1) < o->hole_count) {
		child += child + 1 < o->hole_count && o->holes[child + 1] > o->holes[child];
		if (o->holes[child] <= slot)
			break;
		o->holes[at] = o->holes[child];
		at = child;
	}
	o->holes[at] = slot;
}

uint32_t reuse_order_use(struct reuse_order *o, uint32_t *places, uint32_t number)
{
	uint32_t slot = places[number], distance = slot;
	bool is_in = slot < REUSE_TAKEN;

	if (is_in && slot + 1 == o->next)
		return 0;
	if (o->next == o->capacity) {
		make_room(o, places);
		slot = places[number];
	}
	if (o->is_failed)
		return 0;
	if (is_in)
		distance = reuse_order_behind(o, slot);
	if (o->hole_count && (!is_in || o->holes[0] > slot)) {
		slot_clear(o, o->holes[0]);
		hole_replace(o, is_in ? slot : REUSE_NEVER);
		if (is_in)
			o->owners[slot] = REUSE_NEVER;
	} else if (is_in) {
		slot_clear(o, slot);
	}
	places[number] = o->next;
	slot_set(o, o->next++, number);
	return distance;
}

void reuse_order_take(struct reuse_order *o, uint32_t *places, uint32_t number)
{
	uint32_t slot = places[number];

	assert(slot < REUSE_TAKEN);
	places[number] = REUSE_TAKEN;
	if (o->is_failed)
		return;
	o->owners[slot] = REUSE_NEVER;
	o->is_failed = !hole_push(o, slot);
}
