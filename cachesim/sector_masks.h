/*
 * sector_masks - finds the sectors of its line that a request touches (private to this room). Bit i
 * is sector i, from the line's first byte on; a line has at most 64.
 */
#ifndef SECTOR_MASKS_H
#define SECTOR_MASKS_H

#include "request.h"

#include <stdint.h>

/*
 * sector_runs - counts the sectors of a line and splits them into runs of adjacent ones (private to
 * this room).
 */

/* Returns the number of sectors. A loop is fast for few bits and needs no call, as the compiler's
 * popcount does on many hosts. */
static inline uint32_t sector_runs_bits(uint64_t sectors)
{
	uint32_t count = 0;

	for (; sectors; sectors &= sectors - 1)
		count++;
	return count;
}

/* Remove the lowest run from *sectors, which must not be 0. Returns its first byte in the line, and
 * its size in *bytes. */
static inline uint64_t sector_runs_cut(uint64_t *sectors, uint32_t sector_bytes, uint64_t *bytes)
{
	uint32_t first = (uint32_t)__builtin_ctzll(*sectors);
	uint64_t above = ~(*sectors >> first);
	uint32_t count = above ? (uint32_t)__builtin_ctzll(above) : 64;

	*sectors &= count + first < 64 ? UINT64_MAX << (count + first) : 0;
	*bytes = (uint64_t)count * sector_bytes;
	return (uint64_t)first * sector_bytes;
}

struct sector_masks {
	uint64_t touched; /* with a requested byte */
	uint64_t whole;   /* with all bytes requested */
};

/* Returns the masks for sectors of `sector_bytes` in a line of `line_bytes`: powers of two,
 * line_bytes / 64 <= sector_bytes <= line_bytes. */
struct sector_masks sector_masks_of(const struct request *r, uint32_t line_bytes,
                                    uint32_t sector_bytes);

/* As sector_masks_of(), with fast paths for common GPUs: lines without sectors (one sector), and
 * four sectors of 32 bytes. */
static inline struct sector_masks sector_masks_find(const struct request *r, uint32_t line_bytes,
                                                    uint32_t sector_bytes)
{
	struct sector_masks m = { 0 };

	if (sector_bytes == line_bytes)
		return (struct sector_masks){ 1, r->bytes_used == line_bytes };
	if (sector_bytes != 32 || line_bytes != 128)
		return sector_masks_of(r, line_bytes, sector_bytes);
	for (uint32_t i = 0; i < 4; i++) {
		uint32_t used = (uint32_t)(r->used[i / 2] >> i % 2 * 32);

		m.touched |= (uint64_t)(used != 0) << i;
		m.whole |= (uint64_t)(used == UINT32_MAX) << i;
	}
	return m;
}

/* Returns the masks of the same bytes in sectors of another size: `touched` are those with a byte
 * of a sector in `sectors`, `whole` those with only such bytes. */
struct sector_masks sector_masks_convert(uint64_t sectors, uint32_t line_bytes, uint32_t from_bytes,
                                         uint32_t to_bytes);

/* All sectors of a line. */
static inline uint64_t sector_masks_all(uint32_t line_bytes, uint32_t sector_bytes)
{
	uint32_t count = line_bytes / sector_bytes;

	return count >= 64 ? UINT64_MAX : ((uint64_t)1 << count) - 1;
}

#endif
