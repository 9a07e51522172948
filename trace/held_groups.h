/*
 * held_groups - copies of the first groups of a chunk, until its guides are chosen; private to
 * trace/.
 */
#ifndef HELD_GROUPS_H
#define HELD_GROUPS_H

#include "group_events.h"

#include <stdbool.h>
#include <stddef.h>

struct err;

/* Bounds of what is held: 512 KiB of events, and half of that for where they begin. */
#define HELD_EVENTS_MAX (UINT32_C(1) << 15)
#define HELD_FIRSTS_MAX (UINT32_C(1) << 15)
#define HELD_GROUPS_MAX 4096

struct held_groups {
	struct event *events;
	uint64_t *firsts;
	struct group_events groups[HELD_GROUPS_MAX]; /* of the two above */
	size_t count, event_count, first_count;
};

int held_groups_init(struct held_groups *h, struct err *err);
void held_groups_release(struct held_groups *h);

/* Keep a copy. False when there is no room. */
bool held_groups_add(struct held_groups *h, const struct group_events *g);

void held_groups_clear(struct held_groups *h);

#endif
