/* SPDX-License-Identifier: Apache-2.0 */
#include "spill_file.h"

#include "err.h"
#include "file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const uint64_t END_LIMIT = UINT64_C(1) << 62;

void spill_file_init(struct spill_file *f)
{
	*f = (struct spill_file){ .fd = -1 };
	pthread_mutex_init(&f->lock, NULL);
}

void spill_file_release(struct spill_file *f)
{
	if (f->fd >= 0)
		close(f->fd);
	f->fd = -1;
	pthread_mutex_destroy(&f->lock);
}

/* Create the file, without a name. */
static int make(void)
{
	char path[4096];
	int fd, length;

	length = snprintf(path, sizeof(path), "%s/warpline-XXXXXX", file_temporary_folder());
	if (length < 0 || (size_t)length >= sizeof(path))
		return -1;
	fd = mkostemp(path, O_CLOEXEC);
	if (fd >= 0)
		unlink(path);
	return fd;
}

/* Find a place of that size; the file must exist. */
static bool find_place(struct spill_file *f, struct spill_place *place, uint64_t bytes)
{
	uint64_t room = bytes + bytes / 4;
	bool is_there;

	pthread_mutex_lock(&f->lock);
	if (f->fd < 0 && !f->is_refused)
		f->fd = make();
	is_there = f->fd >= 0 && !f->is_refused && bytes < END_LIMIT - f->end - bytes / 4;
	if (is_there && place->room_bytes < bytes) {
		*place = (struct spill_place){ f->end, room };
		f->end += room;
	}
	f->is_refused |= !is_there;
	pthread_mutex_unlock(&f->lock);
	return is_there;
}

bool spill_file_write(struct spill_file *f, struct spill_place *place, uint64_t all_bytes,
                      uint64_t offset, const void *from, size_t bytes)
{
	const char *at = from;

	if (!find_place(f, place, all_bytes))
		return false;
	while (bytes) {
		ssize_t put = pwrite(f->fd, at, bytes, (off_t)(place->offset + offset));

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0) {
			pthread_mutex_lock(&f->lock);
			f->is_refused = true;
			pthread_mutex_unlock(&f->lock);
			return false;
		}
		at += put;
		offset += (uint64_t)put;
		bytes -= (size_t)put;
	}
	return true;
}

void spill_file_fail(struct spill_file *f, int why_errno)
{
	pthread_mutex_lock(&f->lock);
	f->read_errno = why_errno;
	pthread_mutex_unlock(&f->lock);
}

bool spill_file_read(struct spill_file *f, const struct spill_place *place, uint64_t offset,
                     void *to, size_t bytes)
{
	char *at = to;

	while (bytes) {
		ssize_t got = pread(f->fd, at, bytes, (off_t)(place->offset + offset));

		if (got < 0 && errno == EINTR)
			continue;
		if (got <= 0) {
			spill_file_fail(f, got < 0 ? errno : EIO);
			return false;
		}
		at += got;
		offset += (uint64_t)got;
		bytes -= (size_t)got;
	}
	return true;
}

int spill_file_check(struct spill_file *f, struct err *err)
{
	int why;

	pthread_mutex_lock(&f->lock);
	why = f->read_errno;
	pthread_mutex_unlock(&f->lock);
	return why ? err_set(err, ERR_IO, "the temporary file of long groups: %s", strerror(why))
	           : 0;
}
