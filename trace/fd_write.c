/* SPDX-License-Identifier: Apache-2.0 */
#include "fd_write.h"

#include "err.h"
#include "quiet_signals.h"

#include <errno.h>
#include <string.h>
#include <unistd.h>

static int write_all(int fd, const unsigned char *at, size_t length, struct err *err)
{
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

int fd_write(int fd, const void *bytes, size_t length, struct err *err)
{
	struct quiet_signals quiet;
	int ret;

	quiet_signals_begin(&quiet);
	ret = write_all(fd, bytes, length, err);
	quiet_signals_end(&quiet, ret < 0);
	return ret;
}
