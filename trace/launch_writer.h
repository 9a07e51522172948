/*
 * launch_writer - writes the file of one launch (trace/FORMAT.md, section "Launch file").
 *
 * Groups are added once each, in any order, whole or in parts without other groups in between. They
 * are gathered into chunks and compressed by columns; a long group takes several chunks. Memory:
 * one chunk, of at most 2^20 events. A file that was not closed with launch_writer_close() is
 * readable up to its last whole chunk, and readers see that it is incomplete.
 */
#ifndef LAUNCH_WRITER_H
#define LAUNCH_WRITER_H

#include "event.h"
#include "launch_shape.h"

#include <stdbool.h>

struct err;
struct held_groups;
struct kernel_table;
struct launch_writer;

/* Maximum number of events of a chunk of the file, and of a part of a group in it. */
#define LAUNCH_CHUNK_EVENTS_MAX (UINT64_C(1) << 20)

/* Totals of a launch file; the manifest has them too. */
struct launch_totals {
	uint64_t events;   /* all kinds */
	uint64_t accesses; /* lanes: reads + writes + atomics */
	uint64_t reads;
	uint64_t writes;
	uint64_t atomics;
	uint64_t barriers;   /* lanes */
	uint64_t groups;     /* groups written */
	uint64_t file_bytes; /* this and file_sum are set by launch_writer_close() */
	uint64_t file_sum;   /* over all sums of the file (FORMAT.md, "Index and trailer"); 0: not
	                        known: a file before version 4, or never closed */
};

/*
 * Begin the file `path`, which must not exist; it is created when its first chunk is written, or by
 * close. `table` and `shape` are borrowed until close. Returns 0, ERR_NOMEM, or ERR_FORMAT for a
 * bad table or shape, for example one of more than 2^32 groups.
 */
int launch_writer_open(struct launch_writer **out, const char *path,
                       const struct launch_shape *shape, const struct kernel_table *table,
                       struct err *err);

/*
 * Add one group, of any length. g->item_count must be the group's size and every event name a site
 * or loop of the table; anything else is ERR_FORMAT and the group is not added. A group added twice
 * is ERR_FORMAT. After ERR_IO or ERR_NOMEM only close may follow.
 */
int launch_writer_add(struct launch_writer *w, uint64_t group, const struct group_events *g,
                      struct err *err);

/*
 * Add a part of a group: the next events of each of its work-items, possibly none. All parts of a
 * group are added one after the other, the last of them with `is_last`. A part holds whole records:
 * no run or grid without its parts, no size without its access. Events may be divided between parts
 * in any way; the stream of a work-item is its events in all parts. Memory: the part. Returns as
 * launch_writer_add() does; a part that is refused is not added.
 */
int launch_writer_add_part(struct launch_writer *w, uint64_t group, const struct group_events *part,
                           bool is_last, struct err *err);

/* If a group lacks its last part, end it with the parts that it has. Returns as above. */
int launch_writer_end_group(struct launch_writer *w, struct err *err);

/*
 * Returns where to cut events[from .. count) so that a chunk can take the events before: at
 * `count`, or after at most as many events as a chunk has, and never inside a record. Parts that
 * end there result in the same file as the whole group.
 */
uint64_t launch_writer_cut(const struct event *events, uint64_t from, uint64_t count);

/* Returns the bytes of whole chunks written so far. Not while another thread adds. */
uint64_t launch_writer_bytes(const struct launch_writer *w);

/*
 * Returns the added groups of a small launch and their numbers, ascending, as long as the file has
 * not been created; then NULL. Borrowed until the next call.
 */
const struct held_groups *launch_writer_held(const struct launch_writer *w,
                                             const uint32_t **numbers);

/* Return the totals so far, with file_bytes 0; and whether all selected groups were added. */
const struct launch_totals *launch_writer_totals(const struct launch_writer *w);
bool launch_writer_is_whole(const struct launch_writer *w);
/* Whether launch_writer_select() was called. */
bool launch_writer_is_partial(const struct launch_writer *w);

/* Free the writer without writing more; a file that it has created stays. NULL is allowed. */
void launch_writer_discard(struct launch_writer *w);

/* Declare that only some groups of the launch will be added: the others are not missing. */
void launch_writer_select(struct launch_writer *w);

/*
 * Write the rest and the index, close, and free the writer in every case. If a group lacks its
 * last part, the file is not whole. Fills *totals (may be NULL). is_whole: nothing was lost
 * upstream. If writing failed, the file ends with the last whole chunk, and *totals are those of
 * the chunks in it, without a file_sum. w may be NULL; the result is then 0. Returns 0, ERR_IO,
 * ERR_NOMEM, or the error that ended the writing.
 */
int launch_writer_close(struct launch_writer *w, bool is_whole, struct launch_totals *totals,
                        struct err *err);

#endif
