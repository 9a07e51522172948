/*
 * ancestor_trace - a whole file of the 2014 text format, in memory, in order of work-items.
 *
 * The file does not say how many work-items there were: the global size is
 * taken as the largest id seen, rounded up to whole groups. An execution
 * without a line is one group.
 */
#ifndef ANCESTOR_TRACE_H
#define ANCESTOR_TRACE_H

#include "ancestor.h"
#include "array.h"
#include "launch_shape.h"

struct err;

struct ancestor_entry {
	struct ancestor_line line;
	uint32_t item;    /* linear in its group */
	uint64_t group;   /* linear */
	uint64_t at_line; /* of the file, from 1 */
};

/* A kernel execution: entries first .. first + count - 1, by group, work-item and line. */
struct ancestor_execution {
	struct launch_shape shape;
	size_t first, count;
};

struct ancestor_trace {
	const char *file; /* for messages; borrowed */
	uint64_t local[3];
	struct array entries;    /* struct ancestor_entry */
	struct array executions; /* struct ancestor_execution */
};

/*
 * Read `file`. Release *trace in every case. Returns 0; ERR_FORMAT "FILE:LINE: expected ...";
 * ERR_IO, ERR_LIMIT, ERR_NOMEM.
 */
int ancestor_trace_read(struct ancestor_trace *trace, const char *file, struct err *err);

/* Free what the trace owns. Accepts a zeroed struct. */
void ancestor_trace_release(struct ancestor_trace *trace);

#endif
