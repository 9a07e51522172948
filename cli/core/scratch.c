/* SPDX-License-Identifier: Apache-2.0 */
#include "scratch.h"

#include "err.h"

#include <errno.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

int scratch_open(const char *what, struct err *err)
{
	int fd = memfd_create(what, MFD_CLOEXEC);

	return fd >= 0 ? fd : err_set(err, ERR_IO, "no room for %s: %s", what, strerror(errno));
}

int scratch_take(int fd, struct str *out, struct err *err)
{
	char part[1 << 16];
	off_t at = 0;

	for (;;) {
		ssize_t count = pread(fd, part, sizeof(part), at);
		int ret;

		if (count < 0 && errno == EINTR)
			continue;
		if (count < 0)
			return err_set(err, ERR_IO, "reading back: %s", strerror(errno));
		if (!count)
			return 0;
		ret = str_append(out, part, (size_t)count, err);
		if (ret)
			return ret;
		at += count;
	}
}
