/*
 * line_history - the history of every line (private to this room): whether it was ever read, and
 * whether a write has removed it from the cache since it was last brought in.
 *
 * A page holds two bits for each of 256 neighbouring lines, which is one cache line of the host.
 * Pages are stored in the order of their creation; a growable open-addressing table finds them. For
 * dense buffers, as replay addresses are, pages take 1/512 of their bytes, and most stay in the
 * host's caches however the buffers are accessed. Scattered lines cost 100 to 200 bytes each.
 * Memory grows with the lines read, never with the length of the run.
 */
#ifndef LINE_HISTORY_H
#define LINE_HISTORY_H

#include "array.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/* A line's past at the time of a read. */
enum line_past {
	LINE_NEW,   /* never read */
	LINE_READ,  /* read before */
	LINE_TAKEN, /* read before, and removed by a write since */
};

enum { LINE_HISTORY_PAGE_LINES = 256, LINE_HISTORY_READS = 256 };

struct line_history_entry {
	uint64_t key; /* line / LINE_HISTORY_PAGE_LINES + 1; 0: free */
	uint32_t page;
};

struct line_history {
	struct line_history_entry *entries;
	uint32_t bits;      /* there are 2^bits entries, at most half of them used */
	struct array pages; /* 64 bytes: of line i of a page bit 2i ever read, bit 2i + 1 taken */
	bool is_failed;     /* could not grow: answers since then are invalid */
};

/* Make an empty one. Returns 0 or ERR_NOMEM. */
int line_history_init(struct line_history *h, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void line_history_release(struct line_history *h);

/* A read of the line missed: returns its past. From now on it is LINE_READ. */
enum line_past line_history_read(struct line_history *h, uint64_t line);

/* The same for `count` lines, at most LINE_HISTORY_READS, one after another: waits for the
 * host's memory once instead of once per line. pasts[] gets enum line_past. */
void line_history_read_all(struct line_history *h, const uint64_t *lines, size_t count,
                           unsigned char *pasts);

/* A write removes the line, which was read before, from the cache. */
void line_history_take(struct line_history *h, uint64_t line);

#endif
