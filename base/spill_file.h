/*
 * spill_file - a nameless temporary file for what does not fit in memory: long groups and their
 * streams.
 *
 * It lies in $TMPDIR or /tmp, is created at the first write, and disappears when it is closed or
 * the process ends. A place in it belongs to one owner for good, who alone may reuse it. Any number
 * of threads may use the file.
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
	int fd;          /* -1: not created yet */
	bool is_refused; /* it could not be created, or has no room */
	int read_errno;  /* why a read failed, or 0 */
	uint64_t end;    /* of all places */
};

/* An owner's place; zeroed: none yet. */
struct spill_place {
	uint64_t offset, room_bytes;
};

/* No file yet. No allocation. */
void spill_file_init(struct spill_file *f);
void spill_file_release(struct spill_file *f);

/*
 * Write `bytes` bytes at `offset` of a place with room for `all_bytes`. A smaller place is moved,
 * and loses its contents. Returns false on failure: nothing may be read from the place then, and
 * later calls may fail at once.
 */
bool spill_file_write(struct spill_file *f, struct spill_place *place, uint64_t all_bytes,
                      uint64_t offset, const void *from, size_t bytes);

/* Read what was written. Returns false on failure; spill_file_check() then reports it. */
bool spill_file_read(struct spill_file *f, const struct spill_place *place, uint64_t offset,
                     void *to, size_t bytes);

/* Note that a read failed, and why. */
void spill_file_fail(struct spill_file *f, int why_errno);

/* Returns 0, or ERR_IO if a read has failed. */
int spill_file_check(struct spill_file *f, struct err *err);

#endif
