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
 * The oldest slots can be dropped, so that only the lines used last are known: their distances are
 * what they would be, as long as a line's number is given up with its slot.
 *
 * Where a line's slot is stands in an array of the caller, `places`, by the line's number times
 * 2^shift.
 */
#ifndef REUSE_ORDER_H
#define REUSE_ORDER_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { REUSE_LEVELS = 7 };

/* Instead of a slot: never used, taken out since, or dropped. Slots are below all of them. */
#define REUSE_NEVER  UINT32_MAX
#define REUSE_TAKEN  (UINT32_MAX - 1)
#define REUSE_BEYOND (UINT32_MAX - 2)

struct reuse_order {
	uint64_t *marks;  /* one bit a slot; owns the memory of all up to `sums` */
	uint8_t *counts;  /* bits set of each word of marks */
	uint32_t *owners; /* per slot that is set: number of its line, or REUSE_NEVER: a hole */
	uint32_t *sums[REUSE_LEVELS]; /* of 512 slots, 8192, ... */
	uint32_t levels;
	uint32_t shift;    /* of `places`: to be set, if not 0, while it is empty */
	uint32_t capacity; /* slots; a power of two, or 0 */
	uint32_t next;     /* the next slot */
	uint32_t first;    /* all slots before it are clear */
	uint32_t set;      /* slots that are set */
	uint32_t *holes;   /* a heap, the newest first; those before `first` are gone */
	uint32_t hole_count, hole_capacity;
	bool is_failed; /* memory ran out: what it answers since is not to be used */
};

/* Empty, without memory: a zeroed struct is one. Free what it owns; it is empty again. */
void reuse_order_release(struct reuse_order *o);

/* Forget all lines, and keep the memory. */
void reuse_order_clear(struct reuse_order *o);

/*
 * A use of the line `number`. Returns how many lines and holes were used after its last use; where
 * places[number] is none of its slots, that.
 */
uint32_t reuse_order_use(struct reuse_order *o, uint32_t *places, uint32_t number);

/* Put a line that has no slot, or with REUSE_NEVER a hole, after all that were used: to copy an
 * order. */
void reuse_order_append(struct reuse_order *o, uint32_t *places, uint32_t number);

/* The line, which places[number] must know, is taken out and leaves a hole. */
void reuse_order_take(struct reuse_order *o, uint32_t *places, uint32_t number);

/* Forget the line, which places[number] must know: it leaves no hole. */
void reuse_order_remove(struct reuse_order *o, uint32_t *places, uint32_t number);

/* Drop the oldest slot of those that are set, of which there is one at least. Returns the number of
 * its line, whose place the caller changes, or REUSE_NEVER: it was a hole. */
uint32_t reuse_order_drop(struct reuse_order *o);

/* The next slot that is set, from `slot` on, and in *owner whose it is, or REUSE_NEVER: a hole.
 * Returns REUSE_NEVER after the last. */
uint32_t reuse_order_next(const struct reuse_order *o, uint32_t slot, uint32_t *owner);

/* Forget every second hole. */
void reuse_order_thin_holes(struct reuse_order *o);

#endif
