/*
 * launch_fate - writes what became of a launch that was run: closes its file and writes its line.
 */
#ifndef LAUNCH_FATE_H
#define LAUNCH_FATE_H

#include "err.h"

#include <stdbool.h>
#include <stdint.h>

struct group_events;
struct job_argument;
struct kernel_table;
struct launch_quota;
struct launch_wish;
struct launch_writer;
struct recorder;
struct session;

struct launch_outcome {
	struct recorder *recorder;
	struct launch_quota *quota;
	const struct kernel_table *table;
	const struct job_argument *arguments; /* the table's argument_count of them */
	bool has_launch_id;                   /* its number is taken */
	bool has_line;                        /* its line is written */
	uint32_t launch_id, kernel_id;
	const struct launch_shape *shape;
	uint64_t local_bytes;
	char *groups_selected;        /* borrowed; or NULL */
	struct launch_writer *writer; /* owned; NULL when there is no file */
	const uint64_t *slots;  /* addresses that the kernel's pointer arguments had, or NULL */
	const uint64_t *counts; /* for each site of the table, or NULL */
	uint64_t dropped;       /* events known to be lost for lack of room */
	uint64_t room_bytes;    /* of a device buffer that would have been enough; 0: not known */
	uint64_t damaged;       /* malformed chunks or slots */
	uint64_t bad_groups;    /* groups that the file rejected */
	bool is_refusing;       /* the following parts of such a group are rejected, too */
	uint64_t device_ns;     /* running time on the device */
	uint64_t device_bytes;  /* bytes that it wrote there */
	bool is_limited;        /* it exceeded a limit of the user */
	bool is_flushed_later; /* the caller calls recorder_flush() before the launch is reported as
	                          done */
	bool has_run;          /* instrumented, at least in part */
	struct err trouble;    /* why an unknown number of events is missing; code 0: none is */
};

/* Returns an outcome with what is known before the launch runs. `arguments` has the table's
 * argument_count. Everything is borrowed.
 */
struct launch_outcome launch_outcome_begin(struct session *s, const struct launch_wish *wish,
                                           const struct kernel_table *table,
                                           const struct job_argument *arguments);

/*
 * Add a group, or a part of one, to the file. A malformed part and the rest of its group are left
 * out, and the group is counted as bad. Returns 0, ERR_IO, ERR_LIMIT or ERR_NOMEM.
 */
int launch_outcome_keep(struct launch_outcome *o, uint64_t group, const struct group_events *part,
                        bool is_last, struct err *err);

/*
 * Close the file and write the line. A launch with groups in its file is never called skipped:
 * notes say why groups are missing and what is damaged. If the file exceeds the user's limit, the
 * launch is LIMITED and the file is removed.
 */
void launch_fate_write(struct launch_outcome *o);

/* Write the launch's line if it has none yet: the recording ends before the launch is done. */
void launch_fate_write_line(const struct launch_outcome *o);

#endif
