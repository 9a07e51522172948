/*
 * launch_reader - reads the file of one launch, group by group.
 *
 * Input is not trusted: a truncated, corrupted or hostile file gives ERR_FORMAT with file and
 * offset, never a crash, and no allocation exceeds what the header's limits allow. Damage that the
 * checksums do not show is reported when the damaged group is read. A reader is for one thread; any
 * number of readers may read one file.
 *
 * Memory: the index, the columns of one chunk, and one group or a part of it; if groups are not
 * read in the order of the file, one decoded chunk. A chunk has at most 2^20 events.
 *
 * Events are returned as stored, with runs and grids (event.h). group_walk returns plain ones.
 */
#ifndef LAUNCH_READER_H
#define LAUNCH_READER_H

#include "event.h"
#include "item_events.h"
#include "launch_writer.h"

#include <stdbool.h>
#include <stdint.h>

/*
 * group_walk - the plain events of a group, one work-item after the other, a piece at a time: runs
 * and grids are expanded, and a group may have any length.
 */

struct err;
struct group_walk;
struct kernel_table;
struct launch_reader;

/* Some events of a work-item; they follow those of the previous piece if that has the same item. */
struct walked_piece {
	uint32_t item;
	bool is_first; /* of its item; an item without events has no piece */
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
 * Get the next piece; borrowed until the next call. Returns 1; 0 at the group's end; ERR_FORMAT
 * with "FILE: group 7: work-item 3: ...", ERR_LIMIT, ERR_IO, ERR_NOMEM.
 */
int group_walk_next(struct group_walk *w, struct walked_piece *piece, struct err *err);

struct bundle_view;
struct recorded_launch;
struct trace_source;

/*
 * Open a source, which stays the caller's and must outlive the reader; `table` is the kernel's,
 * borrowed. Returns 0, ERR_FORMAT, ERR_VERSION, ERR_IO, ERR_NOMEM. A file without an
 * index (its writer was killed) is opened by scanning its chunks; launch_reader_is_whole() is
 * then false.
 */
int launch_reader_open(struct launch_reader **out, struct trace_source *source,
                       const struct kernel_table *table, struct err *err);

/* A launch in a bundle. Closing the reader returns its decoded view with give().
 * Private to trace/: other rooms use recording_open_launch(). */
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

/* Return the launch's shape and totals as written; borrowed. */
const struct launch_shape *launch_reader_shape(const struct launch_reader *r);
const struct launch_totals *launch_reader_totals(const struct launch_reader *r);

/* Whether the file was closed as whole and has every selected group. */
bool launch_reader_is_whole(const struct launch_reader *r);

/* Whether group g is in the file. */
bool launch_reader_has(const struct launch_reader *r, uint64_t g);

/* Returns the first group >= g that is in the file, or UINT64_MAX. This call, _has, _shape and
 * _totals are allowed while another thread is in any call of this reader. */
uint64_t launch_reader_next(const struct launch_reader *r, uint64_t g);

/* Check the checksums of all chunks, without decoding any. Returns 0,
 * ERR_FORMAT, ERR_IO or ERR_NOMEM. */
int launch_reader_check(struct launch_reader *r, struct err *err);

/*
 * Returns the number of chunks that have a part of group g: 0 when it is not in the file, 1 for
 * most groups. Each part has some of the events of every work-item of the group, possibly none; the
 * events of a work-item are those of all parts, one after the other.
 */
uint32_t launch_reader_parts(const struct launch_reader *r, uint64_t g);

/*
 * Get the stored events of part `part` of group g, in whole records; *out is borrowed until the
 * next call on this reader. Returns 0, ERR_FORMAT (damage), ERR_IO, ERR_NOMEM; ERR_LIMIT for a
 * chunk of a file before version 4 with more than 2^22 events.
 */
int launch_reader_part(struct launch_reader *r, uint64_t g, uint32_t part, struct group_events *out,
                       struct err *err);

/*
 * Get all of group g: its events are borrowed until the next call on this reader or, if it has
 * several parts, in *out's own store. A group that is not in the file has no events. Release *out
 * in any case. Returns 0, ERR_FORMAT (g out of range, damage), ERR_LIMIT (see item_store_add()),
 * ERR_IO, ERR_NOMEM.
 */
int launch_reader_load(struct launch_reader *r, uint64_t g, struct group_items *out,
                       struct err *err);

#endif
