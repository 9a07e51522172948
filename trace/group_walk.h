/*
 * group_walk - what the work-items of a group did, one work-item after the other, as plain events a
 * piece at a time: runs and grids are expanded, and no group is too long.
 */
#ifndef GROUP_WALK_H
#define GROUP_WALK_H

#include "event.h"

#include <stdbool.h>
#include <stdint.h>

struct err;
struct group_walk;
struct kernel_table;
struct launch_reader;

/* Some events of a work-item, which follow those of the piece before if it had the same item. */
struct walked_piece {
	uint32_t item;
	bool is_first; /* of its item; one that did nothing has no piece */
	const struct event *events;
	uint64_t count;
};

/* The reader and the table of its kernel are borrowed until group_walk_free(). Returns 0 or
 * ERR_NOMEM. */
int group_walk_create(struct group_walk **out, struct launch_reader *r,
                      const struct kernel_table *t, struct err *err);

/* Free. NULL is allowed. */
void group_walk_free(struct group_walk *w);

/* Begin a group. Returns 0 or what launch_reader_load() returns. */
int group_walk_start(struct group_walk *w, uint64_t group, struct err *err);

/*
 * The next piece; borrowed until the next call. Returns 1; 0 at the group's end; ERR_FORMAT with
 * "FILE: group 7: work-item 3: ...", ERR_LIMIT, ERR_IO, ERR_NOMEM.
 */
int group_walk_next(struct group_walk *w, struct walked_piece *piece, struct err *err);

#endif
