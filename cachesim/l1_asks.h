/*
 * l1_asks - requests of a plain L1 with an outbox to the levels below (for l1_sectors.c and l1.c
 * only).
 *
 * A sector whose arrival cycle is not known yet has, in place of that cycle, the word of the ask
 * that brings it. When the answer comes, the sectors that still have the word get its cycle; those
 * that were evicted or written meanwhile do not.
 */
#ifndef L1_ASKS_H
#define L1_ASKS_H

#include "array.h"

#include <stdbool.h>
#include <stdint.h>

struct below_answer;
struct l1;
struct request;

/* A word that is not a cycle has this bit; the rest is the ask's name. */
#define L1_ASK_BIT (UINT64_C(1) << 63)

/* Nobody. */
#define L1_ASK_NONE UINT32_MAX

struct l1_ask {
	uint64_t sectors; /* that it brings */
	uint32_t slot;    /* of their line, or L1_ASK_NONE: an atomic's */
	uint32_t waiter;  /* of the request that waits for nothing else, or L1_ASK_NONE */
	uint32_t waiters; /* the others that wait (l1_waiters.h) */
	uint32_t next;    /* of those that are free */
};

struct l1_asks {
	struct array asks; /* of struct l1_ask; the index is its name */
	uint32_t free;     /* the first one */
	bool is_failed;    /* out of memory */
};

/* Nothing is asked for. No allocation. */
void l1_asks_init(struct l1_asks *a);

/* Free what it owns. Accepts a zeroed struct. */
void l1_asks_release(struct l1_asks *a);

/* Send a read of these sectors, of the line of *r in this slot; `waiter`, if there is one, waits
 * for nothing else. Returns their word. */
uint64_t l1_asks_read(struct l1 *l1, const struct request *r, uint64_t sectors, uint32_t slot,
                      uint32_t waiter, uint64_t now_cycles);

/* Send a write or an atomic; returns when an atomic's data arrives: a cycle or MEMORY_LATER. */
uint64_t l1_asks_change(struct l1 *l1, const struct request *r, uint64_t now_cycles);

/* Send a bypassing read of this many bytes; returns when its data arrives, as above. */
uint64_t l1_asks_past(struct l1 *l1, const struct request *r, uint32_t bytes, uint64_t now_cycles);

/* Let the waiter of *r wait for those of `words` of these sectors that are asks, at least one,
 * and at least until `cycle`. */
void l1_asks_wait(struct l1 *l1, const struct request *r, const uint64_t *words, uint64_t sectors,
                  uint64_t cycle);

/* As l1_settle(); all answers have data. */
void l1_asks_settle(struct l1 *l1, const struct below_answer *answers, size_t count);

#endif
