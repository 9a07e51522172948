/* SPDX-License-Identifier: Apache-2.0 */
#include "pattern_set.h"

#include "array.h"
#include "err.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

enum { FIRST_SLOTS = 64, SLOTS_PER_PATTERN = 4 };

/* Keeps slot counts and numbers within 32 bits. */
static const size_t PATTERNS_LIMIT = (size_t)1 << 29;

void pattern_set_init(struct pattern_set *s, uint32_t mask_words)
{
	*s = (struct pattern_set){ .mask_words = mask_words };
	array_init(&s->patterns, sizeof(struct pattern), PATTERNS_LIMIT, "access patterns");
	array_init(&s->masks, mask_words * sizeof(uint64_t), PATTERNS_LIMIT, "masks of patterns");
}

void pattern_set_release(struct pattern_set *s)
{
	free(s->slots);
	s->slots = NULL;
	s->slot_count = 0;
	array_release(&s->patterns);
	array_release(&s->masks);
}

void pattern_set_clear(struct pattern_set *s)
{
	if (s->slots)
		memset(s->slots, 0, s->slot_count * sizeof(*s->slots));
	array_clear(&s->patterns);
	array_clear(&s->masks);
}

void pattern_places_clear(struct pattern_places *p)
{
	if (++p->stream >> PATTERN_STREAM_BITS)
		*p = (struct pattern_places){ .stream = 1 };
}

static uint32_t hash(const struct pattern_set *s, const uint64_t *mask, uint32_t lanes)
{
	uint64_t h = lanes * UINT64_C(0x9e3779b97f4a7c15);

	for (uint32_t i = 0; i < s->mask_words; i++) {
		h = (h ^ mask[i]) * UINT64_C(0xff51afd7ed558ccd);
		h ^= h >> 32;
	}
	return (uint32_t)h;
}

static bool is_equal(const struct pattern_set *s, uint32_t number, const uint64_t *mask,
                     uint32_t lanes)
{
	const uint64_t *other = pattern_set_mask(s, number);
	uint64_t differs = pattern_set_at(s, number)->lanes ^ lanes;

	for (uint32_t i = 0; i < s->mask_words; i++)
		differs |= mask[i] ^ other[i];
	return !differs;
}

/* Returns the slot of a pattern, or the empty slot for it. */
static uint32_t *find_slot(const struct pattern_set *s, const uint64_t *mask, uint32_t lanes)
{
	uint32_t at = hash(s, mask, lanes);

	for (;; at++) {
		uint32_t *slot = &s->slots[at & (s->slot_count - 1)];

		if (!*slot || is_equal(s, *slot - 1, mask, lanes))
			return slot;
	}
}

/* Double the number of slots. */
static int grow(struct pattern_set *s, struct err *err)
{
	uint32_t count = s->slot_count ? s->slot_count * 2 : FIRST_SLOTS;
	uint32_t *slots = array_alloc(count, sizeof(*slots), "access patterns", err);

	if (!slots)
		return ERR_NOMEM;
	free(s->slots);
	s->slots = slots;
	s->slot_count = count;
	for (uint32_t i = 0; i < s->patterns.count; i++)
		*find_slot(s, pattern_set_mask(s, i), pattern_set_at(s, i)->lanes) = i + 1;
	return 0;
}

/* Append a pattern that is not in the set. */
static int append(struct pattern_set *s, const uint64_t *mask, uint32_t lanes, struct err *err)
{
	struct pattern *p = array_append(&s->patterns, 1, err);
	uint64_t *copy = p ? array_append(&s->masks, 1, err) : NULL;
	struct pattern made = { .lanes = lanes };

	if (!copy) {
		if (p)
			s->patterns.count--;
		return err && err->code ? err->code : ERR_NOMEM;
	}
	for (uint32_t i = 0; i < s->mask_words; i++) {
		copy[i] = mask[i];
		made.bytes_used += (uint32_t)__builtin_popcountll(mask[i]);
		made.sectors += (uint32_t)mask[i] != 0;
		made.sectors += mask[i] >> PATTERN_SECTOR_BYTES != 0;
	}
	*p = made;
	return 0;
}

int pattern_set_add(struct pattern_set *s, const uint64_t *mask, uint32_t lanes, uint32_t *number,
                    struct err *err)
{
	uint32_t *slot;
	int rc;

	if (s->patterns.count * SLOTS_PER_PATTERN >= s->slot_count && grow(s, err))
		return ERR_NOMEM;
	slot = find_slot(s, mask, lanes);
	if (!*slot) {
		rc = append(s, mask, lanes, err);
		if (rc)
			return rc;
		*slot = (uint32_t)s->patterns.count;
	}
	*number = *slot - 1;
	return 0;
}
