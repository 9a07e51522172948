/*
 * sweep_chain - LRU caches of many set counts, all ways at once (private to this room).
 *
 * For each of its levels, one number of sets, a chain keeps the LRU stack of every set: the lines
 * read last, the latest first. A cache of w ways holds the lines of the first w places (inclusion,
 * Mattson et al. 1970), so the place of a line decides for which ways it hits. If each set of a
 * level is part of one set of the level before, a line that is first in its set is first in the
 * sets of all later levels, and nothing changes there: the walk ends (set refinement, Hill and
 * Smith 1989).
 *
 * A line that a write or an atomic removes leaves an empty place, which is filled when a line moves
 * past it: until then the caches that held the line have an empty way, and the others do not.
 *
 * Only LRU, only one SM, no time. Not thread-safe: one thread per chain.
 */
#ifndef SWEEP_CHAIN_H
#define SWEEP_CHAIN_H

#include "set_index.h"
#include "site.h"

#include <stdbool.h>
#include <stddef.h>

struct err;

/* Ways of a stack are kept in whole vectors of this many places. */
enum { SWEEP_PLACES = 16 };

/* Requests to replay, one after the other. */
struct sweep_batch {
	const uint64_t *lines;       /* below 2^64 - 1 */
	const enum site_kind *kinds; /* READ, WRITE, ATOMIC; NULL: all are reads */
	size_t count;
	uint64_t line_or; /* of all lines, which bounds their bits */
};

/* Counts by place, 0..depth - 1; `depth`: the line was in none. */
struct sweep_level {
	struct set_index index;
	size_t first; /* key of set 0 */
	uint64_t *reads, *writes, *atomics;
	uint64_t *held; /* lines present when the stacks were emptied */
	uint64_t stops; /* reads whose line was first, here and in all later levels */
};

struct sweep_chain {
	struct sweep_level *levels;
	size_t level_count;
	uint32_t depth;   /* places of a stack, a multiple of SWEEP_PLACES */
	bool is_evicting; /* a write removes its line */
	bool has_holes;   /* a line was removed */
	bool is_wide;     /* keys of 64 bits, else 32 */
	size_t key_count;
	void *keys;       /* line; all ones: empty */
	uint64_t *counts; /* of the levels */
	uint64_t *missed; /* of the last batch, reads whose line the last level did not have; */
	size_t missed_count;
	size_t missed_room; /* for at most this many requests */
};

/* Whether each set of `fine` is part of one set of `coarse`, so that it may follow it in a
 * chain. */
bool sweep_refines(const struct set_index *coarse, const struct set_index *fine);

/*
 * A chain for `count` >= 1 indices, each refining the one before, and up to `ways` ways. Returns 0,
 * ERR_LIMIT (more than 2^28 places), ERR_NOMEM; release it in every case.
 */
int sweep_chain_init(struct sweep_chain *c, const struct set_index *indices, size_t count,
                     uint32_t ways, bool is_evicting, struct err *err);
void sweep_chain_release(struct sweep_chain *c);

/* Replay a batch. Returns 0 or ERR_NOMEM. */
int sweep_chain_play(struct sweep_chain *c, const struct sweep_batch *batch, struct err *err);

/* Count the lines in the stacks, and empty them; all counts are kept and continue. */
void sweep_chain_empty(struct sweep_chain *c);

/* The inner loops, from one source (sweep_loop.inc): by the width of keys, and by the
 * processor's features. */
void sweep_play_32(struct sweep_chain *c, const struct sweep_batch *batch);
void sweep_play_64(struct sweep_chain *c, const struct sweep_batch *batch);
void sweep_play_32_avx512(struct sweep_chain *c, const struct sweep_batch *batch);
void sweep_play_64_avx512(struct sweep_chain *c, const struct sweep_batch *batch);

/* Whether the last two were compiled and can run on this processor. */
bool sweep_has_avx512(void);

#endif
