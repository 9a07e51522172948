/*
 * scene - a small kernel and its launch, written as a recording the way the recorder would (for
 * tests). Fails the test when anything fails.
 */
#ifndef SCENE_H
#define SCENE_H

#include "launch_shape.h"

#include <stdbool.h>
#include <stddef.h>

struct recording;

enum { SCENE_MAX_SITES = 4, SCENE_MAX_ITEMS = 256, SCENE_MAX_BUFFERS = 3 };

/* A kernel and its launch. Site i is of kind kinds[i] ('r', 'w') and touches a float of buffer
 * arguments[i]; `index` says which, for the work-item with this global id. */
struct scene {
	const char *name;
	const char *kinds;
	int32_t arguments[SCENE_MAX_SITES];
	size_t buffer_count;
	uint64_t buffer_bytes;
	struct launch_shape shape;
	uint64_t local_bytes; /* of a group */
	uint64_t (*index)(size_t site, const uint64_t id[3]);
};

/* What goes wrong while the scene is recorded. */
struct scene_mishap {
	uint64_t dropped_events;
	uint64_t missing_groups; /* the last so many are not written */
	bool is_cut;             /* the launch file is not closed as whole */
	bool is_skipped;         /* not traced at all */
};

/* Write the scene to a directory of its own, whose path goes to dir[32], and open it. */
struct recording *scene_record(const struct scene *scene, const struct scene_mishap *mishap,
                               char *dir);

/* Close it and remove the directory. */
void scene_forget(struct recording *r, const char *dir);

#endif
