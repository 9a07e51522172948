/*
 * bundle_scene - a recording of random small launches, and what they were, for the tests of
 * bundles.
 *
 * What goes wrong fails the test.
 */
#ifndef BUNDLE_SCENE_H
#define BUNDLE_SCENE_H

#include "recording.h"
#include "recording_writer.h"
#include "trace_random.h"
#include "trace_scratch.h"

enum { BUNDLE_KERNELS = 3, BUNDLE_COUNTING = 2, BUNDLE_BUFFERS = 3, MOST = 2600 };

/* A launch as it was made. */
struct bundle_made {
	struct recorded_launch facts;
	struct owned_group *groups; /* all of its shape; NULL: it only counts */
	uint64_t group_count;
	bool is_partial; /* some groups were not wanted: they have no events here */
};

struct bundle_scene {
	struct scratch_dir scratch;
	char dir[128];
	struct random random;
	struct kernel_table tables[BUNDLE_KERNELS];
	struct launch_shape shapes[BUNDLE_KERNELS];
	struct bundle_made *launches; /* by their numbers */
	size_t count;
	struct recording_writer *w;
};

/* Begin a recording; `sites`: of the kernel that counts, 0 for a random table. */
void bundle_scene_make_with(struct bundle_scene *s, uint64_t seed, size_t sites);
void bundle_scene_make(struct bundle_scene *s, uint64_t seed);
void bundle_scene_free(struct bundle_scene *s);

/* A launch, which takes its number; and the counts of one that only counts. */
void bundle_scene_launch(struct bundle_scene *s, struct bundle_made *m);
void bundle_scene_counts(struct bundle_scene *s, struct recorded_launch *l);

/* Into the recording, as the recorder does it; false: it found no room. */
bool bundle_scene_write(struct bundle_scene *s, struct bundle_made *m, uint64_t room);

/* More launches, some of which are done before others that began earlier. */
void bundle_scene_add(struct bundle_scene *s, size_t count);
void bundle_scene_flush(const struct bundle_scene *s);
void bundle_scene_end(struct bundle_scene *s);

/* The launch at r->launches[i] is as it was made, as far as it can be read: what opening and
 * reading it gives. */
int bundle_scene_read(const struct bundle_scene *s, const struct recording *r, size_t i,
                      struct err *err);
struct recording *bundle_scene_open(const char *dir);

/* All launches of the recording are there, once, as they were made. */
void bundle_scene_check(struct bundle_scene *s, bool has_end);

/* A file of the recording: its path, and its bytes. */
void bundle_scene_path(const struct bundle_scene *s, const char *name, char to[256]);
void bundle_scene_put(const struct bundle_scene *s, const char *name, const unsigned char *bytes,
                      size_t length);
unsigned char *bundle_scene_get(const struct bundle_scene *s, const char *name, size_t *length);

#endif
