/*
 * ancestor_trace - a whole trace of the 2014 text format (ancestor.h): read into memory, the kernel
 * inferred from it, and the events of its work-groups.
 *
 * The file does not say how many work-items there were: the global size is the largest id seen,
 * rounded up to whole groups. An execution without a line is one group.
 *
 * Instruction Mn becomes the n-th site that accesses memory; numbers that never occur keep their
 * place as reads. The format does not name barriers: the k-th one that a work-item makes after Mn
 * becomes a site after Mn, in the loops of Mn. A loop word lists every loop around its access, from
 * which their nesting follows; loops without a line are empty.
 */
#ifndef ANCESTOR_TRACE_H
#define ANCESTOR_TRACE_H

#include "ancestor.h"
#include "array.h"
#include "event.h"
#include "kernel_table.h"
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

struct ancestor_kernel {
	struct kernel_table table;
	uint32_t sites[ANCESTOR_LAST_NUMBER + 1]; /* site of Mn */
	struct array barriers;                    /* struct barrier, ascending by key */
};

/*
 * Infer the kernel. Release *kernel in every case. Returns 0; ERR_LIMIT, ERR_NOMEM; ERR_FORMAT
 * "FILE:LINE: ..." when an instruction is read here and written there, or lies in other loops than
 * before, when loops nest in two ways, or when a loop's instructions are not neighbours.
 */
int ancestor_kernel_infer(struct ancestor_kernel *kernel, const struct ancestor_trace *trace,
                          struct err *err);

/* Free what it owns. Accepts a zeroed struct. */
void ancestor_kernel_release(struct ancestor_kernel *kernel);

/* Makes the events of groups, one group after another; owns their memory. */
struct ancestor_events {
	const struct ancestor_trace *trace;
	const struct ancestor_kernel *kernel;
	struct array events; /* struct event */
	struct array first;  /* uint64_t */
};

/* Begin; trace and kernel are borrowed. Release with ancestor_events_release(). */
void ancestor_events_init(struct ancestor_events *e, const struct ancestor_trace *trace,
                          const struct ancestor_kernel *kernel);

/* Free what it owns. Accepts a zeroed struct. */
void ancestor_events_release(struct ancestor_events *e);

/*
 * The events of group `group`, whose entries are those from *next on, if it has any; advances *next
 * past them. *out is borrowed until the next call. Returns 0; ERR_LIMIT, ERR_NOMEM; ERR_FORMAT
 * "FILE:LINE: ..." when a work-item goes back: to an earlier iteration, or to an earlier
 * instruction of the same.
 */
int ancestor_events_group(struct ancestor_events *e, const struct ancestor_execution *x,
                          uint64_t group, size_t *next, struct group_events *out, struct err *err);

#endif
