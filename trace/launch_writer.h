/*
 * launch_writer - writes the file of one launch (trace/FORMAT.md, section "Launch file").
 *
 * Groups come whole, each once, in any order; or one comes in parts, before any other. Groups are
 * gathered into chunks and compressed by columns; what is long is in several chunks. Memory: one
 * chunk, of at most 2^20 events. A file that is not
 * closed with launch_writer_close() is readable up to its last whole chunk and
 * says that it is incomplete.
 */
#ifndef LAUNCH_WRITER_H
#define LAUNCH_WRITER_H

#include "group_events.h"
#include "launch_shape.h"

#include <stdbool.h>

struct err;
struct held_groups;
struct kernel_table;
struct launch_writer;

/* Events of a chunk of the file, and of a part of a group in it, at most. */
#define LAUNCH_CHUNK_EVENTS_MAX (UINT64_C(1) << 20)

/* What a launch file holds; also kept in the manifest. */
struct launch_totals {
	uint64_t events;   /* all kinds */
	uint64_t accesses; /* lanes: reads + writes + atomics */
	uint64_t reads;
	uint64_t writes;
	uint64_t atomics;
	uint64_t barriers;   /* lanes */
	uint64_t groups;     /* groups written */
	uint64_t file_bytes; /* set by close, as is: */
	uint64_t file_sum; /* that all sums of the file go into (FORMAT.md, "Index and trailer"); 0:
	                      not known, of a file before version 4 or never closed */
};

/*
 * Begin the file `path`, which must not exist; it is created when its first chunk is written, or by
 * close. `table` and `shape` are borrowed until close. On success stores the writer in *out.
 * Returns 0, ERR_NOMEM, or ERR_FORMAT for a bad shape (more than 2^32 groups included) or table.
 */
int launch_writer_open(struct launch_writer **out, const char *path,
                       const struct launch_shape *shape, const struct kernel_table *table,
                       struct err *err);

/*
 * Add one group, of any length. g->item_count must be the group's size and every event name a site
 * or loop of the table; anything else is ERR_FORMAT and the group is not added. A group added twice
 * is ERR_FORMAT. ERR_IO or ERR_NOMEM end the writing: only close may follow.
 */
int launch_writer_add(struct launch_writer *w, uint64_t group, const struct group_events *g,
                      struct err *err);

/*
 * Add a part of a group: of each of its work-items what it did next, which may be nothing. All
 * parts of a group come one after the other, and the last of them with `is_last`. A part holds
 * whole records: no run or grid without its parts, no size without its access. Which work-items go
 * on in which part does not matter; what one did in all parts is its stream. Memory: the part.
 * Returns as launch_writer_add() does; a part that is refused is not added.
 */
int launch_writer_add_part(struct launch_writer *w, uint64_t group, const struct group_events *part,
                           bool is_last, struct err *err);

/* End a group whose last part does not come, if there is one: it has what came. Returns as above.
 */
int launch_writer_end_group(struct launch_writer *w, struct err *err);

/*
 * Where events[from .. count) are cut so that a chunk takes what comes before: at `count`, or after
 * as many as a chunk has, at most, and not inside a record. Parts that end there are in the file as
 * if the whole had been added.
 */
uint64_t launch_writer_cut(const struct event *events, uint64_t from, uint64_t count);

/* Bytes of whole chunks written so far. Not while another thread adds. */
uint64_t launch_writer_bytes(const struct launch_writer *w);

/*
 * The groups that were added, and their numbers, while the file is not created yet: of a small
 * launch, in ascending order. Else NULL. Borrowed until the next call.
 */
const struct held_groups *launch_writer_held(const struct launch_writer *w,
                                             const uint32_t **numbers);

/* What was added so far, file_bytes 0; and whether it is all groups that were wanted. */
const struct launch_totals *launch_writer_totals(const struct launch_writer *w);
bool launch_writer_is_whole(const struct launch_writer *w);
bool launch_writer_is_partial(
	const struct launch_writer *w); /* launch_writer_select() was called */

/* Free the writer and write no more; a file that it has created stays. NULL is allowed. */
void launch_writer_discard(struct launch_writer *w);

/* Say that only some groups of the launch are to be added: those left out are not missing. */
void launch_writer_select(struct launch_writer *w);

/*
 * Write what is left and the index, close, and free the writer in every case. A group whose last
 * part did not come has what came, and the file is not whole. Fills *totals (may be NULL). is_whole
 * tells the file that nothing was lost upstream. When the writing has failed, the file ends with
 * the last whole chunk, and *totals are of these chunks, without a file_sum. w may be NULL (0 is
 * returned). Returns 0, ERR_IO, ERR_NOMEM, or the error that ended the writing.
 */
int launch_writer_close(struct launch_writer *w, bool is_whole, struct launch_totals *totals,
                        struct err *err);

/*
 * group_check - whether the events of a group may go into a launch file; private to trace/.
 */

#endif
