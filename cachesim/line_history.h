/*
 * line_history - what happened to every line so far (private to this room): was it ever read, and
 * was it taken out of the cache by a write since it was last brought in.
 *
 * A page holds two bits for each of 256 neighbouring lines, one line of the host's; pages lie in
 * the order in which they came, and a growable open-addressing table finds them. Buffers that are
 * dense, as replay addresses are, make 1/512 of their bytes of pages, most of which stay in the
 * host's caches however the buffers are accessed. Scattered lines cost 100 to 200 bytes each. Grows
 * with the lines read, never with the length of the run.
 */
#ifndef LINE_HISTORY_H
#define LINE_HISTORY_H

#include "array.h"

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

enum { LINE_HISTORY_PAGE_LINES = 256, LINE_HISTORY_READS = 256 };

struct line_history_entry {
	uint64_t key; /* line / LINE_HISTORY_PAGE_LINES + 1; 0: free */
	uint32_t page;
};

struct line_history {
	struct line_history_entry *entries;
	uint32_t bits;      /* there are 2^bits entries, at most half of them used */
	struct array pages; /* 64 bytes: of line i of a page bit 2i ever read, bit 2i + 1 taken */
	bool is_failed;     /* could not grow: what it answers since is not to be used */
};

/* Make an empty one. Returns 0 or ERR_NOMEM. */
int line_history_init(struct line_history *h, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void line_history_release(struct line_history *h);

/* The line is read and missed: what was its past? From now on it is LINE_READ. */
enum line_past line_history_read(struct line_history *h, uint64_t line);

/* The same of `count` lines, at most LINE_HISTORY_READS, one after another: the host's memory is
 * waited for once instead of once for each. pasts[] gets enum line_past. */
void line_history_read_all(struct line_history *h, const uint64_t *lines, size_t count,
                           unsigned char *pasts);

/* A write takes the line, which was read before, out of the cache. */
void line_history_take(struct line_history *h, uint64_t line);

#endif
