/*
 * l1_stays - the stays of lines in an L1, for an observer (private to this room): one l1_residency
 * for each line that is there or on its way, and which of its bytes were used.
 *
 * Stay 0 means no stay; without an observer there is only stay 0.
 *
 * A byte is used if a read requested it and it was moved: in a line that a write began, only bytes
 * fetched later.
 */
#ifndef L1_STAYS_H
#define L1_STAYS_H

#include "array.h"
#include "l1_observer.h"

#include <stdbool.h>

struct request;

struct l1_stays {
	const struct l1_observer *observer; /* NULL: no stays */
	struct array stays;                 /* of struct l1_residency */
	struct array used;                  /* bytes that reads requested: `words` for each stay */
	struct array moved;                 /* sectors that arrived: a mask for each stay */
	uint32_t words, sector_bytes;
	uint32_t free;  /* first of the free ones, which are chained by `set`; 0: none */
	bool is_failed; /* out of memory */
};

/* No stays, of lines of `line_bytes` in sectors of `sector_bytes`. No allocation. */
void l1_stays_init(struct l1_stays *s, const struct l1_observer *observer, uint32_t line_bytes,
                   uint32_t sector_bytes);

/* Free what it owns. Accepts a zeroed struct. */
void l1_stays_release(struct l1_stays *s);

/* Begin a stay: *first has line, set, in_cycles and the request's origin. Returns its name, or 0
 * without an observer or memory. */
uint32_t l1_stays_begin(struct l1_stays *s, const struct l1_residency *first);

/* Reserve stays 1 to `count` for a caller that assigns them itself: l1_stays_begin_at(), and
 * l1_stays_end() as usual. Returns false if out of memory. */
bool l1_stays_reserve(struct l1_stays *s, size_t count);
void l1_stays_begin_at(struct l1_stays *s, uint32_t stay, const struct l1_residency *first);

/* Count the request that began it, and then each further one that finds its line. 0 is allowed. */
void l1_stays_first(struct l1_stays *s, uint32_t stay, const struct request *r);
void l1_stays_use(struct l1_stays *s, uint32_t stay, const struct request *r);

/* Record the arrival of these sectors. 0 is allowed. */
void l1_stays_move(struct l1_stays *s, uint32_t stay, uint64_t sectors);

/* End it and report it to the observer. 0 is allowed. */
void l1_stays_end(struct l1_stays *s, uint32_t stay, uint64_t now_cycles, enum l1_leave reason);

#endif
