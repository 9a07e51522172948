/*
 * sector_runs - sectors of a line, a bit each, as runs of adjacent ones (private to this room).
 */
#ifndef SECTOR_RUNS_H
#define SECTOR_RUNS_H

#include <stdint.h>

/* The number of sectors. Suits few bits: no function call, unlike the compiler's builtin on many
 * hosts. */
static inline uint32_t sector_runs_bits(uint64_t sectors)
{
	uint32_t count = 0;

	for (; sectors; sectors &= sectors - 1)
		count++;
	return count;
}

/* Remove the lowest run from *sectors, which must have one: its first byte in the line, and its
 * size. */
static inline uint64_t sector_runs_cut(uint64_t *sectors, uint32_t sector_bytes, uint64_t *bytes)
{
	uint32_t first = (uint32_t)__builtin_ctzll(*sectors);
	uint64_t above = ~(*sectors >> first);
	uint32_t count = above ? (uint32_t)__builtin_ctzll(above) : 64;

	*sectors &= count + first < 64 ? UINT64_MAX << (count + first) : 0;
	*bytes = (uint64_t)count * sector_bytes;
	return (uint64_t)first * sector_bytes;
}

#endif
