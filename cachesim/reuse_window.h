/*
 * reuse_window - exact reuse distances of reads of recently used lines, in several cache
 * organisations at once (private to this room).
 *
 * A read of distance d hits in an LRU cache with these sets if and only if it has more than d ways.
 * In each organisation the lines used last are known, `lines` of them over all sets. Distances
 * within a set are exact below its share of these; other reads are only known to be beyond. Lines
 * that a write removed are known for some time too. While no line has been forgotten, everything is
 * exact, and an unknown line was never used.
 *
 * A use costs a lookup in one table, and O(log of the distance) for each organisation. Memory:
 * about 20 bytes per known line, and 8 to 16 more per organisation.
 */
#ifndef REUSE_WINDOW_H
#define REUSE_WINDOW_H

#include "reuse_order.h"
#include "set_index.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/*
 * line_names - small numbers for lines, so that arrays can hold data of each (private to this
 * room). When a line is forgotten, its number is reused.
 *
 * A hash table with twice as many chains as lines. Each line has a word for the caller next to it,
 * which is read with it. Memory: 24 to 48 bytes for each line that was known at the same time.
 */

#define LINE_NAMES_NONE UINT32_MAX

struct line_name {
	uint64_t line; /* + 1; 0: the number is free */
	uint32_t next; /* number + 1 of the next of its chain, or of the free ones; 0: there is none
	                */
	uint32_t word; /* the caller's */
};

/* All zeros is empty. Lines are below 2^60. */
struct line_names {
	struct line_name *names; /* by number */
	uint32_t *chains;        /* number + 1 of the first; 0: there is none */
	uint32_t shift;          /* 64 - log2(chains) */
	uint32_t capacity;       /* names; half as many as chains */
	uint32_t count;          /* known lines */
	uint32_t limit;          /* all numbers are below it */
	uint32_t free;           /* a number + 1; 0: there is none */
	bool is_failed;          /* memory ran out */
};

/* Free what it owns; it is empty again. */
void line_names_release(struct line_names *n);

/* Forget all lines, but keep the memory. */
void line_names_clear(struct line_names *n);

/* The number of a line; LINE_NAMES_NONE: it is unknown. */
static inline uint32_t line_names_find(const struct line_names *n, uint64_t line)
{
	uint32_t name;

	if (!n->count)
		return LINE_NAMES_NONE;
	name = n->chains[line * UINT64_C(0x9e3779b97f4a7c15) >> n->shift];
	while (name && n->names[name - 1].line != line + 1)
		name = n->names[name - 1].next;
	return name - 1;
}

/* Assign a number to a line that has none; LINE_NAMES_NONE if out of memory, or of the 2^30
 * numbers. */
uint32_t line_names_add(struct line_names *n, uint64_t line);

/* Forget the line with this number. */
void line_names_remove(struct line_names *n, uint32_t number);

/* Whether a number below `limit` is in use, and its line. */
static inline bool line_names_is_used(const struct line_names *n, uint32_t number)
{
	return n->names[number].line;
}

static inline uint64_t line_names_line(const struct line_names *n, uint32_t number)
{
	return n->names[number].line - 1;
}

enum { REUSE_WINDOW_MAX = 8 };

/* The sets of a cache. */
struct reuse_sets {
	struct set_index index;
	struct reuse_order *orders; /* of each set */
	uint32_t *places;           /* by number of a line; NULL in the first: the words of names */
	uint32_t limit;             /* known lines of a set */
};

/* All zeros: empty, without organisations. */
struct reuse_window {
	struct line_names names;
	struct reuse_sets sets[REUSE_WINDOW_MAX];
	size_t count;                     /* organisations */
	uint32_t place_count;             /* of each places[] */
	uint32_t *taken;                  /* numbers of removed lines, in turn */
	uint32_t taken_next, taken_limit; /* 0: all are known */
	bool has_forgotten;               /* a line that was used */
	bool is_failed;                   /* memory ran out */
};

/* Add an organisation that knows `lines` lines, at least one per set; 0: all. The first is fully
 * associative. Returns false if out of memory. */
bool reuse_window_add(struct reuse_window *w, const struct set_index *index, uint32_t lines);

/* Free what it owns; it is empty again, without organisations. */
void reuse_window_release(struct reuse_window *w);

/* Forget all lines, but keep organisations and memory. */
void reuse_window_clear(struct reuse_window *w);

/* Whether the next use or removal may forget a line for the first time. */
bool reuse_window_is_full(const struct reuse_window *w);

/*
 * Record a use of a line; distances[] gets its distance in each organisation, or REUSE_NEVER,
 * REUSE_TAKEN, or REUSE_BEYOND: at least as many others of its set were used since as are known, or
 * nothing is known of it.
 */
void reuse_window_use(struct reuse_window *w, uint64_t line, uint32_t distances[REUSE_WINDOW_MAX]);

/* A write or an atomic removes the line, if it is there. */
void reuse_window_take(struct reuse_window *w, uint64_t line);

bool reuse_window_has_failed(const struct reuse_window *w);

/* The stride of places in the first organisation's order, which are the words of names. */
enum { REUSE_WINDOW_SHIFT = 2 };

static inline uint32_t *reuse_window_places(const struct line_names *names)
{
	return names->names ? &names->names->word : NULL;
}

#endif
