/* SPDX-License-Identifier: Apache-2.0 */
#include "trace_source.h"

#include "array.h"
#include "err.h"
#include "file.h"
#include "str.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

/* Either memory (bytes != NULL or length == 0, fd == -1) or a file. */
struct trace_source {
	char *name;
	const unsigned char *bytes;
	uint64_t length;
	int fd;
};

static struct trace_source *create(const char *name, struct err *err)
{
	struct trace_source *s = array_alloc(1, sizeof(*s), "trace source", err);

	if (!s)
		return NULL;
	s->fd = -1;
	s->name = str_copy(name, err);
	if (!s->name) {
		free(s);
		return NULL;
	}
	return s;
}

/* Create a source for the file `fd`, and take ownership of it; a negative `fd` is the error of
 * opening it. */
static int over_file(struct trace_source **out, const char *name, int fd, struct err *err)
{
	struct trace_source *s = fd < 0 ? NULL : create(name, err);
	struct stat st = { 0 };

	if (fd < 0)
		return fd;
	if (!s) {
		close(fd);
		return ERR_NOMEM;
	}
	s->fd = fd;
	if (fstat(fd, &st)) {
		trace_source_close(s);
		return err_set(err, ERR_IO, "%s: %s", name, strerror(errno));
	}
	s->length = (uint64_t)st.st_size;
	*out = s;
	return 0;
}

int trace_source_open(struct trace_source **out, const char *path, struct err *err)
{
	return over_file(out, path, file_open(path, err), err);
}

int trace_source_open_below(struct trace_source **out, const char *dir, const char *path,
                            struct err *err)
{
	char *name = file_path(dir, path, err);
	int fd = name ? file_open_below(dir, path, O_RDONLY, err) : ERR_NOMEM;
	int ret = over_file(out, name, fd, err);

	free(name);
	return ret;
}

int trace_source_memory(struct trace_source **out, const char *name, const void *bytes,
                        size_t length, struct err *err)
{
	struct trace_source *s = create(name, err);

	if (!s)
		return ERR_NOMEM;
	s->bytes = bytes;
	s->length = length;
	*out = s;
	return 0;
}

void trace_source_close(struct trace_source *s)
{
	if (!s)
		return;
	if (s->fd >= 0)
		close(s->fd);
	free(s->name);
	free(s);
}

uint64_t trace_source_length(const struct trace_source *s)
{
	return s->length;
}

const char *trace_source_name(const struct trace_source *s)
{
	return s->name;
}

static int truncated(const struct trace_source *s, uint64_t offset, size_t length, struct err *err)
{
	return err_set(err, ERR_FORMAT,
	               "%s: offset %" PRIu64
	               ": truncated: expected %zu more bytes, the file has %" PRIu64,
	               s->name, offset, length, s->length);
}

static int read_file(const struct trace_source *s, uint64_t offset, void *bytes, size_t length,
                     struct err *err)
{
	unsigned char *at = bytes;

	while (length) {
		ssize_t got = pread(s->fd, at, length, (off_t)offset);

		if (got < 0 && errno == EINTR)
			continue;
		if (got < 0)
			return err_set(err, ERR_IO, "%s: offset %" PRIu64 ": %s", s->name, offset,
			               strerror(errno));
		if (got == 0)
			return truncated(s, offset, length, err);
		at += got;
		offset += (uint64_t)got;
		length -= (size_t)got;
	}
	return 0;
}

int trace_source_read(struct trace_source *s, uint64_t offset, void *bytes, size_t length,
                      struct err *err)
{
	if (offset > s->length || length > s->length - offset)
		return truncated(s, offset, length, err);
	if (s->fd >= 0)
		return read_file(s, offset, bytes, length, err);
	if (length)
		memcpy(bytes, s->bytes + offset, length);
	return 0;
}
