/*
 * hot_lines - lines hit by many requests that L1 cannot serve (writes, atomics, and reads of lines
 * that a write or an atomic removed), and the sites that make these requests.
 *
 * It observes the requests of an SM's L1 (l1_observer.h, `served`). Lines are kept by the method of
 * Misra and Gries (1982), and merged over SMs and launches by that of Agarwal (2012): a line with a
 * share of more than 1 / (HOT_LINES + 1) is never missed. A line is counted since it is kept, so
 * its count is at most total / (HOT_LINES + 1) too low; it is exact if the line was never dropped.
 * The sites of a line are counted in the same way, with HOT_SITES.
 *
 * A request costs O(1), and up to HOT_SITES steps if that many sites access its line. Memory: 5 KB
 * for each SM, and 24 bytes for each site of a line.
 */
#ifndef HOT_LINES_H
#define HOT_LINES_H

#include "l1_observer.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HOT_LINES = 64, HOT_SITES = 128, HOT_PLACES = 4 * HOT_LINES };

/* A site's requests to a line. */
struct hot_site {
	uint32_t site;
	uint64_t requests; /* at least this many */
	uint64_t turns;    /* turns of these; an atomic's as in hot_lines_served() */
};

struct hot_line {
	uint64_t line;          /* address of its first byte, of the replay */
	uint64_t requests;      /* at least this many; 0: none */
	uint64_t atomics;       /* of these */
	uint64_t lanes;         /* in the atomics */
	uint64_t turns;         /* that its requests take */
	uint64_t level;         /* it is dropped when hot_lines.level reaches this */
	struct hot_site *sites; /* site_count of them, in any order; owned */
	uint32_t site_count, site_capacity;
};

/* A zeroed one is empty. */
struct hot_lines {
	uint64_t total; /* requests of this kind, to any line */
	uint64_t atomics, atomic_lanes, atomic_turns;
	struct hot_line lines[HOT_LINES];
	uint32_t count;                   /* lines in use, the first ones until hot_lines_sort() */
	uint64_t level;                   /* requests of each line that no longer count */
	uint64_t least;                   /* no line is dropped below this level */
	unsigned char places[HOT_PLACES]; /* index + 1 of a line; by hash */
	bool is_failed;                   /* memory ran out: the counts are invalid */
};

/* Free what it owns; it is empty again. */
void hot_lines_release(struct hot_lines *h);

/*
 * The turns of an atomic request whose lanes access this many bytes each (0: unknown): the average
 * number of lanes per word, rounded up. Atomics on different words do not wait for one another.
 */
uint64_t hot_lines_atomic_turns(const struct request *r, uint64_t bytes);

/* Count a request and its outcome. It takes a turn, an atomic hot_lines_atomic_turns(). */
void hot_lines_served(struct hot_lines *h, const struct request *r, const struct l1_outcome *o,
                      uint64_t bytes);

/* Add *more to *sum. */
void hot_lines_add(struct hot_lines *sum, const struct hot_lines *more);

/* Sort the lines by their requests, most first, lines without requests last. After that, only
 * read them or add them to another. */
void hot_lines_sort(struct hot_lines *h);

#endif
