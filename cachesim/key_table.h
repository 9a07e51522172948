/*
 * key_table - maps keys to slots, for sets too wide to scan (private to cache_array).
 *
 * Open addressing with linear probing (Knuth, TAOCP 3, 6.4, algorithms L and R), at most half full;
 * the keys themselves are stored with the slots. All zeros is empty.
 */
#ifndef KEY_TABLE_H
#define KEY_TABLE_H

#include <stdint.h>

struct key_table {
	uint32_t *slots; /* slot + 1; 0: free */
	uint32_t mask;   /* places - 1 */
	uint32_t shift;  /* 64 - log2(places) */
};

static inline uint32_t key_table_home(const struct key_table *t, uint64_t key)
{
	return (uint32_t)(key * UINT64_C(0x9e3779b97f4a7c15) >> t->shift);
}

/* The place of `key`, or the free one where it would be; keys[slot] has the keys. */
static inline uint32_t key_table_place(const struct key_table *t, const uint64_t *keys,
                                       uint64_t key)
{
	uint32_t at = key_table_home(t, key);

	while (t->slots[at] && keys[t->slots[at] - 1] != key)
		at = (at + 1) & t->mask;
	return at;
}

/* Insert `key`, which is not there. */
static inline void key_table_add(struct key_table *t, uint64_t key, uint32_t slot)
{
	uint32_t at = key_table_home(t, key);

	while (t->slots[at])
		at = (at + 1) & t->mask;
	t->slots[at] = slot + 1;
}

/* Remove `key`, which is there; keys[] still has it. */
static inline void key_table_remove(struct key_table *t, const uint64_t *keys, uint64_t key)
{
	uint32_t hole = key_table_place(t, keys, key), at = hole;

	for (;;) {
		uint32_t home;

		at = (at + 1) & t->mask;
		if (!t->slots[at])
			break;
		home = key_table_home(t, keys[t->slots[at] - 1]);
		if (((at - home) & t->mask) >= ((at - hole) & t->mask)) {
			t->slots[hole] = t->slots[at];
			hole = at;
		}
	}
	t->slots[hole] = 0;
}

#endif
