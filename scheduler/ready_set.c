/* SPDX-License-Identifier: Apache-2.0 */
#include "ready_set.h"

#include "array.h"
#include "err.h"

#include <assert.h>
#include <stdlib.h>

enum { WORD_BITS = 64 };

int ready_set_init(struct ready_set *s, uint32_t size, struct err *err)
{
	size_t words = (size_t)size / WORD_BITS + 1;

	*s = (struct ready_set){ 0 };
	s->bits = array_alloc(words, sizeof(*s->bits), "ready warps", err);
	s->counts = array_alloc(words, sizeof(*s->counts), "ready warps", err);
	return s->bits && s->counts ? 0 : ERR_NOMEM;
}

void ready_set_release(struct ready_set *s)
{
	free(s->bits);
	free(s->counts);
	*s = (struct ready_set){ 0 };
}

void ready_set_add(struct ready_set *s, uint32_t number)
{
	uint64_t bit = UINT64_C(1) << number % WORD_BITS;

	if (!s->bits || s->bits[number / WORD_BITS] & bit)
		return;
	s->bits[number / WORD_BITS] |= bit;
	s->counts[number / WORD_BITS]++;
	s->count++;
}

void ready_set_remove(struct ready_set *s, uint32_t number)
{
	uint64_t bit = UINT64_C(1) << number % WORD_BITS;

	if (!s->bits || !(s->bits[number / WORD_BITS] & bit))
		return;
	s->bits[number / WORD_BITS] &= ~bit;
	s->counts[number / WORD_BITS]--;
	s->count--;
}

uint32_t ready_set_at(const struct ready_set *s, uint32_t k)
{
	uint32_t word = 0;
	uint64_t bits;

	assert(k < s->count);
	while (k >= s->counts[word])
		k -= s->counts[word++];
	for (bits = s->bits[word]; k; k--)
		bits &= bits - 1;
	return word * WORD_BITS + (uint32_t)__builtin_ctzll(bits);
}
