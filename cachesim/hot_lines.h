/*
 * hot_lines - lines on which many requests meet that L1 cannot serve: writes, atomics, and reads
 * of what a write or an atomic took out; and the sites that make these requests.
 *
 * It is told what becomes of the requests of an SM's L1 (l1_observer.h, `served`). Lines are kept
 * by the method of Misra and Gries (1982), merged over SMs and launches by that of Agarwal (2012):
 * a line with a share of more than 1 / (HOT_LINES + 1) is never missed. What is counted of a line
 * is all since it is kept, which is at most total / (HOT_LINES + 1) too low; of a line that was
 * never given up it is exact. The sites of a line are counted in the same way, with HOT_SITES.
 *
 * A request costs O(1), and up to HOT_SITES steps where as many sites meet on its line. Memory: 5
 * KB for each SM, and 24 bytes for each site of a line.
 */
#ifndef HOT_LINES_H
#define HOT_LINES_H

#include "l1_observer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HOT_LINES = 64, HOT_SITES = 128, HOT_PLACES = 4 * HOT_LINES };

/* What a site does to a line. */
struct hot_site {
	uint32_t site;
	uint64_t requests; /* at least so many */
	uint64_t turns;    /* that these take: an atomic one as hot_lines_served() says */
};

struct hot_line {
	uint64_t line;          /* address of its first byte, of the replay */
	uint64_t requests;      /* at least so many; 0: none */
	uint64_t atomics;       /* of these */
	uint64_t lanes;         /* in the atomics */
	uint64_t turns;         /* that its requests take */
	uint64_t level;         /* it is given up when hot_lines.level reaches this */
	struct hot_site *sites; /* site_count of them, in any order; owned */
	uint32_t site_count, site_capacity;
};

/* A zeroed one is empty. */
struct hot_lines {
	uint64_t total; /* requests of this kind, to any line */
	uint64_t atomics, atomic_lanes, atomic_turns;
	struct hot_line lines[HOT_LINES];
	uint32_t count;                   /* lines in use, without hot_lines_sort() the first */
	uint64_t level;                   /* requests of each line that count no more */
	uint64_t least;                   /* no line is given up below this level */
	unsigned char places[HOT_PLACES]; /* where a line is: its index + 1; by hash */
	bool is_failed;                   /* memory ran out: the counts are not to be used */
};

/* Free what it owns; it is empty again. */
void hot_lines_release(struct hot_lines *h);

/*
 * The turns of an atomic request of which each lane accesses so many bytes, 0 where that is not
 * known: as many as lanes meet on a word, those that its bytes have on average, rounded up. Atomics
 * on different words do not wait for one another.
 */
uint64_t hot_lines_atomic_turns(const struct request *r, uint64_t bytes);

/* A request and what became of it. It takes a turn, an atomic one hot_lines_atomic_turns(). */
void hot_lines_served(struct hot_lines *h, const struct request *r, const struct l1_outcome *o,
                      uint64_t bytes);

/* Add *more to *sum. */
void hot_lines_add(struct hot_lines *sum, const struct hot_lines *more);

/* The lines by their requests, most first; then those without any. Only to be looked at, or added
 * to another, after that. */
void hot_lines_sort(struct hot_lines *h);

#endif
