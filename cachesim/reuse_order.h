/*
 * reuse_order - lines in the order of their last use, and the number of lines used after one of
 * them: the LRU stack distance of Mattson (1970), by Olken's method (1981) (private to this room).
 *
 * A use sets the next slot of a row of bits and clears the slot of the line's previous use. The
 * distance of a line is the number of bits set after its slot. Sums over 64 bits, 512, 8192 and so
 * on, each 16 times as many, are kept, so that a use costs O(log of the slots between), and next to
 * nothing for a line used recently. When the row is full the set bits are compacted, which costs
 * O(1) for each slot used since. The row has at most four slots per line, at 4.2 bytes.
 *
 * A line that a write removed from all caches leaves a hole: a way that is empty in every cache
 * large enough to have held the line, until a read fills it. A read of a line (or of a new one)
 * fills the newest hole after the line's slot; the caches that held the line keep a hole in its
 * place. This is exactly the behaviour of LRU caches of all sizes with such writes.
 *
 * The oldest slots can be dropped, so that only the lines used last are known. Their distances stay
 * correct, as long as a line's number is dropped with its slot.
 *
 * The caller's array `places` has each line's slot, at the line's number times 2^shift.
 */
#ifndef REUSE_ORDER_H
#define REUSE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REUSE_LEVELS = 7 };

/* Instead of a slot: never used, removed since, or dropped. Slots are below all of them. */
#define REUSE_NEVER  UINT32_MAX
#define REUSE_TAKEN  (UINT32_MAX - 1)
#define REUSE_BEYOND (UINT32_MAX - 2)

struct reuse_order {
	uint64_t *marks;  /* one bit per slot; owns the memory of all fields up to `sums` */
	uint8_t *counts;  /* bits set of each word of marks */
	uint32_t *owners; /* per slot that is set: number of its line, or REUSE_NEVER: a hole */
	uint32_t *sums[REUSE_LEVELS]; /* of 512 slots, 8192, ... */
	uint32_t levels;
	uint32_t shift;    /* of `places`: may be set only while it is empty */
	uint32_t capacity; /* slots; a power of two, or 0 */
	uint32_t next;     /* the next slot */
	uint32_t first;    /* all slots before it are clear */
	uint32_t set;      /* slots that are set */
	uint32_t *holes;   /* a heap, the newest first; those before `first` are gone */
	uint32_t hole_count, hole_capacity;
	bool is_failed; /* memory ran out: answers since then are invalid */
};

/* Empty, without memory: a zeroed struct is one. Free what it owns; it is empty again. */
void reuse_order_release(struct reuse_order *o);

/* Forget all lines, but keep the memory. */
void reuse_order_clear(struct reuse_order *o);

/*
 * Record a use of the line `number`. Returns how many lines and holes were used after its last use,
 * or places[number] if that is not a slot.
 */
uint32_t reuse_order_use(struct reuse_order *o, uint32_t *places, uint32_t number);

/* Append a line that has no slot, or with REUSE_NEVER a hole, after all uses: to copy an order. */
void reuse_order_append(struct reuse_order *o, uint32_t *places, uint32_t number);

/* Remove the line, which must have a slot in places[number]; it leaves a hole. */
void reuse_order_take(struct reuse_order *o, uint32_t *places, uint32_t number);

/* Forget the line, which must have a slot in places[number]; it leaves no hole. */
void reuse_order_remove(struct reuse_order *o, uint32_t *places, uint32_t number);

/* Drop the oldest set slot; there must be one. Returns the number of its line, whose place the
 * caller changes, or REUSE_NEVER: it was a hole. */
uint32_t reuse_order_drop(struct reuse_order *o);

/* Returns the next set slot from `slot` on, with its line in *owner, or REUSE_NEVER: a hole.
 * Returns REUSE_NEVER after the last. */
uint32_t reuse_order_next(const struct reuse_order *o, uint32_t slot, uint32_t *owner);

/* Forget every second hole. */
void reuse_order_thin_holes(struct reuse_order *o);

#endif
