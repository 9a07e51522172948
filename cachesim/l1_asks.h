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
#include "fifo.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * l1_waiters - requests that wait for fills whose cycle is not known yet (private to this room).
 *
 * A request waits for one fill, or with sectors for several; its answer is the latest of them, but
 * not before the cycle in which a hit would have had its data. Answers are taken first in, first
 * out.
 */

struct memory_answer;

#define L1_WAITER_NONE UINT32_MAX

struct l1_waiters {
	struct array requests; /* of struct waiting */
	struct array links;    /* of struct link: request and fill */
	uint32_t free_request;
	uint32_t free_link;
	struct fifo answers; /* of struct memory_answer */
	bool is_failed;      /* out of memory */
};

/* Nobody waits. No allocation. */
void l1_waiters_init(struct l1_waiters *w);

/* Free what it owns. Accepts a zeroed struct. */
void l1_waiters_release(struct l1_waiters *w);

/* A request of this waiter (request.h), not answered before this cycle, which waits for nothing
 * yet. Its name, or L1_WAITER_NONE when memory ran out. */
uint32_t l1_waiters_add(struct l1_waiters *w, uint32_t waiter, uint64_t cycle);

/* It waits for the fill whose list begins at *first as well; *first is L1_WAITER_NONE for none. */
void l1_waiters_wait(struct l1_waiters *w, uint32_t request, uint32_t *first);

/* The fill whose list begins at *first comes in this cycle: answer those that waited for nothing
 * else. */
void l1_waiters_come(struct l1_waiters *w, uint32_t *first, uint64_t cycle);

/* Answer a request that has not been added. */
void l1_waiters_answer(struct l1_waiters *w, uint32_t waiter, uint64_t cycle);

/* Take the next answer; false when there is none. */
bool l1_waiters_next(struct l1_waiters *w, struct memory_answer *out);

static inline bool l1_waiters_have_failed(const struct l1_waiters *w)
{
	return w->is_failed || w->answers.is_failed;
}

/*
 * l1_fills - what is on its way to an L1: its MSHR entries (private to this room).
 *
 * Those whose line is still wanted lie in chains, in the order in which they were asked for:
 * at_miss one for each slot, since such a line has one, which holds the fills of one line, or those
 * of two while one takes the place of the other; at_fill one for each set. A chain is walked from
 * end to end: lines have few fills, and sets few lines on their way.
 */

struct counters;
struct err;

#define L1_FILL_NONE UINT32_MAX

/* Whose access it was. */
struct l1_origin {
	struct counters *counters;
	uint64_t group;
	uint32_t warp;
	uint32_t site;
	int32_t buffer;
};

struct l1_fill {
	uint64_t line;     /* number of it */
	uint64_t fetched;  /* sectors that L2 was asked for; */
	uint64_t sectors;  /* those that are there once it comes, written ones too; */
	uint64_t dirty;    /* those of them that were written meanwhile */
	uint64_t promoted; /* those of `fetched` that no request has asked for */
	uint64_t cycle;    /* in which it comes, or MEMORY_LATER */
	uint64_t asked_cycles;
	struct l1_origin origin;
	struct l1_origin writer; /* of `dirty` */
	uint32_t set;
	uint32_t chain;    /* number of its chain */
	uint32_t bytes;    /* that it moves */
	uint32_t requests; /* that share it */
	uint32_t stay;     /* of a line without a slot (l1_stays.h), or 0 */
	uint32_t waiters;  /* those that wait for an unknown cycle */
	uint32_t next;     /* in its chain; of the free ones */
	bool is_past;      /* an atomic, or a read past L1: brings no line, is in no chain and no
	                      MSHR entry */
	bool is_dropped;   /* the line was taken out: in no chain, and nothing comes in */
};

struct l1_fills {
	struct array fills; /* of struct l1_fill; the index is its name */
	uint32_t *firsts;   /* of each chain */
	uint32_t free;      /* first of a chain */
	uint32_t entries;   /* MSHR entries in use */
	bool is_failed;     /* out of memory */
};

/* None on its way, in that many chains. Returns 0 or ERR_NOMEM; release it in every case. */
int l1_fills_init(struct l1_fills *f, uint32_t chains, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void l1_fills_release(struct l1_fills *f);

/* A copy of *fill, at the end of its chain unless it is_past. Its name, or
 * L1_FILL_NONE when memory ran out. Pointers to others become invalid. */
uint32_t l1_fills_add(struct l1_fills *f, const struct l1_fill *fill);

/* Take it out of its chain: its line is not wanted any more. It keeps its entry. */
void l1_fills_detach(struct l1_fills *f, uint32_t fill);

/* It came: forget it, and free its entry. It is in no chain. */
void l1_fills_remove(struct l1_fills *f, uint32_t fill);

static inline struct l1_fill *l1_fills_at(const struct l1_fills *f, uint32_t fill)
{
	return (struct l1_fill *)f->fills.data + fill;
}

/* The first fill of this line from `fill` on in its chain, or L1_FILL_NONE. */
static inline uint32_t l1_fills_find(const struct l1_fills *f, uint32_t fill, uint64_t line)
{
	while (fill != L1_FILL_NONE && l1_fills_at(f, fill)->line != line)
		fill = l1_fills_at(f, fill)->next;
	return fill;
}

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
	uint32_t waiters; /* the others that wait */
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
