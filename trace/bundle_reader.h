/*
 * bundle_reader - reads the small launches of a recording from the files that they share; private
 * to trace/.
 *
 * Facts are read when the recording is opened, events when a launch is. A few bundles stay decoded,
 * because launches are mostly read in order.
 */
#ifndef BUNDLE_READER_H
#define BUNDLE_READER_H

#include "bundle_facts.h"
#include "chunk_view.h"

struct recorded_bundle;
struct trace_source;

/* All groups of a bundle, decoded. Immutable: any thread may read it. */
struct bundle_view {
	struct launch_header header; /* not of a file: version and counts */
	struct chunk_shape *shapes;  /* of its launches that have groups */
	size_t shape_count;
	struct launch_shape *own_shapes;
	struct chunk_view chunk;
	struct bundle_shared shared;
	char *name; /* of the file */
	unsigned users;
};

struct err;
struct launch_reader;
struct recorded_launch;
struct recording;

/*
 * Add the launches of r->bundles, whose lines were read, to r->launches. If the recording has no
 * end, also add the launches of its open file that are in no bundle, each as its own bundle. Then
 * sort r->launches by number. A damaged bundle gets a sentence in `fault`, and its launches are
 * missing. Returns 0; ERR_FORMAT if a number appears twice; ERR_LIMIT, ERR_NOMEM.
 */
int bundle_reader_load(struct recording *r, struct err *err);

/* Sort the launches of a recording without its files. Returns 0 or ERR_FORMAT. */
int bundle_reader_sort(struct recording *r, struct err *err);

/* Free the bundles and their decoded data. */
void bundle_reader_release(struct recording *r);

/* Open a launch that is in a bundle. Returns as launch_reader_open() does. */
int bundle_reader_open(const struct recording *r, const struct recorded_launch *l,
                       struct launch_reader **out, struct err *err);

#endif
