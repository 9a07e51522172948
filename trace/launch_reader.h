/*
 * launch_reader - reads the file of one launch, group by group.
 *
 * Input is not trusted: a truncated, flipped or hostile file gives ERR_FORMAT
 * with file and offset, never a crash, and no allocation exceeds what the
 * header's limits allow. Memory: the index, one chunk's columns, one group, and one expanded group;
 * where groups are not asked for in the order of the file, one decoded chunk. Damage that the
 * checksums do not show is told with the group at which it is met. One reader, one thread; any
 * number of readers on one file.
 */
#ifndef LAUNCH_READER_H
#define LAUNCH_READER_H

#include "group_events.h"
#include "launch_writer.h"

#include <stdbool.h>

struct bundle_view;
struct launch_reader;
struct recorded_launch;
struct trace_source;

/*
 * Open over a source, which stays the caller's and must outlive the reader; `table` is the
 * kernel's, borrowed. Returns 0, ERR_FORMAT, ERR_VERSION, ERR_IO, ERR_NOMEM. A file without an
 * index (its writer was killed) is opened by scanning its chunks; launch_reader_is_whole() is
 * then false.
 */
int launch_reader_open(struct launch_reader **out, struct trace_source *source,
                       const struct kernel_table *table, struct err *err);

/* Where a launch is that is in a bundle: decoded, for all launches of it, and given back when the
 * reader is closed. Private to trace/: others have recording_open_launch(). */
struct launch_bundle {
	const struct recorded_launch *facts; /* outlives the reader */
	struct bundle_view *view;
	void (*give)(void *context, struct bundle_view *view);
	void *context;
};

/* Open it. The view stays the caller's after a failure. Returns 0, ERR_FORMAT, ERR_NOMEM. */
int launch_reader_open_bundle(struct launch_reader **out, const struct launch_bundle *bundle,
                              const struct kernel_table *table, struct err *err);

/* Free. NULL is allowed. */
void launch_reader_close(struct launch_reader *r);

/* The launch's shape and totals as written; borrowed. */
const struct launch_shape *launch_reader_shape(const struct launch_reader *r);
const struct launch_totals *launch_reader_totals(const struct launch_reader *r);

/* True when the file was closed as whole and every group of the shape that was wanted is in it. */
bool launch_reader_is_whole(const struct launch_reader *r);

/* True when group g is in the file. */
bool launch_reader_has(const struct launch_reader *r, uint64_t g);

/* The first group >= g that is in the file, or UINT64_MAX. Of this reader's calls this one, has,
 * shape and totals may come while another thread is in any. */
uint64_t launch_reader_next(const struct launch_reader *r, uint64_t g);

/*
 * The events of group g, runs and grids expanded. *out is borrowed until the next call on this
 * reader. A group that is not in the file gives 0 events for each of its work-items. Returns 0,
 * ERR_FORMAT (g out of range, damage), ERR_LIMIT (more than 2^28 events), ERR_IO, ERR_NOMEM.
 */
int launch_reader_group(struct launch_reader *r, uint64_t g, struct group_events *out,
                        struct err *err);

/* The same with runs and grids as they are stored (event.h), which takes neither time nor memory
 * for the accesses that they stand for. No ERR_LIMIT. */
int launch_reader_packed(struct launch_reader *r, uint64_t g, struct group_events *out,
                         struct err *err);

#endif
