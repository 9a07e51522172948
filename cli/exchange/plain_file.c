/* SPDX-License-Identifier: Apache-2.0 */
#include "plain_file.h"

#include "err.h"
#include "file.h"
#include "str.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

static int input_error(const char *what, struct err *err)
{
	return err_set(err, ERR_IO, "standard input: %s in %s: %s", what, file_temporary_folder(),
	               strerror(errno));
}

/* Create a file without a name. */
static FILE *open_nameless(struct err *err)
{
	char *path = str_format(err, "%s/warpline-input-XXXXXX", file_temporary_folder());
	int fd = path ? mkostemp(path, O_CLOEXEC) : -1;
	FILE *file = NULL;

	if (fd >= 0) {
		unlink(path);
		file = fdopen(fd, "w+b");
		if (!file)
			close(fd);
	}
	if (path && !file)
		input_error("no temporary file", err);
	free(path);
	return file;
}

/* Copy standard input to a file that can be read twice. */
static FILE *keep_input(struct err *err)
{
	FILE *file = open_nameless(err);
	char bytes[1 << 14];
	size_t got;

	if (!file)
		return NULL;
	while ((got = fread(bytes, 1, sizeof(bytes), stdin)) > 0 &&
	       fwrite(bytes, 1, got, file) == got)
		;
	if (!ferror(stdin) && !fflush(file) && !fseek(file, 0, SEEK_SET) && !got)
		return file;
	input_error("cannot be kept", err);
	fclose(file);
	return NULL;
}

FILE *plain_file_open(const char *path, struct err *err)
{
	struct stat facts;
	FILE *file;

	if (!strcmp(path, "-"))
		return keep_input(err);
	/* opening a pipe may wait for its writer */
	if (!stat(path, &facts) && !S_ISREG(facts.st_mode)) {
		err_set(err, ERR_IO,
		        S_ISDIR(facts.st_mode)
		                ? "%s: is a directory; expected a file"
		                : "%s: is a pipe or a device, which may have no end; "
		                  "expected a plain file, or - for standard input",
		        path);
		return NULL;
	}
	file = fopen(path, "rbe");
	if (!file)
		err_set(err, ERR_IO, "%s: %s", path, strerror(errno));
	return file;
}
