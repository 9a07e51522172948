/*
 * hot_lines - lines on which many requests meet that L1 cannot serve: writes, atomics, and reads
 * of what a write or an atomic took out.
 *
 * It is told what becomes of the requests of an SM's L1 (l1_observer.h, `served`). Lines are kept
 * by the method of Misra and Gries (1982), merged over SMs and launches by that of Agarwal (2012):
 * a count is at most total / (HOT_LINES + 1) too low, so no line with a larger share is missed.
 *
 * Memory: 3 KB for each SM.
 */
#ifndef HOT_LINES_H
#define HOT_LINES_H

#include "l1_observer.h"

#include <stddef.h>
#include <stdint.h>

enum { HOT_LINES = 64 };

struct hot_line {
	uint64_t line;     /* address of its first byte, of the replay */
	uint64_t requests; /* at least so many; 0: none */
	uint64_t atomics;  /* of these, at least */
	uint64_t lanes;    /* in the atomics, at least */
	uint32_t site;     /* of the first */
	int32_t buffer;    /* -1: not known */
};

/* A zeroed one is empty. */
struct hot_lines {
	uint64_t total; /* requests of this kind, to any line */
	uint64_t atomics, atomic_lanes;
	struct hot_line lines[HOT_LINES];
};

/* A request and what became of it. */
void hot_lines_served(struct hot_lines *h, const struct request *r, const struct l1_outcome *o);

/* Add *more to *sum. */
void hot_lines_add(struct hot_lines *sum, const struct hot_lines *more);

/* The lines by their requests, most first; those without any come last. */
void hot_lines_sort(struct hot_lines *h);

#endif
