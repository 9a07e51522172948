/*
 * import_recording - the recording that an import makes: everything but its launches.
 *
 * It is written beside its place and moved there once it is whole: an older recording stays if the
 * input turns out to be invalid.
 */
#ifndef IMPORT_RECORDING_H
#define IMPORT_RECORDING_H

#include "recording_writer.h"

struct err;

/* Writes the launches, of kernels that have the numbers of their tables. */
typedef int (*import_launches)(struct recording_writer *w, const void *input, struct err *err);

/* Writes the groups of a launch into its file. */
typedef int (*import_groups)(struct launch_writer *file, void *input, struct err *err);

/* Write a launch of the kernel with that table, and its fate; *launch gets its totals. Returns 0,
 * what `write` returns, ERR_IO or ERR_NOMEM. */
int import_recording_launch(struct recording_writer *w, struct recorded_launch *launch,
                            const struct kernel_table *table, import_groups write, void *input,
                            struct err *err);

/* What there is of a trace before its launches. */
struct import_head {
	const struct kernel_table *tables; /* of its kernels, in order */
	size_t count;
	char **reasons; /* per kernel: what of it is not in the recording, or NULL; may be NULL */
	char *platform; /* where the trace is from and what it lacks, or "" */
	uint32_t address_bits;
};

/*
 * Make the recording `dir` with the kernels of `head` and the launches that `write` writes of
 * `input`. Returns 0, what `write` returns, or ERR_IO, ERR_USAGE (something is in the way),
 * ERR_NOMEM.
 */
int import_recording_make(const char *dir, const struct import_head *head, import_launches write,
                          const void *input, struct err *err);

#endif
