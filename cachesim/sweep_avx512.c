/* SPDX-License-Identifier: Apache-2.0 */
/* The stacks in vectors of 512 bits: finding a place and moving keys take a few instructions at any
 * depth. Compiled with AVX-512 if the compiler supports it. */
#include "sweep_chain.h"

#if defined(__AVX512F__)
#include <immintrin.h>

bool sweep_has_avx512(void)
{
	return __builtin_cpu_supports("avx512f");
}

#define KEY     uint32_t
#define NAME(x) x##_32
static inline uint32_t find_32(const uint32_t *stack, uint32_t depth, uint32_t key)
{
	const __m512i wanted = _mm512_set1_epi32((int)key);

	for (uint32_t at = 0; at < depth; at += 16) {
		__mmask16 found = _mm512_cmpeq_epi32_mask(_mm512_load_si512(stack + at), wanted);

		if (found)
			return at + (uint32_t)__builtin_ctz(found);
	}
	return depth;
}

static inline void put_first_32(uint32_t *stack, uint32_t place, uint32_t key)
{
	__m512i before = _mm512_set1_epi32((int)key);

	for (uint32_t at = 0; at <= place; at += 16) {
		__m512i here = _mm512_load_si512(stack + at);
		uint32_t last = place - at < 15 ? place - at : 15;

		_mm512_mask_store_epi32(stack + at, (__mmask16)((2u << last) - 1),
		                        _mm512_alignr_epi32(here, before, 15));
		before = here;
	}
}
#include "sweep_loop.inc"
#undef KEY
#undef NAME

#define KEY     uint64_t
#define NAME(x) x##_64
static inline uint32_t find_64(const uint64_t *stack, uint32_t depth, uint64_t key)
{
	const __m512i wanted = _mm512_set1_epi64((long long)key);

	for (uint32_t at = 0; at < depth; at += 8) {
		__mmask8 found = _mm512_cmpeq_epi64_mask(_mm512_load_si512(stack + at), wanted);

		if (found)
			return at + (uint32_t)__builtin_ctz(found);
	}
	return depth;
}

static inline void put_first_64(uint64_t *stack, uint32_t place, uint64_t key)
{
	__m512i before = _mm512_set1_epi64((long long)key);

	for (uint32_t at = 0; at <= place; at += 8) {
		__m512i here = _mm512_load_si512(stack + at);
		uint32_t last = place - at < 7 ? place - at : 7;

		_mm512_mask_store_epi64(stack + at, (__mmask8)((2u << last) - 1),
		                        _mm512_alignr_epi64(here, before, 7));
		before = here;
	}
}
#include "sweep_loop.inc"

void sweep_play_32_avx512(struct sweep_chain *c, const struct sweep_batch *batch)
{
	play_32(c, batch);
}

void sweep_play_64_avx512(struct sweep_chain *c, const struct sweep_batch *batch)
{
	play_64(c, batch);
}

#else

bool sweep_has_avx512(void)
{
	return false;
}

void sweep_play_32_avx512(struct sweep_chain *c, const struct sweep_batch *batch)
{
	sweep_play_32(c, batch);
}

void sweep_play_64_avx512(struct sweep_chain *c, const struct sweep_batch *batch)
{
	sweep_play_64(c, batch);
}
#endif
