/*
 * l1_fills - fills on their way to an L1: its MSHR entries (private to this room).
 *
 * Fills whose line is still wanted are in chains, in the order of their requests. With at_miss each
 * slot has a chain, since the line has a slot; it holds the fills of one line, or of two while one
 * replaces the other. With at_fill each set has a chain. A chain is walked from end to end: lines
 * have few fills, and sets few lines on their way.
 */
#ifndef L1_FILLS_H
#define L1_FILLS_H

#include "array.h"

#include <stdbool.h>
#include <stdint.h>

struct counters;
struct err;

#define L1_FILL_NONE UINT32_MAX

/* Whose access it was. */
struct l1_origin {
	struct counters *counters;
	uint64_t group;
	uint32_t warp;
	uint32_t site;
	int32_t buffer;
};

struct l1_fill {
	uint64_t line;     /* number of it */
	uint64_t fetched;  /* sectors that L2 was asked for; */
	uint64_t sectors;  /* those that are there once it comes, written ones too; */
	uint64_t dirty;    /* of these, those that were written meanwhile */
	uint64_t promoted; /* those of `fetched` that no request has asked for */
	uint64_t cycle;    /* in which it comes, or MEMORY_LATER */
	uint64_t asked_cycles;
	struct l1_origin origin;
	struct l1_origin writer; /* of `dirty` */
	uint32_t set;
	uint32_t chain;    /* number of its chain */
	uint32_t bytes;    /* that it moves */
	uint32_t requests; /* that share it */
	uint32_t stay;     /* of a line without a slot (l1_stays.h), or 0 */
	uint32_t waiters;  /* requests that wait, its cycle being unknown (l1_waiters.h) */
	uint32_t next;     /* in its chain; of the free ones */
	bool is_past; /* an atomic, or a bypassing read: brings no line, is in no chain, has no MSHR
	                 entry */
	bool is_dropped; /* the line was removed: in no chain, and nothing is filled */
};

struct l1_fills {
	struct array fills; /* of struct l1_fill; the index is its name */
	uint32_t *firsts;   /* of each chain */
	uint32_t free;      /* first of a chain */
	uint32_t entries;   /* MSHR entries in use */
	bool is_failed;     /* out of memory */
};

/* No fills, in that many chains. Returns 0 or ERR_NOMEM; release it in every case. */
int l1_fills_init(struct l1_fills *f, uint32_t chains, struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void l1_fills_release(struct l1_fills *f);

/* Append a copy of *fill to its chain, unless it is_past. Returns its name, or L1_FILL_NONE if
 * out of memory. Pointers to other fills become invalid. */
uint32_t l1_fills_add(struct l1_fills *f, const struct l1_fill *fill);

/* Remove it from its chain: its line is no longer wanted. It keeps its entry. */
void l1_fills_detach(struct l1_fills *f, uint32_t fill);

/* The fill arrived: forget it, and free its entry. It must be in no chain. */
void l1_fills_remove(struct l1_fills *f, uint32_t fill);

static inline struct l1_fill *l1_fills_at(const struct l1_fills *f, uint32_t fill)
{
	return (struct l1_fill *)f->fills.data + fill;
}

/* The first fill of this line from `fill` on in its chain, or L1_FILL_NONE. */
static inline uint32_t l1_fills_find(const struct l1_fills *f, uint32_t fill, uint64_t line)
{
	while (fill != L1_FILL_NONE && l1_fills_at(f, fill)->line != line)
		fill = l1_fills_at(f, fill)->next;
	return fill;
}

#endif
