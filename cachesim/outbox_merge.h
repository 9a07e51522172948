/*
 * outbox_merge - the messages of all L1s in the order in which L2 sees them: by cycle, then by SM,
 * then in the order sent (private to this room).
 *
 * Messages of OUTBOX_MERGE_CYCLES cycles at a time are put in order by counting how many each cycle
 * has (Knuth, TAOCP 3, 5.2, algorithm D), which takes a constant time for each, and tells which
 * ones come soon: their memory can be fetched before they are served.
 */
#ifndef OUTBOX_MERGE_H
#define OUTBOX_MERGE_H

#include "outbox.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

enum { OUTBOX_MERGE_CYCLES = 1024 };

/* A message, and whose it is. */
struct outbox_place {
	const struct message *message;
	uint32_t sm;
};

struct outbox_merge {
	struct outbox *boxes; /* of SMs 0 .. count - 1; borrowed */
	size_t *taken;        /* of each box: how many lie in the window */
	uint32_t *starts;     /* of each cycle of the window: where its next message goes */
	struct fifo places;   /* of struct outbox_place: the window, in order */
	size_t at;            /* the next one */
	uint32_t count;
	uint64_t until;
};

/* Returns 0 or ERR_NOMEM; release it in every case. */
int outbox_merge_init(struct outbox_merge *m, struct outbox *boxes, uint32_t count,
                      struct err *err);

/* Accepts a zeroed struct; the boxes stay. */
void outbox_merge_release(struct outbox_merge *m);

/* Begin a merge of the messages of cycles < until. Until outbox_merge_next() has given out the last
 * of them none is sent. */
void outbox_merge_start(struct outbox_merge *m, uint64_t until);

/* The next message, and whose it is; NULL when there is none left, or memory ran out. It is valid
 * until the next call; when none is left they have left their outboxes. */
const struct message *outbox_merge_next(struct outbox_merge *m, uint32_t *sm);

/* How many of the window have been given out. */
static inline size_t outbox_merge_at(const struct outbox_merge *m)
{
	return m->at;
}

/* A message that comes soon: number `places` behind the one given out last, as far as that is known
 * yet; else NULL. */
static inline const struct message *outbox_merge_ahead(const struct outbox_merge *m, size_t places)
{
	size_t at = m->at - 1 + places;

	return at < fifo_count(&m->places)
	               ? ((const struct outbox_place *)fifo_peek(&m->places))[at].message
	               : NULL;
}

#endif
