/*
 * access_walk - every access, barrier and fence of recorded launches, in the recorded order: launch
 * by launch, group by group, work-item by work-item.
 *
 * Memory does not grow with a launch: it holds one decoded chunk of the recording and a piece of a
 * work-item.
 *
 *	struct access_walk w = { .launches = choice, .watch = watch };
 *	const struct access_visitor v = { .context = me, .access = print_access };
 *
 *	ret = access_walk_run(&w, &v, err);
 */
#ifndef ACCESS_WALK_H
#define ACCESS_WALK_H

#include "access.h"
#include "player.h"
#include "recording.h"

#include <stdbool.h>

struct work_watch;

struct access_walk {
	/* Set by the caller. */
	struct launch_choice
		launches;         /* checked; if it chooses all, the recorded ones are walked */
	const uint64_t *group;    /* the only group to walk; NULL: all */
	struct work_watch *watch; /* counts the accesses; may be NULL */
	/* The current position. */
	const struct recorded_launch *launch;
	const struct kernel_table *table; /* of its kernel */
	uint64_t group_now;
	uint64_t id[3]; /* global id of the work-item */
	/* Results. */
	bool lacks_groups; /* a launch's file lacks groups */
};

/* Returned by access() to end the walk successfully. */
enum { ACCESS_WALK_STOP = 1 };

/* All except access() may be NULL. Those that return an int return 0 or an error. */
struct access_visitor {
	void *context;
	/* Whether to walk w->launch; otherwise its file is not opened. */
	bool (*wants)(void *context, const struct access_walk *w);
	int (*begin)(void *context, const struct access_walk *w, struct err *err);
	int (*access)(void *context, const struct access_walk *w, const struct access *a,
	              struct err *err);
	int (*end)(void *context, const struct access_walk *w, struct err *err);
};

/* Walk. Returns 0; ERR_USAGE for a group that the launch does not have; ERR_FORMAT,
 * ERR_UNSUPPORTED, ERR_IO, ERR_NOMEM; or what the visitor returned. */
int access_walk_run(struct access_walk *w, const struct access_visitor *v, struct err *err);

/*
 * Returns the buffer that an access of the launch touches, one of its arguments or else shared
 * virtual memory, and gets the offset of the address in it. Returns -1 if there is none, as for
 * local memory.
 */
int64_t access_walk_buffer(const struct access_walk *w, const struct access *a, uint64_t *offset);

#endif
