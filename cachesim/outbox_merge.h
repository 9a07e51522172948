/*
 * outbox_merge - the messages of all L1s in the order in which L2 sees them: by cycle, then by SM,
 * then in the order sent (private to this room).
 */
#ifndef OUTBOX_MERGE_H
#define OUTBOX_MERGE_H

#include "outbox.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

/* The first message of an outbox. */
struct outbox_head {
	uint64_t cycle;
	uint32_t sm;
};

struct outbox_merge {
	struct outbox *boxes;     /* of SMs 0 .. count - 1; borrowed */
	struct outbox_head *heap; /* a binary heap, the one that L2 sees first on top */
	uint32_t count;
	uint32_t head_count;
	uint64_t until;
	bool is_given; /* the top's message has been given out */
};

/* Returns 0 or ERR_NOMEM; release it in every case. */
int outbox_merge_init(struct outbox_merge *m, struct outbox *boxes, uint32_t count,
                      struct err *err);

/* Accepts a zeroed struct; the boxes stay. */
void outbox_merge_release(struct outbox_merge *m);

/* Begin a merge of the messages of cycles < until. */
void outbox_merge_start(struct outbox_merge *m, uint64_t until);

/* The next message, and whose it is; NULL when there is none left. It leaves its outbox at the next
 * call, and is valid until then. */
const struct message *outbox_merge_next(struct outbox_merge *m, uint32_t *sm);

#endif
