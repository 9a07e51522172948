/*
 * line_numbers - small numbers for the lines that were seen, so that arrays can hold what is known
 * of each (private to this room).
 *
 * Neighbouring lines get neighbouring numbers: eight share an entry of a growable open-addressing
 * table, so that a dense buffer costs 4 bytes a line and a stream stays in one entry. A scattered
 * line costs 32 bytes, and seven numbers that nothing has. Grows with the lines seen, never with
 * the length of the run.
 */
#ifndef LINE_NUMBERS_H
#define LINE_NUMBERS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

enum { LINE_NUMBERS_SHARED = 8 };

#define LINE_NUMBERS_NONE UINT32_MAX

struct line_numbers_entry {
	uint64_t key;   /* line / 8 + 1; 0: free */
	uint32_t first; /* number of its first line */
};

struct line_numbers {
	struct line_numbers_entry *entries;
	uint32_t bits;     /* there are 2^bits entries, */
	uint32_t used;     /* at most half of them used */
	uint64_t last_key; /* looked up last, and its number */
	uint32_t last_first;
	bool is_failed; /* could not grow */
};

/* Make an empty one. Returns 0 or ERR_NOMEM. */
int line_numbers_init(struct line_numbers *n, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void line_numbers_release(struct line_numbers *n);

/* All numbers given are below this. */
static inline uint32_t line_numbers_limit(const struct line_numbers *n)
{
	return n->used * LINE_NUMBERS_SHARED;
}

/* The number of a line, a new one at first; LINE_NUMBERS_NONE when memory, or the 2^30 numbers,
 * ran out: is_failed says so from then on. */
uint32_t line_numbers_add(struct line_numbers *n, uint64_t line);

/* The same, LINE_NUMBERS_NONE for a line that got none. */
uint32_t line_numbers_find(const struct line_numbers *n, uint64_t line);

#endif
