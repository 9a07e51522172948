/*
 * bundle_view - one bundle of small launches, read back; private to trace/.
 */
#ifndef BUNDLE_VIEW_H
#define BUNDLE_VIEW_H

#include "bundle_facts.h"
#include "chunk_view.h"

struct recorded_bundle;
struct trace_source;

/* All groups of a bundle, decoded. Not changed any more: any thread may read. */
struct bundle_view {
	struct launch_header header; /* of no file: version and counts */
	struct chunk_shape *shapes;  /* of its launches that have groups */
	size_t shape_count;
	struct launch_shape *own_shapes;
	struct chunk_view chunk;
	struct bundle_shared shared;
	char *name; /* of the file */
	unsigned users;
};

/*
 * Read the head and the facts of a bundle at b->offset into launches[b->launches], zeroed, and
 * *shared: see bundle_facts_read(). *head is set. Where b->bytes is 0 they and what follows from
 * the head are filled in. Returns 0, ERR_FORMAT, ERR_VERSION, ERR_IO, ERR_NOMEM.
 */
int bundle_view_facts(struct recorded_bundle *b, struct trace_source *source,
                      const struct bundle_terms *terms, struct bundle_head *head,
                      struct recorded_launch *launches, struct bundle_shared *shared,
                      struct err *err);

/* Read and decode a bundle. Errors as above. Free with bundle_view_free(). */
int bundle_view_open(struct bundle_view **out, struct recorded_bundle *b,
                     struct trace_source *source, const struct bundle_terms *terms,
                     struct err *err);
void bundle_view_free(struct bundle_view *v);

#endif
