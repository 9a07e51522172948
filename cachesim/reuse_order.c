/* SPDX-License-Identifier: Apache-2.0 */
#include "reuse_order.h"

#include "array.h"
#include "bits.h"

#include <assert.h>
#include <stdlib.h>
#include <string.h>

enum {
	SLOTS_AT_FIRST = 64,
	GROUP_WORDS = 8, /* words of marks in a sum of the first level */
	GROUP_SHIFT = 9, /* these are 2^9 slots */
	LEVEL_SHIFT = 4, /* 2^4 sums of a level in one of the next */
	LEVEL_MASK = 15,
};

static const uint32_t SLOTS_MAX = UINT32_C(1) << 31;

/* Find how many sums each level has for this capacity. Returns the number of levels. */
static uint32_t level_counts(uint32_t capacity, size_t counts[REUSE_LEVELS])
{
	uint32_t levels = 0;

	for (size_t left = capacity >> GROUP_SHIFT; left > 1; left >>= LEVEL_SHIFT)
		counts[levels++] = left;
	return levels;
}

/* Allocate all parts at once, those with the strictest alignment first. */
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
	*o = (struct reuse_order){ .shift = o->shift };
}

/* Returns the place of a line. */
static inline uint32_t *place_of(const struct reuse_order *o, uint32_t *places, uint32_t number)
{
	return &places[(size_t)number << o->shift];
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

/* The sum of the counts of words after `word` in its group of eight. */
static uint32_t count_after_word(const struct reuse_order *o, uint32_t word)
{
	uint64_t bytes = 0;

	for (uint32_t at = word + 1; at % GROUP_WORDS; at++)
		bytes += o->counts[at];
	return (uint32_t)bytes;
}

/* Returns how many slots after `slot` are set. */
static uint32_t count_after(const struct reuse_order *o, uint32_t slot)
{
	uint32_t word = slot / 64, last = (o->next - 1) / 64;
	uint32_t count = bits_count(o->marks[word] >> slot % 64 >> 1);

	if (word == last)
		return count;
	count += count_after_word(o, word);
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

/* Forget the holes before `first`, which were dropped. The rest need not be a heap: the caller
 * makes a new one. */
static void forget_gone_holes(struct reuse_order *o)
{
	uint32_t kept = 0;

	for (uint32_t i = 0; i < o->hole_count; i++)
		if (o->holes[i] >= o->first)
			o->holes[kept++] = o->holes[i];
	o->hole_count = kept;
}

/* Move the owners of all slots that are set to the first slots of `to`, which may be *o itself.
 * Holes ascend, so that read backwards they are a heap. */
static void move_owners(struct reuse_order *o, uint32_t *to, uint32_t *places)
{
	uint32_t at = 0, holes;

	forget_gone_holes(o);
	holes = o->hole_count;
	for (uint32_t word = o->first / 64; word < o->capacity / 64; word++)
		for (uint64_t left = o->marks[word]; left; left &= left - 1, at++) {
			uint32_t owner = o->owners[word * 64 + (uint32_t)__builtin_ctzll(left)];

			to[at] = owner;
			if (owner == REUSE_NEVER)
				o->holes[--holes] = at;
			else
				*place_of(o, places, owner) = at;
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
	o->first = 0;
}

void reuse_order_clear(struct reuse_order *o)
{
	if (o->next)
		set_first(o, 0);
	o->hole_count = 0;
}

/* Make room for one more slot: compact the set ones, into twice the memory if they are more than
 * half. */
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
	wider.shift = o->shift;
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

/* Remove the newest hole and insert `slot`, which is older; REUSE_NEVER: insert nothing. */
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
	uint32_t slot = *place_of(o, places, number), distance = slot;
	bool is_in = slot < REUSE_BEYOND;

	if (is_in && slot + 1 == o->next)
		return 0;
	if (o->next == o->capacity) {
		make_room(o, places);
		slot = *place_of(o, places, number);
	}
	if (o->is_failed)
		return 0;
	if (is_in)
		distance = count_after(o, slot);
	if (o->hole_count && o->holes[0] < o->first)
		o->hole_count = 0; /* the newest was dropped, so all were */
	if (o->hole_count && (!is_in || o->holes[0] > slot)) {
		slot_clear(o, o->holes[0]);
		hole_replace(o, is_in ? slot : REUSE_NEVER);
		if (is_in)
			o->owners[slot] = REUSE_NEVER;
	} else if (is_in) {
		slot_clear(o, slot);
	}
	*place_of(o, places, number) = o->next;
	slot_set(o, o->next++, number);
	return distance;
}

void reuse_order_append(struct reuse_order *o, uint32_t *places, uint32_t number)
{
	if (o->next == o->capacity)
		make_room(o, places);
	if (o->is_failed)
		return;
	if (number == REUSE_NEVER)
		o->is_failed = !hole_push(o, o->next);
	else
		*place_of(o, places, number) = o->next;
	slot_set(o, o->next++, number);
}

void reuse_order_take(struct reuse_order *o, uint32_t *places, uint32_t number)
{
	uint32_t slot = *place_of(o, places, number);

	assert(slot < REUSE_BEYOND);
	*place_of(o, places, number) = REUSE_TAKEN;
	if (o->is_failed)
		return;
	o->owners[slot] = REUSE_NEVER;
	o->is_failed = !hole_push(o, slot);
}

void reuse_order_remove(struct reuse_order *o, uint32_t *places, uint32_t number)
{
	if (*place_of(o, places, number) < REUSE_BEYOND && !o->is_failed)
		slot_clear(o, *place_of(o, places, number));
	*place_of(o, places, number) = REUSE_NEVER;
}

uint32_t reuse_order_next(const struct reuse_order *o, uint32_t slot, uint32_t *owner)
{
	uint32_t word = slot / 64, words = o->capacity / 64;
	uint64_t left = word < words ? o->marks[word] & ~UINT64_C(0) << slot % 64 : 0;

	while (!left && ++word < words)
		left = o->marks[word];
	if (!left)
		return REUSE_NEVER;
	slot = word * 64 + (uint32_t)__builtin_ctzll(left);
	*owner = o->owners[slot];
	return slot;
}

uint32_t reuse_order_drop(struct reuse_order *o)
{
	uint32_t owner = REUSE_NEVER, slot = reuse_order_next(o, o->first, &owner);

	assert(slot != REUSE_NEVER);
	slot_clear(o, slot);
	o->first = slot + 1;
	return owner;
}

static int compare_newest(const void *a, const void *b)
{
	uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

	return x > y ? -1 : x < y;
}

void reuse_order_thin_holes(struct reuse_order *o)
{
	uint32_t kept = 0;

	forget_gone_holes(o);
	if (o->hole_count)
		qsort(o->holes, o->hole_count, sizeof(*o->holes), compare_newest);
	for (uint32_t i = 0; i < o->hole_count; i++)
		if (i % 2)
			slot_clear(o, o->holes[i]);
		else
			o->holes[kept++] = o->holes[i];
	o->hole_count = kept;
}
