/*
 * bundle_writer - puts small launches together into bundles, many in one file; private to trace/.
 *
 * Launches of one kernel are gathered until a bundle is worth writing. So that nothing is lost
 * when the process is killed, each launch is first written alone, not compressed, to the open file;
 * what is in bundles that the manifest names is of no use there any more, and the file is then cut
 * to nothing. Memory: what is gathered, a few MiB.
 */
#ifndef BUNDLE_WRITER_H
#define BUNDLE_WRITER_H

#include "recorded.h"

struct bundle_writer;
struct err;
struct held_groups;

/* The names of the files, in the recording's directory. */
#define BUNDLE_FILE      "launches.wlb"
#define BUNDLE_OPEN_FILE "open.wlb"

/* A bundle that was written, for its line. */
struct bundle_written {
	uint32_t kernel;
	uint64_t launches, offset, bytes, checksum;
	uint64_t first, last; /* the lowest and highest number */
	uint64_t accesses;     /* of all; 2^64 - 1: or more */
	char *groups_selected; /* that its launches have in common; borrowed */
};

/* Takes a bundle that is in the file. Returns 0 or ERR_*: nothing more can be written. */
typedef int (*bundle_sink)(void *context, const struct bundle_written *b, struct err *err);

/* Make a writer of files in `dir`; no file is made yet. Returns 0 or ERR_NOMEM. */
int bundle_writer_create(struct bundle_writer **out, const char *dir, bundle_sink sink,
                         void *context, struct err *err);

/* Close the files as they are, and free. NULL is allowed. */
void bundle_writer_free(struct bundle_writer *w);

/* A small launch. */
struct bundle_launch {
	const struct recorded_launch *facts; /* fate TRACED, and whole, or COUNTED */
	bool is_partial;                     /* not all of its groups were wanted */
	const struct kernel_table *table;    /* borrowed until the writer is freed */
	const struct held_groups *groups;    /* that passed group_check(), ascending; of TRACED */
	const uint32_t *numbers;             /* of the groups */
	uint64_t room_bytes;                 /* that it may take; UINT64_MAX: any number */
};

/*
 * Keep a launch: when this returns 0 it is in a file, or *has_room is false and nothing was written.
 * ERR_IO, ERR_NOMEM, or what the sink said: no call but bundle_writer_free() may follow.
 */
int bundle_writer_add(struct bundle_writer *w, const struct bundle_launch *l, bool *has_room,
                      struct err *err);

/* Write all bundles, and remove the open file. Errors as above. */
int bundle_writer_finish(struct bundle_writer *w, struct err *err);

/* Bytes of both files by now. */
uint64_t bundle_writer_bytes(const struct bundle_writer *w);

#endif
