/* SPDX-License-Identifier: Apache-2.0 */
#include "sweep_chain.h"

#include <string.h>

#define KEY     uint32_t
#define NAME(x) x##_32
static inline uint32_t find_32(const uint32_t *stack, uint32_t depth, uint32_t key)
{
	uint32_t at = 0;

	while (at < depth && stack[at] != key)
		at++;
	return at;
}

static inline void put_first_32(uint32_t *stack, uint32_t place, uint32_t key)
{
	memmove(stack + 1, stack, place * sizeof(*stack));
	stack[0] = key;
}
#include "sweep_loop.inc"
#undef KEY
#undef NAME

#define KEY     uint64_t
#define NAME(x) x##_64
static inline uint32_t find_64(const uint64_t *stack, uint32_t depth, uint64_t key)
{
	uint32_t at = 0;

	while (at < depth && stack[at] != key)
		at++;
	return at;
}

static inline void put_first_64(uint64_t *stack, uint32_t place, uint64_t key)
{
	memmove(stack + 1, stack, place * sizeof(*stack));
	stack[0] = key;
}
#include "sweep_loop.inc"

void sweep_play_32(struct sweep_chain *c, const struct sweep_batch *batch)
{
	play_32(c, batch);
}

void sweep_play_64(struct sweep_chain *c, const struct sweep_batch *batch)
{
	play_64(c, batch);
}
