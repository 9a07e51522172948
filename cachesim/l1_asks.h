/*
 * l1_asks - requests that a plain L1 with an outbox sends to the levels below (for l1_sectors.c and
 * l1.c only).
 *
 * An ask is a request that has no answer yet. A sector whose arrival cycle is unknown has, in place
 * of the cycle, the word of the ask that brings it. The cycle of the answer replaces the word in
 * the sectors that still have it: in those neither evicted nor written meanwhile.
 */
#ifndef L1_ASKS_H
#define L1_ASKS_H

#include "array.h"
#include "fifo.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * l1_waiters - requests that wait for fills whose cycle is unknown (private to this room).
 *
 * A request waits for one fill, or, if the line has sectors, for several. Its answer is the cycle
 * of the last of them, but not before the cycle in which a hit would have had its data. Answers are
 * removed first in, first out.
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

/* Make *w empty. No allocation. */
void l1_waiters_init(struct l1_waiters *w);

/* Free what it owns. Accepts a zeroed struct. */
void l1_waiters_release(struct l1_waiters *w);

/* Add a request of this waiter (request.h), answered in `cycle` at the earliest, that waits for
 * nothing yet. Returns its name, or L1_WAITER_NONE if out of memory. */
uint32_t l1_waiters_add(struct l1_waiters *w, uint32_t waiter, uint64_t cycle);

/* Let the request also wait for the fill whose list of waiters begins at *first, which is
 * L1_WAITER_NONE for an empty list. */
void l1_waiters_wait(struct l1_waiters *w, uint32_t request, uint32_t *first);

/* The fill whose list begins at *first arrives in this cycle: answer the requests that wait for
 * nothing else. */
void l1_waiters_arrive(struct l1_waiters *w, uint32_t *first, uint64_t cycle);

/* Answer a request that was not added. */
void l1_waiters_answer(struct l1_waiters *w, uint32_t waiter, uint64_t cycle);

/* Remove the next answer into *out. Returns false if there is none. */
bool l1_waiters_next(struct l1_waiters *w, struct memory_answer *out);

static inline bool l1_waiters_have_failed(const struct l1_waiters *w)
{
	return w->is_failed || w->answers.is_failed;
}

/*
 * l1_fills - the fills that are on their way to an L1: its MSHR entries (private to this room).
 *
 * Fills whose line is still wanted are in chains, in the order in which they were requested.
 * at_miss: one chain for each slot, because such a line has a slot; it holds the fills of one line,
 * or of two while one replaces the other. at_fill: one chain for each set. Chains are searched
 * linearly: a line has few fills, and a set has few lines on their way.
 */

struct counters;
struct err;

#define L1_FILL_NONE UINT32_MAX

/* The access that caused a fill. */
struct l1_origin {
	struct counters *counters;
	uint64_t group;
	uint32_t warp;
	uint32_t site;
	int32_t buffer;
};

struct l1_fill {
	uint64_t line;     /* number of the line */
	uint64_t fetched;  /* sectors requested from L2 */
	uint64_t sectors;  /* sectors valid once it arrives, including written ones */
	uint64_t dirty;    /* of these, written meanwhile */
	uint64_t promoted; /* of `fetched`, not requested by any access */
	uint64_t cycle;    /* in which it arrives, or MEMORY_LATER */
	uint64_t asked_cycles;
	struct l1_origin origin;
	struct l1_origin writer; /* of `dirty` */
	uint32_t set;
	uint32_t chain;    /* number of its chain */
	uint32_t bytes;    /* bytes that it moves */
	uint32_t requests; /* requests that share it */
	uint32_t stay;     /* of a line without a slot (l1_stays.h), or 0 */
	uint32_t waiters;  /* list of those that wait while `cycle` is unknown */
	uint32_t next;     /* in its chain, or of the free fills */
	bool is_past;      /* an atomic or a bypassing read: no line, no chain, no MSHR entry */
	bool is_dropped;   /* the line was removed: in no chain, and nothing is filled */
};

struct l1_fills {
	struct array fills; /* of struct l1_fill; the index is its name */
	uint32_t *firsts;   /* first fill of each chain */
	uint32_t free;      /* first of the chain of free fills */
	uint32_t entries;   /* MSHR entries in use */
	bool is_failed;     /* out of memory */
};

/* Make *f empty, with `chains` chains. Returns 0 or ERR_NOMEM; release it in every case. */
int l1_fills_init(struct l1_fills *f, uint32_t chains, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void l1_fills_release(struct l1_fills *f);

/* Append a copy of *fill to its chain, or to none if is_past. Returns its name, or L1_FILL_NONE if
 * out of memory. Invalidates pointers to fills. */
uint32_t l1_fills_add(struct l1_fills *f, const struct l1_fill *fill);

/* Remove a fill from its chain: its line is no longer wanted. It keeps its entry. */
void l1_fills_detach(struct l1_fills *f, uint32_t fill);

/* A fill has arrived: remove it and free its entry. It must be in no chain. */
void l1_fills_remove(struct l1_fills *f, uint32_t fill);

static inline struct l1_fill *l1_fills_at(const struct l1_fills *f, uint32_t fill)
{
	return (struct l1_fill *)f->fills.data + fill;
}

/* Returns the first fill of this line in its chain, from `fill` on, or L1_FILL_NONE. */
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

/* No waiter, or no slot. */
#define L1_ASK_NONE UINT32_MAX

struct l1_ask {
	uint64_t sectors; /* sectors that it brings */
	uint32_t slot;    /* of their line; L1_ASK_NONE: nothing comes into L1 */
	uint32_t waiter;  /* of the request that waits for this ask only, or L1_ASK_NONE */
	uint32_t waiters; /* list of the other requests that wait */
	uint32_t next;    /* of the free asks */
};

struct l1_asks {
	struct array asks; /* of struct l1_ask; the index is its name */
	uint32_t free;     /* first of the free asks */
	bool is_failed;    /* out of memory */
};

/* Make *a empty. No allocation. */
void l1_asks_init(struct l1_asks *a);

/* Free what it owns. Accepts a zeroed struct. */
void l1_asks_release(struct l1_asks *a);

/* Send a read of these sectors of the line of *r, which is in `slot`. `waiter`, unless L1_ASK_NONE,
 * waits for nothing else. Returns the word of the sectors. */
uint64_t l1_asks_read(struct l1 *l1, const struct request *r, uint64_t sectors, uint32_t slot,
                      uint32_t waiter, uint64_t now_cycles);

/* Send a write or an atomic. Returns when an atomic's data arrives: a cycle or MEMORY_LATER. */
uint64_t l1_asks_change(struct l1 *l1, const struct request *r, uint64_t now_cycles);

/* Send a bypassing read of `bytes` bytes. Returns the cycle in which its data arrives, or
 * MEMORY_LATER. */
uint64_t l1_asks_read_past(struct l1 *l1, const struct request *r, uint32_t bytes,
                           uint64_t now_cycles);

/* Let the waiter of *r wait for the asks among the `words` of these sectors, of which there must be
 * at least one, and at least until `cycle`. */
void l1_asks_wait(struct l1 *l1, const struct request *r, const uint64_t *words, uint64_t sectors,
                  uint64_t cycle);

/* Deliver answers, as l1_settle() does; all must be ANSWER_DATA. */
void l1_asks_settle(struct l1 *l1, const struct below_answer *answers, size_t count);

#endif
