/*
 * reuse_order - lines in the order of their last use, and how many were used after one of them: the
 * LRU stack distance of Mattson (1970), by Olken's method (1981) (private to this room).
 *
 * A use takes the next slot of a row of bits and clears the slot of the line's use before. The
 * distance of a line is the number of bits set behind its slot: sums over 64 bits, 512, 8192 and so
 * on, 16 times as many each, are kept, so that a use costs O(log of the slots between), and one of
 * a line used lately next to nothing. When the row is full the bits that are set are moved
 * together, which costs O(1) for each slot taken since. The row has at most four slots for each
 * line, at 4.2 bytes.
 *
 * A line that a write took out of all caches leaves a hole: a way that is empty in every cache
 * large enough to have held the line, until a read fills it. A read of a line (or of a new one)
 * fills the newest hole behind the line's slot; the caches that held the line keep a hole in its
 * place. That is what LRU caches of all sizes with such writes do, each by itself.
 *
 * Where a line's slot is stands in an array of the caller, `places`, by the line's number.
 */
#ifndef REUSE_ORDER_H
#define REUSE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REUSE_LEVELS = 7 };

/* Instead of a slot: never used, or taken out since. Slots are below both. */
#define REUSE_NEVER UINT32_MAX
#define REUSE_TAKEN (UINT32_MAX - 1)

struct reuse_order {
	uint64_t *marks;  /* one bit a slot; owns the memory of all up to `sums` */
	uint8_t *counts;  /* bits set of each word of marks */
	uint32_t *owners; /* per slot that is set: number of its line, or REUSE_NEVER: a hole */
	uint32_t *sums[REUSE_LEVELS]; /* of 512 slots, 8192, ... */
	uint32_t levels;
	uint32_t capacity; /* slots; a power of two, or 0 */
	uint32_t next;     /* the next slot */
	uint32_t set;      /* slots that are set */
	uint32_t *holes;   /* a heap, the newest first */
	uint32_t hole_count, hole_capacity;
	bool is_failed; /* memory ran out: what it answers since is not to be used */
};

/* Empty, without memory: a zeroed struct is one. Free what it owns; it is empty again. */
void reuse_order_release(struct reuse_order *o);

/*
 * A use of the line `number`. Returns how many lines and holes were used after its last use; where
 * places[number] is REUSE_NEVER or REUSE_TAKEN, that.
 */
uint32_t reuse_order_use(struct reuse_order *o, uint32_t *places, uint32_t number);

/* The line, which places[number] must know, is taken out and leaves a hole. */
void reuse_order_take(struct reuse_order *o, uint32_t *places, uint32_t number);

/* How many slots behind `slot` are set. */
uint32_t reuse_order_behind(const struct reuse_order *o, uint32_t slot);

#endif
