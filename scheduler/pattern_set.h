/*
 * pattern_set - each distinct mask of bytes once, so that a stored request needs four bytes for it.
 *
 * A pattern is a mask together with the number of lanes that made it. The
 * kernels seen have tens of patterns in a group; the worst case has one for
 * each request, and then the masks take the memory that they would have taken.
 */
#ifndef PATTERN_SET_H
#define PATTERN_SET_H

#include "array.h"

#include <stdint.h>

struct err;

enum { PATTERN_SECTOR_BYTES = 32 };

struct pattern {
	uint32_t lanes;
	uint32_t bytes_used; /* bits set in the mask */
	uint32_t sectors; /* of PATTERN_SECTOR_BYTES with a bit set: what moves when L1 is passed */
};

struct pattern_set {
	uint32_t mask_words;
	uint32_t slot_count;   /* a power of two, or 0 */
	uint32_t *slots;       /* pattern number + 1; 0: empty */
	struct array patterns; /* struct pattern */
	struct array masks;    /* mask_words of 64 bits for each */
};

/* A mask of `bytes` (1..4096) bits from bit `from` (below 4096) on, as a number that is not 0. */
static inline uint32_t pattern_piece(uint32_t from, uint32_t bytes)
{
	return bytes << 12 | from;
}

enum { PATTERN_PLACES = 256 };

/* Where patterns of one piece are in the set of the stream that is being made. Zeroed: empty. */
struct pattern_places {
	struct pattern_place {
		uint64_t key; /* lanes and piece; 0: none */
		uint32_t number;
	} places[PATTERN_PLACES];
};

/* Make *s empty, for masks of that many words. No allocation. */
void pattern_set_init(struct pattern_set *s, uint32_t mask_words);

/* Free what it owns. Accepts a zeroed struct. */
void pattern_set_release(struct pattern_set *s);

/* Forget all patterns and keep the memory. */
void pattern_set_clear(struct pattern_set *s);

/* The number of a pattern, added if it is new. Returns 0, ERR_NOMEM, ERR_LIMIT. */
int pattern_set_add(struct pattern_set *s, const uint64_t *mask, uint32_t lanes, uint32_t *number,
                    struct err *err);

/* A pattern to add. */
struct pattern_asked {
	const uint64_t *mask;
	uint32_t lanes;
	uint32_t piece; /* pattern_piece() if the mask is one, else 0 */
};

/* pattern_set_add(), with less to do where *places knows the pattern. */
static inline int pattern_set_find(struct pattern_set *s, struct pattern_places *places,
                                   const struct pattern_asked *a, uint32_t *number, struct err *err)
{
	uint32_t at = ((a->piece >> 2) + a->lanes * 32) % PATTERN_PLACES;
	struct pattern_place *p = &places->places[at];
	uint64_t key = (uint64_t)a->lanes << 32 | a->piece;
	int rc;

	if (a->piece && p->key == key) {
		*number = p->number;
		return 0;
	}
	rc = pattern_set_add(s, a->mask, a->lanes, number, err);
	if (!rc && a->piece)
		*p = (struct pattern_place){ key, *number };
	return rc;
}

/* Pattern `number` and its mask: borrowed, valid until the next addition. */
static inline const struct pattern *pattern_set_at(const struct pattern_set *s, uint32_t number)
{
	return (const struct pattern *)s->patterns.data + number;
}

static inline const uint64_t *pattern_set_mask(const struct pattern_set *s, uint32_t number)
{
	return (const uint64_t *)s->masks.data + (size_t)number * s->mask_words;
}

#endif
