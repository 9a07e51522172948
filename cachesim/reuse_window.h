/*
 * reuse_window - the exact reuse distances of reads of lines that were used lately, in several
 * organisations of a cache at once (private to this room).
 *
 * A read of distance d is a hit in a cache with these sets if and only if it has more than d ways,
 * as long as sets are replaced by LRU. Of each organisation the lines used last are known, `lines`
 * of them in its sets together: distances within a set are exact below its share of these, and of
 * what lies beyond that is all that is said. Lines that a write took out are known for some time
 * too. While no line has been forgotten, all that is said is exact; a line of which nothing is
 * known is then one never used.
 *
 * A use costs a look into one table, and O(log of the distance) for each organisation. Memory: some
 * 20 bytes for each line that is known, and 8 to 16 more for each organisation.
 */
#ifndef REUSE_WINDOW_H
#define REUSE_WINDOW_H

#include "line_names.h"
#include "reuse_order.h"
#include "set_index.h"

#include <stddef.h>

enum { REUSE_WINDOW_MAX = 8 };

/* The sets of a cache. */
struct reuse_sets {
	struct set_index index;
	struct reuse_order *orders; /* of each set */
	uint32_t *places; /* by number of a line; NULL, of the first: the words of names */
	uint32_t limit;   /* lines of a set that are known */
};

/* All zeros is empty, and of no organisation. */
struct reuse_window {
	struct line_names names;
	struct reuse_sets sets[REUSE_WINDOW_MAX];
	size_t count;                     /* organisations */
	uint32_t place_count;             /* of each places[] */
	uint32_t *taken;                  /* numbers of lines that were taken out, in turn */
	uint32_t taken_next, taken_limit; /* 0: all are known */
	bool has_forgotten;               /* a line that was used */
	bool is_failed;                   /* memory ran out */
};

/* Add an organisation, of which `lines` are known, at least one of each set; 0: all are. The first
 * is fully associative. Returns false when memory ran out. */
bool reuse_window_add(struct reuse_window *w, const struct set_index *index, uint32_t lines);

/* Free what it owns; it is empty again, without organisations. */
void reuse_window_release(struct reuse_window *w);

/* Forget all lines, and keep organisations and memory. */
void reuse_window_clear(struct reuse_window *w);

/* Whether the next use or take may forget a line for the first time. */
bool reuse_window_is_full(const struct reuse_window *w);

/*
 * A use of a line; distances[] gets that in each organisation: REUSE_NEVER, REUSE_TAKEN, or
 * REUSE_BEYOND: as many others as are known of its set were used since, or nothing is known.
 */
void reuse_window_use(struct reuse_window *w, uint64_t line, uint32_t distances[REUSE_WINDOW_MAX]);

/* A write or an atomic takes the line out, if it is there. */
void reuse_window_take(struct reuse_window *w, uint64_t line);

bool reuse_window_has_failed(const struct reuse_window *w);

/* How the first organisation's order keeps places: in the words of names. */
enum { REUSE_WINDOW_SHIFT = 2 };

static inline uint32_t *reuse_window_places(const struct line_names *names)
{
	return names->names ? &names->names->word : NULL;
}

#endif
