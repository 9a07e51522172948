/*
 * pattern_set - keeps each distinct mask of bytes once, so that a stored request needs four bytes
 * for it.
 *
 * A pattern is a mask together with the number of lanes that made it. Real kernels have tens of
 * patterns in a group; in the worst case each request has its own, and the masks take as much
 * memory as without the set.
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
	uint32_t sectors; /* of PATTERN_SECTOR_BYTES with a bit set: what moves if L1 is bypassed */
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

static inline uint32_t pattern_piece_from(uint32_t piece)
{
	return piece & 0xfff;
}

static inline uint32_t pattern_piece_bytes(uint32_t piece)
{
	return piece >> 12;
}

enum { PATTERN_PLACES = 256 };

/* A cache of the numbers of patterns of one piece, in the pattern set of the stream being made.
 * Zeroed, or after pattern_places_clear(): empty. */
struct pattern_places {
	uint64_t stream; /* counts the streams, from 1 */
	struct pattern_place {
		uint64_t key; /* stream, lanes and piece */
		uint32_t number;
	} places[PATTERN_PLACES];
};

enum { PATTERN_PIECE_BITS = 25, PATTERN_LANES_BITS = 11, PATTERN_STREAM_BITS = 28 };

/* Begin another stream. */
void pattern_places_clear(struct pattern_places *p);

/* Make *s empty, for masks of that many words. No allocation. */
void pattern_set_init(struct pattern_set *s, uint32_t mask_words);

/* Free what it owns. Accepts a zeroed struct. */
void pattern_set_release(struct pattern_set *s);

/* Forget all patterns and keep the memory. */
void pattern_set_clear(struct pattern_set *s);

/* Store the number of a pattern in *number, adding the pattern if it is new. Returns 0, ERR_NOMEM
 * or ERR_LIMIT. */
int pattern_set_add(struct pattern_set *s, const uint64_t *mask, uint32_t lanes, uint32_t *number,
                    struct err *err);

/* The key of a pattern of one piece and at most 1024 lanes, and its place. */
static inline uint64_t pattern_places_key(const struct pattern_places *p, uint32_t lanes,
                                          uint32_t piece)
{
	return (p->stream << PATTERN_LANES_BITS | lanes) << PATTERN_PIECE_BITS | piece;
}

static inline struct pattern_place *pattern_places_at(struct pattern_places *p, uint32_t lanes,
                                                      uint32_t piece)
{
	return &p->places[((piece >> 2) + lanes * 32) % PATTERN_PLACES];
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
