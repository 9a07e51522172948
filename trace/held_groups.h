/*
 * held_groups - copies of the first groups of a chunk, until its guides are chosen; private to
 * trace/.
 */
#ifndef HELD_GROUPS_H
#define HELD_GROUPS_H

#include "array.h"
#include "group_events.h"

#include <stdbool.h>
#include <stddef.h>

/* Bounds of what is held: 512 KiB of events, and half of that for where they begin. */
#define HELD_EVENTS_MAX (UINT32_C(1) << 15)
#define HELD_FIRSTS_MAX (UINT32_C(1) << 15)
#define HELD_GROUPS_MAX 4096

/* The arrays grow with what is held. */
struct held_groups {
	struct array groups; /* struct group_events, of the two below */
	struct array firsts; /* uint64_t */
	struct array events; /* struct event */
};

/* Make it empty; no allocation. */
void held_groups_init(struct held_groups *h);
void held_groups_release(struct held_groups *h);

/* Keep a copy. False when there is no room. */
bool held_groups_add(struct held_groups *h, const struct group_events *g);

/* All groups, groups.count of them, until the next call. */
const struct group_events *held_groups_all(const struct held_groups *h);

/* Forget the groups and keep the memory. */
void held_groups_clear(struct held_groups *h);

#endif
