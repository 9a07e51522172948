/*
 * line_history - what happened to every line so far (private to this room): was it ever read, and
 * was it taken out of the cache by a write since it was last brought in.
 *
 * A growable open-addressing table. An entry holds two bits for each of 32 neighbouring lines:
 * most kernels read dense buffers, so 100 MB of buffer make 400 KB of table, and a stream of lines
 * stays in one entry. Scattered lines cost 32 bytes each. Grows with the lines read, never with
 * the length of the run.
 */
#ifndef LINE_HISTORY_H
#define LINE_HISTORY_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/* What a line's past was when it is read. */
enum line_past {
	LINE_NEW,   /* never read */
	LINE_READ,  /* read before */
	LINE_TAKEN, /* read before, and taken out by a write since */
};

struct line_history_entry {
	uint64_t key;   /* line / 32 + 1; 0: free */
	uint64_t state; /* of line i: bit 2i ever read, bit 2i + 1 taken */
};

struct line_history {
	struct line_history_entry *entries;
	uint32_t bits;  /* there are 2^bits entries, */
	size_t used;    /* at most half of them used */
	bool is_failed; /* could not grow: what it answers since is not to be used */
};

/* Make an empty one. Returns 0 or ERR_NOMEM. */
int line_history_init(struct line_history *h, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void line_history_release(struct line_history *h);

/* The line is read and missed: what was its past? From now on it is LINE_READ. */
enum line_past line_history_read(struct line_history *h, uint64_t line);

/* A write takes the line, which was read before, out of the cache. */
void line_history_take(struct line_history *h, uint64_t line);

#endif
