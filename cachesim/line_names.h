/*
 * line_names - small numbers for lines, so that arrays can hold data of each (private to this
 * room). When a line is forgotten, its number is reused.
 *
 * A hash table with twice as many chains as lines. Each line has a word for the caller next to it,
 * which is read with it. Memory: 24 to 48 bytes for each line that was known at the same time.
 */
#ifndef LINE_NAMES_H
#define LINE_NAMES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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

#endif
