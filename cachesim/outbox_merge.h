/*
 * outbox_merge - the messages of all L1s in the order in which L2 sees them: by cycle, then by SM,
 * then in the order sent (private to this room).
 *
 * Messages of OUTBOX_MERGE_CYCLES cycles at a time are sorted by counting those of each cycle
 * (Knuth, TAOCP 3, 5.2, algorithm D). This takes constant time for each, and shows which ones come
 * soon, so that their memory can be prefetched.
 */
#ifndef OUTBOX_MERGE_H
#define OUTBOX_MERGE_H

#include "outbox.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

enum { OUTBOX_MERGE_CYCLES = 1024 };

/* A message and its SM. */
struct outbox_place {
	const struct message *message;
	uint32_t sm;
};

struct outbox_merge {
	struct outbox *boxes; /* of SMs 0 .. count - 1; borrowed */
	size_t *taken;        /* per box: its messages in the window */
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

/* Begin a merge of the messages of cycles < until. No message may be sent until
 * outbox_merge_next() has returned the last of them. */
void outbox_merge_start(struct outbox_merge *m, uint64_t until);

/* The next message and its SM; NULL if there is none left, or memory ran out. Valid until the
 * next call; once none is left, the messages have been removed from their outboxes. */
const struct message *outbox_merge_next(struct outbox_merge *m, uint32_t *sm);

/* Returns how many messages of the window have been returned. */
static inline size_t outbox_merge_at(const struct outbox_merge *m)
{
	return m->at;
}

/* A message that comes soon: the one `places` after the last one returned, if already known;
 * otherwise NULL. */
static inline const struct message *outbox_merge_ahead(const struct outbox_merge *m, size_t places)
{
	size_t at = m->at - 1 + places;

	return at < fifo_count(&m->places)
	               ? ((const struct outbox_place *)fifo_peek(&m->places))[at].message
	               : NULL;
}

#endif
