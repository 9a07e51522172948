/*
 * import_addresses - a recording from a list of addresses (address_file.h).
 *
 * One launch that is a sequence (recorded.h): one warp of one work-item makes the accesses, in the
 * order of the file. Its kernel is a loop with a site for each kind of access; an instruction fetch
 * is a read by a site of its own. The file does not say how wide the accesses are: each is of one
 * byte, so that it is one request of any line. Memory does not grow with the file.
 */
#ifndef IMPORT_ADDRESSES_H
#define IMPORT_ADDRESSES_H

#include "address_file.h"

struct err;

/* Accesses of a work-group, the last but for. */
enum { IMPORT_GROUP_ACCESSES = 1 << 14 };

/* Make the recording `dir` of the first `most` addresses of `file`. Returns 0, ERR_FORMAT (no
 * addresses included), or as plain_file_open() and import_recording_make(). */
int import_addresses(const char *file, enum address_format format, uint64_t most, const char *dir,
                     struct err *err);

#endif
