/*
 * launch_writer - writes the file of one launch (trace/FORMAT.md, section "Launch file").
 *
 * Groups come whole, each once, in any order; whole groups are gathered into
 * chunks and compressed by columns. Memory: one chunk. A file that is not
 * closed with launch_writer_close() is readable up to its last whole chunk and
 * says that it is incomplete.
 */
#ifndef LAUNCH_WRITER_H
#define LAUNCH_WRITER_H

#include "group_events.h"
#include "launch_shape.h"

#include <stdbool.h>

struct err;
struct kernel_table;
struct launch_writer;

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
 * Create `path` (it must not exist). `table` and `shape` are borrowed until close. On success
 * stores the writer in *out. Returns 0, ERR_IO, ERR_NOMEM, or ERR_FORMAT for a bad shape (more
 * than 2^32 groups included) or table.
 */
int launch_writer_open(struct launch_writer **out, const char *path,
                       const struct launch_shape *shape, const struct kernel_table *table,
                       struct err *err);

/*
 * Add one group. g->item_count must be the group's size and every event name a site or loop of
 * the table; anything else is ERR_FORMAT and the group is not added. A group added twice is
 * ERR_FORMAT, one with more than 2^28 events ERR_LIMIT. ERR_IO or ERR_NOMEM end the writing: only
 * close may follow.
 */
int launch_writer_add(struct launch_writer *w, uint64_t group, const struct group_events *g,
                      struct err *err);

/* Bytes of whole chunks written so far. Not while another thread adds. */
uint64_t launch_writer_bytes(const struct launch_writer *w);

/* Say that only some groups of the launch are to be added: those left out are not missing. */
void launch_writer_select(struct launch_writer *w);

/*
 * Write what is left and the index, close, and free the writer in every case. Fills *totals
 * (may be NULL). is_whole tells the file that nothing was lost upstream. When the writing has
 * failed, the file ends with the last whole chunk, and *totals are of these chunks, without a
 * file_sum. w may be NULL (0 is returned). Returns 0, ERR_IO, ERR_NOMEM, or the error that ended
 * the writing.
 */
int launch_writer_close(struct launch_writer *w, bool is_whole, struct launch_totals *totals,
                        struct err *err);

#endif
