/*
 * spill_file - a temporary file without a name for what does not stay in memory: long groups, and
 * their streams.
 *
 * It lies in $TMPDIR, or /tmp, is made when it is first written to, and is gone when it is closed
 * or the process ends. A place in it belongs to its owner for good, and is reused only by its
 * owner. Any number of threads.
 */
#ifndef SPILL_FILE_H
#define SPILL_FILE_H

#include <pthread.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct err;

struct spill_file {
	pthread_mutex_t lock;
	int fd;          /* -1: not made yet, */
	bool is_refused; /* or it could not be made, or has no room */
	int read_errno;  /* why what was written could not be read, or 0 */
	uint64_t end;    /* of all places */
};

/* Somebody's place: zeroed, none yet. */
struct spill_place {
	uint64_t offset, room_bytes;
};

/* No file yet. No allocation. */
void spill_file_init(struct spill_file *f);
void spill_file_release(struct spill_file *f);

/*
 * Write `bytes` bytes from `offset` of a place on that has room for `all_bytes`; the place is moved
 * when it has less, and what was in it is lost. False when that cannot be: then nothing may be
 * read, and later calls may fail at once.
 */
bool spill_file_write(struct spill_file *f, struct spill_place *place, uint64_t all_bytes,
                      uint64_t offset, const void *from, size_t bytes);

/* Read what was written. False when that cannot be, which spill_file_check() remembers. */
bool spill_file_read(struct spill_file *f, const struct spill_place *place, uint64_t offset,
                     void *to, size_t bytes);

/* Remember that something could not be read, and why. */
void spill_file_fail(struct spill_file *f, int why_errno);

/* 0, or ERR_IO when something could not be read. */
int spill_file_check(struct spill_file *f, struct err *err);

#endif
