/*
 * bits - how many bits are set.
 *
 * Without an instruction for it, which not every processor has, the compiler calls a function that
 * takes several times as long.
 */
#ifndef BITS_H
#define BITS_H

#include <stdint.h>

static inline uint32_t bits_count(uint64_t word)
{
#ifdef __POPCNT__
	return (uint32_t)__builtin_popcountll(word);
#else
	word -= word >> 1 & UINT64_C(0x5555555555555555);
	word = (word & UINT64_C(0x3333333333333333)) + (word >> 2 & UINT64_C(0x3333333333333333));
	word = (word + (word >> 4)) & UINT64_C(0x0f0f0f0f0f0f0f0f);
	return (uint32_t)(word * UINT64_C(0x0101010101010101) >> 56);
#endif
}

#endif
