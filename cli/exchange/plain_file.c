/* SPDX-License-Identifier: Apache-2.0 */
#include "plain_file.h"

#include "err.h"

#include <errno.h>
#include <string.h>
#include <sys/stat.h>

FILE *plain_file_open(const char *path, struct err *err)
{
	struct stat facts;
	FILE *file;

	/* Opening a pipe may wait for whoever writes to it. */
	if (!stat(path, &facts) && !S_ISREG(facts.st_mode)) {
		err_set(err, ERR_IO,
		        S_ISDIR(facts.st_mode)
		                ? "%s: is a directory; expected a file"
		                : "%s: is a pipe or a device, which may have no end; "
		                  "expected a plain file",
		        path);
		return NULL;
	}
	file = fopen(path, "rbe");
	if (!file)
		err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	return file;
}
