/*
 * bundle_writer - gathers small launches into bundles, many in one file; private to trace/.
 *
 * Launches of one kernel are gathered until a bundle is worth writing. A launch that must be saved
 * before that is written alone, uncompressed, to the open file, which is truncated once the
 * manifest names the bundles of its launches. Memory: the gathered launches, a few MiB.
 */
#ifndef BUNDLE_WRITER_H
#define BUNDLE_WRITER_H

#include "recorded.h"

struct bundle_writer;
struct err;
struct launch_writer;

/* The names of the files, in the recording's directory. */
#define BUNDLE_FILE      "launches.wlb"
#define BUNDLE_OPEN_FILE "open.wlb"

/* A written bundle, for its line in the manifest. */
struct bundle_written {
	uint32_t kernel;
	uint64_t launches, offset, bytes, checksum;
	uint64_t first, last; /* the lowest and highest number */
	uint64_t accesses;    /* of all; 2^64 - 1: that many or more */
};

/* Receives each bundle once it is in the file. Returns 0, or ERR_*, after which nothing more can be
 * written. */
typedef int (*bundle_sink)(void *context, const struct bundle_written *b, struct err *err);

/* Create a writer of files in `dir`; creates no file yet. Returns 0 or ERR_NOMEM. */
int bundle_writer_create(struct bundle_writer **out, const char *dir, bundle_sink sink,
                         void *context, struct err *err);

/* Close the files without writing more, and free. NULL is allowed. */
void bundle_writer_free(struct bundle_writer *w);

/* A small launch. If the writer takes ownership of `events`, or of arguments and counts in `facts`,
 * it sets them to NULL. */
struct bundle_launch {
	struct recorded_launch *facts;    /* with fate TRACED, whole, or COUNTED */
	const struct kernel_table *table; /* borrowed for the call */
	struct launch_writer *events;     /* of TRACED: launch_writer_held() */
	uint64_t room_bytes;              /* maximum size; UINT64_MAX: no limit */
};

/*
 * Add a launch. If there is no room, *has_room is false and nothing is written. After ERR_IO,
 * ERR_NOMEM or an error of the sink only bundle_writer_free() is allowed.
 */
int bundle_writer_add(struct bundle_writer *w, struct bundle_launch *l, bool *has_room,
                      struct err *err);

/* Ensure that all added launches are in a file. Errors as above. */
int bundle_writer_flush(struct bundle_writer *w, struct err *err);

/* Write all bundles, and remove the open file. Errors as above. */
int bundle_writer_finish(struct bundle_writer *w, struct err *err);

/* Bytes of both files so far. */
uint64_t bundle_writer_bytes(const struct bundle_writer *w);

#endif
