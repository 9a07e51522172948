/* SPDX-License-Identifier: Apache-2.0 */
#include "fd_write.h"

#include "err.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

int fd_write(int fd, const void *bytes, size_t length, struct err *err)
{
	const unsigned char *at = bytes;

	while (length) {
		ssize_t put = write(fd, at, length);

		if (put < 0 && errno == EINTR)
			continue;
		if (put <= 0)
			return err_set(err, ERR_IO, "%s",
			               put ? strerror(errno) : "nothing could be written");
		at += put;
		length -= (size_t)put;
	}
	return 0;
}
